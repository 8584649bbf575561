"""A run of Zeus: its steps, its events, its stored trace, and the one table of the sixteen agents."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any, Literal, NamedTuple

from pydantic import Field

from core.search import FrozenModel


class Agent(NamedTuple):
    """The agent that a step belongs to, as the page shows it."""

    name: str
    symbol: str
    title: str

    @property
    def label(self) -> str:
        """SPEC's form: "🦉 Athena (The Strategist)"."""
        return f"{self.symbol} {self.name} ({self.title})"


ZEUS = Agent("Zeus", "⚡", "The Conductor")
ATHENA = Agent("Athena", "🦉", "The Strategist")
DAEDALUS = Agent("Daedalus", "🏛️", "The Architect")
PROMETHEUS = Agent("Prometheus", "🔥", "The Illuminator")
HYPATIA = Agent("Hypatia", "📚", "The Scholar")
MNEMOSYNE = Agent("Mnemosyne", "🧠", "The Keeper")
APOLLO = Agent("Apollo", "🌐", "The Illuminated")
ODYSSEUS = Agent("Odysseus", "🧭", "The Navigator")
PROTEUS = Agent("Proteus", "🔮", "The Shape-Shifter")
THEMIS = Agent("Themis", "⚖️", "The Just")
SOCRATES = Agent("Socrates", "🤔", "The Inquirer")
ARISTOTLE = Agent("Aristotle", "📊", "The Analyst")
THOTH = Agent("Thoth", "📜", "The Scribe")
HERMES = Agent("Hermes", "📨", "The Messenger")
DIOGENES = Agent("Diogenes", "🔍", "The Critic")
SISYPHUS = Agent("Sisyphus", "🔄", "The Persistent")

AGENTS: tuple[Agent, ...] = (
    ZEUS,
    ATHENA,
    DAEDALUS,
    PROMETHEUS,
    HYPATIA,
    MNEMOSYNE,
    APOLLO,
    ODYSSEUS,
    PROTEUS,
    THEMIS,
    SOCRATES,
    ARISTOTLE,
    THOTH,
    HERMES,
    DIOGENES,
    SISYPHUS,
)


class Outcome(StrEnum):
    """State of a step. A node emits `running` when it starts and one of the others when it ends."""

    RUNNING = "running"
    OK = "ok"
    SKIPPED = "skipped"
    DEGRADED = "degraded"
    FAILED = "failed"
    CANCELLED = "cancelled"


class Step(FrozenModel):
    """SPEC's step object: the same in the response's `steps`, in the stream and in the trace. `timestamp` is when this event was made."""

    type: Literal["step"] = "step"
    agent: str
    action: str
    details: str
    timestamp: datetime
    node: str
    id: str
    started_at: datetime
    duration_ms: float | None = None
    outcome: Outcome = Outcome.RUNNING
    subject: str = ""  # the file or sub-question that this step is about, where one node runs for several


EventKind = Literal["run", "step", "token", "sources", "answer", "error", "done"]


class Event(FrozenModel):
    """One event of a run. `id` counts from 1 within the run and is the SSE event id; `data` is JSON-able."""

    id: int
    kind: EventKind
    data: dict[str, Any]


class TraceNode(FrozenModel):
    """Record of what a node read and wrote, for the trace page. Large values are stored as counts and ids, not copied at every step."""

    id: str
    node: str
    agent: str
    action: str
    details: str
    started_at: datetime
    duration_ms: float
    outcome: Outcome
    reads: dict[str, Any] = Field(default_factory=dict)
    writes: dict[str, Any] = Field(default_factory=dict)
    error: str | None = None
    subject: str = ""


TracePart = Literal["list", "run", "events", "comparison"]


class TraceMove(FrozenModel):
    """One candidate's way through the stages: (stage -> rank, score), where it ended and why."""

    chunk_id: int
    document_id: str
    label: str
    stages: dict[str, tuple[int, float]]
    cited_as: int | None = None
    ended: str = ""


class TraceView(FrozenModel):
    """An administrator's look at another person's run: who, when (UTC), and at what of it."""

    user_id: str
    at: datetime
    part: TracePart


class Trace(FrozenModel):
    """A stored run. `response` is the search response as sent; `request` as received; status is SPEC's search status or "failed";
    `retrieval_request` is what was searched last, {} where nothing was; `replay_of` names the run that was asked again; `embedder` is the
    embedding model that was searched by ("" in runs of earlier versions); `features` are those that can be switched, and which were on ({} in runs of
    earlier versions); `viewed_by` are the looks of administrators at it, oldest first."""

    id: str
    tenant: str
    user_id: str
    conversation_id: str | None
    query: str
    status: str
    started_at: datetime
    duration_ms: float
    generated_by: str
    routing_path: str
    request: dict[str, Any]
    response: dict[str, Any]
    nodes: list[TraceNode]
    moves: list[TraceMove]
    reports: list[dict[str, Any]] = Field(default_factory=list)
    degraded: list[dict[str, str]] = Field(default_factory=list)
    tokens: dict[str, int] = Field(default_factory=dict)
    prompts: dict[str, str] = Field(default_factory=dict)
    replay_of: str | None = None
    retrieval_request: dict[str, Any] = Field(default_factory=dict)
    embedder: str = ""
    features: dict[str, bool] = Field(default_factory=dict)
    viewed_by: list[TraceView] = Field(default_factory=list)
