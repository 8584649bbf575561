"""What the servers of one library share: runs and their events, notices, and the work that one of them does for all."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import socket
import uuid
from collections.abc import Awaitable, Callable, Collection, Coroutine
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Protocol

from filelock import FileLock, Timeout

from composition.housekeeping import Housekeeping
from composition.settings_service import SettingsService
from core.background_tasks import cancel_task
from core.errors import ConfigurationError, Unavailable
from core.ports import NoticeBus
from ingestion.indexing.remote_jobs import is_servers_job
from ingestion.watching.watcher import FolderWatcher
from memory.manager import TieredMemory
from orchestration.run_sharing import SharedRuns, SharedStores
from retrieval.opensearch.library_mark import read_library_mark
from server.failed_tries import FailedTries
from server.schemas import Part
from settings import Settings
from storage.database import Database
from storage.home import Home
from storage.sql_conversations import SqlConversations
from storage.sql_jobs import SqlJobs
from storage.sql_shared_runs import SqlSharedRuns
from storage.sql_traces import SqlTraces

if TYPE_CHECKING:
    from storage.shared_lock import SharedLock

_log = logging.getLogger(__name__)
_DUTIES_LOCK = 0x56616E7461676A  # any number that nothing else in the database uses
_SESSION_SECONDS = 5.0
_PAUSE = 1.0  # seconds before another try to get the duties


class _Notices(NoticeBus, Protocol):
    async def open(self) -> None: ...
    async def close(self) -> None: ...


class Duties:
    """Work that one server does for all of a library: whoever holds the lock. It passes to another when that server ends, however it ends."""

    def __init__(self, lock: SharedLock, check_seconds: float) -> None:
        self._lock, self._check_seconds = lock, check_seconds
        self._task: asyncio.Task[None] | None = None
        self.are_here = False

    def take(self, start: Callable[[], Awaitable[None]]) -> None:
        """Begin the work once this server has the lock."""
        self._task = asyncio.create_task(self._hold(start), name="duties")

    async def close(self) -> None:
        await cancel_task(self._task)
        await self._lock.close()

    async def _hold(self, start: Callable[[], Awaitable[None]]) -> None:
        while True:
            try:
                async with self._lock:
                    if not self.are_here:
                        self.are_here = True
                        await start()
                    while True:
                        await asyncio.sleep(self._check_seconds)
                        await self._lock.check()
            except Unavailable as error:  # the work goes on: beside another's it is done twice, which changes nothing
                _log.warning("The lock of what one server does for all: %s", error)
            await asyncio.sleep(_PAUSE if self.are_here else 2 * _PAUSE)  # who has the work already goes first


@dataclass(frozen=True, slots=True)
class SharedServers:
    """This server's part in what is shared."""

    runs: SharedRuns
    notices: NoticeBus
    duties: Duties
    _working: set[asyncio.Task[None]] = field(default_factory=set)

    def connect(self, kind: str, receive: Callable[[str], None]) -> Callable[[str], None]:
        """Have what the other servers send of this kind (a word) given to `receive`; return what sends to them."""

        def hear(notice: str) -> None:
            word, _, rest = notice.partition(" ")
            sender, _, sent = rest.partition(" ")
            if word == kind and sender != self.runs.name:
                receive(sent)

        self.notices.subscribe(hear)
        return lambda text: self.start(self.notices.publish(f"{kind} {self.runs.name} {text}"))

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something beside everything else."""
        task = asyncio.ensure_future(work)
        self._working.add(task)
        task.add_done_callback(self._working.discard)

    def part(self) -> Part:
        """Report it for /health."""
        here = " This one watches folders and cleans up." if self.duties.are_here else ""
        detail = f"{self.runs.servers} at work. Notices by {self.notices.place}.{here}"
        if self.notices.problem:
            advice = "Answers can be followed and stopped at any server meanwhile, up to a second later."
            return Part(name="servers", state="degraded", detail=f"{detail} {self.notices.problem}", advice=advice)
        return Part(name="servers", state="ok", detail=detail)


async def open_shared_servers(stack: AsyncExitStack, settings: Settings, home: Home, database: Database) -> SharedServers | None:
    """Return what this server shares with others, closed with `stack`; None for a library that one process has to itself."""
    if settings.workers.queue == "in_process":
        return None
    from storage.shared_lock import SharedLock  # PostgreSQL's driver is an extra

    notices = await _open_notices(stack, settings, home)
    name = f"{socket.gethostname()}:{os.getpid()}:{uuid.uuid4().hex[:8]}"
    stores = SharedStores(SqlSharedRuns(database), SqlConversations(database), SqlTraces(database))
    runs = SharedRuns(name, stores, notices, settings.workers.heartbeat_seconds)
    jobs = SqlJobs(database)
    runs.looked = lambda servers: end_orphaned_jobs(jobs, servers)
    await runs.open()
    return SharedServers(runs, notices, Duties(SharedLock(settings.storage.url, _DUTIES_LOCK), settings.workers.heartbeat_seconds))


async def end_orphaned_jobs(jobs: SqlJobs, servers: Collection[str]) -> None:
    """End the jobs that only a server could do which is gone: it had their passwords."""
    for job in await jobs.list_unfinished():
        if is_servers_job(job) and job.worker.partition(":")[2] not in servers:
            reason = "The server that had the password of this job is gone. Begin it again."
            await jobs.save(replace(job, state="failed", error=reason, finished_at=datetime.now(UTC)))


async def _open_notices(stack: AsyncExitStack, settings: Settings, home: Home) -> NoticeBus:
    """Return the bus: Redis where the sessions are in one, else PostgreSQL."""
    from storage.postgres_notices import PostgresNotices

    buses: list[_Notices] = [PostgresNotices(settings.storage.url)]
    session = settings.memory.session
    if session.redis_url and session.backend != "process":
        from storage.redis_notices import RedisNotices

        try:
            buses.append(RedisNotices(session.redis_url, read_library_mark(home.index), buses[0]))
        except ValueError as error:
            raise ConfigurationError(f"memory.session.redis_url cannot be used: {error}.") from error
    for bus in buses:
        stack.push_async_callback(bus.close)
        await bus.open()
    return buses[-1]


def without_tokens(settings: Settings) -> Settings:
    """Return the settings for a process that stores no token vectors: their file is one server's. It encodes what is missing when it is asked."""
    rerank = settings.search.rerank.model_copy(update={"store_token_vectors": False})
    return settings.model_copy(update={"search": settings.search.model_copy(update={"rerank": rerank})})


