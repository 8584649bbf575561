"""Numbered citations, and whether a cited span says what a sentence says."""
