"""Yes or no: what a question asks, and what a statement or the rows of a table say to it."""
