"""The embedders, the embedded search engine and the retrieval stages."""
