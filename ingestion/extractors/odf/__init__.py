"""What reads OpenDocument files."""
