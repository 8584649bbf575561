"""Search indexes for the contract suite, and small documents to put into them."""

from __future__ import annotations

import asyncio
import hashlib
import os
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from numpy.typing import NDArray

from core.documents import BlockKind, Document, DocumentState, ExtractedDocument, Metadata, PageUnit, StoredChunk
from core.errors import Unavailable
from core.ports import DocumentContent, DocumentNames, IndexedChunk, IndexedDocument, Library, SearchIndex
from core.search import Filters
from retrieval.opensearch.library_mark import MARK_FILE
from retrieval.search_engines import SEARCH_ENGINES, IndexOptions
from tests.support.memory_index import InMemoryIndex
from tests.support.opensearch_server import NoOpenSearchError, empty_indices, options_of, shared_server

DIMENSION = 32


@dataclass(frozen=True)
class Backend:
    """How the suite opens one kind of index. `keeps_words`: they are there again when it is opened anew, before documents are loaded.
    `keeps_vectors_here`: they take memory of this process."""

    name: str
    open_engine: Callable[[IndexOptions], Awaitable[SearchIndex]]
    faiss_above: int = 1_000_000
    keeps_words: bool = True
    keeps_vectors_here: bool = True

    async def open(self, folder: Path) -> SearchIndex:
        return await self.open_engine(IndexOptions(folder, DIMENSION, document_weight=0.3, faiss_above=self.faiss_above))


async def open_shared_opensearch(options: IndexOptions) -> SearchIndex:
    """Open an index in the OpenSearch of this test run: empty for a folder that was not there before. Skips where there is none.

    Making indices takes a second: those of this process are emptied and taken again.
    """
    try:
        url = await asyncio.to_thread(shared_server)
    except NoOpenSearchError as missing:
        pytest.skip(str(missing))
    reached = options_of(url, f"test-{os.getpid()}")
    if not (options.folder / MARK_FILE).exists():
        options.folder.mkdir(parents=True, exist_ok=True)
        (options.folder / MARK_FILE).write_text(f"{os.getpid()}")
        await asyncio.to_thread(empty_indices, reached)
    return await SEARCH_ENGINES["opensearch"](replace(options, opensearch=reached))


BACKENDS = [
    Backend("numpy", SEARCH_ENGINES["embedded"]),
    Backend("faiss", SEARCH_ENGINES["embedded"], faiss_above=1),
    Backend("memory", InMemoryIndex.open, keeps_words=False),
    Backend("opensearch", open_shared_opensearch, keeps_vectors_here=False),
]


class FailingIndex:
    """A search index of which some methods raise Unavailable; the others are the inner one's."""

    def __init__(self, inner: SearchIndex, failing: Sequence[str]) -> None:
        self._inner, self._failing = inner, failing

    def __getattr__(self, name: str) -> Any:
        if name not in self._failing:
            return getattr(self._inner, name)

        async def broken(*_: Any) -> None:
            raise Unavailable("It is broken.")

        return broken


def vector_of(text: str) -> NDArray[np.float32]:
    """A unit vector that texts with common words share in part: the sum of a random direction for each word."""
    total = np.zeros(DIMENSION, np.float32)
    for word in text.lower().split() or [""]:
        seed = int.from_bytes(hashlib.blake2b(word.strip(".,?").encode("utf-8", "replace"), digest_size=4).digest(), "big")
        total += np.random.default_rng(seed).standard_normal(DIMENSION).astype(np.float32)
    unit: NDArray[np.float32] = total / np.linalg.norm(total)
    return unit


@dataclass(frozen=True)
class DocumentAttributes:
    """What a test wants to be different from the ordinary document."""

    tenant: str = "default"
    collection: str = "papers"
    generation: int = 1
    paths: tuple[str, ...] = ()
    title: str = ""
    keywords: tuple[str, ...] = ()
    summary: str = ""
    headings: str = ""
    file_type: str = ".txt"
    doc_type: str = "note"
    language: str = "en"
    modified_at: datetime | None = datetime(2024, 5, 1, tzinfo=UTC)


ORDINARY_ATTRIBUTES = DocumentAttributes()
_NONE = Filters()


def document(document_id: str, *texts: str, first_chunk: int = 0, attributes: DocumentAttributes = ORDINARY_ATTRIBUTES) -> IndexedDocument:
    """A document whose chunks are `texts`, numbered from `first_chunk` (by default from a number that its id gives)."""
    first = first_chunk or int.from_bytes(hashlib.blake2b(document_id.encode(), digest_size=4).digest(), "big") * 1000
    a = attributes
    paths = a.paths or (f"/library/{document_id}{a.file_type}",)
    chunks = tuple(IndexedChunk(first + n, text, a.headings, vector_of(text).astype(np.float16)) for n, text in enumerate(texts))
    return IndexedDocument(
        id=document_id,
        tenant=a.tenant,
        collection=a.collection,
        generation=a.generation,
        paths=paths,
        filename=paths[0].rsplit("/", 1)[-1],
        title=a.title,
        keywords=a.keywords,
        summary=a.summary,
        file_type=a.file_type,
        doc_type=a.doc_type,
        language=a.language,
        modified_at=a.modified_at,
        chunks=chunks,
    )


