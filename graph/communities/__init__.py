"""Communities of the knowledge graph: groups of entities that documents relate to each other more than to the rest."""
