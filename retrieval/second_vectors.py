"""Vectors of another encoder for the documents of a search index: they follow its commits, so that both always speak of the same documents.

A document that is made anew loses its second vectors until those of its new generation come by `put_document`; one that was only renamed keeps them.
The index follows the library, from which second vectors are made: those that come before their document are kept until it comes.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import anyio
import numpy as np

from core.ports import Hit, IndexedDocument, SearchIndex
from core.search import Filters
from retrieval.vector_blocks import stack_vectors
from retrieval.vector_table import VectorTable, make_filterable

if TYPE_CHECKING:
    from numpy.typing import NDArray

READERS = 4
_TAKEN = 500  # documents whose vectors are taken at once
T = TypeVar("T")
DocumentMatrix = tuple[str, int, "NDArray[np.float16]"]  # document id, generation, [chunks, dimension]


class SecondVectors:
    """Made by `follow_index`. `put_document` and the index's own writes go through the index's one writer; readers never wait for them."""

    def __init__(self, index: Callable[[], SearchIndex], dimension: int, faiss_above: int) -> None:
        self._index = index
        self._dimension = dimension
        self._table = VectorTable(dimension, faiss_above)
        self._early: dict[str, DocumentMatrix] = {}
        self.changes = 0  # how often the index or these vectors were written to
        self._readers = anyio.CapacityLimiter(READERS)

    @classmethod
    async def follow_index(
        cls, index: Callable[[], SearchIndex], dimension: int, faiss_above: int, found: AsyncIterable[DocumentMatrix]
    ) -> SecondVectors:
        """Build the table and have it follow the index. `index` gives the present one: another embedding model brings another, with the same
        followers. `found` are (document id, generation, [chunks, dimension]), each taken as `put_document` takes it.
        """
        made = cls(index, dimension, faiss_above)
        index().followers.append(made)
        try:
            some: list[DocumentMatrix] = []
            async for each in found:
                some.append(each)
                if len(some) == _TAKEN:
                    await index().run_in_writer(partial(made._load_batch, some))
                    some = []
            await index().run_in_writer(partial(made._load_batch, some))
        except BaseException:
            made.stop_following()
            raise
        return made

    def stop_following(self) -> None:
        """Follow no longer."""
        self._index().followers.remove(self)

    async def put_document(self, document_id: str, generation: int, matrix: NDArray[np.float16]) -> None:
        """Put the vectors [chunks, dimension] of a document; passed over where the index has a newer generation of it by now."""
        await self._index().run_in_writer(partial(self._load_batch, [(document_id, generation, matrix)]))

    async def search(self, tenant: str, vector: NDArray[np.float32], filters: Filters, limit: int) -> tuple[Hit, ...]:
        """Return the hits, best cosine first."""
        return await self._run_in_reader(partial(self._table.search, tenant, vector, filters, limit))

    async def get(self, tenant: str, chunk_ids: Sequence[int]) -> dict[int, NDArray[np.float32]]:
        return await self._run_in_reader(partial(self._table.get, tenant, chunk_ids))

    @property
    def memory_bytes(self) -> int:
        return self._table.nbytes

    # ---------------------------------------------------------------------------------------------------- core.ports.IndexFollower
    def on_upsert(self, document: IndexedDocument) -> None:
        _, generation, matrix = self._early.get(document.id, ("", None, None))
        if matrix is not None and generation == document.generation and matrix.shape == (len(document.chunks), self._dimension):
            self._table.upsert_vectors(make_filterable(document), matrix)
            return
        if self._table.generation(document.id) != document.generation:
            self._table.delete(document.tenant, [document.id])
            return
        known = self._table.get(document.tenant, [chunk.id for chunk in document.chunks])
        if len(known) == len(document.chunks):
            self._table.upsert_vectors(make_filterable(document), stack_vectors([known[chunk.id] for chunk in document.chunks], self._dimension))

    def on_delete(self, tenant: str, document_ids: Sequence[str]) -> None:
        self._table.delete(tenant, document_ids)
        for document_id in document_ids:
            self._early.pop(document_id, None)

    def on_commit(self) -> None:
        self._table.commit()
        self.changes += 1
        self._early = {each: early for each, early in self._early.items() if (self._table.generation(each) or 0) < early[1]}

    def on_discard(self) -> None:
        self._table.discard()
        self.changes += 1

    # ---------------------------------------------------------------------------------------------------------------------- in threads
    def _load_batch(self, some: Sequence[DocumentMatrix]) -> None:
        for each in some:
            document_id, generation, matrix = each
            document = self._index().filterable_document(document_id)
            if document is None or document.generation < generation:
                self._early[document_id] = max(self._early.get(document_id, each), each, key=lambda early: early[1])
            elif document.generation == generation and len(document.chunk_ids) == len(matrix):
                self._table.upsert_vectors(document, matrix)
        self._table.commit()
        self.changes += 1

    async def _run_in_reader(self, work: Callable[[], T]) -> T:
        return await anyio.to_thread.run_sync(work, limiter=self._readers)
