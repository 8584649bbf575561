"""The embedded engine: tantivy for the words, flat vectors in memory, one `SearchIndex`.

The words live on disk in the index's folder, the vectors in the library. So a start brings the vectors again (`load`), while the words are
rewritten only where their generation differs:

    index = await EmbeddedIndex.open(folder, dimension=384, document_weight=.3, faiss_above=200_000)
    async for batch of IndexedDocument of the whole library: await index.load(batch)
    await index.retain(live)      # drops what the library no longer has
    await index.commit()

Afterwards `upsert`, `delete` and `commit` keep both in step. Writes go through one thread, readers never wait for them.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import anyio
import numpy as np

from core.errors import InvalidInput, VantageError
from core.ports import FilterableDocument, Hit, IndexCondition, IndexCounts, IndexedDocument, IndexFollower, LexicalResult
from core.search import Filters
from retrieval.lexical_index import LexicalIndex
from retrieval.vector_table import VectorTable

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

READERS = 8
T = TypeVar("T")


class EmbeddedIndex:
    """Implements `core.ports.SearchIndex`. Made by `open`."""

    def __init__(
        self,
        lexical: LexicalIndex,
        vectors: VectorTable,
        dimension: int,
        writer: anyio.CapacityLimiter | None = None,
        readers: anyio.CapacityLimiter | None = None,
    ) -> None:
        self._lexical = lexical
        self._vectors = vectors
        self._dimension = dimension
        self._writer = writer or anyio.CapacityLimiter(1)
        self._readers = readers or anyio.CapacityLimiter(READERS)
        self.followers: list[IndexFollower] = []

    @classmethod
    async def open(cls, folder: Path, *, dimension: int, document_weight: float, faiss_above: int) -> EmbeddedIndex:
        """Opens or makes the index. Raises Conflict where another process writes to it; one that is damaged is made anew (see `was_rebuilt`)."""
        lexical = await anyio.to_thread.run_sync(LexicalIndex, folder, document_weight)
        return cls(lexical, VectorTable(dimension, faiss_above), dimension)

    async def with_vectors(self, dimension: int, found: AsyncIterable[tuple[str, int, NDArray[np.float16]]]) -> EmbeddedIndex:
        """The same words with other vectors, of another embedding model: `found` are (document id, generation, [chunks, dimension]) in the order of
        the chunks. Nobody may write meanwhile; whoever searches this index goes on doing so, and from then on the new one alone is written to.

        What `found` does not have, or has of another generation, is in the new index with its words alone. Raises InvalidInput for vectors that
        do not fit.
        """
        table = VectorTable(dimension, self._vectors.faiss_above)
        documents = self._vectors.documents_by_id()
        async for document_id, generation, matrix in found:
            document = documents.get(document_id)
            if document is not None and document.generation == generation:
                await self._run_in_writer(partial(table.upsert_vectors, document, matrix))
        await self._run_in_writer(table.commit)
        following = EmbeddedIndex(self._lexical, table, dimension, self._writer, self._readers)
        following.followers = self.followers
        return following

    @property
    def was_rebuilt(self) -> bool:
        """Whether the words had to be dropped at opening: `generations` is then empty and everything is to be loaded."""
        return self._lexical.was_rebuilt

    @property
    def memory_bytes(self) -> int:
        """What the vectors take."""
        return self._vectors.nbytes

    # ------------------------------------------------------------------------------------------------------------------ writing
    async def upsert(self, documents: Sequence[IndexedDocument]) -> None:
        await self._run_in_writer(partial(self._stage, documents, words=True))

    async def load_documents(self, documents: Sequence[IndexedDocument]) -> None:
        """Bring the vectors; the words only where the committed generation is another one. Needs a `commit` like `upsert`."""
        await self._run_in_writer(partial(self._stage, documents, words=False))

    async def delete(self, tenant: str, document_ids: Sequence[str]) -> None:
        await self._run_in_writer(partial(self._remove, tenant, document_ids))

    async def retain(self, live: Mapping[str, Any]) -> int:
        """Delete every document, of any tenant, whose id is no key of `live`; returns how many."""
        return await self._run_in_writer(partial(self._retain, live))

    async def documents_beside_deleted(self) -> dict[str, tuple[str, int]]:
        return await self._run_in_writer(self._lexical.documents_beside_deleted)

    async def rewrite_words(self, documents: Sequence[IndexedDocument]) -> None:
        def words() -> None:
            for document in documents:
                self._lexical.upsert(document)

        await self._run_in_writer(words)

    async def commit(self) -> None:
        await self._run_in_writer(self._commit)

    async def close(self) -> None:
        await self._run_in_writer(self._lexical.close)

    def _stage(self, documents: Sequence[IndexedDocument], *, words: bool) -> None:
        for document in documents:
            self._vectors.upsert(document)
            for follower in self.followers:
                follower.on_upsert(document)
            if words or self._lexical.generation(document.id) != document.generation:
                self._lexical.upsert(document)

    def _remove(self, tenant: str, document_ids: Sequence[str]) -> None:
        self._lexical.delete(tenant, document_ids)
        self._vectors.delete(tenant, document_ids)
        for follower in self.followers:
            follower.on_delete(tenant, document_ids)

    def _retain(self, live: Mapping[str, Any]) -> int:
        present = {(entry.tenant, entry.id) for entry in self._lexical.entries()} | set(self._vectors.entries())
        gone = [(tenant, document_id) for tenant, document_id in present if document_id not in live]
        for tenant, document_id in gone:
            self._remove(tenant, [document_id])
        return len(gone)

    def _commit(self) -> None:
        try:
            self._lexical.commit()
        except VantageError:
            self._vectors.discard()
            for follower in self.followers:
                follower.on_discard()
            raise
        self._vectors.commit()
        for follower in self.followers:
            follower.on_commit()

    # ------------------------------------------------------------------------------------------------------------------ reading
    async def search_lexical(self, tenant: str, text: str, filters: Filters, limit: int) -> LexicalResult:
        return await self._run_in_reader(partial(self._lexical.search, tenant, text, filters, limit))

    async def search_dense(self, tenant: str, vector: NDArray[np.float32], filters: Filters, limit: int) -> tuple[Hit, ...]:
        if vector.shape != (self._dimension,):
            raise InvalidInput(f"The question's vector has {vector.shape} numbers, the index {self._dimension}: the embedding model was changed.")
        return await self._run_in_reader(partial(self._vectors.search, tenant, vector, filters, limit))

    async def vectors(self, tenant: str, chunk_ids: Sequence[int]) -> dict[int, NDArray[np.float32]]:
        return await self._run_in_reader(partial(self._vectors.get, tenant, chunk_ids))

    async def idf(self, tenant: str, text: str) -> dict[str, float]:
        return await self._run_in_reader(partial(self._lexical.idf, tenant, text))

    async def chunks_with_similar_term(self, tenant: str, term: str, distance: int, limit: int) -> list[int]:
        """Ids of chunks with a term within so many edits of this one, in no order."""
        return await self._run_in_reader(partial(self._lexical.chunks_with_similar_term, tenant, term, distance, limit))

    def terms(self, text: str) -> list[str]:
        return self._lexical.terms(text)

    @property
    def analysis(self) -> Callable[[str], list[str]]:
        """`terms`, for who keeps it: the words outlive the vectors (see `with_vectors`)."""
        return self._lexical.terms

    async def chunk_ids(self) -> set[int]:
        """All chunks that have a vector."""
        return await self._run_in_reader(self._vectors.chunk_ids)

    async def generations(self) -> dict[str, int]:
        """What the words on disk hold. After a start the vectors are there only once they were loaded."""
        return await self._run_in_reader(self._lexical.generations)

    async def counts(self) -> IndexCounts:
        return await self._run_in_reader(self._counts)

    def _counts(self) -> IndexCounts:
        documents, vectors = self._vectors.counts()
        return IndexCounts(documents=documents, chunks=vectors, vectors=vectors, bytes_on_disk=self._lexical.bytes_on_disk())

    async def check_condition(self) -> IndexCondition:
        counts = await self.counts()
        return IndexCondition("ok", f"{counts.chunks} passages, {counts.vectors} vectors, {self.memory_bytes / 1e6:.0f} MB of vectors in memory")

    def filterable_document(self, document_id: str) -> FilterableDocument | None:
        """The newest version of a document as filters see it. For who is in the writer's thread."""
        return self._vectors.newest_version(document_id)

    async def languages(self, tenant: str) -> dict[str, int]:
        """Language (ISO 639-1, "" where it is unknown) -> documents of the tenant."""
        return await self._run_in_reader(partial(self._vectors.languages, tenant))

    async def all_languages(self) -> set[str]:
        """The languages of all tenants' documents."""
        return await self._run_in_reader(self._vectors.all_languages)

    async def run_in_writer(self, work: Callable[[], T]) -> T:
        """Do something in the one thread that writes."""
        return await self._run_in_writer(work)

    async def _run_in_writer(self, work: Callable[[], T]) -> T:
        return await anyio.to_thread.run_sync(work, limiter=self._writer)

    async def _run_in_reader(self, work: Callable[[], T]) -> T:
        return await anyio.to_thread.run_sync(work, limiter=self._readers)
