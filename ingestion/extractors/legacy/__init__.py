"""What reads Word, Excel and PowerPoint files of the years before, and .xlsb."""
