"""Answers from evidence: composed of the documents' own sentences, or written by a model and checked sentence by sentence."""
