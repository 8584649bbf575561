"""How the numbers that ship beside the models were made: scripts that are run by hand, on open data, and never at run time."""
