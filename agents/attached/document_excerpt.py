"""As much of a document as a model reads: the whole, or its beginning and its most telling lines in the order of the text."""

from __future__ import annotations

from agents.attached.agent import Material
from agents.text.document_lines import centrality, lines_of

_LONGEST_EXCERPT = 24_000  # characters
_LONGEST_BEGINNING = 6_000


def excerpt(material: Material) -> str:
    """Cut at most 24,000 characters out of a document's text: its beginning, and the lines that say most of the whole."""
    text = material.content.text
    if len(text) <= _LONGEST_EXCERPT:
        return text
    lines = [line for line in lines_of(material.content.document) if line.start >= _LONGEST_BEGINNING]
    scores = centrality(lines, f"{material.document.title} {' '.join(material.document.keywords)}")
    chosen, left = [], _LONGEST_EXCERPT - _LONGEST_BEGINNING
    for line in sorted(lines, key=lambda line: -scores[line]):
        if left >= len(line.text):
            chosen.append(line)
            left -= len(line.text) + 1
    return text[:_LONGEST_BEGINNING] + "\n[…]\n" + "\n".join(line.text for line in sorted(chosen, key=lambda line: line.place))
