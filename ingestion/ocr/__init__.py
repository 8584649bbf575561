"""Text recognition (OCR): pages and pictures become lines of text with their places."""
