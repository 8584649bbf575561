"""What reads Rich Text files."""
