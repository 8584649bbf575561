"""Numbered citations whose quotes are exactly the spans they name, and the text of an answer with its numbers."""

from __future__ import annotations

from collections.abc import Sequence

from core.answers import AnswerSentence, Citation, Evidence
from core.documents import BlockKind


class Citations:
    """Collects the citations of one answer; the same span has one number, numbers count from 1 in the order of first use."""

    def __init__(self, evidence: Sequence[Evidence]) -> None:
        self._evidence = evidence
        self._numbers: dict[tuple[str, int, int], int] = {}
        self._citations: list[Citation] = []

    def cite(self, source: int, start: int, end: int) -> int:
        """The number for text[start:end] of the document behind `evidence[source]`.

        Raises ValueError for a span outside the passage: it could not be quoted exactly.
        """
        item = self._evidence[source]
        passage = item.passage
        if not passage.start <= start < end <= passage.end:
            raise ValueError(f"The span [{start}:{end}] lies outside the passage [{passage.start}:{passage.end}] of {item.filename}.")
        key = (passage.document_id, start, end)
        if key not in self._numbers:
            self._numbers[key] = len(self._citations) + 1
            self._citations.append(
                Citation(
                    number=self._numbers[key],
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
            )
        return self._numbers[key]

    def listed(self) -> list[Citation]:
        return list(self._citations)


def joined(sentences: Sequence[AnswerSentence]) -> str:
    """The sentences with their numbers as [1]; a paragraph starts after an empty line, a table row, list item or code line on its own line."""
    text = ""
    before: AnswerSentence | None = None
    for sentence in sentences:
        if before is not None:
            text += _between(before, sentence)
        text += sentence.text + "".join(f" [{number}]" if place == 0 else f"[{number}]" for place, number in enumerate(sentence.citations))
        before = sentence
    return text


def _between(before: AnswerSentence, sentence: AnswerSentence) -> str:
    own_line = {BlockKind.TABLE, BlockKind.LIST_ITEM, BlockKind.CODE}
    if before.paragraph != sentence.paragraph:
        return "\n\n"
    return "\n" if before.kind in own_line or sentence.kind in own_line else " "
