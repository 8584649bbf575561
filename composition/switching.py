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
from pathlib import Path

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
from retrieval.token_store import SqliteTokenStore, adopt_tokens, remove_tokens
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


@dataclass(frozen=True, slots=True)
class NextTokens:
    """What the coming model's token vectors are filled into; `store` None where none are kept."""

    path: Path
    store: SqliteTokenStore | None


class ModelSwitch:
    """`start` it in the running event loop, and `close` it before what it serves is closed."""

    def __init__(self, opened: Opened, served: Served, coming: Coming, beside: NextTokens) -> None:
        self._opened, self._serving, self._served, self._coming = opened, opened.serving, served, coming
        tokens, self._tokens, self._place = beside.store, beside.store, beside.path
        self._store = SqlNextVectors(opened.database)
        embed = partial(coming.embedder.embed_passages, with_tokens=tokens is not None)
        self._documents = VectorFilling(self._store.beside(coming.old, coming.embedder.name), embed, coming.embedder.dimension, tokens)
        self._memories = MemoryFilling(SqlMemory(opened.database), SqlNextMemory(opened.database), coming.embedder)
        self._task: asyncio.Task[None] | None = None
        self._took_over = False
        self._ending: list[Callable[[], Awaitable[None]]] = [] if tokens is None else [tokens.close]
        self._serving.coming, self._serving.filling, self._serving.said = coming, self._documents, WHEN_COMPLETE

    def start(self) -> None:
        """Begin, if it has not begun yet."""
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="model-switch")

    async def close(self) -> None:
        """Stop within a call of the model. What is filled stays."""
        if self._task is not None:
            self._task.cancel()
        await self.ended()
        await self._end()

    async def ended(self) -> None:
        """Wait for the end, if it was started."""
        if self._task is not None:
            await asyncio.gather(self._task, return_exceptions=True)

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
        unused_tokens, serving.tokens = serving.tokens, self._place
        self._ending, self._took_over = [before.close, *([engine.tokens.close] if engine.tokens is not None else [])], True
        read_again = served.indexer.version != version.replace(coming.old, new.name, 1)
        logger.warning("The library is searched by %s from now on (%d documents; before: %s).", new.name, count, coming.old)
        return lambda: self._retire(unused, settled, unused_tokens, read_again=read_again)

    async def _retire(self, unused: asyncio.Event, settled: Callable[[], Awaitable[None]], tokens: Path, *, read_again: bool) -> None:
        if read_again:
            self._served.watcher.compare_again()
        try:
            await unused.wait()
            await settled()
            await self._end()
            await anyio.to_thread.run_sync(remove_tokens, tokens)
        finally:
            self._serving.retiring = ""
        await anyio.to_thread.run_sync(_give_memory_back)
        await self._served.memory.consolidate()  # what was remembered in the moment of the switch


def _give_memory_back() -> None:
    gc.collect()
    give_back()


class Switches:
    """One switch after the other, in one process. `close` it before what it serves is closed."""

    def __init__(self, opened: Opened, served: Served) -> None:
        self._opened, self._served = opened, served
        self._present: ModelSwitch | None = None

    async def begin(self, coming: Coming) -> None:
        """From here on a model is coming; its vectors are filled after `start`. No other one may be coming or retiring."""
        if self._present is not None:
            await self._present.ended()
        beside = await anyio.to_thread.run_sync(self._next_tokens, coming.embedder)
        self._present = ModelSwitch(self._opened, self._served, coming, beside)

    def start(self) -> None:
        if self._present is not None:
            self._present.start()

    async def close(self) -> None:
        if self._present is not None:
            await self._present.close()

    def _next_tokens(self, embedder: Embedder) -> NextTokens:
        """Where those in use do not lie; what an earlier process filled for this model is gone on with. Blocks."""
        home, used = self._opened.home, self._opened.serving.tokens
        path = home.later_tokens if used == home.next_tokens else home.next_tokens
        if used == home.tokens:
            adopt_tokens(path, home.later_tokens, embedder.name)
            remove_tokens(home.later_tokens)
        return NextTokens(path, open_next_tokens(self._opened.settings, path, embedder))


async def open_switches(stack: AsyncExitStack, opened: Opened, served: Served, *, start: bool) -> Switches:
    """Where another model is coming, begin to fill its vectors (with `start`); `stack` stops that, and what is begun later."""
    switches = Switches(opened, served)
    stack.push_async_callback(switches.close)
    coming = opened.serving.coming
    if coming is None:
        for path in (opened.home.next_tokens, opened.home.later_tokens):
            await anyio.to_thread.run_sync(remove_tokens, path)  # of a model that was given up
        return switches
    await switches.begin(coming)
    if start:
        switches.start()
    return switches
