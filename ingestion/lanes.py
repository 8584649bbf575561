"""What the lanes of `IndexJobs` hold: jobs that somebody started, and folders to be compared when nobody waits for a job."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import anyio

from core.ports import JobRecord
from ingestion.progress import Progress, Summary


@dataclass(slots=True)
class Live:
    """A job of this process. `cancelled` stops its run, `over` is set when it has ended for this process."""

    record: JobRecord
    password: str = field(default="", repr=False)
    cancelled: anyio.Event = field(default_factory=anyio.Event)
    over: anyio.Event = field(default_factory=anyio.Event)


@dataclass(slots=True, eq=False)
class Comparison:
    """A folder to be compared with the library when nobody waits for a job. `stop` interrupts it, to be taken up again unless `dropped`; `over`
    is set when it does not run any more."""

    tenant: str
    path: str
    done: asyncio.Future[Summary]
    progress: Progress = field(default_factory=Progress)
    stop: anyio.Event = field(default_factory=anyio.Event)
    over: anyio.Event = field(default_factory=anyio.Event)
    dropped: bool = False

    def __post_init__(self) -> None:
        self.done.add_done_callback(lambda done: done.cancelled() or done.exception())  # nobody may wait for it
