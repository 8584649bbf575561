"""Writes documents into library, token store and search index and keeps the three in step: the library (the truth) changes first, what is derived
from it follows and is confirmed after its commit.

Whatever a crash leaves undone is visible in the library (a generation that the index does not confirm) and is
made good by `ingestion.indexing.reconciliation`.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Protocol

import anyio
import anyio.to_thread

from core.documents import DocumentState
from core.errors import NotFound, VantageError
from core.ports import (
    FileStamp,
    KnownFile,
    LedgerReason,
    Library,
    LibraryWriter,
    NewDocument,
    RemovalResult,
    SearchIndex,
    TokenStore,
    TokenVectors,
    WatchStore,
    WriteResult,
)
from ingestion.indexing.index_cleaning import MAX_ENTRIES_AT_ONCE, clean_index
from ingestion.indexing.overlapping_runs import ActiveRun, ActiveRuns
from ingestion.indexing.run_progress import FileChange

_log = logging.getLogger(__name__)
_MAX_RECENT_CHANGES = 500  # changes that are remembered
_BATCH = 16  # documents read back and put into the index at once
_TOKEN_BATCH = 64  # chunks whose token vectors are stored at once


class QuoteEraser(Protocol):
    """Port of what takes quotes of deleted documents out of everything that is stored."""

    async def erase(self) -> int:
        """Erase, and return for how many documents. Raises VantageError where something is left; the next call does it then."""
        ...


@dataclass(slots=True)
class Stores:
    """Where an indexing run writes: one object for all that write, so that `writer`, `index` and `tokens` can be exchanged for another embedding
    model's while nothing is written (`IndexJobs.pause_jobs`).

    `tokens` None: token vectors are not kept. `lock` is held while library and index change together, so that nothing that was just deleted is
    indexed again. `decision_lock` is held while a document is looked up by its content and a path is added to it: no other run may give it other
    content in between. `active_runs` are the runs at work. `watch_store` knows what a person excluded. `eraser` None: nothing quotes documents.
    `is_shared`: other processes write, too; both locks are then theirs as well, and what they deleted is looked up in the library.
    """

    library: Library
    writer: LibraryWriter
    index: SearchIndex
    tokens: TokenStore | None = None
    lock: AbstractAsyncContextManager[None] = field(default_factory=anyio.Lock)
    decision_lock: AbstractAsyncContextManager[None] = field(default_factory=anyio.Lock)
    watch_store: WatchStore | None = None
    active_runs: ActiveRuns = field(default_factory=ActiveRuns)
    eraser: QuoteEraser | None = None
    is_shared: bool = False

    async def erase(self) -> None:
        """Take the quotes of deleted documents out, if there is an eraser."""
        if self.eraser is not None:
            await self.eraser.erase()


@dataclass(slots=True)
class IndexWriter:
    """The changes that one run makes for one tenant. Every method leaves the library complete; `flush` makes the index follow.

    `recent_changes` are the last changes, as a person is shown them. `active_run` is the run, where others may go on beside it; `started_at` is
    when (`ActiveRuns.deletion_time`)."""

    stores: Stores
    tenant: str
    active_run: ActiveRun | None = None
    started_at: int = -1
    recent_changes: deque[FileChange] = field(default_factory=lambda: deque(maxlen=_MAX_RECENT_CHANGES))
    _documents_to_update: set[str] = field(default_factory=set)
    _documents_to_check: set[str] = field(default_factory=set)
    _has_deletions: bool = False

    def __post_init__(self) -> None:
        self.started_at = self.stores.active_runs.deletion_time() if self.started_at < 0 else self.started_at

    async def write(self, new: NewDocument, tokens: Iterable[TokenVectors] | None, previous: KnownFile | None) -> WriteResult:
        """Store a document's new generation. `tokens` has one entry for each chunk; `previous` is the path's row until now.

        Raises NotFound where a person deleted the document since the run began.
        """
        await self._check_not_deleted(new.stamp.path, previous)
        written = await self.stores.writer.write_document(self.tenant, new)
        self._note_changes(new.stamp.path)
        self.update_later([written.document_id, previous.document_id if previous else None])
        self._check_later([previous.document_id if previous else None])
        self.recent_changes.append(FileChange("added" if previous is None or previous.document_id is None else "changed", new.stamp.path))
        if self.stores.tokens is not None:
            await self._put_tokens(self.stores.tokens, written, tokens)
        return written

    async def attach(self, stamp: FileStamp, root: str, document_id: str, version: str, previous: KnownFile | None) -> None:
        """Make `stamp` a further path of a document; it leaves the one that it belonged to. Raises NotFound where a person just deleted it."""
        await self._check_not_deleted(stamp.path, previous)
        await self._apply_removal(partial(self.stores.writer.attach_path, self.tenant, stamp, root, document_id, version))
        self._note_changes(stamp.path)
        self.update_later([document_id])
        self.recent_changes.append(FileChange("added" if previous is None or previous.document_id is None else "changed", stamp.path))

    async def move(self, row: KnownFile, stamp: FileStamp, root: str, *, again: bool = False) -> None:
        """Move a document's path; `again` marks it to be read, though it did not change. Raises NotFound where the path is gone."""
        await self._apply_removal(partial(self.stores.writer.move_path, self.tenant, row.stamp.path, stamp, root, again=again))
        self._note_changes(row.stamp.path, stamp.path)
        self.update_later([row.document_id])
        self._check_later([row.document_id])
        self.recent_changes.append(FileChange("moved", stamp.path, row.stamp.path))

    async def touch(self, stamp: FileStamp, row: KnownFile) -> None:
        """Note the new stamp of a file whose content is what its row says."""
        if stamp == row.stamp:
            return
        await self.stores.writer.touch_file(self.tenant, stamp)
        self._note_changes(stamp.path)
        self.update_later([row.document_id])

    async def touch_all(self, stamps: Sequence[FileStamp]) -> None:
        """Note the new time of files in a container whose content is as it was. Only the ledger shows it."""
        await self.stores.writer.touch_files(self.tenant, stamps)
        self._note_changes(*(stamp.path for stamp in stamps))

    async def record_refusal(self, stamp: FileStamp, root: str, state: DocumentState, reason: LedgerReason, previous: KnownFile | None) -> None:
        """Record a ledger line for a file that is not read.

        What is skipped now is removed; of what failed, the version that was indexed before stays. What a person deleted since the run began keeps
        the line that says so.
        """
        if await self._was_deleted(stamp.path, previous):
            return
        if previous is not None and state is DocumentState.SKIPPED and previous.state is not DocumentState.SKIPPED:
            await self.remove([stamp.path])  # with what lies in it
        if previous is not None:
            self.update_later([previous.document_id])
            self._check_later([previous.document_id])
        await self.stores.writer.record_file(self.tenant, stamp, root, state, reason)
        self._note_changes(stamp.path)

    async def remove(self, paths: Sequence[str]) -> RemovalResult:
        """Remove these paths, and the documents that have no other."""
        removed = await self._apply_removal(partial(self.stores.writer.remove_paths, self.tenant, paths))
        self._note_changes(*paths)
        self.recent_changes.extend(FileChange("removed", path) for path in removed.files)
        return removed

    async def delete_document(self, document_id: str) -> RemovalResult:
        """Remove a document for a person, so that no run that read it before brings it back. Raises NotFound."""
        async with self.stores.decision_lock:
            removed = await self._apply_removal(partial(self.stores.writer.delete_document, self.tenant, document_id))
            self.stores.active_runs.note_deletion(self.tenant, removed.files)
        return removed

    async def remove_root(self, path: str) -> RemovalResult:
        """Remove a root with the documents that only it holds."""
        return await self._apply_removal(partial(self.stores.writer.remove_root, self.tenant, path))

    def update_later(self, document_ids: Iterable[str | None]) -> None:
        """Have the next `flush` put these documents into the index as they are then, if they are still there."""
        self._documents_to_update.update(document_id for document_id in document_ids if document_id is not None)

    async def paths_to_reread(self) -> list[str]:
        """Return paths to read again though they did not change: their documents lost the path whose name was their title."""
        return await self.stores.writer.paths_to_reread(self.tenant, sorted(self._documents_to_check)) if self._documents_to_check else []

    def contended_paths(self) -> set[str]:
        """Return the paths that this run changed while another was at them: they must be scanned again."""
        return self.active_run.contended_paths if self.active_run is not None else set()

    async def _check_not_deleted(self, path: str, previous: KnownFile | None) -> None:
        if await self._was_deleted(path, previous):
            raise NotFound("It was removed from the library while it was read.")

    async def _was_deleted(self, path: str, previous: KnownFile | None) -> bool:
        """Return whether a person deleted what lies at the path since the run began, here or by another process: its row has lost its document.
        Call it with the decision lock."""
        if self.stores.active_runs.was_deleted_since(self.started_at, self.tenant, path):
            return True
        if not self.stores.is_shared or previous is None or previous.document_id is None:
            return False
        row = (await self.stores.writer.known_files_below(self.tenant, [path])).get(path)
        return row is None or row.document_id is None

    def _note_changes(self, *paths: str) -> None:
        if self.active_run is not None:
            self.active_run.note_changes(paths)

    def _check_later(self, document_ids: Iterable[str | None]) -> None:
        self._documents_to_check.update(document_id for document_id in document_ids if document_id is not None)

    async def flush(self) -> None:
        """Put changed documents into the index, commit it and confirm their generations; then erase what was deleted."""
        async with self.stores.lock:
            waiting = sorted(self._documents_to_update)
            rows: list[tuple[str, int]] = []
            for start in range(0, len(waiting), _BATCH):
                documents = await self.stores.writer.indexed_documents(self.tenant, waiting[start : start + _BATCH])
                await self.stores.index.upsert(documents)
                rows += [(document.id, document.generation) for document in documents]
            if rows or self._has_deletions:
                await self.stores.index.commit()
                await self.stores.writer.mark_indexed(rows)
            deleted, self._has_deletions = self._has_deletions, False
            self._documents_to_update.difference_update(waiting)
        if deleted:
            await self._erase()
            await clean_index(self.stores, MAX_ENTRIES_AT_ONCE)
            if self.stores.tokens is not None:
                await self.stores.tokens.reclaim_space()
            await self.stores.writer.reclaim_space()

    async def _erase(self) -> None:
        """Erase quotes; where some are left, the run goes on: they are listed, and taken out at the next deletion or within the hour."""
        try:
            await self.stores.erase()
        except VantageError as error:
            _log.warning("What quotes deleted documents is not wholly taken out yet: %s", error)

    async def _apply_removal(self, removal: Callable[[], Awaitable[RemovalResult]]) -> RemovalResult:
        """Apply a removal to the library, then to index and token store (visible after `flush`)."""
        async with self.stores.lock:
            removed = await removal()
            self.update_later(removed.documents_to_update)
            self._check_later(removed.documents_to_update)
            if removed.documents:
                self._has_deletions = True
                await self.stores.index.delete(self.tenant, removed.documents)
            if removed.chunk_ids and self.stores.tokens is not None:
                await self.stores.tokens.delete(removed.chunk_ids)
        return removed

    async def _put_tokens(self, store: TokenStore, written: WriteResult, tokens: Iterable[TokenVectors] | None) -> None:
        if written.replaced_chunks:
            await store.delete(written.replaced_chunks)
        pairs = zip(written.chunk_ids, tokens or (), strict=tokens is not None)
        while batch := await anyio.to_thread.run_sync(lambda: list(islice(pairs, _TOKEN_BATCH))):
            await store.put(batch)
