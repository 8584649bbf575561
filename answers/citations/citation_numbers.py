"""Numbered citations whose quotes are exactly the spans they name."""

from __future__ import annotations

from collections.abc import Sequence

from core.answers import Citation, Evidence
from core.cited_answers import CitationNumbers, cite_span


class Citations:
    """The citations of one answer from evidence; the same span has one number."""

    def __init__(self, evidence: Sequence[Evidence]) -> None:
        self._evidence = evidence
        self._numbers = CitationNumbers()

    def cite(self, source: int, start: int, end: int) -> int:
        """Return the number for text[start:end] of the document behind `evidence[source]`.

        Raises ValueError for a span outside the passage: it could not be quoted exactly.
        """
        item = self._evidence[source]
        passage = item.passage
        if not passage.start <= start < end <= passage.end:
            raise ValueError(f"The span [{start}:{end}] lies outside the passage [{passage.start}:{passage.end}] of {item.filename}.")

        return self._numbers.assign(cite_span((start, end), passage, item.filename, item.generation, item.page_at(start), passage.section))

    def to_list(self) -> list[Citation]:
        return self._numbers.ordered_citations()
