"""The day of a document that a question names: "When was the lease signed?" asks for the line "Dated 22 March 2021"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from answers.finders.rule_answer import SURE_CHANCE, RuleAnswer, UnitSpan
from answers.questions.named_things import speaks_of_another_number
from answers.scoring.unit_scores import Question, ScoredUnit
from core.language.content_words import stems
from core.language.dates import DATES

_QUESTION_PATTERN = re.compile(
    r"^\W*(?:when|on\s+what\s+(?:day|date)|what\s+is\s+the\s+date\s+of|wann)\s+(?:was|were|is|did|wurde)?\s*(?P<document>.+?)\s*"
    r"(?:\b(?:signed|dated|written|concluded|issued|made|sent|drawn\s+up|unterzeichnet|unterschrieben|geschrieben|datiert)\b|$)\W*$",
    re.IGNORECASE,
)
_DATE_ON = re.compile(
    r"^\W*(?:what|which)\s+(?:date|day)\s+(?:(?:is|was|stands)\s+(?:on|in|at\s+the\s+top\s+of|given\s+(?:on|in))\s+(?P<on>.+?)|"
    r"(?:does|do)\s+(?P<bearing>.+?)\s+(?:bear|carry|have|give))\W*$",
    re.IGNORECASE,
)
_KINDS_OF_TEXT = stems("text document file letter page paper note")  # of which nothing is called so
# "When did we sign the lease?"
_SIGNING_QUESTION = re.compile(
    r"^\W*(?:when|on\s+what\s+(?:day|date))\s+did\s+(?:we|they|you|i|he|she|the\s+\w+|both\s+\w+)\s+(?P<verb>sign|date|write|conclude|issue|make|send)\s+"
    r"(?P<document>.+?)\W*$",
    re.IGNORECASE,
)
_DATE_LINE = re.compile(
    r"^\W*(?:this\s+\w+\s+is\s+)?(?:dated|signed|made\s+on|date|datum|issued|sent|vom|unterzeichnet)\b(?:\s+(?:of|on|this|am))?\s*:?\s", re.IGNORECASE
)
_ASKS_FOR_A_DAY = re.compile(
    r"\b(?:signed|dated|written|concluded|issued|made|sent|drawn\s+up|date\s+of|unterzeichnet|unterschrieben|geschrieben|datiert)\b", re.IGNORECASE
)


def document_day(question: Question, units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    """Return the date line of the document whose title or file name holds all of the words that name it; of several documents the one with the fewest
    other words."""
    named = _named_document(question.text)
    lines = [(place, unit) for place, unit in enumerate(units) if _names_document(question, named, unit)]
    if not lines:
        return None
    place, unit = min(lines, key=lambda pair: (len(pair[1].names), pair[1].unit.start))
    day = DATES.search(unit.unit.text)
    return RuleAnswer(day.group(), (UnitSpan(place, *day.span()),), SURE_CHANCE, "span") if day is not None else None


def _named_document(question: str) -> frozenset[str]:
    """Return the words that name the document whose day is asked for; none where none is."""
    if (printed := _DATE_ON.match(question)) is not None:
        return stems(printed["on"] or printed["bearing"]) - _KINDS_OF_TEXT
    done = _SIGNING_QUESTION.match(question)
    asked = done or _QUESTION_PATTERN.match(question)
    is_asked = asked is not None and (done is not None or _ASKS_FOR_A_DAY.search(question) is not None)
    return stems(asked["document"]) if asked is not None and is_asked else frozenset()


def _names_document(question: Question, named: frozenset[str], unit: ScoredUnit) -> bool:
    """Return whether a date line is of the document that is named, and of no other number of it ("Amendment No. 2" for the first)."""
    text = unit.unit.text.strip(" \t\n.")
    if (_DATE_LINE.match(text) is None and DATES.fullmatch(text) is None) or not named or speaks_of_another_number(question.text, unit.title):
        return False
    return named <= stems(" ".join(unit.names))
