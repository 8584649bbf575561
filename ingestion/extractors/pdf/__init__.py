"""What reads PDF files."""
