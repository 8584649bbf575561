"""A caller's documents are in two libraries: the tenant's, and what the caller uploaded. What names one thing acts in the one that has it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from core.errors import NotFound
from core.ownership import libraries_read
from core.ports import JobRecord
from core.watcher_status import WatcherStatus
from server.services import IndexingActivity, Services

Result = TypeVar("Result")


async def run_in_library(library: str, work: Callable[[str], Awaitable[Result]]) -> Result:
    """Return the result of `work` in the library that knows the thing, the own one first. Raises NotFound where none does."""
    *first, last = libraries_read(library)
    for each in first:
        try:
            return await work(each)
        except NotFound:
            continue
    return await work(last)


async def recent_jobs(services: Services, library: str, limit: int) -> list[JobRecord]:
    """Return the jobs, newest first."""
    found = [job for each in libraries_read(library) for job in await services.jobs.list_recent(each, limit)]
    return sorted(found, key=lambda job: job.created_at, reverse=True)[:limit]


def list_activities(services: Services, library: str) -> list[IndexingActivity]:
    """Return the runs at work in the person's libraries, first one with something to read first."""
    found = [services.jobs.activity(each) for each in libraries_read(library)]
    return sorted(found, key=lambda activity: not activity.progress.files_total)


async def load_watcher_status(services: Services, library: str) -> WatcherStatus:
    """Return all folders that the caller sees; the switch is the tenant's."""
    *own, shared = [await services.watcher.status(each) for each in libraries_read(library)]
    if not own:
        return shared
    every = [*own, shared]
    return WatcherStatus(
        enabled=shared.enabled,
        folders=sorted((folder for status in every for folder in status.folders), key=lambda folder: folder.path),
        waiting=sum(status.waiting for status in every),
        recent=sorted((event for status in every for event in status.recent), key=lambda event: event.at, reverse=True),
    )