def share_tokens(stack: AsyncExitStack, settings: Settings, home: Home) -> Settings:
    """Return the settings of a server: of several that share a VANTAGE_HOME the first keeps token vectors there, and the others keep none."""
    if settings.workers.queue == "in_process" or not settings.search.rerank.store_token_vectors:
        return settings
    try:
        stack.enter_context(FileLock(home.tokens_lock, timeout=0, mode=0o600))
    except Timeout:
        return without_tokens(settings)
    return settings


def sessions_known_for(settings: Settings) -> timedelta:
    """Return how long a browser's session is believed without asking the library: another server may end it."""
    return timedelta.max if settings.workers.queue == "in_process" else timedelta(seconds=_SESSION_SECONDS)


def open_tries(settings: Settings, shared: SharedServers | None) -> FailedTries:
    """Return the count of wrong keys, of all servers together."""
    tries = FailedTries(settings.server.failed_tries, settings.server.failed_tries_seconds)
    if shared is not None:
        tries.tell = shared.connect("try", tries.note_failure)
    return tries


def share_memory(memory: TieredMemory, shared: SharedServers | None) -> None:
    """Have what is kept ready of a person read again when another server changed it."""
    if shared is None:
        return

    def changed_elsewhere(person: str) -> None:
        invalidate(*json.loads(person))

    tell = shared.connect("memory", changed_elsewhere)
    invalidate = memory.share(lambda tenant, user_id: tell(json.dumps([tenant, user_id])))


def share_preferences(preferences: SettingsService, shared: SharedServers | None) -> SettingsService:
    """Have settings that are changed at one server in force at the others; return the same."""
    if shared is not None:
        preferences.tell_changed = shared.connect("settings", lambda _: shared.start(preferences.read_again()))
    return preferences


def take_duties(stack: AsyncExitStack, shared: SharedServers | None, parts: tuple[TieredMemory, Housekeeping, FolderWatcher], *, begin: bool) -> None:
    """Have this server, or another, consolidate memory, clean up and follow the folders; `stack` gives it back before these are closed. Where there
    are no others they began by themselves."""
    if shared is None or not begin:
        return
    memory, housekeeping, watcher = parts

    async def start() -> None:
        memory.start()
        housekeeping.start()
        await watcher.open()

    stack.push_async_callback(shared.duties.close)
    shared.duties.take(start)
