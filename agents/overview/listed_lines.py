"""Lines of documents that an overview lists: where they are looked for, and how they are cited."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from core.answers import Answer, AnswerSentence, Citation
from core.cited_answers import CitationNumbers, cited_text
from core.documents import BlockKind
from core.insights import CitedText
from core.ports import DocumentContent, Library, MentionFinder
from core.search import Filters

_MOST_READ = 40  # documents


@dataclass(frozen=True, slots=True)
class ReadDocuments:
    """The contents of documents that hold some of the words, by id, those with most of them; `counts` of all that do; `total` that could."""

    contents: dict[str, DocumentContent]
    counts: dict[str, int]
    total: int


async def read_documents_with(words: Sequence[str], tenant: str, library: Library, mentions: MentionFinder, filters: Filters) -> ReadDocuments:
    found = await asyncio.gather(*(mentions.find_mentions(tenant, word, filters, together=True) for word in words))
    naming = {document_id for each in found for document_id in each.by_document}
    counts = {each: sum(one.by_document[each].count for one in found if each in one.by_document) for each in naming}
    read = sorted(naming, key=lambda each: (-counts[each], each))[:_MOST_READ]
    _, total, _ = await library.list_documents(tenant, filters=filters, limit=1)
    return ReadDocuments(await library.contents(tenant, read), counts, total)


def cite_line(document_id: str, filename: str, content: DocumentContent, line: CitedText, section: Sequence[str] = ()) -> Citation:
    return Citation(
        number=0,
        document_id=document_id,
        generation=content.generation,
        filename=filename,
        page=line.page,
        start=line.start,
        end=line.end,
        quote=content.text[line.start : line.end],
        section=list(section),
        passage_start=line.start,
        passage_end=line.end,
    )


def list_lines(first: str, lines: Sequence[tuple[str, Citation]], note: str) -> Answer:
    """Return an answer of a sentence and a list; each line has its own citation."""
    numbers = CitationNumbers()
    sentences = [AnswerSentence(text=first, citations=[], support="supported")]
    for text, citation in lines:
        number = numbers.assign(citation)
        sentences.append(AnswerSentence(text=f"- {text}", citations=[number], support="quoted", paragraph=1, kind=BlockKind.LIST_ITEM))
    return Answer(text=cited_text(sentences), sentences=sentences, citations=numbers.ordered_citations(), notes=[note])
