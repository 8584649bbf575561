"""Hermes: why each result stands where it does."""
