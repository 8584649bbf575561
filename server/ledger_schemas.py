"""The JSON of the ledger and the watcher: what became of every file, per folder and per reason, the queue, exclusions and switches."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import Field

from core.documents import DocumentState, LedgerLine
from core.search_schemas import Schema
from core.watcher_status import WatchState

PathField = Annotated[str, Field(min_length=1, max_length=4096)]


class LedgerCounts(Schema):
    """`askable` of `seen` files are searchable; `by_state` and `by_reason` count lines."""

    seen: int
    askable: int
    by_state: dict[DocumentState, int]
    by_reason: dict[str, int]


class RootOut(Schema):
    """A folder that was indexed, with its counts. `job_id` is the running job's, if any; `watch` says whether it is followed, and
    `watch_reason` why it is paused or how it is watched where that is not the usual way."""

    path: str
    collection: str
    files: int
    indexed: int
    partial: int
    failed: int
    skipped: int
    last_indexed_at: datetime | None
    missing: bool
    job_id: str | None
    watch: WatchState = WatchState.OFF
    watch_reason: str = ""


class QueueOut(Schema):
    """Progress of the files that are being read. `waiting` files are known and not through; the rates are those of the last seconds; `seconds_left`
    is None while nothing can be said. `current` is the path of a file that is being read, `jobs` are the jobs that run or wait."""

    waiting: int
    files_per_second: float
    chunks_per_second: float
    seconds_left: float | None
    current: str
    jobs: list[str]


class LedgerOut(Schema):
    """GET /ledger. `counts` are the whole tenant's; `lines` and `total` those that pass the filters."""

    counts: LedgerCounts
    roots: list[RootOut]
    queue: QueueOut
    lines: list[LedgerLine]
    total: int
    next_cursor: str | None


class ReasonOut(Schema):
    """A reason with how many files have it: `code` for programs, `reason` as one of them says it, `examples` their first paths (at most 3)."""

    code: str
    files: int
    states: list[DocumentState]
    reason: str
    examples: list[str]


class LedgerSummary(Schema):
    """GET /ledger/summary: the whole in one call. `sentence` is "423 of 501 files, 78 need attention"; `reasons` the most frequent first.
    `read_before` counts searchable files as earlier settings or readers read them: they are read again in the background."""

    sentence: str
    counts: LedgerCounts
    with_reasons: int
    read_before: int = 0
    reasons: list[ReasonOut]
    queue: QueueOut
    roots: list[RootOut]


class FolderOut(Schema):
    """A folder with everything below it. `folders` counts the folders directly in it (0: nothing to open), `excluded` says that a person took
    it out of the library."""

    path: str
    name: str
    files: int
    askable: int
    with_reasons: int
    by_state: dict[DocumentState, int]
    by_reason: dict[str, int]
    folders: int
    excluded: bool = False


class FolderList(Schema):
    """GET /ledger/folders?under=PATH: the folders directly in `under` (None: the roots), by name, and the files that lie in it directly. With
    more than 1,000 folders `truncated` is True."""

    under: str | None
    folders: list[FolderOut]
    files: int
    truncated: bool = False


class ExcludeRequest(Schema):
    """POST /ledger/exclude: a file or a folder with everything in it, below an indexed folder."""

    path: PathField


class ExclusionOut(Schema):
    path: str
    created_at: datetime


class ExclusionList(Schema):
    exclusions: list[ExclusionOut]


class Excluded(Schema):
    """POST /ledger/exclude: what left the library; the files on disk stay."""

    path: str
    created_at: datetime
    documents: int
    files: int


class Included(Schema):
    """DELETE /ledger/exclude: the exclusion is gone; `job_id` is the job that reads the file or folder again (None: it is no longer there)."""

    path: str
    job_id: str | None


class RootRemoved(Schema):
    path: str
    documents: int
    files: int


class WatchSwitch(Schema):
    """POST /watcher/enable and /watcher/disable: one indexed folder; without `path` the whole watcher."""

    path: PathField | None = None
