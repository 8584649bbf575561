"""Measurements with a command anyone can run: `python -m benchmarks [NAME …]`, or one alone with `python -m benchmarks.NAME`."""
