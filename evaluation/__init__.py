"""Measures of ranking, answers and chunking, with their sources: what benchmarks (and later the product) score with."""
