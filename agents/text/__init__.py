"""Language that several agents read: words, names and the language of questions, their filters, names of
documents, and documents as lines."""
