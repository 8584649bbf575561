"""What the library holds as a whole: its themes with a sentence of each, and how many of its documents they cover."""
