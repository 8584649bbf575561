"""The reader of PDF files."""
