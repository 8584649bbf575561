"""Hypatia: what kind of document it is, what it is about, its `tone` and its `readability`."""
