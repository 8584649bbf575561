"""Stored records of runs and people: conversations, traces, feedback, jobs, sessions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, Protocol

from core.runs import Trace, TraceView

UNFINISHED = ("queued", "running")  # states of jobs
TurnState = Literal["running", "answered", "failed", "interrupted"]


@dataclass(frozen=True, slots=True)
class Conversation:
    """`excerpt` is the place where a search found its words, "" without one."""

    id: str
    title: str
    created_at: datetime
    updated_at: datetime
    turns: int
    pinned: bool = False
    excerpt: str = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """A question in a conversation. `response` is {} until there is one; of an interrupted turn it is what had been found. `request` is what was
    asked besides the words (attached files, narrowing), `problem` the problem document of a turn that failed."""

    id: str
    query: str
    created_at: datetime
    trace_id: str
    response: dict[str, Any]
    state: TurnState = "answered"
    request: dict[str, Any] = field(default_factory=dict)
    problem: dict[str, Any] = field(default_factory=dict)


class ConversationStore(Protocol):
    """The stored conversations. With a `user_id` another person's conversation is as unknown as one that never was; None: whoever's it is."""

    async def create(self, tenant: str, user_id: str, title: str, conversation_id: str | None = None) -> Conversation: ...
    async def list_conversations(self, tenant: str, user_id: str | None, text: str = "") -> list[Conversation]:
        """Return the conversations, the pinned first, then the last used. With a text those that hold all of its words in their title or in one of
        their turns."""
        ...

    async def get(self, tenant: str, conversation_id: str, *, user_id: str | None = None) -> tuple[Conversation, list[Turn]]: ...
    async def rename(self, tenant: str, conversation_id: str, title: str, *, user_id: str | None = None) -> Conversation: ...
    async def pin(self, tenant: str, conversation_id: str, pinned: bool, *, user_id: str | None = None) -> Conversation: ...
    async def branch(self, tenant: str, conversation_id: str, before: str, *, user_id: str | None = None) -> Conversation:
        """Return a new conversation with copies of the turns before this one. Raises NotFound."""
        ...

    async def delete(self, tenant: str, conversation_id: str, *, user_id: str | None = None) -> int:
        """Remove the conversation, its turns and their traces (those that a branch shows stay); return how many turns. Raises NotFound."""
        ...

    async def delete_all(self, tenant: str, conversation_ids: Sequence[str], *, user_id: str | None = None) -> int:
        """Remove conversations as `delete` does, all of them or, where one is unknown, none."""
        ...

    async def append_turn(self, tenant: str, conversation_id: str, turn: Turn) -> None:
        """Add a turn; one whose id is there already is replaced in its place."""
        ...

    async def interrupt_running(self, *, is_shared: bool = False) -> int:
        """Mark every turn that is stored as running, left by a process that is gone, as interrupted; return how many. With `is_shared` those of runs
        that the library's servers know of are left alone."""
        ...


class TraceStore(Protocol):
    """The stored traces. With a `user_id` another person's run is as unknown as one that never was; None: whoever's it is."""

    async def save(self, trace: Trace) -> None:
        """Store a run. One that is saved again (it went on after an answer) keeps the views that were recorded."""
        ...

    async def get(self, tenant: str, trace_id: str, *, user_id: str | None = None) -> Trace: ...
    async def list_recent(
        self, tenant: str, *, limit: int, cursor: str | None, conversation_id: str | None = None, user_id: str | None = None
    ) -> tuple[list[Trace], str | None]:
        """Return runs, newest first, without nodes, moves and response (empty in the listing)."""
        ...

    async def delete(self, tenant: str, trace_id: str, *, user_id: str | None = None) -> str:
        """Delete the run with the feedback on it and its turn in a conversation, or a turn that left no trace; return whose it was. Raises
        NotFound."""
        ...

    async def record_view(self, tenant: str, trace_ids: Sequence[str], view: TraceView) -> None:
        """Write a view into the record of each of these runs that is there. Of one person's views of the list, one a day is kept."""
        ...

    async def prune(self, *, older_than: datetime, keep_bytes: int) -> int: ...


