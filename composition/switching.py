"""The switch from one embedding model to another while questions are asked.

The new model's vectors are filled beside the old ones. When few are missing, whatever writes pauses for a moment: the rest is filled, the new
vectors are loaded, one transaction puts them in the place of the old ones, and in one step of the event loop all that works with vectors is handed
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

import anyio
import anyio.to_thread

from composition.embedders import Coming
from composition.engine import Engine, open_next_tokens
from composition.serving import Serving
from core.errors import VantageError
from core.ports import Embedder
from ingestion.allocator import give_back
from ingestion.jobs import IndexJobs
from ingestion.pipeline import Indexer
from ingestion.refilling import BATCH, VectorFilling
from ingestion.replay import catch_up
from ingestion.watching.watcher import FolderWatcher
from memory.manager import TieredMemory
from memory.refilling import MemoryFilling
from orchestration.dependencies import Dependencies
from orchestration.zeus import Zeus
from retrieval.token_store import SqliteTokenStore, remove_tokens
from settings import Settings
from storage.engine import Database
from storage.home import Home
from storage.memory import SqlMemory
from storage.next_memory import SqlNextMemory
from storage.next_vectors import SqlNextVectors
from storage.writer import SqlLibraryWriter

logger = logging.getLogger(__name__)

_REST = 0.5  # of the time that a call of the model took is left to others while its vectors are filled
_LOOK = 5.0  # seconds after which a library that waits for its moment is looked at again
_RETRY = 30.0

WHEN_COMPLETE = "It takes over when that is complete, without a restart."
WHEN_IDLE = "It takes over, without a restart, as soon as the indexing that goes on now has ended."
NOW = "It takes over now; indexing waits for a moment."


@dataclass(frozen=True, slots=True)
class Served:
    """What works with vectors and is handed another model. `dependencies` makes what Zeus goes by."""

    zeus: Zeus
    memory: TieredMemory
    indexer: Indexer
    jobs: IndexJobs
    watcher: FolderWatcher
    dependencies: Callable[[Embedder, Engine], Dependencies]


@dataclass(frozen=True, slots=True)
class Opened:
    """What was opened before."""

    settings: Settings
    home: Home
    database: Database
    serving: Serving


class ModelSwitch:
    """`start` it in the running event loop where a model is coming, and `close` it before what it serves is closed. `tokens` is the store that the
    coming model's token vectors are filled into."""

    def __init__(self, opened: Opened, served: Served, coming: Coming, tokens: SqliteTokenStore | None) -> None:
        self._opened, self._serving, self._served, self._coming, self._tokens = opened, opened.serving, served, coming, tokens
        self._store = SqlNextVectors(opened.database)
        embed = partial(coming.embedder.embed_passages, with_tokens=tokens is not None)
        self._documents = VectorFilling(self._store.beside(coming.old, coming.embedder.name), embed, coming.embedder.dimension, tokens)
        self._memories = MemoryFilling(SqlMemory(opened.database), SqlNextMemory(opened.database), coming.embedder)
        self._task: asyncio.Task[None] | None = None
        self._took_over = False
        self._ending: list[Callable[[], Awaitable[None]]] = [] if tokens is None else [tokens.close]
        self._serving.filling, self._serving.said = self._documents, WHEN_COMPLETE

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name="model-switch")

    async def close(self) -> None:
        """Stop within a call of the model. What is filled stays."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._end()

    async def _end(self) -> None:
        """Close what nobody uses any more; nothing here holds it afterwards."""
        while self._ending:
            await self._ending.pop(0)()

    async def _run(self) -> None:
        while not self._took_over:
            try:
                filled = await self._documents.fill(_REST) + await self._memories.fill(_REST)
                if filled < BATCH and not await self._try():
                    await anyio.sleep(_LOOK)
            except VantageError as error:
                logger.warning("%s could not take over: %s It is tried again.", self._coming.embedder.name, error)
                self._serving.said = f"It could not take over: {error} It is tried again."
                await anyio.sleep(_RETRY)

    async def _try(self) -> bool:
        """Switch, if little is missing and nobody's indexing would have to wait long. False: it is too early."""
        coming, serving, jobs = self._coming, self._serving, self._served.jobs
        if jobs.working:
            serving.said = WHEN_IDLE
            return False
        async with jobs.paused():
            if await self._store.missing(coming.old, coming.embedder.name) > BATCH:
                return True  # what was at work brought more
            serving.said = NOW
            while await self._documents.fill(0.0) + await self._memories.fill(0.0):
                pass
            await catch_up(serving.engine.stores)
            await self._sweep()
            retire = await self._exchange()
        await retire()
        return True

    async def _sweep(self) -> None:
        """Forget token vectors of chunks that went while the others were filled."""
        if self._tokens is not None:
            filled, known = await self._tokens.chunk_ids(), await self._serving.engine.index.chunk_ids()
            await self._tokens.delete([chunk_id for chunk_id in filled if chunk_id not in known])

    async def _exchange(self) -> Callable[[], Awaitable[None]]:
        """Nothing is written meanwhile. Whatever can fail comes first, then the transaction; after it everything is handed over without a pause.
        Returns what ends the old model when the last run that uses it has ended."""
        coming, serving, served = self._coming, self._serving, self._served
        new, before, engine = coming.embedder, serving.embedder, serving.engine
        index = await engine.index.with_vectors(new.dimension, self._store.beside(coming.old, new.name).filled())
        following = replace(engine, index=index, tokens=self._tokens)
        dependencies = served.dependencies(new, following)
        version = served.indexer.version
        count = await self._store.switch(coming.old, coming.record)
        # From here on there is no await: no question and no run sees a part of it.
        stores = engine.stores
        stores.writer, stores.index, stores.tokens = SqlLibraryWriter(self._opened.database, new.name), index, self._tokens
        served.indexer.use(new)
        unused = served.zeus.leases.exchange(dependencies)
        settled = served.memory.exchange(new)
        serving.embedder, serving.engine, serving.coming, serving.filling, serving.retiring = new, following, None, None, before.name
        self._ending, self._took_over = [before.close, *([engine.tokens.close] if engine.tokens is not None else [])], True
        read_again = served.indexer.version != version.replace(coming.old, new.name, 1)
        logger.warning("The library is searched by %s from now on (%d documents; before: %s).", new.name, count, coming.old)
        return lambda: self._retire(unused, settled, read_again=read_again)

    async def _retire(self, unused: asyncio.Event, settled: Callable[[], Awaitable[None]], *, read_again: bool) -> None:
        if read_again:
            self._served.watcher.compare_again()
        await unused.wait()
        await settled()
        await self._end()
        self._serving.retiring = ""
        await anyio.to_thread.run_sync(remove_tokens, self._opened.home.tokens)
        await anyio.to_thread.run_sync(_give_memory_back)
        await self._served.memory.consolidate()  # what was remembered in the moment of the switch


def _give_memory_back() -> None:
    gc.collect()
    give_back()


async def open_switch(stack: AsyncExitStack, opened: Opened, served: Served, *, start: bool) -> None:
    """Where another model is coming, begin to fill its vectors (with `start`); `stack` stops that."""
    coming = opened.serving.coming
    if coming is None:
        await anyio.to_thread.run_sync(remove_tokens, opened.home.next_tokens)  # of a model that was given up
        return
    tokens = await anyio.to_thread.run_sync(open_next_tokens, opened.settings, opened.home, coming.embedder)
    switch = ModelSwitch(opened, served, coming, tokens)
    stack.push_async_callback(switch.close)
    if start:
        switch.start()
