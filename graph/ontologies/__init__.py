"""Ontologies: read from files, kept for each tenant."""
