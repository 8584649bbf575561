"""The extractive answer: chosen units as lines that can be read alone, what holds now in front; no model writes a word of it."""
