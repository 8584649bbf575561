"""The lock of a search index that several processes write: whoever holds it has the index as the others left it."""

from __future__ import annotations

import asyncio
import logging

import anyio
from sqlalchemy import Connection, select

from core.errors import VantageError
from core.ports import LibraryWriter, SharedSearchIndex
from storage.database import Database
from storage.schema import counters
from storage.sequences import reserve_ids
from storage.shared_lock import SharedLock

_log = logging.getLogger(__name__)
_COMMITS = "index_commits"  # the counter that tells the other processes of a commit
_LOOKS = 1.0  # seconds between two looks at it
_BATCH = 16  # documents that are read at once for who follows the index


class SharedIndexLock:
    """Takes the place of the lock in `Stores` of a library that has workers. `index` is given under the lock, once it was read under it."""

    def __init__(self, lock: SharedLock, database: Database, writer: LibraryWriter) -> None:
        self._lock, self._database, self._writer = lock, database, writer
        self.index: SharedSearchIndex | None = None
        self._known = -1  # the counter as of the last time that this process had the index as it is
        self._told = 0  # commits of this process that the others know of
        self._following: asyncio.Task[None] | None = None
        self._closing = anyio.Event()

    async def __aenter__(self) -> None:
        """Wait for the lock, and take over what others committed. Raises Unavailable."""
        await self._lock.__aenter__()
        try:
            await self._catch_up()
        except BaseException:
            await self._lock.__aexit__()
            raise

    async def __aexit__(self, *_: object) -> None:
        try:
            if self.index is not None and self.index.commits != self._told:
                self._known = await self._database.write(lambda connection: reserve_ids(connection, _COMMITS, 1))
                self._told = self.index.commits
        finally:
            await self._lock.__aexit__()

    def follow(self) -> None:
        """Take over what others commit within a second, also while this process writes nothing."""
        self._following = asyncio.create_task(self._follow(), name="shared-index")

    async def close(self) -> None:
        self._closing.set()
        if self._following is not None:
            await self._following
        await self._lock.close()

    async def _follow(self) -> None:
        while not self._closing.is_set():
            with anyio.move_on_after(_LOOKS):
                await self._closing.wait()
            try:
                if await self._database.read(_count_commits) != self._known:
                    async with self:
                        pass
            except VantageError as error:  # the next look does it
                _log.warning("What workers indexed cannot be found yet: %s", error)

    async def _catch_up(self) -> None:
        count = await self._database.read(_count_commits)
        if self.index is not None and count != self._known:
            live = await self._writer.live_documents()
            changed, gone = await self.index.catch_up(live)
            if gone:
                await self.index.commit()  # whoever deleted them may have died before this
            await self._tell_followers(self.index, {each: live[each][0] for each in changed}, gone)
        self._known = count

    async def _tell_followers(self, index: SharedSearchIndex, changed: dict[str, str], gone: dict[str, str]) -> None:
        if not index.followers:
            return
        for tenant in sorted({*changed.values(), *gone.values()}):
            ids = sorted(each for each, owner in changed.items() if owner == tenant)
            await index.tell_followers([], {tenant: sorted(each for each, owner in gone.items() if owner == tenant)})
            for start in range(0, len(ids), _BATCH):
                await index.tell_followers(await self._writer.indexed_documents(tenant, ids[start : start + _BATCH]), {})


def _count_commits(connection: Connection) -> int:
    """Return the number of the last commit that some process told of."""
    return connection.execute(select(counters.c.value).where(counters.c.name == _COMMITS)).scalar_one_or_none() or 0
