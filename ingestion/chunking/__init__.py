"""How a document is cut: units that are not broken, the best way to group them, and the larger chunks above."""
