"""Zeus: the graph of a run, its state, its events and its record. `zeus.py` shows the whole system on one page."""
