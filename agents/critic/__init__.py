"""Diogenes: whether the documents answer the question, and whether they support the answer."""
