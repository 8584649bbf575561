"""Runs that several servers of one library share, and the notices by which these servers tell each other that something changed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, NamedTuple, Protocol

from core.runs import Event

SharedRunState = Literal["running", "waiting", "over"]
StopReason = Literal["", "person", "unread"]


@dataclass(frozen=True, slots=True)
class SharedRun:
    """A run as every server sees it. `server` conducts it, or did last. `details` is what another server needs to go on with it, or to tell of its
    end; `document_ids` are those that its response names. `follows` grows for as long as somebody reads it anywhere."""

    id: str
    tenant: str
    user_id: str
    server: str
    started_at: datetime
    conversation_id: str = ""
    state: SharedRunState = "running"
    stop: StopReason = ""
    follows: int = 0
    document_ids: list[str] = field(default_factory=list)
    details: dict[str, Any] = field(default_factory=dict)

    @property
    def choices(self) -> list[str] | None:
        """The choices of a run that waits for an answer; None while it does not wait."""
        return self.details["choices"] if self.state == "waiting" else None


class RunStanding(NamedTuple):
    """The standing of a run for the server that conducts it: whether it still does, and who wants it stopped."""

    is_ours: bool
    stop: StopReason


class SharedRunStore(Protocol):
    """The store of runs under way, of those that ended a moment ago, and of the servers. What it says is the truth; notices only say when to look.
    Every method raises Unavailable where the store does not answer."""

    async def begin(self, run: SharedRun, most: int) -> None:
        """Store a run that begins. Raises TooMany where the person has `most` running, on all servers together."""
        ...

    async def append(self, run_id: str, server: str, events: Sequence[Event]) -> RunStanding:
        """Add events to a run that this server conducts; those that are there already are left alone, and nothing is added to another's run."""
        ...

    async def settle(self, run: SharedRun, events: Sequence[Event], checkpoint: bytes = b"") -> bool:
        """Store the last events of a run together with its new state. Return False, and store nothing, where `run.server` conducts it no more."""
        ...

    async def get(self, tenant: str, run_id: str, user_id: str | None = None) -> SharedRun:
        """Raises NotFound, also for another person's."""
        ...

    async def read_events(self, run_id: str, after: int) -> tuple[list[Event], SharedRunState]:
        """Return the events with an id above `after`, and the state as of the last of them. Raises NotFound."""
        ...

    async def take(self, run_id: str, server: str, most: int) -> bytes | None:
        """Let this server go on with a run that waits, and return its checkpoint; None where it does not wait. Raises TooMany as `begin` does."""
        ...

    async def request_stop(self, run_id: str, reason: StopReason) -> None:
        """Ask the server that conducts a run to stop it. A person's wish is not replaced by another."""
        ...

    async def mark_followed(self, run_id: str) -> None: ...
    async def list_running(self) -> list[SharedRun]:
        """Return what any server conducts, of all tenants."""
        ...

    async def forget(self, tenant: str, *, user_id: str | None = None, document_ids: Collection[str] = (), run_id: str | None = None) -> list[str]:
        """Remove what is not running: the runs of a person, one run, those that name one of these documents. Return their ids."""
        ...

    async def prune(self, before: datetime) -> None:
        """Remove what ended, or began to wait, before then."""
        ...

    async def beat(self, server: str) -> Mapping[str, int]:
        """Say that a server lives. Return of each server how often it did."""
        ...

    async def remove_server(self, server: str) -> None: ...


class NoticeBus(Protocol):
    """Short texts (at most `NOTICE_BYTES` bytes) from any server to all, its own included. One may be lost: who waits for one looks by itself."""

    @property
    def problem(self) -> str:
        """What keeps notices from coming as they should, as a sentence; "" where all is well."""
        ...

    @property
    def place(self) -> str: ...
    async def publish(self, notice: str) -> None:
        """Send a notice. Raises nothing: one that cannot be sent is as one that was lost."""
        ...

    def subscribe(self, receive: Callable[[str], None]) -> None:
        """Have each notice given to `receive`, in the order in which they were sent."""
        ...


NOTICE_BYTES = 1000
