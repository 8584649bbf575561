"""The evidence as units that can be quoted: sentences, rows, items, labels and headings, each with its exact span."""
