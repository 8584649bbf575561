"""Sisyphus: what to try next when a search was too weak, and which try is the best."""
