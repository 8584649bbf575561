"""Themis: how far an answer can be trusted. `agreement` compares what its sources state of the same thing."""
