"""Socrates: asks back where a question says one thing of several.

agent                  whether to ask back, and the choices that are offered
stated_attributes      a price, a delivery time: what documents of one kind each state for themselves
name_bearers           the people or firms of the library that a single name can stand for
"""
