"""The state that travels through the graph: data only. A key is written by the nodes that `nodes.ROWS` names and by nobody else."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Annotated, Any, NamedTuple, TypedDict, get_type_hints

from agents.clarification.agent import Clarification
from agents.confidence.agent import UnquotedSection
from agents.query_classifier.agent import ClassifiedQuery
from core.answers import Answer, Confidence, Critique, Evidence, Explanation
from core.graph import GraphExpansion
from core.graph_answers import DualLevelResult, LazyRAGResult
from core.insights import AttachedReport, Comparison
from core.memory import MemoryUsed, Recollection
from core.query_routes import QueryRoute
from core.reasoning import Attempt, Hop, Plan, Reasoning, SubQuery
from core.search import Degradation, Passage, Query, Retrieval, RetrievalRequest, Strategy
from core.search_schemas import ResultOut, SearchRequest, SearchResponse
from core.tables import Calculation


class ModelState(NamedTuple):
    """The state of the language model: whether one answers in this run; `name` is empty where none is connected."""

    name: str = ""
    available: bool = False


class ClarificationReply(NamedTuple):
    """The reply of a person who was asked back: one of the choices (a whole question), words of their own, or nothing (`skipped`)."""

    question: str = ""
    words: str = ""
    skipped: bool = False


class RecalledTurns(NamedTuple):
    """The source of the conversation's earlier turns: "conversation", "session" or "" for none."""

    tier: str = ""
    turns: int = 0


class ListedDocuments(NamedTuple):
    """A list of documents that was asked for: how many there are, how sure it is that these are meant, and that the answer names `named` of them
    from `offset` on."""

    total: int = 0
    sure: float = 1.0
    offset: int = 0
    named: int = 0


def add_counts(left: dict[str, int], right: dict[str, int]) -> dict[str, int]:
    return {name: left.get(name, 0) + right.get(name, 0) for name in {**left, **right}}


class RunInput(TypedDict):
    """The input that a run starts with: the request as received, and the question with tenant, person and the request's filters."""

    request: SearchRequest
    query: Query


class State(RunInput, total=False):
    """`query` gains its history in load_context. `degraded`, `tokens`, `prompts`, `memory_used` and `hops` grow: several nodes add to them.

    `quality` is the probability that the retrieval answers (0..1), `attempts` its tries so far, `change` what the next
    try changes, `settled` that no other is wanted. `hop_query` is
    set in the state that a parallel hop is sent, nowhere else.
    """

    model: ModelState
    recalled: RecalledTurns
    classification: ClassifiedQuery
    route: QueryRoute
    memory: Recollection
    strategy: Strategy
    plan: Plan
    expansion: GraphExpansion
    retrieval_request: RetrievalRequest
    retrieval: Retrieval
    quality: float
    attempts: list[Attempt]
    settled: bool
    change: str
    hop_query: SubQuery
    hops: Annotated[list[Hop], operator.add]
    reasoning: Reasoning
    attached: AttachedReport
    comparison: Comparison
    calculations: list[Calculation]
    summary: str
    listing: ListedDocuments
    lazy_rag: LazyRAGResult
    dual_level: DualLevelResult
    passages: list[Passage]
    evidence: list[Evidence]
    results: list[ResultOut]
    sections: list[UnquotedSection]
    answer: Answer
    preface: str
    to_remember: str
    ambiguity: Clarification
    clarification: Clarification
    reply: ClarificationReply
    critique: Critique
    explanations: list[Explanation]
    confidence: Confidence
    response: SearchResponse
    degraded: Annotated[list[Degradation], operator.add]
    tokens: Annotated[dict[str, int], add_counts]
    prompts: Annotated[dict[str, str], operator.or_]
    memory_used: Annotated[list[MemoryUsed], operator.add]


Keep = Callable[[dict[str, Any]], None]  # mirrors writes in the run, which has them if it is stopped before the step ends
STATE_KEYS = frozenset(get_type_hints(State))
# The keys that several nodes add to, with how their values are joined: the mirror of a run joins them as langgraph does.
REDUCERS: dict[str, Callable[[Any, Any], Any]] = {
    name: hint.__metadata__[-1] for name, hint in get_type_hints(State, include_extras=True).items() if hasattr(hint, "__metadata__")
}
