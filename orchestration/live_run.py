"""A run while this process conducts it, and its form in which another server can go on with it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from core.errors import VantageError
from core.ports import ConversationStore, SharedRun, SharedRunState
from core.runs import Event, Step, TraceNode
from core.search_schemas import SearchRequest, SearchResponse
from orchestration.events import RunRecord
from orchestration.node_adapter import describe_error
from orchestration.turn_records import TurnPlace, TurnRecorder


@dataclass(slots=True)
class LiveRun:
    """A run with the task that conducts it and its end: the response, or the error that a caller of `result` gets.

    `choices` are those of a run that waits for an answer, None while it does not wait; `choice_documents` name the documents that they were made
    from. `is_abandoned`: stopped, but not by a person. `checkpoint` is what it goes on from where another server began it.
    """

    record: RunRecord
    turn: TurnRecorder
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None
    response: SearchResponse | None = None
    error: Exception | None = None
    ended_at: float | None = None
    waiting_callers: int = 0
    choices: list[str] | None = None
    choice_documents: list[str] = field(default_factory=list)
    is_abandoned: bool = False
    checkpoint: bytes = b""

    @property
    def user_id(self) -> str:
        return self.record.user_id

    @property
    def is_read(self) -> bool:
        """Whether anybody follows it here or waits for its end."""
        return bool(self.waiting_callers or self.record.log.readers)

    @property
    def can_stop(self) -> bool:
        """Whether a person's wish to stop it changes anything: it is not over, not stopping, and not so far on that its answer stands."""
        return self.ended_at is None and not self.stop.is_set() and "response" not in self.record.state

    @property
    def document_ids(self) -> set[str]:
        """The ids of the documents that the response names."""
        if self.response is None:
            return set()
        named = {each.document_id for each in self.response.citations} | {each.id for each in self.response.results}
        return named | set(self.choice_documents)

    def halt(self, *, is_abandoned: bool = False) -> None:
        """Stop the graph and the model's call now."""
        self.is_abandoned = self.is_abandoned or is_abandoned
        self.record.stopping = True
        self.stop.set()

    def share(self, server: str, state: SharedRunState) -> SharedRun:
        """Return the run as other servers see it."""
        record, place = self.record, self.turn.place
        turn = None if place is None else [place.conversation_id, place.turn_id, place.asked_at.isoformat(), place.was_answered]
        details: dict[str, Any] = {"request": record.request.model_dump(mode="json"), "turn": turn, "choices": self.choices}
        details |= {"owner": record.owner, "replay_of": record.replay_of}
        if state == "waiting":
            details |= {name: [each.model_dump(mode="json") for each in getattr(record, name)] for name in ("steps", "nodes")}
            details |= {"streamed": record.streamed, "steps_begun": record.steps_begun, "elapsed": record.elapsed_seconds()}
        return SharedRun(
            id=record.id,
            tenant=record.tenant,
            user_id=record.user_id,
            server=server,
            started_at=record.started_at,
            conversation_id=record.request.conversation_id or "",
            state=state,
            document_ids=sorted(self.document_ids),
            details=details,
        )


def restore_run(shared: SharedRun, events: Sequence[Event], conversations: ConversationStore) -> LiveRun:
    """Return a run that waits as the server had it that began it, without its checkpoint."""
    kept = shared.details
    record = RunRecord(
        id=shared.id,
        tenant=shared.tenant,
        user_id=shared.user_id,
        request=SearchRequest.model_validate(kept["request"]),
        started_at=shared.started_at,
        steps=[Step.model_validate(each) for each in kept["steps"]],
        nodes=[TraceNode.model_validate(each) for each in kept["nodes"]],
        streamed=list(kept["streamed"]),
        steps_begun=kept["steps_begun"],
        told_nodes=len(kept["nodes"]),
        replay_of=kept["replay_of"],
        owner=kept["owner"],
        clock=time.perf_counter() - kept["elapsed"],
    )
    record.log.restore(events)
    return LiveRun(record, TurnRecorder(conversations, record, turn_place(shared)))


def turn_place(shared: SharedRun) -> TurnPlace | None:
    """Return where the run's turn belongs; None outside of a conversation."""
    if not shared.details["turn"]:
        return None
    conversation_id, turn_id, asked_at, was_answered = shared.details["turn"]
    return TurnPlace(conversation_id, turn_id, datetime.fromisoformat(asked_at), was_answered)


def problem_body(error: BaseException, run_id: str) -> dict[str, Any]:
    """Return the body of an `error` event: RFC 9457's fields without a status, and nothing of our insides."""
    code = error.code if isinstance(error, VantageError) else "internal"
    return {
        "type": f"about:blank#{code}",
        "title": "The question could not be answered",
        "detail": describe_error(error),
        "code": code,
        "trace_id": run_id,
    }
