"""Confined processes in which files are read, and the pool that hands files to them."""
