"""Prometheus: reads the files that are attached to a question, or says why one cannot be read; and what is asked of them as a whole."""
