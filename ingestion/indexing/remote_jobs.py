"""Indexing jobs that workers in other processes do, as this process sees them: looked at in the store, since any of them may end at any time."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable

import anyio

from core.errors import VantageError
from core.ports import DERIVED_JOBS, ClaimableJobStore, JobQueue, JobRecord

_log = logging.getLogger(__name__)
_LOOKS = 1.0  # seconds between two looks at all jobs
_EVENTS = 0.25  # between two looks at one that somebody watches
HERE = "server"  # begins the worker's name of a job that only the process can do that queued it; of several servers, ":" and its name follow

Ended = Callable[[str], Awaitable[None]]


class RemoteJobs:
    """`unfinished` are the jobs that wait or run elsewhere, as of the last look."""

    def __init__(self, queue: JobQueue, jobs: ClaimableJobStore) -> None:
        self._queue, self._jobs = queue, jobs
        self.unfinished: list[JobRecord] = []
        self._following: asyncio.Task[None] | None = None
        self._closing = anyio.Event()

    async def open(self, begun: Callable[[], None], ended: Ended, *, resume: bool) -> None:
        """Follow the jobs: `begun` is called while there are any, `ended` with a tenant whose jobs are all over. With `resume` those that a process
        of this library left unfinished, or stored and did not queue, are queued."""
        await self._look()
        for record in self.unfinished if resume else ():
            await self._queue.put(record)
        self._following = asyncio.create_task(self._follow(begun, ended), name="remote-jobs")

    async def close(self) -> None:
        self._closing.set()
        if self._following is not None:
            await self._following

    async def submit(self, record: JobRecord) -> JobRecord:
        """Store and queue a job; return the one that waits already for the same."""
        await self._look()
        for other in self.unfinished:
            if other.state == "queued" and (other.tenant, other.path, other.request) == (record.tenant, record.path, record.request):
                return other
        await self._jobs.save(record)
        self.unfinished.append(record)
        await self._queue.put(record)
        return record

    def is_busy(self, tenant: str) -> bool:
        """Return whether a job of the tenant waits or runs."""
        return any(each.tenant == tenant for each in self.unfinished)

    async def wait_until_over(self, record: JobRecord) -> None:
        async for _ in stored_changes(self._jobs, record):
            pass

    async def _look(self) -> None:
        self.unfinished = [each for each in await self._jobs.list_unfinished() if each.kind not in DERIVED_JOBS and not is_servers_job(each)]

    async def _follow(self, begun: Callable[[], None], ended: Ended) -> None:
        while not self._closing.is_set():
            with anyio.move_on_after(_LOOKS):
                await self._closing.wait()
            before = {each.tenant for each in self.unfinished}
            try:
                await self._look()
                for tenant in sorted(before - {each.tenant for each in self.unfinished}):
                    await ended(tenant)
            except VantageError as error:  # the next look tells
                _log.warning("The workers' jobs could not be looked at: %s", error)
            if self.unfinished:
                begun()


def is_servers_job(job: JobRecord) -> bool:
    """Return whether only the server can do it that queued it."""
    return job.worker.partition(":")[0] == HERE


async def stored_changes(jobs: ClaimableJobStore, last: JobRecord) -> AsyncIterator[JobRecord]:
    """Yield a job that another process does each time it changed, and its last state."""
    while not last.is_over:
        await anyio.sleep(_EVENTS)
        if (now := await jobs.get(last.tenant, last.id)) != last:
            last = now
            yield last
