"""Vectors of another encoder for the documents of an `EmbeddedIndex`: they follow its commits, so that both always speak of the same documents.

A document that is made anew loses its second vectors until somebody `put`s those of its new generation; one that was only renamed keeps them.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import anyio
import numpy as np

from core.ports import Hit, IndexedDocument
from core.search import Filters
from retrieval.embedded_index import EmbeddedIndex
from retrieval.vectors import VectorTable, described

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

READERS = 4
T = TypeVar("T")


class SecondVectors:
    """Made by `beside`. `put` and the index's own writes go through the index's one writer; readers never wait for them."""

    def __init__(self, index: EmbeddedIndex, dimension: int, faiss_above: int) -> None:
        self._index = index
        self._table = VectorTable(dimension, faiss_above)
        self._readers = anyio.CapacityLimiter(READERS)

    @classmethod
    async def beside(
        cls, index: EmbeddedIndex, dimension: int, faiss_above: int, found: AsyncIterable[tuple[str, int, NDArray[np.float16]]]
    ) -> SecondVectors:
        """`found` are (document id, generation, [chunks, dimension]); what the index has of another generation, or not at all, is passed over."""
        made = cls(index, dimension, faiss_above)
        index.followers.append(made)
        async for document_id, generation, matrix in found:
            await index.write(partial(made._take, document_id, generation, matrix))
        await index.write(made._table.commit)
        return made

    async def put(self, document_id: str, generation: int, matrix: NDArray[np.float16]) -> None:
        """The vectors [chunks, dimension] of a document; passed over where the index has another generation of it by now."""

        def work() -> None:
            self._take(document_id, generation, matrix)
            self._table.commit()

        await self._index.write(work)

    async def search(self, tenant: str, vector: NDArray[np.float32], filters: Filters, limit: int) -> tuple[Hit, ...]:
        """Best cosine first."""
        return await self._read(partial(self._table.search, tenant, vector, filters, limit))

    async def get(self, tenant: str, chunk_ids: Sequence[int]) -> dict[int, NDArray[np.float32]]:
        return await self._read(partial(self._table.get, tenant, chunk_ids))

    @property
    def memory_bytes(self) -> int:
        return self._table.nbytes

    # ---------------------------------------------------------------------------------------------- retrieval.embedded_index.Follower
    def upserted(self, document: IndexedDocument) -> None:
        if self._table.generation(document.id) != document.generation:
            self._table.delete(document.tenant, [document.id])
            return
        known = self._table.get(document.tenant, [chunk.id for chunk in document.chunks])
        if len(known) == len(document.chunks):
            self._table.take(described(document), np.stack([known[chunk.id] for chunk in document.chunks]))

    def deleted(self, tenant: str, document_ids: Sequence[str]) -> None:
        self._table.delete(tenant, document_ids)

    def committed(self) -> None:
        self._table.commit()

    def discarded(self) -> None:
        self._table.discard()

    # ---------------------------------------------------------------------------------------------------------------------- in threads
    def _take(self, document_id: str, generation: int, matrix: NDArray[np.float16]) -> None:
        document = self._index.described(document_id)
        if document is not None and document.generation == generation and len(document.chunk_ids) == len(matrix):
            self._table.take(document, matrix)

    async def _read(self, work: Callable[[], T]) -> T:
        return await anyio.to_thread.run_sync(work, limiter=self._readers)
