"""What `IndexJobs` queues: jobs that somebody started, and folder comparisons for idle times."""

from __future__ import annotations

import asyncio
import uuid
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

import anyio

from core.ports import IndexJobOptions, JobRecord
from ingestion.indexing.indexer import DEFAULT_COLLECTION, IndexingRequest
from ingestion.indexing.run_progress import Progress, RunSummary


@dataclass(slots=True)
class IndexJob:
    """A job of this process. `cancelled` stops its run, `ended` is set when it has ended for this process."""

    record: JobRecord
    password: str = field(default="", repr=False)
    cancelled: anyio.Event = field(default_factory=anyio.Event)
    ended: anyio.Event = field(default_factory=anyio.Event)


@dataclass(slots=True, eq=False)
class FolderComparison:
    """A folder to compare with the library when no job waits.

    `stop` interrupts it, to be resumed later unless `is_dropped`; `idle` is set while it is not running.
    """

    tenant: str
    path: str
    done: asyncio.Future[RunSummary]
    progress: Progress = field(default_factory=Progress)
    stop: anyio.Event = field(default_factory=anyio.Event)
    idle: anyio.Event = field(default_factory=anyio.Event)
    is_dropped: bool = False

    def __post_init__(self) -> None:
        self.done.add_done_callback(lambda done: done.cancelled() or done.exception())  # nobody may wait for it


def make_record(tenant: str, path: str, collection: str, how: IndexJobOptions) -> JobRecord:
    """Return the record of a job that is queued now."""
    request = {"collection": collection, "force": how.force, "by": how.requested_by}
    return JobRecord(uuid.uuid4().hex, tenant, how.kind, "queued", path, datetime.now(UTC), progress=Progress().as_dict(), request=request)


def make_request(live: IndexJob) -> IndexingRequest:
    """Return what the indexer is to do for a job."""
    record = live.record
    collection, force = record.request.get("collection", DEFAULT_COLLECTION), bool(record.request.get("force"))
    return IndexingRequest(record.tenant, Path(record.path), collection, force, password=live.password)


def end_record(record: JobRecord, state: str, error: str | None) -> JobRecord:
    """Return the record of a job that has ended now in `state`; it has no rate and no time left."""
    progress = {**record.progress, "rate": 0.0, "files_rate": 0.0, "seconds_left": None, "current": ""}
    return replace(record, state=state, finished_at=datetime.now(UTC), progress=progress, error=error)
