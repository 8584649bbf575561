"""Numbered citations whose quotes are exactly the spans they name."""

from __future__ import annotations

from collections.abc import Sequence

from core.answers import Citation, Evidence
from core.cited_answers import CitationNumbers


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

        def made(number: int) -> Citation:
            return Citation(
                number=number,
                document_id=passage.document_id,
                generation=item.generation,
                filename=item.filename,
                page=item.page_at(start),
                start=start,
                end=end,
                quote=passage.content[start - passage.start : end - passage.start],
                section=passage.section,
                passage_start=passage.start,
                passage_end=passage.end,
            )

        return self._numbers.assign(passage.document_id, start, end, made)

    def to_list(self) -> list[Citation]:
        return self._numbers.ordered_citations()
