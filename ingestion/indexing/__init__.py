"""Indexing runs: jobs, the stages that a file goes through, and the writing of documents into library and index."""
