"""Routes of a run: pure functions of the state (async, because langgraph hands others to a thread)."""

from __future__ import annotations

from typing import Any, Literal

from langgraph.types import Send

from agents.planner.agent import ready_hops
from core.search import Intent
from orchestration.state import State

ANSWER_NODES = ("document_search", "analyze", "summarize")
NODES_AFTER_RETRIEVAL = ("hop", *ANSWER_NODES)
_NODE_BY_INTENT = {Intent.COMPARISON: "analyze", Intent.ANALYSIS: "analyze", Intent.SUMMARIZATION: "summarize"}
# What a hop is sent: the parts of the state that it reads.
_HOP_READS = ("request", "query", "model", "classification", "strategy", "retrieval_request", "retrieval", "plan", "hops")


async def after_context(state: State) -> Literal["attached_documents", "classify"]:
    """Return the route: attached documents go to Daedalus without Athena."""
    return "attached_documents" if state["request"].attached_documents else "classify"


async def after_classify(state: State) -> Literal["choose_strategy", "general_answer", "clarify"]:
    """Return the route by the intent: everything that documents can answer is searched."""
    intent = state["classification"].intent
    if intent is Intent.CLARIFICATION_NEEDED:
        return "choose_strategy" if "reply" in state else "clarify"  # nobody is asked back twice
    return "general_answer" if intent in {Intent.GENERAL_KNOWLEDGE, Intent.SYSTEM_META} else "choose_strategy"


async def after_clarify(state: State) -> Literal["classify", "choose_strategy", "generate_response"]:
    """Return the route: an answer in words is a question of its own; a skipped one is searched as written; with nothing to choose from the run ends
    there."""
    if "reply" not in state:
        return "generate_response"
    return "choose_strategy" if state["reply"].skipped else "classify"


async def after_general_answer(state: State) -> Literal["choose_strategy", "generate_response"]:
    """Return the route: where nothing could be said without a model, the documents are searched instead."""
    return "choose_strategy" if state.get("preface") else "generate_response"


async def after_rerank(state: State) -> str | list[Send]:
    """Return the route: a weak try is corrected; a good one, or one that nobody wants corrected, goes on."""
    return _route_after_retrieval(state) if state.get("settled", True) else "correct"


async def after_correct(state: State) -> str | list[Send]:
    """Return the route: another try, until Sisyphus settles for the best."""
    return _route_after_retrieval(state) if state.get("settled", True) else "retrieve"


async def after_hops(state: State) -> str | list[Send]:
    """Return the hops that waited for these; after the last one the answer."""
    return _route_after_retrieval(state)


def _route_after_retrieval(state: State) -> str | list[Send]:
    ready = ready_hops(state["plan"], state.get("hops", [])) if "plan" in state else []
    if ready:
        known: dict[str, Any] = {name: state[name] for name in _HOP_READS if name in state}  # type: ignore[literal-required] # State's keys
        return [Send("hop", {**known, "hop_query": query}) for query in ready]
    intent = state["classification"].intent
    if intent is not Intent.COMPARISON and "route" in state and state["route"].aspect == "summary":
        return "document_search"  # which asks the graph
    return _NODE_BY_INTENT.get(intent, "document_search")
