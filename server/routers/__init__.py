"""One router a concern; each function is the whole of its route."""
