"""Readers of Word, Excel and PowerPoint files of the binary kind (Office 97 to 2003 and older, and .xlsb)."""
