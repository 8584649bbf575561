"""The knowledge graph: extraction, resolution, the view that is walked, and the links between passages."""
