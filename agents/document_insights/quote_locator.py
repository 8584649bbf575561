"""Where words that a model says it copied really stand."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rapidfuzz import fuzz, process

from agents.text.document_lines import MOST_CHARACTERS, DocumentLine, lines_of
from core.documents import ExtractedDocument
from core.insights import CitedText

_LEAST_RATIO = 90.0  # rapidfuzz ratio: a mark or a letter may differ, a word may not
_LONGEST_QUOTE = 1_000


class QuoteLocator:
    """Finds a text in a document: letter by letter but for white space and case, else the sentence that is nearly the same."""

    def __init__(self, document: ExtractedDocument) -> None:
        self._document = document
        self._text = document.text[:MOST_CHARACTERS]
        self._lines: list[DocumentLine] | None = None

    def locate(self, wanted: str) -> CitedText | None:
        """Return the document's own words at their place; None where nothing stands there that is nearly the same."""
        words = wanted.split()
        if not words or len(wanted) > _LONGEST_QUOTE:
            return None
        found = re.search(r"\s+".join(re.escape(word) for word in words), self._text, re.IGNORECASE)
        return self._cited_text(found.start(), found.end()) if found else self._locate_similar(" ".join(words))

    def locate_all(self, wanted: Iterable[str]) -> list[CitedText]:
        """Return each place once, in the order in which they were asked for."""
        places = {(each.start, each.end): each for text in wanted if (each := self.locate(text))}
        return list(places.values())

    def _locate_similar(self, wanted: str) -> CitedText | None:
        if self._lines is None:
            self._lines = lines_of(self._document)
        best = process.extractOne(wanted, [line.text for line in self._lines], scorer=fuzz.ratio, score_cutoff=_LEAST_RATIO)
        return self._lines[best[2]].to_cited_text() if best else None

    def _cited_text(self, start: int, end: int) -> CitedText:
        page = next((block.page for block in self._document.blocks if block.end > start), None)
        return CitedText(text=" ".join(self._text[start:end].split()), start=start, end=end, page=page)