@dataclass(frozen=True, slots=True)
class DeletedHistory:
    """The counts of what was deleted of a person's history."""

    conversations: int
    runs: int
    feedback: int


class HistoryStore(Protocol):
    async def delete(self, tenant: str, user_id: str) -> DeletedHistory:
        """Delete everything that a person asked: conversations with their turns, runs and feedback, at once."""
        ...

    async def reclaim_space(self) -> None:
        """Reclaim the space of what was deleted: nothing of it stays readable in the store's files."""
        ...


@dataclass(frozen=True, slots=True)
class FeedbackRecord:
    id: str
    tenant: str
    user_id: str
    trace_id: str
    kind: str
    result_id: str | None
    rank: int | None
    reason: str | None
    correction: str | None
    created_at: datetime


class FeedbackStore(Protocol):
    async def save(self, record: FeedbackRecord) -> None:
        """Store feedback. Raises NotFound where the trace is unknown to the tenant."""
        ...


@dataclass(frozen=True, slots=True)
class JobRecord:
    """A stored job; fields as in server.schemas.JobOut. `request` is what to run again after a crash. `worker` is who does it or did it last
    (`ClaimableJobStore.claim`), "" for the process that queued it; `attempts` is how often that was begun."""

    id: str
    tenant: str
    kind: str
    state: str
    path: str
    created_at: datetime
    started_at: datetime | None = None
    finished_at: datetime | None = None
    progress: dict[str, Any] = field(default_factory=dict)
    request: dict[str, Any] = field(default_factory=dict)
    error: str | None = None
    worker: str = ""
    attempts: int = 0
    cancel_requested: bool = False

    @property
    def is_over(self) -> bool:
        return self.state not in UNFINISHED


@dataclass(frozen=True, slots=True)
class IndexJobOptions:
    """Options of a job that indexes something: `force` reads again what did not change, `password` is tried on locked files (it lives as long as the
    job in this process, and is not stored with it), `requested_by` is who asks for it."""

    force: bool = False
    kind: str = "index"
    password: str = field(default="", repr=False)
    requested_by: str = ""


DEFAULT_INDEXING = IndexJobOptions()


class JobStore(Protocol):
    async def save(self, job: JobRecord) -> None: ...
    async def get(self, tenant: str, job_id: str) -> JobRecord: ...
    async def list_unfinished(self) -> list[JobRecord]: ...


class ClaimableJobStore(JobStore, Protocol):
    """The stored jobs of a library that several processes work on."""

    async def list_recent(self, tenant: str, limit: int) -> list[JobRecord]:
        """Return the tenant's jobs, newest first."""
        ...

    async def claim(self, job: JobRecord, worker: str) -> JobRecord | None:
        """Note that this worker runs a job now, in one step for all processes; None where it is over or another worker has it, and where another job
        that runs is at the same files, or at files around or inside them."""
        ...

    async def update_claimed(self, job: JobRecord) -> JobRecord | None:
        """Store how far the job is, and return what is stored of it; None where `job.worker` no longer is who does it, or somebody ended it."""
        ...

    async def request_cancel(self, tenant: str, job_id: str) -> bool:
        """End a job that is queued; ask the worker of one that runs to stop. Return False where it was over. Raises NotFound."""
        ...


class JobQueue(Protocol):
    """Stored jobs that wait for a worker in another process."""

    async def put(self, job: JobRecord) -> None:
        """Have a worker do this job. One that waits for a worker or has one stays as it is."""
        ...


class SessionMemory(Protocol):
    """The session's sliding window (10 turns, TTL 3600 s)."""

    async def remember(self, tenant: str, session_id: str, entry: dict[str, Any]) -> None: ...
    async def recall(self, tenant: str, session_id: str) -> list[dict[str, Any]]: ...
    async def forget(self, tenant: str, session_id: str) -> int: ...
