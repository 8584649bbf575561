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
    done = _SIGNING_QUESTION.match(question.text)
    asked = done or _QUESTION_PATTERN.match(question.text)
    if asked is None or (done is None and _ASKS_FOR_A_DAY.search(question.text) is None):
        return None
    named = stems(asked["document"])
    lines = [(place, unit) for place, unit in enumerate(units) if _names_document(question, named, unit)]
    if not lines:
        return None
    place, unit = min(lines, key=lambda pair: (len(pair[1].names), pair[1].unit.start))
    day = DATES.search(unit.unit.text)
    return RuleAnswer(day.group(), (UnitSpan(place, *day.span()),), SURE_CHANCE, "span") if day is not None else None


def _names_document(question: Question, named: frozenset[str], unit: ScoredUnit) -> bool:
    """Return whether a date line is of the document that is named, and of no other number of it ("Amendment No. 2" for the first)."""
    if _DATE_LINE.match(unit.unit.text) is None or not named or speaks_of_another_number(question.text, unit.title):
        return False
    return named <= stems(" ".join(unit.names))
