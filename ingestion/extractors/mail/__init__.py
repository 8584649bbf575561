"""What reads mails."""
