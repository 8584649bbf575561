"""What Vantage remembers. In this form: the session's window."""
