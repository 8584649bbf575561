"""The question in the words that a step of its answer needs."""

from __future__ import annotations

from agents.planner.agent import resolved_question
from orchestration.answer_chance import TASK_INTENTS
from orchestration.state import State


def question_after_hops(state: State) -> str:
    """Return the question that is left once the steps of a plan have found their names; "" where there is none."""
    return resolved_question(state["plan"], state.get("hops", [])) if "plan" in state else ""


def whole_question(state: State) -> str:
    """Return the question with all its words: how many, in total and which year count where something is computed."""
    return question_after_hops(state) or state["classification"].read_as or state["query"].text


def question_to_answer(state: State) -> str:
    """Return what is answered: the searched words, or the whole question where the search left out its task ("compare …")."""
    found = state["classification"]
    return whole_question(state) if found.intent in TASK_INTENTS else question_after_hops(state) or found.search_text
