"""Scores of how well a unit answers a question, by words and by meaning, and the choice of the units of an answer."""
