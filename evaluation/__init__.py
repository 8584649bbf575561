"""Measures of ranking, answers and chunking, with their sources: what benchmarks, `vantage eval` and `vantage tune` go by."""
