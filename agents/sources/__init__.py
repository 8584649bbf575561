"""What comparisons and summaries are read from: documents opened once, their units that can be quoted, and the citations of these."""
