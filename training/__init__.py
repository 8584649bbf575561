"""The making of the numbers that ship beside the models: scripts that are run by hand, on open data, and never at run time."""