async def fill(index: SearchIndex, *documents: IndexedDocument) -> None:
    await index.upsert(documents)
    await index.commit()


async def load(index: SearchIndex, *documents: IndexedDocument) -> None:
    await index.load_documents(documents)
    await index.commit()


async def words(index: SearchIndex, text: str, filters: Filters = _NONE, tenant: str = "default") -> list[str]:
    """Ids of the documents that the lexical leg finds, best first, each once."""
    result = await index.search_lexical(tenant, text, filters, 50)
    return list(dict.fromkeys(hit.document_id for hit in result.hits))


async def near(index: SearchIndex, text: str, filters: Filters = _NONE, tenant: str = "default") -> list[str]:
    return list(dict.fromkeys(hit.document_id for hit in await index.search_dense(tenant, vector_of(text), filters, 50)))


@dataclass
class ChunkLibrary:
    """The part of `core.ports.Library` that the retrieval stages read: texts cut into the chunks that a test names."""

    texts: dict[str, str]
    stored: dict[int, StoredChunk]
    modified: dict[str, datetime | None]
    languages: dict[str, str] = field(default_factory=dict)
    generation: int = 1  # of all documents

    async def chunks(self, tenant: str, chunk_ids: Sequence[int]) -> dict[int, StoredChunk]:
        return {chunk_id: self.stored[chunk_id] for chunk_id in chunk_ids if chunk_id in self.stored}

    async def section_chunks(self, tenant: str, document_id: str, first: int, last: int) -> list[StoredChunk]:
        inside = [chunk for chunk in self.stored.values() if chunk.document_id == document_id and first <= chunk.ordinal <= last]
        return sorted(inside, key=lambda chunk: chunk.ordinal)

    async def content(self, tenant: str, document_id: str) -> DocumentContent:
        text = self.texts[document_id]
        empty = ExtractedDocument(text, (), (), (), (), PageUnit.NONE, Metadata(), "test")
        return DocumentContent(document_id, self.generation, text, empty)

    async def contents(self, tenant: str, document_ids: Sequence[str]) -> dict[str, DocumentContent]:
        return {each: await self.content(tenant, each) for each in document_ids if each in self.texts}

    async def documents(self, tenant: str, document_ids: Sequence[str]) -> dict[str, Document]:
        return {each: _document(each, self.modified.get(each), self.languages.get(each, "en")) for each in document_ids if each in self.texts}

    async def names(self, tenant: str, document_ids: Sequence[str]) -> dict[str, DocumentNames]:
        return {each: DocumentNames(found.title, found.filename) for each, found in (await self.documents(tenant, document_ids)).items()}


def chunk_library(documents: Sequence[IndexedDocument], separator: str = "\n\n", sections: Sequence[str] = ()) -> Library:
    """The library of these documents: each one's text is its chunks' texts with `separator` between them; chunk n is in section n of `sections`."""
    texts: dict[str, str] = {}
    stored: dict[int, StoredChunk] = {}
    for indexed in documents:
        texts[indexed.id] = separator.join(chunk.text for chunk in indexed.chunks)
        start = 0
        for ordinal, chunk in enumerate(indexed.chunks):
            section = [sections[ordinal]] if ordinal < len(sections) else []
            stored[chunk.id] = stored_chunk(chunk.id, indexed.id, ordinal, (start, chunk.text), section)
            start += len(chunk.text) + len(separator)
    modified, languages = {each.id: each.modified_at for each in documents}, {each.id: each.language for each in documents}
    return cast(Library, ChunkLibrary(texts, stored, modified, languages))


def stored_chunk(chunk_id: int, document_id: str, ordinal: int, piece: tuple[int, str], section: Sequence[str] = ()) -> StoredChunk:
    """A chunk whose `piece` is (start, text); its tokens are its words."""
    start, text = piece
    return StoredChunk(
        id=chunk_id,
        document_id=document_id,
        generation=1,
        ordinal=ordinal,
        start=start,
        end=start + len(text),
        page=ordinal + 1,
        section=list(section),
        kind=BlockKind.PARAGRAPH,
        tokens=len(text.split()),
        prefix="",
        text=text,
    )


def _document(document_id: str, modified: datetime | None, language: str) -> Document:
    return Document(
        id=document_id,
        filename=f"{document_id}.txt",
        file_path=f"/library/{document_id}.txt",
        paths=[f"/library/{document_id}.txt"],
        file_type=".txt",
        doc_type="note",
        title="",
        summary="",
        detailed_summary="",
        keywords=[],
        entities=[],
        topics=[],
        language=language,
        created_at=None,
        modified_at=modified,
        indexed_at=datetime(2024, 6, 1, tzinfo=UTC),
        file_size=1,
        pages=1,
        page_unit=PageUnit.NONE,
        chunks=1,
        characters=1,
        state=DocumentState.INDEXED,
        reason="",
        parser="test",
        content_hash="",
        generation=1,
        collection="papers",
    )
