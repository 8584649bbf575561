"""Readers of Word, Excel and PowerPoint files of the XML kind (Office Open XML)."""
