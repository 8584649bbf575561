"""The switch from one embedding model to another while questions are asked.

The new model's vectors are filled beside the old ones. When few are missing, whatever writes pauses for a moment: the rest is filled, the new
vectors are loaded, one transaction puts them in the place of the old ones, and in one step of the event loop all that works with vectors gets
the new model. Runs that began before end with the old model and its vectors, which stay in memory until then. A crash leaves the library with one or
the other.
"""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import anyio
import anyio.to_thread

from composition.active_search import ActiveSearch
from composition.embedders import PendingEmbedder
from composition.search_engine import SearchEngine, open_pending_tokens
from core.errors import VantageError
from core.ports import Embedder
from ingestion.indexing.document_reembedding import BATCH, DocumentReembedding
from ingestion.indexing.index_jobs import IndexJobs
from ingestion.indexing.indexer import Indexer
from ingestion.indexing.reconciliation import reconcile_index
from ingestion.watching.watcher import FolderWatcher
from ingestion.workers.malloc_tuning import trim_heap
from memory.manager import TieredMemory
from memory.memory_reembedding import MemoryReembedding
from orchestration.dependencies import Dependencies
from orchestration.zeus import Zeus
from retrieval.token_store import SqliteTokenStore, adopt_tokens, remove_tokens
from settings import Settings
from storage.database import Database
from storage.home import Home
from storage.pending_memory import SqlPendingMemory
from storage.pending_vectors import SqlPendingVectors
from storage.sql_library_writer import SqlLibraryWriter
from storage.sql_memory import SqlMemory

logger = logging.getLogger(__name__)

_PAUSE_SHARE = 0.5  # of the time that a call of the model took is left to others while its vectors are filled
_POLL_SECONDS = 5.0  # seconds after which a library that waits for its moment is looked at again
_RETRY_SECONDS = 30.0

WHEN_COMPLETE = "It takes over when that is complete, without a restart."
WHEN_IDLE = "It takes over, without a restart, as soon as the indexing that goes on now has ended."
SWITCHING_NOW = "It takes over now; indexing waits for a moment."


@dataclass(frozen=True, slots=True)
class SwitchTargets:
    """The parts that work with vectors and get another model. `dependencies` makes those of Zeus."""

    zeus: Zeus
    memory: TieredMemory
    indexer: Indexer
    jobs: IndexJobs
    watcher: FolderWatcher
    dependencies: Callable[[Embedder, SearchEngine], Dependencies]


@dataclass(frozen=True, slots=True)
class OpenedLibrary:
    """The parts of a library that were opened before."""

    settings: Settings
    home: Home
    database: Database
    serving: ActiveSearch


@dataclass(frozen=True, slots=True)
class PendingTokens:
    """The store for the coming model's token vectors; `store` None where none are kept."""

    path: Path
    store: SqliteTokenStore | None


