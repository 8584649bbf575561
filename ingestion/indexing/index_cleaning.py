"""Removes the words of deleted documents from the files of the search index."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from core.ports import LibraryWriter, SearchIndex

MAX_ENTRIES_AT_ONCE = 2000  # entries that are written again with the deletion itself: well under a second; more are left to the hourly cleaning
_BATCH = 16  # documents


class CleanedStores(Protocol):
    """What is written together, as `Stores` has it; `lock` is held while it is."""

    writer: LibraryWriter
    index: SearchIndex
    lock: AbstractAsyncContextManager[None]


async def clean_index(stores: CleanedStores, most: int | None = None) -> bool:
    """Rewrite the documents that share a part of the index's files with deleted ones. Return whether nothing of the deleted ones is left.

    With `most` nothing is rewritten where that would be more entries.
    """
    beside = await stores.index.documents_beside_deleted()
    if most is not None and sum(entries for _, entries in beside.values()) > most:
        return False
    for tenant in sorted({tenant for tenant, _ in beside.values()}):
        ids = sorted(each for each, (owner, _) in beside.items() if owner == tenant)
        for start in range(0, len(ids), _BATCH):
            await _rewrite(stores, tenant, ids[start : start + _BATCH])
    return True


async def _rewrite(stores: CleanedStores, tenant: str, document_ids: Sequence[str]) -> None:
    async with stores.lock:
        await stores.index.rewrite_words(await stores.writer.indexed_documents(tenant, document_ids))
        await stores.index.commit()
