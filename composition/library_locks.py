"""The locks of a library that workers in other processes write, too."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from core.ports import LibraryWriter, SearchIndex, SharedSearchIndex
from ingestion.indexing.index_writer import Stores
from settings import Settings
from storage.database import Database

if TYPE_CHECKING:
    from storage.shared_index_lock import SharedIndexLock
    from storage.shared_lock import SharedLock

_INDEX_LOCK, _DECISION_LOCK = 0x56616E74616768, 0x56616E74616769  # any numbers that nothing else in the database uses


@dataclass(frozen=True, slots=True)
class LibraryLocks:
    index: SharedIndexLock
    decisions: SharedLock

    @asynccontextmanager
    async def hold_index(self) -> AsyncIterator[None]:
        """Hold the index: opening it takes out what nobody committed, and that may be what another process is writing."""
        async with self.index:
            yield

    def use_index(self, index: SearchIndex) -> None:
        """Say which index it is; from now on it is kept as the others leave it."""
        self.index.index = cast(SharedSearchIndex, index)  # the settings let no other engine have workers

    def guard(self, stores: Stores) -> None:
        """Put the locks into the stores."""
        stores.lock, stores.decision_lock, stores.is_shared = self.index, self.decisions, True
        self.index.follow()

    async def close(self) -> None:
        await self.index.close()
        await self.decisions.close()


def library_locks(settings: Settings, database: Database, writer: LibraryWriter) -> LibraryLocks | None:
    """Return the locks; None for a library that one process has to itself."""
    if settings.workers.queue == "in_process":
        return None
    from storage.shared_index_lock import SharedIndexLock  # PostgreSQL's driver is an extra
    from storage.shared_lock import SharedLock

    url = settings.storage.url
    return LibraryLocks(SharedIndexLock(SharedLock(url, _INDEX_LOCK), database, writer), SharedLock(url, _DECISION_LOCK))
