"""A run's record: its events (buffered, replayable, for several readers), its steps, its trace rows, and all that its nodes wrote."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from core.ownership import personal_library
from core.runs import Event, EventKind, Step, TraceNode
from core.search_schemas import SearchRequest

_PIECES = re.compile(r".+?(?:(?<=\])\s+|\n+|$)", re.DOTALL)  # of a text: each ends with its citations


class AnswerStream(Protocol):
    """Where the text of an answer is shown while it comes."""

    def stream_token(self, text: str) -> None: ...
    def show(self, text: str) -> None: ...
    def withdraw_text(self) -> None: ...


class EventLog:
    """Events in order, numbered from 1; `readers` follow it now. Every reader follows from where it likes; a reader that leaves disturbs nobody.
    `listener` is called when there are more."""

    def __init__(self) -> None:
        self.listener: Callable[[], None] | None = None
        self._events: list[Event] = []
        self._closed = False
        self._changed = asyncio.Event()
        self.readers = 0

    def append(self, kind: EventKind, data: dict[str, Any]) -> None:
        self._events.append(Event(id=len(self._events) + 1, kind=kind, data=data))
        self._wake()

    def close(self) -> None:
        self._closed = True
        self._wake()

    def restore(self, events: Sequence[Event]) -> None:
        """Take over what another server's log held."""
        self._events = list(events)

    def read_after(self, position: int) -> list[Event]:
        """Return the events so far with an id above `position`."""
        return self._events[position:]

    def reopen(self) -> None:
        """Reopen the log, since the run goes on after it had asked back: readers that come now wait for what follows."""
        self._closed = False

    async def follow(self, after: int = 0) -> AsyncIterator[Event]:
        """Yield the events with an id above `after`, as they come, until the run is over."""
        position = max(0, after)
        self.readers += 1
        try:
            while True:
                changed = self._changed
                while position < len(self._events):
                    yield self._events[position]
                    position += 1
                if self._closed:
                    return
                if changed is self._changed:
                    await changed.wait()
        finally:
            self.readers -= 1

    def _wake(self) -> None:
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()
        if self.listener is not None:
            self.listener()


@dataclass(slots=True)
class RunRecord:
    """One run while it lives and for some minutes after. `state` mirrors what the nodes wrote, so that a stopped run keeps what was found.

    `tenant` and `user_id` say whose run it is; `owner` is the person of an API key, whose own documents are read beside the tenant's."""

    id: str
    tenant: str
    user_id: str
    request: SearchRequest
    started_at: datetime
    log: EventLog = field(default_factory=EventLog)
    steps: list[Step] = field(default_factory=list)
    nodes: list[TraceNode] = field(default_factory=list)
    state: dict[str, Any] = field(default_factory=dict)
    streamed: list[str] = field(default_factory=list)
    stopping: bool = False
    steps_begun: int = 0
    told_nodes: int = 0  # of which observers were told
    replay_of: str | None = None
    owner: str | None = None
    embedder: str = ""
    features: Mapping[str, bool] = field(default_factory=dict)
    clock: float = field(default_factory=time.perf_counter)

    @property
    def library(self) -> str:
        """The name of the documents that this run reads: the tenant's, and the owner's own."""
        return personal_library(self.tenant, self.owner)

    def next_step_id(self) -> str:
        """Return the id of the step that begins now: parallel steps end in another order than they began."""
        self.steps_begun += 1
        return f"s{self.steps_begun}"

    def elapsed_seconds(self) -> float:
        """Return the seconds since the run began."""
        return time.perf_counter() - self.clock

    def record_step(self, step: Step) -> None:
        """Record that a step began or ended; `steps` keeps the ends."""
        if step.duration_ms is not None:
            self.steps.append(step)
        if self.request.stream_status:
            self.log.append("step", step.model_dump(mode="json"))

    def stream_token(self, text: str) -> None:
        """Emit a piece of the answer's text as it comes."""
        self.streamed.append(text)
        self.log.append("token", {"text": text})

    def show(self, text: str) -> None:
        """Stream a text that is there already, in pieces that end with their citations."""
        for piece in _PIECES.findall(text):
            self.stream_token(piece)

    def withdraw_text(self) -> None:
        """Withdraw what was streamed so far: a model broke off, and another answer follows."""
        if self.streamed:
            self.streamed.clear()
            self.log.append("token", {"text": "", "reset": True})
