"""The reader of OpenDocument files."""
