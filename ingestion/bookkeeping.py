"""Writes documents into library, token store and search index and keeps the three in step: the library (the truth) changes first, what is derived
from it follows and is confirmed after its commit.

Whatever a crash leaves undone is visible in the library (a generation that the index does not confirm) and is
made good by `ingestion.replay`.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
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
    Library,
    LibraryWriter,
    NewDocument,
    Reason,
    Removed,
    SearchIndex,
    TokenStore,
    TokenVectors,
    WatchStore,
    Written,
)
from ingestion.index_cleaning import AT_ONCE, clean_index
from ingestion.looks import Look, Looks
from ingestion.progress import FileChange

_log = logging.getLogger(__name__)
_FOLLOWED = 500  # changes that are remembered
_BATCH = 16  # documents read back and put into the index at once
_TOKEN_BATCH = 64  # chunks whose token vectors are stored at once


class Erases(Protocol):
    """Port of what takes quotes of deleted documents out of everything that is stored."""

    async def erase(self) -> int:
        """Erase, and return for how many documents. Raises VantageError where something is left; the next call does it then."""
        ...


@dataclass(slots=True)
class Stores:
    """Where an indexing run writes: one object for all that write, so that `writer`, `index` and `tokens` can be exchanged for another embedding
    model's while nothing is written (`IndexJobs.paused`).

    `tokens` None: token vectors are not kept. `lock` is held while library and index change together, so that nothing that was just deleted is
    indexed again. `deciding` is held while a document is looked up by its content and a path is added to it: no other run may give it other
    content in between. `looks` are the runs at work. `watching` knows what a person excluded. `eraser` None: nothing quotes documents.
    """

    library: Library
    writer: LibraryWriter
    index: SearchIndex
    tokens: TokenStore | None = None
    lock: anyio.Lock = field(default_factory=anyio.Lock)
    deciding: anyio.Lock = field(default_factory=anyio.Lock)
    watching: WatchStore | None = None
    looks: Looks = field(default_factory=Looks)
    eraser: Erases | None = None

    async def erase(self) -> None:
        """Take the quotes of deleted documents out, if there is an eraser."""
        if self.eraser is not None:
            await self.eraser.erase()


@dataclass(slots=True)
class Bookkeeping:
    """The changes that one run makes for one tenant. Every method leaves the library complete; `flush` makes the index follow.

    `followed` are the last changes, as a person is told of them. `look` is the run, where others may go on beside it; `began` is when
    (`Looks.now`).
    """

    stores: Stores
    tenant: str
    look: Look | None = None
    began: int = -1
    followed: deque[FileChange] = field(default_factory=lambda: deque(maxlen=_FOLLOWED))
    _waiting: set[str] = field(default_factory=set)
    _left: set[str] = field(default_factory=set)
    _deleted: bool = False

    def __post_init__(self) -> None:
        self.began = self.stores.looks.now() if self.began < 0 else self.began

    async def write(self, new: NewDocument, tokens: Iterable[TokenVectors] | None, previous: KnownFile | None) -> Written:
        """Store a document's new generation. `tokens` has one entry for each chunk; `previous` is the path's row until now.

        Raises NotFound where a person deleted the document since the run began.
        """
        self._check_wanted(new.stamp.path)
        written = await self.stores.writer.write(self.tenant, new)
        self._changed(new.stamp.path)
        self.follow_up([written.document_id, previous.document_id if previous else None])
        self._may_be_unsettled([previous.document_id if previous else None])
        self.followed.append(FileChange("added" if previous is None or previous.document_id is None else "changed", new.stamp.path))
        if self.stores.tokens is not None:
            await self._put_tokens(self.stores.tokens, written, tokens)
        return written

    async def attach(self, stamp: FileStamp, root: str, document_id: str, version: str, previous: KnownFile | None) -> None:
        """Make `stamp` a further path of a document; it leaves the one that it belonged to. Raises NotFound where a person just deleted it."""
        self._check_wanted(stamp.path)
        await self._removed(partial(self.stores.writer.attach_path, self.tenant, stamp, root, document_id, version))
        self._changed(stamp.path)
        self.follow_up([document_id])
        self.followed.append(FileChange("added" if previous is None or previous.document_id is None else "changed", stamp.path))

    async def move(self, row: KnownFile, stamp: FileStamp, root: str, *, again: bool = False) -> None:
        """Move a document's path; `again` marks it to be read, though it did not change. Raises NotFound where the path is gone."""
        await self._removed(partial(self.stores.writer.move_path, self.tenant, row.stamp.path, stamp, root, again=again))
        self._changed(row.stamp.path, stamp.path)
        self.follow_up([row.document_id])
        self._may_be_unsettled([row.document_id])
        self.followed.append(FileChange("moved", stamp.path, row.stamp.path))

    async def touch(self, stamp: FileStamp, row: KnownFile) -> None:
        """Note the new stamp of a file whose content is what its row says."""
        if stamp == row.stamp:
            return
        await self.stores.writer.touch(self.tenant, stamp)
        self._changed(stamp.path)
        self.follow_up([row.document_id])

    async def touch_all(self, stamps: Sequence[FileStamp]) -> None:
        """Note the new time of files in a container whose content is as it was. Only the ledger shows it."""
        await self.stores.writer.touch_all(self.tenant, stamps)
        self._changed(*(stamp.path for stamp in stamps))

    async def refuse(self, stamp: FileStamp, root: str, state: DocumentState, reason: Reason, previous: KnownFile | None) -> None:
        """Record a ledger line for a file that is not read.

        What is skipped now is removed; of what failed, the version that was indexed before stays. What a person deleted since the run began keeps
        the line that says so.
        """
        if self.stores.looks.deleted_since(self.began, self.tenant, stamp.path):
            return
        if previous is not None and state is DocumentState.SKIPPED and previous.state is not DocumentState.SKIPPED:
            await self.remove([stamp.path])  # with what lies in it
        if previous is not None:
            self.follow_up([previous.document_id])
            self._may_be_unsettled([previous.document_id])
        await self.stores.writer.record(self.tenant, stamp, root, state, reason)
        self._changed(stamp.path)

    async def remove(self, paths: Sequence[str]) -> Removed:
        """Remove these paths, and the documents that have no other."""
        removed = await self._removed(partial(self.stores.writer.remove_paths, self.tenant, paths))
        self._changed(*paths)
        self.followed.extend(FileChange("removed", path) for path in removed.files)
        return removed

    async def delete_document(self, document_id: str) -> Removed:
        """Remove a document for a person, so that no run that read it before brings it back. Raises NotFound."""
        async with self.stores.deciding:
            removed = await self._removed(partial(self.stores.writer.delete_document, self.tenant, document_id))
            self.stores.looks.delete(self.tenant, removed.files)
        return removed

    async def remove_root(self, path: str) -> Removed:
        """Remove a root with the documents that only it holds."""
        return await self._removed(partial(self.stores.writer.remove_root, self.tenant, path))

    def follow_up(self, document_ids: Iterable[str | None]) -> None:
        """Have the next `flush` put these documents into the index as they are then, if they are still there."""
        self._waiting.update(document_id for document_id in document_ids if document_id is not None)

    async def unsettled(self) -> list[str]:
        """Return paths to read again though they did not change: their documents lost the path whose name was their title."""
        return await self.stores.writer.unsettled(self.tenant, sorted(self._left)) if self._left else []

    def crossed(self) -> set[str]:
        """Return the paths that this run changed while another was at them: they must be scanned again."""
        return self.look.crossed if self.look is not None else set()

    def _check_wanted(self, path: str) -> None:
        if self.stores.looks.deleted_since(self.began, self.tenant, path):
            raise NotFound("It was removed from the library while it was read.")

    def _changed(self, *paths: str) -> None:
        if self.look is not None:
            self.look.changed(paths)

    def _may_be_unsettled(self, document_ids: Iterable[str | None]) -> None:
        self._left.update(document_id for document_id in document_ids if document_id is not None)

    async def flush(self) -> None:
        """Put changed documents into the index, commit it and confirm their generations; then erase what was deleted."""
        async with self.stores.lock:
            waiting = sorted(self._waiting)
            rows: list[tuple[str, int]] = []
            for start in range(0, len(waiting), _BATCH):
                documents = await self.stores.writer.indexed_documents(self.tenant, waiting[start : start + _BATCH])
                await self.stores.index.upsert(documents)
                rows += [(document.id, document.generation) for document in documents]
            if rows or self._deleted:
                await self.stores.index.commit()
                await self.stores.writer.mark_indexed(rows)
            deleted, self._deleted = self._deleted, False
            self._waiting.difference_update(waiting)
        if deleted:
            await self._erase()
            await clean_index(self.stores, AT_ONCE)
            if self.stores.tokens is not None:
                await self.stores.tokens.give_back()
            await self.stores.writer.give_back()

    async def _erase(self) -> None:
        """Erase quotes; where some are left, the run goes on: they are listed, and taken out at the next deletion or within the hour."""
        try:
            await self.stores.erase()
        except VantageError as error:
            _log.warning("What quotes deleted documents is not wholly taken out yet: %s", error)

    async def _removed(self, removal: Callable[[], Awaitable[Removed]]) -> Removed:
        """Apply a removal to the library, then to index and token store (visible after `flush`)."""
        async with self.stores.lock:
            removed = await removal()
            self.follow_up(removed.repathed)
            self._may_be_unsettled(removed.repathed)
            if removed.documents:
                self._deleted = True
                await self.stores.index.delete(self.tenant, removed.documents)
            if removed.chunk_ids and self.stores.tokens is not None:
                await self.stores.tokens.delete(removed.chunk_ids)
        return removed

    async def _put_tokens(self, store: TokenStore, written: Written, tokens: Iterable[TokenVectors] | None) -> None:
        if written.replaced_chunks:
            await store.delete(written.replaced_chunks)
        pairs = zip(written.chunk_ids, tokens or (), strict=tokens is not None)
        while batch := await anyio.to_thread.run_sync(lambda: list(islice(pairs, _TOKEN_BATCH))):
            await store.put(batch)
