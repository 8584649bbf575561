"""The reader of Rich Text files."""
