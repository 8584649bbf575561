"""Numbered citations, and the check whether a cited span says what a sentence says."""
