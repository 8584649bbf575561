"""Second vectors beside an index whose words are kept in memory, for the tests of what follows what."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import cast

import numpy as np
from numpy.typing import NDArray

from core.errors import Unavailable
from core.ports import IndexedDocument
from core.search import Filters
from retrieval.embedded_index import EmbeddedIndex
from retrieval.lexical_index import LexicalIndex
from retrieval.second_vectors import DocumentMatrix, SecondVectors
from retrieval.vector_table import VectorTable
from tests.support.indexes import DIMENSION

NO_FILTERS = Filters()
WIDE_DIMENSION = 8  # numbers of a second vector
EMPTY = np.zeros((0, WIDE_DIMENSION), np.float16)


@dataclass(frozen=True)
class Entry:
    tenant: str
    id: str


@dataclass
class MemoryWords:
    """As much of `LexicalIndex` as writing asks of it, in memory. `failing`: the next commit fails, and drops what is staged."""

    known: dict[str, IndexedDocument] = field(default_factory=dict)
    staged: dict[str, IndexedDocument | None] = field(default_factory=dict)
    failing: bool = False

    def upsert(self, found: IndexedDocument) -> None:
        self.staged[found.id] = found

    def delete(self, tenant: str, document_ids: Sequence[str]) -> None:
        for each in document_ids:
            if each in self.known and self.known[each].tenant == tenant:
                self.staged[each] = None

    def commit(self) -> None:
        staged, self.staged = self.staged, {}
        if self.failing:
            self.failing = False
            raise Unavailable("The disk is full.")
        self.known = {each: found for each, found in (self.known | staged).items() if found is not None}

    def generation(self, document_id: str) -> int | None:
        return self.known[document_id].generation if document_id in self.known else None

    def entries(self) -> list[Entry]:
        return [Entry(found.tenant, found.id) for found in self.known.values()]

    def close(self) -> None: ...


def second_vectors_of(found: IndexedDocument) -> NDArray[np.float16]:
    """The second vectors of a document: unit rows that the chunks' ids give."""
    rows = [np.random.default_rng(chunk.id).standard_normal(WIDE_DIMENSION) for chunk in found.chunks]
    return np.stack([row / np.linalg.norm(row) for row in rows]).astype(np.float16) if rows else EMPTY


def query_for(found: IndexedDocument, chunk: int = 0) -> NDArray[np.float32]:
    row: NDArray[np.float32] = second_vectors_of(found)[chunk].astype(np.float32)
    return row


async def iterate(*found: DocumentMatrix) -> AsyncIterator[DocumentMatrix]:
    for each in found:
        yield each


def iterate_vectors(*documents: IndexedDocument) -> AsyncIterator[DocumentMatrix]:
    return iterate(*((each.id, each.generation, second_vectors_of(each)) for each in documents))


@dataclass
class SecondVectorLibrary:
    """An index with what stands beside it; `faiss_above` is that of the second vectors."""

    words: MemoryWords
    index: EmbeddedIndex
    second: SecondVectors

    async def put(self, *documents: IndexedDocument) -> None:
        for each in documents:
            await self.second.put_document(each.id, each.generation, second_vectors_of(each))

    async def upsert(self, *documents: IndexedDocument) -> None:
        await self.index.upsert(documents)
        await self.index.commit()

    async def find_chunks(self, asked: IndexedDocument, filters: Filters = NO_FILTERS, tenant: str = "default") -> list[int]:
        return [hit.chunk_id for hit in await self.second.search(tenant, query_for(asked), filters, 50)]

    async def has_vectors(self, of: IndexedDocument) -> bool:
        """Whether all second vectors of this version are there, and can be searched."""
        ids = [chunk.id for chunk in of.chunks]
        known = await self.second.get(of.tenant, ids)
        hits = await self.second.search(of.tenant, query_for(of), Filters(document_ids=[of.id]), 50)
        assert {hit.chunk_id for hit in hits} >= set(known)
        return set(known) == set(ids)


def bare_index(words: MemoryWords | None = None) -> EmbeddedIndex:
    return EmbeddedIndex(cast(LexicalIndex, words or MemoryWords()), VectorTable(DIMENSION, 1_000_000), DIMENSION)


async def make_library(*documents: IndexedDocument, filled: Sequence[IndexedDocument] = (), faiss_above: int = 1_000_000) -> SecondVectorLibrary:
    words = MemoryWords()
    index = bare_index(words)
    await index.upsert(documents)
    await index.commit()
    return SecondVectorLibrary(words, index, await SecondVectors.follow_index(lambda: index, WIDE_DIMENSION, faiss_above, iterate_vectors(*filled)))
