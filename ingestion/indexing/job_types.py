"""What `IndexJobs` queues: jobs that somebody started, and folder comparisons for idle times."""

from __future__ import annotations

import asyncio
import logging
import uuid
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

import anyio

from core.ports import IndexJobOptions, JobRecord
from ingestion.indexing.indexer import DEFAULT_COLLECTION, IndexingRequest
from ingestion.indexing.run_progress import Progress, RunSummary

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class IndexJob:
    """A job of this process. `cancelled` stops its run, `ended` is set when it has ended for this process."""

    record: JobRecord
    password: str = field(default="", repr=False)
    cancelled: anyio.Event = field(default_factory=anyio.Event)
    ended: anyio.Event = field(default_factory=anyio.Event)

    def end(self, state: str, error: str | None) -> None:
        """Bring the record to its end in `state`, now; it has no rate and no time left."""
        progress = {**self.record.progress, "rate": 0.0, "files_rate": 0.0, "seconds_left": None, "current": ""}
        self.record = replace(self.record, state=state, finished_at=datetime.now(UTC), progress=progress, error=error)
        counts = {name: count for name, count in progress.items() if name.startswith("files_") and isinstance(count, int)}
        _log.info("job ended", extra={"fields": {"state": state, "kind": self.record.kind, **counts}})


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

    def finish(self, summary: RunSummary) -> bool:
        """Give who waits for it the result of a run; return whether it was interrupted, and is to go on later."""
        if self.done.done():
            return False
        if self.is_dropped:
            self.done.cancel()
        elif summary.cancelled:
            self.stop, self.idle = anyio.Event(), anyio.Event()
            return True
        else:
            self.done.set_result(summary)
        return False

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
