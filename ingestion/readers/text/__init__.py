"""Readers of files that are text: plain text, Markdown, HTML, e-books, LaTeX, source code, JSON, XML and delimited tables."""
