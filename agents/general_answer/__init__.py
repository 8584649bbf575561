"""Answers that come from no document: about Vantage itself from its real state, and general knowledge from a model."""
