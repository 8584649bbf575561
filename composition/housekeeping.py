"""What is done at the start of a server and every hour after: what is kept too long goes, and what a deletion left undone is done."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import anyio.to_thread

from composition.erasing import Eraser, remove_file
from core.errors import NotFound, VantageError
from core.ports import Conversations, MemoryManager
from ingestion.bookkeeping import Stores
from ingestion.index_cleaning import clean_index
from ingestion.jobs import IndexJobs
from settings import Settings
from storage.retention import SqlRetention

logger = logging.getLogger(__name__)
_EVERY = 3600.0  # seconds

Task = Callable[[], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class Kept:
    """What holds the things that are kept for some days."""

    store: SqlRetention
    conversations: Conversations
    memory: MemoryManager
    jobs: IndexJobs
    uploads: Path


class Retention:
    """Removes what is older than its days in the settings (0: kept until somebody deletes it), as if a person deleted it."""

    def __init__(self, settings: Settings, kept: Kept, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._days, self._kept, self._now = settings.storage, kept, now

    def adopt(self, settings: Settings) -> None:
        """Go by other days from the next round on."""
        self._days = settings.storage

    async def apply(self) -> dict[str, int]:
        """How much of each kind went."""
        kinds = {
            "conversations": (self._days.conversations_days, self._conversations),
            "feedback": (self._days.feedback_days, self._kept.store.prune_feedback),
            "episodes": (self._days.episodes_days, self._kept.memory.prune),
            "jobs": (self._days.jobs_days, self._kept.store.prune_jobs),
            "uploads": (self._days.uploads_days, self._uploads),
        }
        gone = {name: await remove(self._now() - timedelta(days=days)) for name, (days, remove) in kinds.items() if days}
        if any(gone.values()):
            logger.info(
                "Kept for longer than the settings say, and removed: %s.", ", ".join(f"{count} {name}" for name, count in gone.items() if count)
            )
            await self._kept.store.give_back()
        return gone

    async def _conversations(self, before: datetime) -> int:
        old = await self._kept.store.old_conversations(before)
        for tenant, conversation_id in old:
            with suppress(NotFound):  # somebody deleted it meanwhile
                await self._kept.conversations.delete(tenant, conversation_id)
            await self._kept.memory.forget_conversation(tenant, conversation_id)
        return len(old)

    async def _uploads(self, before: datetime) -> int:
        old = await self._kept.store.old_uploads(str(self._kept.uploads.resolve()), before)
        for tenant, path in old:
            await anyio.to_thread.run_sync(remove_file, Path(path))
            await self._kept.jobs.follow(tenant, [path])  # one by one: a folder whose files are all gone at once may be a missing disk
        return len(old)


class Housekeeping:
    """Does its tasks one after the other, in the background; one that fails is told in the log and done again in an hour."""

    def __init__(self, tasks: Sequence[Task], every: float = _EVERY) -> None:
        self._tasks, self._every = tasks, every
        self._running: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._running = asyncio.create_task(self._go_on(), name="housekeeping")

    async def close(self) -> None:
        if self._running is not None:
            self._running.cancel()
            await asyncio.gather(self._running, return_exceptions=True)
            self._running = None

    async def round(self) -> None:
        """Every task once."""
        for task in self._tasks:
            try:
                await task()
            except VantageError as error:  # a store that is full or away now may be back in an hour
                logger.warning("Not done, and tried again in an hour: %s", error)

    async def _go_on(self) -> None:
        while True:
            await self.round()
            await asyncio.sleep(self._every)


def open_housekeeping(stack: AsyncExitStack, retention: Retention, eraser: Eraser, stores: Stores, *, start: bool) -> Housekeeping:
    """With `start` it begins now; `stack` ends it."""

    async def forget_ids() -> None:
        if await eraser.known():
            await clean_index(stores)
        await eraser.forget_ids()

    housekeeping = Housekeeping([eraser.erase, forget_ids, retention.apply])
    if start:
        housekeeping.start()
        stack.push_async_callback(housekeeping.close)
    return housekeeping
