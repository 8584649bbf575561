"""Proteus: the weights of the legs for one question, and why."""
