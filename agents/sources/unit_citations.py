"""The citations of an answer that quotes units of documents, each span once, with the passages that the units stand in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from agents.sources.quotable_units import ChosenUnit, QuotableUnit
from agents.sources.source_documents import SourceDocuments
from core.answers import Answer, AnswerSentence
from core.cited_answers import CitationNumbers, cite_span, cited_text
from core.documents import Document
from core.ports import DocumentContent
from core.search import Passage, StageScore


class QuotedAnswer(NamedTuple):
    """An answer in the documents' own words and the passages that its quotes stand in."""

    answer: Answer
    passages: list[Passage]


class UnitCitations:
    """Numbers the units that are quoted. They come from `sources`, `documents` knows all of their documents."""

    def __init__(self, sources: SourceDocuments, documents: Mapping[str, Document]) -> None:
        self._sources, self._documents = sources, documents
        self._numbers = CitationNumbers()
        self._passages: dict[tuple[str, int, int], Passage] = {}

    def cite(self, chosen: ChosenUnit) -> list[int]:
        """Return the numbers of the unit and, for a row that cannot be read without it, of the row that names its columns."""
        header = chosen.unit.header_span
        if not chosen.unit.needs_header or header is None:
            return [self._assign_number(chosen)]
        named = replace(chosen.unit, text=" | ".join(chosen.unit.header), start=header[0], end=header[1], cells=(), header_span=None)
        return [self._assign_number(chosen), self._assign_number(replace(chosen, unit=named))]

    def build_answer(self, sentences: Sequence[AnswerSentence], notes: Sequence[str] = ()) -> QuotedAnswer:
        """Return the sentences, which cite by these numbers, as an answer."""
        listed = self._numbers.ordered_citations()
        answer = Answer(text=cited_text(sentences), sentences=list(sentences), citations=listed, notes=list(notes))
        return QuotedAnswer(answer, list(self._passages.values()))

    def _assign_number(self, chosen: ChosenUnit) -> int:
        content, unit = self._sources.contents[chosen.document_id], chosen.unit
        passage = _passage_of(chosen, self._sources)
        passage = self._passages.setdefault((chosen.document_id, passage.start, passage.end), passage)
        filename = self._documents[chosen.document_id].filename
        return self._numbers.assign(cite_span((unit.start, unit.end), passage, filename, content.generation, unit.page, unit.section))


def _passage_of(chosen: ChosenUnit, sources: SourceDocuments) -> Passage:
    """The smallest chunk that the unit stands in, with where the search had it; the unit's own block where no chunk is known."""
    content, unit = sources.contents[chosen.document_id], chosen.unit
    of_document = [each for each in sources.chunks.values() if each.document_id == chosen.document_id]
    around = [each for each in of_document if each.start <= unit.start and unit.end <= each.end]
    chunk = min(around, key=lambda each: each.end - each.start, default=None)
    start, end = (chunk.start, chunk.end) if chunk else _block(content, unit)
    found = (each for each in sources.candidates.values() if each.document_id == chosen.document_id)
    candidate = sources.candidates.get(chunk.id) if chunk else next(found, None)
    return Passage(
        content=content.text[start:end],
        section=list(unit.section),
        document_id=chosen.document_id,
        start=start,
        end=end,
        chunks=[chunk.id] if chunk else [],
        page=unit.page,
        anchor=chunk.id if chunk else 0,
        anchor_score=min(1.0, chosen.strength),
        coherence_score=1.0,
        stages=dict(candidate.stages) if candidate else {"read": StageScore(rank=1, score=1.0)},
    )


def _block(content: DocumentContent, unit: QuotableUnit) -> tuple[int, int]:
    touched = [block for block in content.document.blocks if block.start < unit.end and block.end > unit.start]
    return min([unit.start, *(block.start for block in touched)]), max([unit.end, *(block.end for block in touched)])
