"""The documents that a comparison or a summary is read from: each is opened once, and what searches found in them is kept for the citations."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from agents.sources.quotable_units import QuotableUnit, quotable_units
from core.documents import Document, StoredChunk
from core.errors import NotFound
from core.ports import DocumentContent, Library, Retriever
from core.search import Candidate, Retrieval, RetrievalRequest, Strategy

_WHOLE_LIBRARY = 200  # documents of a library that are looked through by title; of a larger one those that the search brings
_MOST_OF_A_SEARCH = 10
_MOST_SPANS = 4


@dataclass
class SourceDocuments:
    """`request` is the question's own search: its tenant and filters hold for every other. Collected are the text and the units of each document
    that was opened, the chunks that were looked up, the candidates of all searches (the first one that found a chunk counts), and their signals.
    `knows_all`: the library is small enough to be looked through by title; else those that could be meant are those that a search brings."""

    library: Library
    retriever: Retriever
    request: RetrievalRequest
    strategy: Strategy
    contents: dict[str, DocumentContent] = field(default_factory=dict)
    units: dict[str, list[QuotableUnit]] = field(default_factory=dict)
    chunks: dict[int, StoredChunk] = field(default_factory=dict)
    candidates: dict[int, Candidate] = field(default_factory=dict)
    signals: list[dict[str, float]] = field(default_factory=list)
    knows_all: bool = True

    async def open(self, document_id: str) -> DocumentContent | None:
        """Read a document and its units once; None where it is gone."""
        if document_id not in self.contents:
            try:
                content = await self.library.content(self.request.tenant, document_id)
            except NotFound:
                return None
            self.contents[document_id] = content
            self.units[document_id] = await asyncio.to_thread(quotable_units, content.document)
        return self.contents[document_id]

    async def search(self, text: str, document_ids: Sequence[str] = ()) -> Retrieval:
        """Search passages for `text`, within these documents where any are named, else within the request's own filters."""
        filters = self.request.filters.model_copy(update={"document_ids": list(document_ids)}) if document_ids else self.request.filters
        strategy = self.strategy.model_copy(update={"min_score": 0.0})
        asked = self.request
        request = RetrievalRequest(
            text=text, tenant=asked.tenant, filters=filters, strategy=strategy, top_k=8, use_hybrid=asked.use_hybrid, without=asked.without
        )
        found = await self.retriever.retrieve(request)
        self.candidates |= {each.chunk_id: each for each in found.candidates if each.chunk_id not in self.candidates}
        self.signals.append(found.signals)
        return found

    async def found_spans(self, found: Retrieval, document_id: str) -> list[tuple[int, int]]:
        """Return where the first chunks of a document that were found stand in its text, best first."""
        ids = [each.chunk_id for each in found.candidates if each.document_id == document_id][:_MOST_SPANS]
        missing = [each for each in ids if each not in self.chunks]
        if missing:
            self.chunks |= await self.library.chunks(self.request.tenant, missing)
        return [(self.chunks[each].start, self.chunks[each].end) for each in ids if each in self.chunks]

    async def find_named(self, document_ids: Sequence[str]) -> dict[str, Document]:
        return await self.library.documents(self.request.tenant, document_ids)

    async def find_likely(self, retrieval: Retrieval, texts: Sequence[str] = ()) -> tuple[list[Document], dict[str, list[str]]]:
        """Find documents that could be meant, those of the search first, and for each of `texts` the ids that a search for it alone brings."""
        found = await asyncio.gather(*(self.search(text) for text in texts)) if texts else []
        ranked = {text: ids_of(each) for text, each in zip(texts, found, strict=True)}
        ids = list(dict.fromkeys([*ids_of(retrieval), *(each for some in ranked.values() for each in some[:_MOST_OF_A_SEARCH])]))
        known = await self.find_named(ids)
        documents = [known[each] for each in ids if each in known]
        listed, total, _ = await self.library.list_documents(self.request.tenant, filters=self.request.filters, limit=_WHOLE_LIBRARY)
        self.knows_all = total <= _WHOLE_LIBRARY
        if self.knows_all:
            documents += [each for each in listed if each.id not in known]
        return documents, ranked

    def join_signals(self, found: Retrieval) -> dict[str, float]:
        """Return the signals of the question's search and of all searches here: no single passage covers a comparison, so the mean of their best is
        judged."""
        parts = [each for each in self.signals if each]
        names = set(found.signals) | {name for each in parts for name in each}
        return {name: max(found.signals.get(name, 0.0), _mean([each[name] for each in parts if name in each])) for name in names}


def ids_of(retrieval: Retrieval) -> list[str]:
    """Return the documents of the candidates, each once, best first."""
    return list(dict.fromkeys(each.document_id for each in retrieval.candidates))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
