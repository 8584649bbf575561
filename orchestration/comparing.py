"""What Aristotle needs of the library: the documents of the sides, their statements, and the passages that his cells stand in."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from agents.analysis import Side, Text, Told, attributes_of, resolve_sides
from agents.sides import Asked
from agents.statements import Statement, statements_of
from core.answers import Citation
from core.documents import Document, StoredChunk
from core.errors import NotFound
from core.ports import Content
from core.search import Candidate, Passage, Retrieval, RetrievalRequest, StageScore
from orchestration.adapter import Tools
from orchestration.state import State

_CATALOGUE = 200  # documents of a library that are looked through by title; of a larger one those that the search brings
_NEAR = 4


@dataclass
class Book:
    """The documents that were opened in a run: each is read once, its chunks are known by the searches within it."""

    tools: Tools
    request: RetrievalRequest
    contents: dict[str, Content] = field(default_factory=dict)
    statements: dict[str, list[Statement]] = field(default_factory=dict)
    chunks: dict[int, StoredChunk] = field(default_factory=dict)
    stages: dict[int, Candidate] = field(default_factory=dict)
    signals: list[dict[str, float]] = field(default_factory=list)

    async def open(self, document_id: str) -> Content | None:
        if document_id not in self.contents:
            try:
                content = await self.tools.deps.library.content(self.tools.run.tenant, document_id)
            except NotFound:
                return None
            self.contents[document_id] = content
            self.statements[document_id] = await asyncio.to_thread(statements_of, content.document)
        return self.contents[document_id]

    async def search(self, text: str, document_ids: Sequence[str] = ()) -> Retrieval:
        """Passages for `text`, within these documents where any are named, else within the request's own filters."""
        filters = self.request.filters.model_copy(update={"document_ids": list(document_ids)}) if document_ids else self.request.filters
        strategy = self.tools.deps.options.hybrid.model_copy(update={"min_score": 0.0})
        asked = RetrievalRequest(text=text, tenant=self.request.tenant, filters=filters, strategy=strategy, top_k=8, without=self.request.without)
        found = await self.tools.deps.retriever.retrieve(asked)
        self.stages |= {each.chunk_id: each for each in found.candidates if each.chunk_id not in self.stages}
        self.signals.append(found.signals)
        return found

    async def spans(self, found: Retrieval, document_id: str) -> list[tuple[int, int]]:
        ids = [each.chunk_id for each in found.candidates if each.document_id == document_id][:_NEAR]
        missing = [each for each in ids if each not in self.chunks]
        if missing:
            self.chunks |= await self.tools.deps.library.chunks(self.tools.run.tenant, missing)
        return [(self.chunks[each].start, self.chunks[each].end) for each in ids if each in self.chunks]


async def catalogue(book: Book, retrieval: Retrieval, texts: Sequence[str] = ()) -> tuple[list[Document], dict[str, list[str]]]:
    """Documents that could be meant, those of the search first, and for each of `texts` the ids that a search for it alone brings."""
    found = await asyncio.gather(*(book.search(text) for text in texts)) if texts else []
    ranked = {text: _ids(each) for text, each in zip(texts, found, strict=True)}
    ids = list(dict.fromkeys([*_ids(retrieval), *(each for some in ranked.values() for each in some[:10])]))
    library, tenant = book.tools.deps.library, book.tools.run.tenant
    known = await library.documents(tenant, ids)
    documents = [known[each] for each in ids if each in known]
    listed, total, _ = await library.list_documents(tenant, filters=book.request.filters, limit=_CATALOGUE)
    if total <= _CATALOGUE:
        documents += [each for each in listed if each.id not in known]
    return documents, ranked


def _ids(retrieval: Retrieval) -> list[str]:
    return list(dict.fromkeys(each.document_id for each in retrieval.candidates))


@dataclass(frozen=True, slots=True)
class Laid:
    """A comparison laid out: the sides, the attributes, and what each side is read from."""

    sides: list[Side]
    attributes: list[str]
    texts: list[Text]


