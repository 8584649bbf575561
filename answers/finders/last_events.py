"""The last time that something happened: "When was the crane last examined?" is answered by the latest day on which a document says that it was.

A report names the examination before its own "Last examination": what it says itself of the later one counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date

from answers.finders.labelled_values import speaks_of
from answers.finders.rule_answer import LIKELY_CHANCE, RuleAnswer, UnitSpan
from answers.scoring.unit_scores import Question, ScoredUnit
from core.claim_words import label_words
from core.language.dates import DATES, day_of
from core.language.question_wording import strip_politeness
from core.language.stems import stem

_LAST = r"(?:last|most\s+recently|zuletzt|das\s+letzte\s+mal)"
_WHEN = r"^\W*(?:when|on\s+(?:what|which)\s+(?:day|date)|wann|an\s+welchem\s+tag)\s+"
_BEFORE = r"(?:\s+(?:before|prior\s+to|vor)\s+(?P<before>[^?]+?))?\W*$"
_QUESTIONS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_WHEN}(?:was|were|wurde|wurden)\s+(?P<thing>.+?)\s+{_LAST}\s+(?P<event>[^\W\d_]+){_BEFORE}",
        rf"{_WHEN}did\s+(?P<thing>.+?)\s+{_LAST}\s+(?P<event>[^\W\d_]+){_BEFORE}",
        rf"{_WHEN}(?:was|were|is|war|ist)\s+(?:the|die|der|das)\s+(?:last|latest|most\s+recent|letzte)\s+(?P<event>[^\W\d_]+)"
        rf"(?:\s+(?:of|for|von|der|des)\s+(?P<thing>.+?))?{_BEFORE}",
    )
)
_TO_COME = re.compile(r"\b(?:next|due|planned|scheduled|will|shall|must|should|nächste[rsn]?|geplant|spätestens)\b", re.IGNORECASE)
# Right before a day: "by 3 October", and not "examined by Ann Low on 3 October".
_UP_TO = re.compile(r"\b(?:later\s+than|by|until|before|bis|vor)\s+(?:the\s+|zum\s+)?$", re.IGNORECASE)
_NOUN_ENDING = re.compile(r"(?:ations?|ions?|ments?|ings?)$")  # "examination" is what "examined" says
_WORD = re.compile(r"[^\W\d_]+")
_CLAUSE_END = re.compile(r"[;.]\s")
_LEAST_STEM = 4  # letters of a verb's stem by which its noun is known: "examin" of "examination"
_MOST_BETWEEN = 10  # words between the event and its day


def last_event(question: Question, units: Sequence[ScoredUnit], *, today: date) -> RuleAnswer | None:
    """Return the latest day up to today that is said of the event, before the day that the question names, if it names one; None where none is
    said."""
    asked = next(filter(None, (pattern.match(strip_politeness(question.text)) for pattern in _QUESTIONS)), None)
    event = stem(_NOUN_ENDING.sub("", asked["event"].lower())) if asked is not None else ""
    if asked is None or len(event) < _LEAST_STEM:
        return None
    limit = _limit(asked["before"] or "")
    if asked["before"] and limit is None:
        return None  # "before the repair": another event
    found = _days_said(event, label_words(asked["thing"] or ""), units)
    days = [day for day in found if day <= today and (limit is None or day < limit)]
    if not days:
        return None
    span = found[max(days)]
    return RuleAnswer(units[span.unit].unit.text[span.start : span.end], (span,), LIKELY_CHANCE, "span", is_dated=True)


def _days_said(event: str, thing: frozenset[str], units: Sequence[ScoredUnit]) -> dict[date, UnitSpan]:
    """Return the days that documents which speak of the thing give for the event, each with the first place that says it."""
    found: dict[date, UnitSpan] = {}
    for place, unit in enumerate(units):
        if not unit.unit.choosable or unit.is_for_another or not speaks_of(thing, unit, units):
            continue
        for day, start, end in _days_of_event(event, unit.unit.text):
            found.setdefault(day, UnitSpan(place, start, end))
    return found


def _limit(said: str) -> date | None:
    """Return the first day of "1 September 2026", "September 2026" or "2026"."""
    for day in (said, f"1 {said}", f"1 January {said}"):
        match = DATES.fullmatch(day.strip())
        if match is not None and (found := day_of(match)) is not None:
            return found
    return None


def _days_of_event(event: str, text: str) -> Iterator[tuple[date, int, int]]:
    """Yield the days that stand with a word of the event in one clause, and are not to come, with their place."""
    for match in DATES.finditer(text):
        clause = max((end.end() for end in _CLAUSE_END.finditer(text, 0, match.start())), default=0)
        words = [(found.start(), found.group().lower()) for found in _WORD.finditer(text, clause, match.start())][-_MOST_BETWEEN:]
        said = next((start for start, word in words if stem(word).startswith(event)), None)
        day = day_of(match)
        before = text[clause : match.start()]
        if said is not None and day is not None and _TO_COME.search(before) is None and _UP_TO.search(before) is None:
            yield day, *match.span()
