"""Questions for an empty conversation, one for each route, made from what is in the index."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

from core.documents import BlockKind, Document, StoredChunk
from core.ports import Library
from core.search import Filters, FrozenModel, Intent

_HEADING_WORDS = range(1, 6)
_COMPARED = 100  # documents of which every pair is looked at
_TABLES = {"spreadsheet", "data", "code"}


class StarterQuestion(FrozenModel):
    """A question with the route that it shows and the reason why the index can answer it."""

    question: str
    intent: Intent
    document_id: str | None
    why: str


async def make_starters(library: Library, tenant: str) -> list[StarterQuestion]:
    """Return at most one question a route; none for an empty library."""
    documents, total, _ = await library.list_documents(tenant, filters=Filters(), limit=200)
    if not total:
        return []
    chunks = await library.sample_chunks(tenant, 60)
    by_id = {document.id: document for document in documents}
    made = [_lookup(chunks, by_id), _comparison(documents), _summary(documents), _analysis(documents), _system(total)]
    return [starter for starter in made if starter is not None]


def _spoken_name(document: Document) -> str:
    """Return the title without the name of the site or firm behind it, where it is one that can be said in a question; else the file's name."""
    title = re.split(r" [·|–—] ", document.title.strip())[0]
    return title if 3 <= len(title) <= 60 and " " in title else Path(document.filename).stem


def _heading(chunk: StoredChunk) -> str:
    return chunk.section[-1].strip(" .:0123456789§") if chunk.section else ""


def _lookup(chunks: list[StoredChunk], documents: dict[str, Document]) -> StarterQuestion | None:
    """Return a question about the fullest section of prose under a short heading of plain words that is not the document's own title; None without
    one."""

    def speaks(chunk: StoredChunk) -> bool:
        heading, document = _heading(chunk), documents.get(chunk.document_id)
        plain = bool(heading) and all(word.isalpha() for word in heading.split()) and len(heading.split()) in _HEADING_WORDS
        return plain and document is not None and chunk.kind is BlockKind.PARAGRAPH and heading.casefold() not in document.title.casefold()

    chunk = max((chunk for chunk in chunks if speaks(chunk)), key=lambda item: item.tokens, default=None)
    if chunk is None:
        return None
    document, heading = documents[chunk.document_id], _heading(chunk)
    said = heading[:1].lower() + heading[1:] if heading[1:].islower() else heading
    question = f"What does “{_spoken_name(document)}” say about {said}?"
    return StarterQuestion(question=question, intent=Intent.DOCUMENT_SEARCH, document_id=document.id, why=f"a section of {document.filename}")


def _topic_words(document: Document) -> set[str]:
    """Return what a document is about, in words, for finding a pair: its name, title and keywords."""
    return set(re.findall(r"[^\W\d_]{3,}", " ".join([document.filename, document.title, *document.keywords]).casefold()))


def _comparison(documents: list[Document]) -> StarterQuestion | None:
    """Return a question about the two documents with most words in common (Jaccard over name, title and keywords); None where no two share a
    fifth."""
    about = {document.id: _topic_words(document) for document in documents[:_COMPARED]}

    def likeness(pair: tuple[Document, Document]) -> float:
        first, second = about[pair[0].id], about[pair[1].id]
        return len(first & second) / max(1, len(first | second))

    pair = max(combinations(documents[:_COMPARED], 2), key=likeness, default=None)
    if pair is None or likeness(pair) < 0.2 or _spoken_name(pair[0]) == _spoken_name(pair[1]):
        return None
    question = f"Compare “{_spoken_name(pair[0])}” with “{_spoken_name(pair[1])}”"
    return StarterQuestion(question=question, intent=Intent.COMPARISON, document_id=None, why="two documents about the same things")


def _summary(documents: list[Document]) -> StarterQuestion | None:
    prose = [document for document in documents if document.summary and document.doc_type not in _TABLES]
    longest = max(prose, key=lambda item: item.characters, default=None)
    if longest is None:
        return None
    return StarterQuestion(
        question=f"Summarise “{_spoken_name(longest)}”", intent=Intent.SUMMARIZATION, document_id=longest.id, why="the longest document"
    )


def _analysis(documents: list[Document]) -> StarterQuestion | None:
    sheet = next((document for document in documents if document.doc_type in _TABLES), None)
    if sheet is None:
        return None
    return StarterQuestion(question=f"Analyse the figures in “{_spoken_name(sheet)}”", intent=Intent.ANALYSIS, document_id=sheet.id, why="a table")


def _system(total: int) -> StarterQuestion:
    return StarterQuestion(
        question="How many documents are indexed?", intent=Intent.SYSTEM_META, document_id=None, why=f"{total} documents are indexed"
    )