async def lay_out(asked: Asked, state: State, book: Book) -> Laid | None:
    """The sides resolved and opened; None where fewer than two were found or nothing can be compared."""
    documents, ranked = await catalogue(book, state["retrieval"], asked.names or ((asked.topic,) if asked.topic else ()))
    sides = resolve_sides(asked, documents, ranked, book.request.filters.document_ids)
    if len(sides) < 2:
        return None
    for side in sides:
        if side.document is not None:
            await book.open(side.document.id)
    opened = [book.statements.get(side.document.id, []) if side.document else [] for side in sides]
    attributes = attributes_of(asked, sides, opened)
    if not attributes and any(side.document is None for side in sides):
        attributes = [""]
    texts = [await _text(side, attributes, book) for side in sides]
    return Laid(sides, attributes, texts) if attributes else None


async def _text(side: Side, attributes: Sequence[str], book: Book) -> Text:
    """The side's own document; for a side without one the document that speaks most of it."""
    document_id = side.document.id if side.document else await _spoken_of(side, attributes, book)
    content = await book.open(document_id) if document_id else None
    if content is None:
        return Text(document_id or "", [])
    near = {}
    for attribute in attributes:
        words = attribute if side.document else f"{side.name} {attribute}"
        near[attribute] = await book.spans(await book.search(words, [document_id]), document_id)
    return Text(document_id, book.statements[document_id], near)


async def _spoken_of(side: Side, attributes: Sequence[str], book: Book) -> str:
    found = await book.search(f"{side.name} {' '.join(attributes[:3])}".strip())
    return found.candidates[0].document_id if found.candidates else ""


def passage_of(told: Told, book: Book) -> Passage:
    """The chunk that the statement stands in, with where the search had it; the statement's own block where no chunk is known."""
    content, statement = book.contents[told.document_id], told.statement
    around = [
        chunk
        for chunk in book.chunks.values()
        if chunk.document_id == told.document_id and chunk.start <= statement.start and statement.end <= chunk.end
    ]
    chunk = min(around, key=lambda each: each.end - each.start, default=None)
    start, end = (chunk.start, chunk.end) if chunk else _block(content, statement)
    candidate = book.stages.get(chunk.id) if chunk else next((each for each in book.stages.values() if each.document_id == told.document_id), None)
    return Passage(
        content=content.text[start:end],
        section=list(statement.section),
        document_id=told.document_id,
        start=start,
        end=end,
        chunks=[chunk.id] if chunk else [],
        page=statement.page,
        anchor=chunk.id if chunk else 0,
        anchor_score=min(1.0, told.strength),
        coherence_score=1.0,
        stages=dict(candidate.stages) if candidate else {"read": StageScore(rank=1, score=1.0)},
    )


def _block(content: Content, statement: Statement) -> tuple[int, int]:
    touched = [block for block in content.document.blocks if block.start < statement.end and block.end > statement.start]
    return min([statement.start, *(block.start for block in touched)]), max([statement.end, *(block.end for block in touched)])


def citation_of(number: int, told: Told, passage: Passage, book: Book, filename: str) -> Citation:
    content, statement = book.contents[told.document_id], told.statement
    return Citation(
        number=number,
        document_id=told.document_id,
        generation=content.generation,
        filename=filename,
        page=statement.page,
        start=statement.start,
        end=statement.end,
        quote=content.text[statement.start : statement.end],
        section=list(statement.section),
        passage_start=passage.start,
        passage_end=passage.end,
    )


def signals(found: Retrieval, book: Book) -> dict[str, float]:
    """What the searches within the sides say together: no single passage covers a comparison, so the mean of their best is judged."""
    parts = [each for each in book.signals if each]
    names = set(found.signals) | {name for each in parts for name in each}
    return {name: max(found.signals.get(name, 0.0), _mean([each[name] for each in parts if name in each])) for name in names}


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
