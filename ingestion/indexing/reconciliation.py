"""Brings search index and token store to what the library holds: at the start of the process, and before each run in case an earlier one was cut
short."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from core.ports import IndexedDocument, LibraryWriter, SearchIndex, TokenStore
from ingestion.indexing.index_writer import Stores

_BATCH = 32


class LoadedIndex(SearchIndex, Protocol):
    """An index that keeps part of itself in memory, such as `retrieval.embedded_index.EmbeddedIndex`."""

    async def load_documents(self, documents: Sequence[IndexedDocument]) -> None:
        """Load documents as `upsert` does, but what is on disk in the same generation stays as it is."""
        ...

    async def retain(self, live: Mapping[str, Any]) -> int:
        """Delete every document that is no key of `live`; returns how many."""
        ...


class ListableTokenStore(TokenStore, Protocol):
    """Port of a token store that can list what it holds."""

    async def chunk_ids(self) -> list[int]: ...


@dataclass(frozen=True, slots=True)
class ReconciliationCounts:
    """Counts of a replay: documents put into the index anew, documents taken out, documents in all, and chunks whose token vectors were removed."""

    upserted: int
    deleted: int
    documents: int
    removed_chunks: int = 0


async def reconcile_at_start(writer: LibraryWriter, index: LoadedIndex, tokens: ListableTokenStore | None = None) -> ReconciliationCounts:
    """Fill the index from the truth at the start: changed documents anew, the rest loaded, and nothing that the truth does not have.

    With `tokens`, token vectors of chunks that are no more are removed. That reads through the whole store, so it is for a start after a crash.
    """
    live = await writer.live_documents()
    deleted = await index.retain(live)
    upserted = await _upsert_stale(writer, index)
    chunks: set[int] = set()
    batch: list[IndexedDocument] = []
    async for document in writer.stale_documents({}):  # compared with nothing, every document is stale
        chunks.update(piece.id for piece in document.chunks)
        if document.id not in upserted:
            batch.append(document)
        if len(batch) == _BATCH:
            await index.load_documents(batch)
            batch = []
    await index.load_documents(batch)
    await index.commit()
    await writer.mark_indexed(sorted(upserted.items()))
    dead = [chunk_id for chunk_id in await tokens.chunk_ids() if chunk_id not in chunks] if tokens is not None else []
    if tokens is not None and dead:
        await tokens.delete(dead)
    return ReconciliationCounts(len(upserted), deleted, len(live), len(dead))


async def reconcile_index(stores: Stores) -> int:
    """Put into the index what it lacks or has in another generation than the library, and return how many documents that were."""
    async with stores.lock:
        upserted = await _upsert_stale(stores.writer, stores.index)
        if upserted:
            await stores.index.commit()
            await stores.writer.mark_indexed(sorted(upserted.items()))
        return len(upserted)


async def _upsert_stale(writer: LibraryWriter, index: SearchIndex) -> dict[str, int]:
    done: dict[str, int] = {}
    batch: list[IndexedDocument] = []
    async for document in writer.stale_documents(await index.generations()):
        batch.append(document)
        if len(batch) == _BATCH:
            await index.upsert(batch)
            done |= {each.id: each.generation for each in batch}
            batch = []
    if batch:
        await index.upsert(batch)
    return done | {each.id: each.generation for each in batch}
