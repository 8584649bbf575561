"""A summary, from the documents that are meant to the answer that quotes them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agents.sources.quotable_units import ChosenUnit, QuotableUnit, unit_of_line
from agents.sources.source_documents import SourceDocuments, ids_of
from agents.sources.unit_citations import QuotedAnswer, UnitCitations
from agents.summarization.document_choice import DocumentChoice
from agents.summarization.sentence_choice import choose_sentences, heading_of
from agents.summarization.summary_length import SummaryLength, share_of
from agents.text.document_names import is_named_by
from core.answers import AnswerSentence
from core.documents import BlockKind, Document
from core.search import Retrieval

PROMPT = "summarization"
FINDINGS_LENGTH = SummaryLength(150)  # of all documents together
_MOST_FINDINGS = 3  # documents whose key findings are listed


@dataclass(frozen=True, slots=True)
class QuotedSummary:
    """The documents of which a sentence was chosen, and their sentences as an answer; no documents where there is nothing to sum up."""

    documents: list[Document]
    quoted_answer: QuotedAnswer

    @property
    def names(self) -> str:
        return ", ".join(document.filename for document in self.documents)


async def summarize(choice: DocumentChoice, length: SummaryLength, *, sources: SourceDocuments) -> QuotedSummary:
    """Return each document in a paragraph of its own sentences; those without a sentence are left out."""
    part = share_of(length, len(choice.documents))
    focus = choice.topic if len(choice.documents) > 1 else ""
    units: list[tuple[Document, list[QuotableUnit]]] = []
    for document in choice.documents:
        content = await sources.open(document.id)
        if content is None:
            continue
        lines = await asyncio.to_thread(choose_sentences, content.document, document.title, part, focus)
        if lines:
            units.append((document, [unit_of_line(line) for line in lines]))
    documents = [document for document, _ in units]
    citations = UnitCitations(sources, {document.id: document for document in documents})
    sentences: list[AnswerSentence] = []
    for paragraph, (document, chosen) in enumerate(units):
        sentences += _paragraph(paragraph, document, chosen, citations, alone=len(units) == 1)
    return QuotedSummary(documents, citations.build_answer(sentences, ["The documents were chosen by their names."] if choice.by_name else []))


async def key_findings(topic: str, retrieval: Retrieval, *, sources: SourceDocuments) -> QuotedSummary:
    """Return a summary of the documents that `topic` names and that the search found."""
    likely, _ = await sources.find_likely(retrieval)
    found = set(ids_of(retrieval))
    named = [document for document in likely if document.id in found and is_named_by(topic, document)]
    return await summarize(DocumentChoice(named[:_MOST_FINDINGS]), FINDINGS_LENGTH, sources=sources)


def _paragraph(
    paragraph: int, document: Document, units: Sequence[QuotableUnit], citations: UnitCitations, *, alone: bool
) -> Iterator[AnswerSentence]:
    """Before the first sentence of each section stands its heading where the document stands `alone`, else its title before the first of all."""
    title = document.title or document.filename
    several = len({unit.section for unit in units}) > 1
    for place, unit in enumerate(units):
        opens = not place or units[place - 1].section != unit.section
        heading = heading_of(unit.section, unit.text, title) if alone and several and opens else ""
        opening = title if not alone and not place else heading
        yield AnswerSentence(
            text=f"{opening}: {unit.text}" if opening else unit.text,
            citations=citations.cite(ChosenUnit(document.id, unit)),
            support="quoted",
            score=1.0,
            paragraph=paragraph,
            kind=unit.kind if unit.kind is BlockKind.LIST_ITEM else BlockKind.PARAGRAPH,
        )


def task_of(question: str, length: SummaryLength, documents: int) -> str:
    """Return the question as a model gets it, with the length in numbers and how many documents there are."""
    sentences = "" if length.sentences is None else f", in {length.sentences} sentence{'' if length.sentences == 1 else 's'}"
    several = f"\nDocuments: {documents}, a paragraph for each." if documents > 1 else ""
    return f"{question}\nLength: at most {length.words} words{sentences}.{several}"
