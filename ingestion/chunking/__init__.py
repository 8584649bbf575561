"""How a document is cut: units that are not broken, and the best way to group them."""
