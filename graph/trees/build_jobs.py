"""`TreeJobs`: trees built as jobs that a person begins, watches and stops."""

from __future__ import annotations

import asyncio
import logging
import threading
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from core.errors import Cancelled, Conflict, VantageError
from core.ownership import shared_library
from core.ports import TREE_JOB, ClaimableJobStore, JobRecord, SearchIndex, TreeCentres
from core.trees import TreePage
from graph.trees.library_trees import LibraryTrees
from graph.trees.mixture_groups import require_mixtures
from graph.trees.tree_building import BuildWatch

log = logging.getLogger(__name__)
_TICK = 0.5  # seconds between two looks at how far a tree is, and at whether somebody stopped it
SWITCHED_OFF = "Trees of summaries are switched off: set raptor.enabled to true, or switch the feature raptor on."


@dataclass(slots=True)
class _Running:
    """A tree that is being built; the thread that builds it writes `progress` and looks at `stop`."""

    record: JobRecord
    stop: threading.Event = field(default_factory=threading.Event)
    progress: dict[str, Any] = field(default_factory=dict)
    task: asyncio.Task[None] | None = None

    def note(self, level: int, done: int, total: int) -> None:
        self.progress = {"chunks": done, "current": f"level {level}: {done:,} of {total:,}"}


class TreeJobs:
    """core.ports.tree_store.TreeBuilds. Call `open` once in the running event loop and `close` at the end."""

    def __init__(self, trees: LibraryTrees, jobs: ClaimableJobStore, is_wanted: Callable[[str], bool]) -> None:
        self._trees, self._jobs, self._is_wanted = trees, jobs, is_wanted
        self._running: dict[str, _Running] = {}
        self._queueing = asyncio.Lock()

    async def open(self, *, resume: bool = True) -> None:
        """Go on with what an earlier process left unfinished: it begins again, and the earlier tree serves until it is done."""
        for record in await self._jobs.list_unfinished() if resume else []:
            if record.kind == TREE_JOB and record.tenant not in self._running:
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

    async def find_centres(self, tenant: str, model: str, index: SearchIndex) -> TreeCentres | None:
        return await self._trees.find_centres(tenant, model, index)

    async def list_summaries(self, tenant: str, *, level: int | None = None, limit: int = 50) -> TreePage:
        library = shared_library(tenant)
        return await self._trees.list_summaries(library, level=level, limit=limit) if self._is_wanted(library) else TreePage(reason=SWITCHED_OFF)

    async def queue_build(self, tenant: str, requested_by: str = "") -> JobRecord:
        library = shared_library(tenant)
        if not self._is_wanted(library):
            raise Conflict(SWITCHED_OFF)
        require_mixtures()
        async with self._queueing:
            if library in self._running:
                return self._running[library].record
            now = datetime.now(UTC)
            record = JobRecord(uuid.uuid4().hex, library, TREE_JOB, "running", "", now, started_at=now, request={"by": requested_by})
            await self._jobs.save(record)
            self._begin(record)
            return record

    def _begin(self, record: JobRecord) -> None:
        running = self._running[record.tenant] = _Running(record)
        running.task = asyncio.create_task(self._run(running))

    async def _run(self, running: _Running) -> None:
        library = running.record.tenant
        follower = asyncio.create_task(self._follow(running))
        error: str | None = None
        state = "done"
        try:
            error = await self._trees.build(library, BuildWatch(running.note, running.stop.is_set)) or None
        except Cancelled:
            state = "cancelled"
        except VantageError as failure:
            state, error = "failed", str(failure)
        except Exception as failure:  # a defect ends this job with its reason, not the server's other work
            log.exception("Building the tree of summaries failed.")
            state, error = "failed", f"Building the tree stopped at an unexpected error ({failure!r}). Please report this."
        finally:
            self._running.pop(library, None)
            follower.cancel()
            await asyncio.wait([follower])
        ended = replace(running.record, state=state, error=error, progress=running.progress, finished_at=datetime.now(UTC))
        await self._jobs.save(ended)

    async def _follow(self, running: _Running) -> None:
        """Store how far the tree is, and stop it where somebody asked for that."""
        while not running.stop.is_set():
            await asyncio.sleep(_TICK)
            kept = await self._jobs.update_claimed(replace(running.record, progress=running.progress))
            if kept is None or kept.cancel_requested:
                running.stop.set()
