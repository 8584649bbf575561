"""OpenSearch as the search engine: words and vectors of all documents in its indices (docs/decisions/0040)."""
