"""Folders that keep themselves current: changes are noticed, waited for until they are whole, and taken in."""
