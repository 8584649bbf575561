"""Apollo: what the knowledge graph adds to a question."""
