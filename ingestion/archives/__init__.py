"""Archives, compressed files and mailboxes: their members are documents of their own. Knows no reader."""
