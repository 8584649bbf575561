"""The question in the words that a step of its answer needs."""

from __future__ import annotations

from agents.planner.agent import resolved_question
from agents.text.question_words import tokens
from orchestration.answer_chance import TASK_INTENTS
from orchestration.state import State


def question_after_hops(state: State) -> str:
    """Return the question that is left once the steps of a plan have found their names; "" where there is none."""
    return resolved_question(state["plan"], state.get("hops", [])) if "plan" in state else ""


def whole_question(state: State) -> str:
    """Return the question with all its words: how many, in total and which year count where something is computed."""
    return question_after_hops(state) or state["classification"].read_as or state["query"].text


_MOST_COMMON_WORDS = 0.5  # of a question that was only spelt otherwise more stay


def is_translated(asked: str, read: str) -> bool:
    """Return whether a question was read in another language than it was asked in: few of its words are left."""
    words, kept = set(tokens(asked)), set(tokens(read))
    return bool(words) and len(words & kept) < _MOST_COMMON_WORDS * len(words)


def question_to_answer(state: State) -> str:
    """Return what is answered: the searched words, or the whole question where the search left out its task ("compare …")."""
    found = state["classification"]
    return whole_question(state) if found.intent in TASK_INTENTS else question_after_hops(state) or found.search_text
