"""Where words that a model says it copied really stand."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rapidfuzz import fuzz, process

from agents.document_agents.lines import READ, Line, lines_of
from core.documents import ExtractedDocument
from core.insights import CitedText

_ALIKE = 90.0  # rapidfuzz ratio: a mark or a letter may differ, a word may not
_LONGEST = 1_000


class Locator:
    """Finds a text in a document: letter by letter but for white space and case, else the sentence that is nearly the same."""

    def __init__(self, document: ExtractedDocument) -> None:
        self._document = document
        self._text = document.text[:READ]
        self._lines: list[Line] | None = None

    def one(self, wanted: str) -> CitedText | None:
        """Return the document's own words at their place; None where nothing stands there that is nearly the same."""
        words = wanted.split()
        if not words or len(wanted) > _LONGEST:
            return None
        found = re.search(r"\s+".join(re.escape(word) for word in words), self._text, re.IGNORECASE)
        return self._cited(found.start(), found.end()) if found else self._nearly(" ".join(words))

    def all(self, wanted: Iterable[str]) -> list[CitedText]:
        """Return each place once, in the order in which they were asked for."""
        places = {(each.start, each.end): each for text in wanted if (each := self.one(text))}
        return list(places.values())

    def _nearly(self, wanted: str) -> CitedText | None:
        if self._lines is None:
            self._lines = lines_of(self._document)
        best = process.extractOne(wanted, [line.text for line in self._lines], scorer=fuzz.ratio, score_cutoff=_ALIKE)
        return self._lines[best[2]].cited() if best else None

    def _cited(self, start: int, end: int) -> CitedText:
        page = next((block.page for block in self._document.blocks if block.end > start), None)
        return CitedText(text=" ".join(self._text[start:end].split()), start=start, end=end, page=page)
