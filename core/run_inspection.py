"""Inspection of stored runs: the compiled graph, comparisons, replays, and why a file is where it is. The JSON of the trace pages."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from core.runs import Event
from core.search_schemas import STAGES, Identifier, Schema, StageName


class TraceLine(Schema):
    """A run in a list; `user_id` is the person who asked."""

    id: str
    user_id: str
    query: str
    status: str
    started_at: datetime
    duration_ms: float
    generated_by: str
    routing_path: str
    conversation_id: str | None
    replay_of: str | None = None


class GraphNodeOut(Schema):
    """A node of the compiled graph. `symbol`, `name` and `title` are the agent's; `group` is "zeus" or "daedalus"."""

    id: str
    kind: Literal["start", "node", "end"]
    group: str
    symbol: str
    name: str
    title: str
    action: str


class GraphEdgeOut(Schema):
    source: str
    target: str
    conditional: bool


class ZeusGraphOut(Schema):
    """GET /traces/graph: drawn from the compiled StateGraph and Daedalus's sub-graph, never written by hand."""

    nodes: list[GraphNodeOut]
    edges: list[GraphEdgeOut]
    mermaid: str


class EventList(Schema):
    """GET /traces/{id}/events: the steps of a stored run as the stream sent them, then its answer and its end."""

    events: list[Event]


class ExplainRequest(Schema):
    """POST /explain: why a document is where it is in a run, or why it is not there. `document` is a document id, a path or a file name."""

    trace_id: Identifier
    document: Annotated[str, Field(min_length=1, max_length=4096)]


class StageStanding(Schema):
    """Place of the document's best passage at one stage, beside what it would have needed (`needed`, the stage's own score)."""

    stage: str
    rank: int | None
    score: float | None
    needed: float | None
    passed: bool
    sentence: str


class FileExplanation(Schema):
    """`fell_at` names the stage at which the document fell ("not_indexed", "filters", "lexical and dense", "fusion", "rerank", "passages",
    "results"), None when it is shown. `help` says what would bring it back."""

    trace_id: str
    document_id: str | None
    filename: str
    shown: bool
    rank: int | None
    fell_at: str | None
    sentence: str
    help: str
    stages: list[StageStanding]


class ReplayRequest(Schema):
    """POST /traces/{id}/replay: the same question once more with these stages off."""

    without: Annotated[list[StageName], Field(min_length=1, max_length=len(STAGES))]


class ResultShift(Schema):
    """A result in two runs; None where a run does not have it."""

    document_id: str
    filename: str
    left_rank: int | None
    right_rank: int | None


class NodeShift(Schema):
    node: str
    agent: str
    left_ms: float | None
    right_ms: float | None
    left_details: str
    right_details: str


class TraceComparison(Schema):
    """GET /traces/compare: what differs between two runs, first in sentences."""

    left: TraceLine
    right: TraceLine
    differences: list[str]
    results: list[ResultShift]
    nodes: list[NodeShift]
    same_answer: bool
