"""From a file on disk to text with structure: scanning, readers, worker processes, profile, chunks, index."""
