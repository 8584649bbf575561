"""Work at the start of a server and every hour after: what is kept too long goes, and what a deletion left undone is done."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import anyio.to_thread

from composition.eraser import Eraser, remove_file
from core.errors import NotFound, VantageError
from core.ports import ConversationStore, MemoryManager
from ingestion.indexing.index_cleaning import clean_index
from ingestion.indexing.index_jobs import IndexJobs
from ingestion.indexing.index_writer import Stores
from settings import Settings
from storage.retention import SqlRetention

logger = logging.getLogger(__name__)
_EVERY = 3600.0  # seconds

Task = Callable[[], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class RetainedStores:
    """The stores of things that are kept for some days."""

    store: SqlRetention
    conversations: ConversationStore
    memory: MemoryManager
    jobs: IndexJobs
    uploads: Path


class Retention:
    """Removal of what is older than its days in the settings (0: kept until somebody deletes it), as if a person deleted it."""

    def __init__(self, settings: Settings, kept: RetainedStores, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._days, self._stores, self._now = settings.storage, kept, now

    def use_settings(self, settings: Settings) -> None:
        """Use other days from the next round on."""
        self._days = settings.storage

    async def remove_expired(self) -> dict[str, int]:
        """Remove what is too old; return how many of each kind."""
        kinds = {
            "conversations": (self._days.conversations_days, self._remove_conversations),
            "feedback": (self._days.feedback_days, self._stores.store.prune_feedback),
            "episodes": (self._days.episodes_days, self._stores.memory.prune_episodes),
            "jobs": (self._days.jobs_days, self._stores.store.prune_jobs),
            "uploads": (self._days.uploads_days, self._remove_uploads),
        }
        gone = {name: await remove(self._now() - timedelta(days=days)) for name, (days, remove) in kinds.items() if days}
        if any(gone.values()):
            logger.info(
                "Kept for longer than the settings say, and removed: %s.", ", ".join(f"{count} {name}" for name, count in gone.items() if count)
            )
            await self._stores.store.reclaim_space()
        return gone

    async def _remove_conversations(self, before: datetime) -> int:
        old = await self._stores.store.old_conversations(before)
        for tenant, conversation_id in old:
            with suppress(NotFound):  # somebody deleted it meanwhile
                await self._stores.conversations.delete(tenant, conversation_id)
            await self._stores.memory.forget_conversation(tenant, conversation_id)
        return len(old)

    async def _remove_uploads(self, before: datetime) -> int:
        old = await self._stores.store.old_uploads(str(self._stores.uploads.resolve()), before)
        for tenant, path in old:
            await anyio.to_thread.run_sync(remove_file, Path(path))
            await self._stores.jobs.index_changes(tenant, [path])  # one by one: a folder whose files are all gone at once may be a missing disk
        return len(old)


class Housekeeping:
    """Tasks that run one after the other, in the background; one that fails is logged and done again in an hour."""

    def __init__(self, tasks: Sequence[Task], every: float = _EVERY) -> None:
        self._tasks, self._every = tasks, every
        self._running: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._running = asyncio.create_task(self._run_periodically(), name="housekeeping")

    async def close(self) -> None:
        if self._running is not None:
            self._running.cancel()
            await asyncio.gather(self._running, return_exceptions=True)
            self._running = None

    async def run_tasks(self) -> None:
        """Run every task once."""
        for task in self._tasks:
            try:
                await task()
            except VantageError as error:  # a store that is full or away now may be back in an hour
                logger.warning("Not done, and tried again in an hour: %s", error)

    async def _run_periodically(self) -> None:
        while True:
            await self.run_tasks()
            await asyncio.sleep(self._every)


def open_housekeeping(stack: AsyncExitStack, retention: Retention, eraser: Eraser, stores: Stores, *, start: bool) -> Housekeeping:
    """Open the housekeeping; with `start` it begins now; `stack` ends it."""

    async def forget_ids() -> None:
        if await eraser.has_erased_ids():
            await clean_index(stores)
        await eraser.forget_ids()

    housekeeping = Housekeeping([eraser.erase, forget_ids, retention.remove_expired])
    if start:
        housekeeping.start()
    stack.push_async_callback(housekeeping.close)
    return housekeeping
