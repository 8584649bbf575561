"""Trains the reader: low-rank differences to an installed encoder and its heads, from open data. See docs/reader.md."""
