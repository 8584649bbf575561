"""The probability that the documents answer a question at all, and the answer that says they do not."""
