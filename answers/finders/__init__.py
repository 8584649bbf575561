"""Rules that find an answer without a reader, one kind of question a module; each returns a RuleAnswer or the units of a list."""
