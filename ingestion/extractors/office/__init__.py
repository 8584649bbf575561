"""What reads Word, Excel and PowerPoint files of the XML kind."""
