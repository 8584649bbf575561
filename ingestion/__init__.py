"""From a file on disk to text with structure: detection, extractors, worker processes, profile."""
