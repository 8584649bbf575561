"""`DerivedJobs`: jobs that make something of a whole library, one at a time for each, that show how far they are and can be stopped."""

from __future__ import annotations

import asyncio
import logging
import threading
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from core.errors import Cancelled, VantageError
from core.ports import ClaimableJobStore, JobRecord, JobStore

log = logging.getLogger(__name__)
_TICK = 0.5  # seconds between two looks at how far a job is, and at whether somebody stopped it


@dataclass(slots=True)
class RunningJob:
    """A job that is done; who does it writes `progress` and looks at `stop`."""

    record: JobRecord
    stop: threading.Event = field(default_factory=threading.Event)
    progress: dict[str, Any] = field(default_factory=dict)
    task: asyncio.Task[None] | None = None


async def end_unfinished(kind: str, jobs: JobStore, reason: str) -> None:
    """End jobs of a kind that nothing does any more, telling why."""
    for record in await jobs.list_unfinished():
        if record.kind == kind:
            await jobs.save(replace(record, state="cancelled", error=reason, finished_at=datetime.now(UTC)))


class DerivedJobs:
    """Jobs of one `kind`. `work` gets the library and the job, and returns what is to be told ("" for nothing); it raises Cancelled where it stopped.
    `doing` begins the sentence about an unexpected error. Call `open` once in the running event loop and `close` at the end."""

    def __init__(self, kind: str, doing: str, jobs: ClaimableJobStore, work: Callable[[str, RunningJob], Awaitable[str]]) -> None:
        self._kind, self._doing, self._jobs, self._work = kind, doing, jobs, work
        self._running: dict[str, RunningJob] = {}
        self._queueing = asyncio.Lock()

    async def open(self) -> None:
        """Go on with what an earlier process left unfinished: it begins again."""
        for record in await self._jobs.list_unfinished():
            if record.kind == self._kind and record.tenant not in self._running:
                self._begin(record)

    async def close(self) -> None:
        """Stop; what is not finished begins again at the next start."""
        for each in self._running.values():
            each.stop.set()
        tasks = [each.task for each in self._running.values() if each.task is not None]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    async def queue(self, library: str, requested_by: str = "") -> JobRecord:
        """Begin a job; the one that runs where there is one."""
        async with self._queueing:
            if library in self._running:
                return self._running[library].record
            now = datetime.now(UTC)
            record = JobRecord(uuid.uuid4().hex, library, self._kind, "running", "", now, started_at=now, request={"by": requested_by})
            await self._jobs.save(record)
            self._begin(record)
            return record

    def _begin(self, record: JobRecord) -> None:
        running = self._running[record.tenant] = RunningJob(record)
        running.task = asyncio.create_task(self._run(running))

    async def _run(self, running: RunningJob) -> None:
        library = running.record.tenant
        follower = asyncio.create_task(self._follow(running))
        error: str | None = None
        state = "done"
        try:
            error = await self._work(library, running) or None
        except Cancelled:
            state = "cancelled"
        except VantageError as failure:
            state, error = "failed", str(failure)
        except Exception as failure:  # a defect ends this job with its reason, not the server's other work
            log.exception("%s failed.", self._doing)
            state, error = "failed", f"{self._doing} stopped at an unexpected error ({failure!r}). Please report this."
        finally:
            self._running.pop(library, None)
            follower.cancel()
            await asyncio.wait([follower])
        ended = replace(running.record, state=state, error=error, progress=running.progress, finished_at=datetime.now(UTC))
        await self._jobs.save(ended)

    async def _follow(self, running: RunningJob) -> None:
        """Store how far the job is, and stop it where somebody asked for that."""
        while not running.stop.is_set():
            await asyncio.sleep(_TICK)
            kept = await self._jobs.update_claimed(replace(running.record, progress=running.progress))
            if kept is None or kept.cancel_requested:
                running.stop.set()
