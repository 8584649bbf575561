"""Erasure of whatever quotes deleted documents, and of the files that were uploaded for them."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Sequence
from pathlib import Path

import anyio.to_thread

from core.errors import Unavailable
from core.ownership import shared_library
from core.ports import FileStamp, MemoryManager
from orchestration.run_registry import Runs
from storage.deletions import Deletion, SqlDeletions

logger = logging.getLogger(__name__)


class Eraser:
    """Implements `ingestion.indexing.index_writer.QuoteEraser`. What a crash or a full disk left undone is done at the next call: the library keeps
    a list.
    """

    def __init__(self, deletions: SqlDeletions, memory: MemoryManager, runs: Runs, uploads: Path) -> None:
        self._deletions, self._memory, self._runs, self._uploads = deletions, memory, runs, uploads
        self._lock = asyncio.Lock()

    async def erase(self) -> int:
        """Erase the quotes; return of how many documents. Raises VantageError where something of them is left."""
        async with self._lock:
            pending = await self._deletions.list_pending()
            for tenant in sorted({each.tenant for each in pending}):
                await self._erase_library(tenant, [each for each in pending if each.tenant == tenant])
            return len(pending)

    async def has_erased_ids(self) -> bool:
        """Return whether there are ids for `forget_ids`."""
        return bool(await self._deletions.expired_ids())

    async def forget_ids(self) -> None:
        """Forget documents that went an hour ago: what a run remembered that was at work then, and at last their ids."""
        async with self._lock:
            for tenant, document_ids in (await self._deletions.expired_ids()).items():
                await self._memory.forget_documents(shared_library(tenant), document_ids)
                await self._deletions.forget_ids(document_ids)

    async def _erase_library(self, library: str, pending: Sequence[Deletion]) -> None:
        """Erase the quotes of one library's documents. Readers of a person's own library ask in its tenant, so the quotes lie there."""
        tenant = shared_library(library)
        ids = [each.document_id for each in pending]
        gone = await self._deletions.load_deleted(ids)
        await self._memory.forget_documents(tenant, ids)
        await self._memory.forget_copies(tenant, gone.copies.occur_in)
        await self._runs.forget_runs(tenant, document_ids=ids)
        await self._deletions.redact(tenant, gone)
        removed = await anyio.to_thread.run_sync(self._remove_uploads, [stamp for each in pending for stamp in each.files])
        await self._deletions.mark_erased(library, ids, removed)

    def _remove_uploads(self, stamps: Sequence[FileStamp]) -> list[str]:
        """Delete those of the files that were uploaded: Vantage alone has them. One that was put there since, under the same name, stays."""
        uploads = self._uploads.resolve()
        removed = []
        for stamp in stamps:
            path = Path(stamp.path)
            if stamp.container or not path.is_relative_to(uploads) or not path.parent.resolve().is_relative_to(uploads):
                continue
            if _is_same_file(path, stamp):
                remove_file(path)
            removed += [] if os.path.lexists(path) else [stamp.path]
        return removed


def _is_same_file(path: Path, stamp: FileStamp) -> bool:
    try:
        found = path.stat(follow_symlinks=False)
    except FileNotFoundError:
        return False
    return (found.st_size, found.st_mtime_ns) == (stamp.size, stamp.mtime_ns)


def remove_file(path: Path) -> None:
    """Delete an uploaded file; one that is gone is none. Blocks. Raises Unavailable."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise Unavailable(
            f"The uploaded file {path} could not be deleted ({error.strerror or error}). Delete it by hand; it is tried again."
        ) from error
