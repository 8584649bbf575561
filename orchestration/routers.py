"""Which way a run goes: pure functions of the state (async, because langgraph hands others to a thread)."""

from __future__ import annotations

from typing import Literal

from core.search import Intent
from orchestration.state import State

# Comparison, summarisation and analysis are searched like a question until their own agents stand here.
SEARCHED = frozenset({Intent.DOCUMENT_SEARCH, Intent.COMPARISON, Intent.SUMMARIZATION, Intent.ANALYSIS})


async def after_classify(state: State) -> Literal["choose_strategy", "general_answer", "clarify"]:
    """By the intent; attached documents are always searched."""
    intent = state["classification"].intent
    if intent in SEARCHED or state["request"].attached_documents:
        return "choose_strategy"
    if intent is Intent.CLARIFICATION_NEEDED:
        return "choose_strategy" if "reply" in state else "clarify"  # nobody is asked back twice
    return "general_answer"


async def after_clarify(state: State) -> Literal["classify", "choose_strategy", "generate_response"]:
    """An answer in words is a question of its own; a skipped one is searched as it stands; with nothing to choose from the run ends there."""
    if "reply" not in state:
        return "generate_response"
    return "choose_strategy" if state["reply"].skipped else "classify"


async def after_general_answer(state: State) -> Literal["choose_strategy", "generate_response"]:
    """Where nothing could be said without a model, the documents are searched instead."""
    return "choose_strategy" if state.get("preface") else "generate_response"
