"""Quoted answers to questions that ask for more than a quotation: how far two things are apart, what they come to together, which is the highest.

Where no table gave the figure the passages are quoted, and what they hold is mostly one of the figures that were to be compared. Only a sentence that
says it itself ("the longest", "5 m higher than", "together") answers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from agents.table_qa.operations import HIGH, LOW, Operation, parse_operation
from core.answers import OTHER_KIND, Answer
from core.cited_answers import cited_text
from orchestration.question_text import whole_question
from orchestration.state import State

_RANKED = re.compile(
    rf"\b(?:{HIGH}|{LOW}|most|least|best|worst|top|record|peak(?:ed)?|first|last|main(?:ly)?|chief(?:ly)?|more|less|fewer|\w+er\s+than)\b|\w{{4,}}est\b",
    re.I,
)
_APART = re.compile(
    r"\b(?:more|less|fewer|than|difference|differs?|gap|exceed\w*|surpass\w*|by|apart|change[ds]?|increas\w+|decreas\w+|rose|rise[ns]?|fell|fall\w*|grew|"
    r"grow\w*|drop\w*|declin\w+|mehr|weniger|als|unterschied|um)\b",
    re.I,
)
_ASKS_SUM = re.compile(r"\b(?:altogether|together|combined|sum|add(?:s|ed)?\s+up|insgesamt|zusammen)\b", re.I)  # a total alone is mostly stated
# Read off days, or a thing of its own that is stated ("the maximum term").
_ASKS_STATED = re.compile(
    r"\b(?:max(?:imum)?|min(?:imum)?|latest|newest|oldest|earliest|youngest|first|last|recent(?:ly)?|current(?:ly)?|erste\w*|letzte\w*)\b", re.I
)
_ADDED = re.compile(r"\b(?:total\w*|sum|altogether|together|combined|overall|all|both|aggregate\w*|insgesamt|gesamt\w*|summe|zusammen)\b", re.I)
# The operation that is asked for -> what a sentence says that gives its result.
_SAID: Mapping[Operation, re.Pattern[str]] = {
    Operation.DIFFERENCE: _APART,
    Operation.SUM: _ADDED,
    Operation.HIGHEST: _RANKED,
    Operation.LOWEST: _RANKED,
}


UNCOMPUTED = "What is asked has to be worked out, and that was not done: these are passages that it may be worked out from."


def mark_answer(state: State, answer: Answer) -> Answer:
    """Return the answer to the run's question as `mark_uncomputed` does."""
    return mark_uncomputed(whole_question(state), answer)


def mark_uncomputed(question: str, answer: Answer) -> Answer:
    """Return the answer; where the question asks for a figure to be worked out and no quoted sentence gives it, with OTHER_KIND among its signals, a
    note that says so, and nothing in front of the sentences or marked in them: what would lead is one of the figures that were to be compared."""
    is_quoted = answer.found and answer.generated_by == "extractive"  # what a model wrote may have worked it out
    if not is_quoted or (answer.lead is not None and answer.lead.kind in {"computed", "verdict", "list"}):
        return answer
    said = _find_result_words(question)
    quoted = [sentence.text for sentence in answer.sentences if answer.lead is None or answer.lead.citation in sentence.citations]
    if said is None or any(said.search(text) for text in quoted):
        return answer
    sentences = [sentence.model_copy(update={"highlight": None}) for sentence in answer.sentences]
    told = {"text": cited_text(sentences), "sentences": sentences, "lead": None}
    return answer.model_copy(update={**told, "signals": answer.signals | {OTHER_KIND: 1.0}, "notes": [*answer.notes, UNCOMPUTED]})


def _find_result_words(question: str) -> re.Pattern[str] | None:
    """Return what a sentence says that gives the result of the operation that is asked for; None where nothing is to be worked out."""
    asked = parse_operation(question, may_list=False, grouped=False)
    if asked is None or _ASKS_STATED.search(question) or (asked.operation is Operation.SUM and not _ASKS_SUM.search(question)):
        return None
    return _SAID.get(asked.operation)