class ModelSwitch:
    """`start` it in the running event loop, and `close` it before what it serves is closed."""

    def __init__(self, opened: OpenedLibrary, targets: SwitchTargets, pending: PendingEmbedder, beside: PendingTokens) -> None:
        self._opened, self._serving, self._targets, self._pending = opened, opened.serving, targets, pending
        tokens, self._tokens, self._token_path = beside.store, beside.store, beside.path
        self._store = SqlPendingVectors(opened.database)
        embed = partial(pending.embedder.embed_passages, with_tokens=tokens is not None)
        self._documents = DocumentReembedding(
            self._store.vectors_beside(pending.current_name, pending.embedder.name), embed, pending.embedder.dimension, tokens
        )
        self._memories = MemoryReembedding(SqlMemory(opened.database), SqlPendingMemory(opened.database), pending.embedder)
        self._task: asyncio.Task[None] | None = None
        self._has_taken_over = False
        self._to_close: list[Callable[[], Awaitable[None]]] = [] if tokens is None else [tokens.close]
        self._serving.pending, self._serving.filling, self._serving.status_text = pending, self._documents, WHEN_COMPLETE

    def start(self) -> None:
        """Begin, if it has not begun yet."""
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="model-switch")

    async def close(self) -> None:
        """Stop within a call of the model. What is filled stays."""
        if self._task is not None:
            self._task.cancel()
        await self.wait_until_ended()
        await self._close_unused()

    async def wait_until_ended(self) -> None:
        """Wait for the end, if it was started."""
        if self._task is not None:
            await asyncio.gather(self._task, return_exceptions=True)

    async def _close_unused(self) -> None:
        """Close what nobody uses any more; nothing here holds it afterwards."""
        while self._to_close:
            await self._to_close.pop(0)()

    async def _run(self) -> None:
        while not self._has_taken_over:
            try:
                filled = await self._documents.fill(_PAUSE_SHARE) + await self._memories.fill_vectors(_PAUSE_SHARE)
                if filled < BATCH and not await self._try_to_switch():
                    await anyio.sleep(_POLL_SECONDS)
            except VantageError as error:
                logger.warning("%s could not take over: %s It is tried again.", self._pending.embedder.name, error)
                self._serving.status_text = f"It could not take over: {error} It is tried again."
                await anyio.sleep(_RETRY_SECONDS)

    async def _try_to_switch(self) -> bool:
        """Switch, if little is missing and nobody's indexing would have to wait long. False: it is too early."""
        pending, serving, jobs = self._pending, self._serving, self._targets.jobs
        if jobs.is_job_running:
            serving.status_text = WHEN_IDLE
            return False
        async with jobs.pause_jobs():
            if await self._store.count_missing(pending.current_name, pending.embedder.name) > BATCH:
                return True  # what was at work brought more
            serving.status_text = SWITCHING_NOW
            while await self._documents.fill(0.0) + await self._memories.fill_vectors(0.0):
                pass
            await reconcile_index(serving.engine.stores)
            await self._delete_stale_tokens()
            retire = await self._exchange_models()
        await retire()
        return True

    async def _delete_stale_tokens(self) -> None:
        """Forget token vectors of chunks that went while the others were filled."""
        if self._tokens is not None:
            filled, known = await self._tokens.chunk_ids(), await self._serving.engine.index.chunk_ids()
            await self._tokens.delete([chunk_id for chunk_id in filled if chunk_id not in known])

    async def _exchange_models(self) -> Callable[[], Awaitable[None]]:
        """Replace the embedder; nothing is written meanwhile. Whatever can fail comes first, then the transaction; after it everything is passed on
        without a pause. Returns what ends the old model when the last run that uses it has ended.
        """
        pending, serving, targets = self._pending, self._serving, self._targets
        new, before, engine = pending.embedder, serving.embedder, serving.engine
        index = await engine.index.with_vectors(new.dimension, self._store.vectors_beside(pending.current_name, new.name).iterate_vectors())
        following = replace(engine, index=index, tokens=self._tokens)
        dependencies = targets.dependencies(new, following)
        version = targets.indexer.version
        count = await self._store.switch_embedder(pending.current_name, pending.record)
        # From here on there is no await: no question and no run sees a part of it.
        stores = engine.stores
        stores.writer, stores.index, stores.tokens = SqlLibraryWriter(self._opened.database, new.name), index, self._tokens
        targets.indexer.use_embedder(new)
        unused = targets.zeus.leases.exchange(dependencies)
        settled = targets.memory.exchange_embedder(new)
        serving.embedder, serving.engine, serving.pending, serving.filling, serving.retiring = new, following, None, None, before.name
        unused_tokens, serving.token_path = serving.token_path, self._token_path
        self._to_close, self._has_taken_over = [before.close, *([engine.tokens.close] if engine.tokens is not None else [])], True
        read_again = targets.indexer.version != version.replace(pending.current_name, new.name, 1)
        logger.warning("The library is searched by %s from now on (%d documents; before: %s).", new.name, count, pending.current_name)
        return lambda: self._retire_model(unused, settled, unused_tokens, read_again=read_again)

    async def _retire_model(self, unused: asyncio.Event, settled: Callable[[], Awaitable[None]], tokens: Path, *, read_again: bool) -> None:
        if read_again:
            self._targets.watcher.compare_again()
        try:
            await unused.wait()
            await settled()
            await self._close_unused()
            await anyio.to_thread.run_sync(remove_tokens, tokens)
        finally:
            self._serving.retiring = ""
        await anyio.to_thread.run_sync(_release_memory)
        await self._targets.memory.consolidate()  # what was remembered in the moment of the switch


def _release_memory() -> None:
    gc.collect()
    trim_heap()


class ModelSwitches:
    """One switch after the other, in one process. `close` it before what it serves is closed."""

    def __init__(self, opened: OpenedLibrary, targets: SwitchTargets) -> None:
        self._opened, self._targets = opened, targets
        self._current: ModelSwitch | None = None

    async def begin_switch(self, pending: PendingEmbedder) -> None:
        """Begin a switch: a model is coming; its vectors are filled after `start`. No other one may be coming or retiring."""
        if self._current is not None:
            await self._current.wait_until_ended()
        beside = await anyio.to_thread.run_sync(self._open_pending_tokens, pending.embedder)
        self._current = ModelSwitch(self._opened, self._targets, pending, beside)

    def start(self) -> None:
        if self._current is not None:
            self._current.start()

    async def close(self) -> None:
        if self._current is not None:
            await self._current.close()

    def _open_pending_tokens(self, embedder: Embedder) -> PendingTokens:
        """Open the token store of the coming model, beside the one in use; what an earlier process filled for this model is continued. Blocks."""
        home, used = self._opened.home, self._opened.serving.token_path
        path = home.later_tokens if used == home.next_tokens else home.next_tokens
        if used == home.tokens:
            adopt_tokens(path, home.later_tokens, embedder.name)
            remove_tokens(home.later_tokens)
        return PendingTokens(path, open_pending_tokens(self._opened.settings, path, embedder))


async def open_switches(stack: AsyncExitStack, opened: OpenedLibrary, targets: SwitchTargets, *, start: bool) -> ModelSwitches:
    """Open the switches. Where another model is coming, begin to fill its vectors (with `start`); `stack` stops that, and what is begun later."""
    switches = ModelSwitches(opened, targets)
    stack.push_async_callback(switches.close)
    pending = opened.serving.pending
    if pending is None:
        for path in (opened.home.next_tokens, opened.home.later_tokens):
            await anyio.to_thread.run_sync(remove_tokens, path)  # of a model that was given up
        return switches
    await switches.begin_switch(pending)
    if start:
        switches.start()
    return switches
