"""A numbered part of a document that is asked for by what it is about: "Module Three: Design" for "Which module is about prototypes?"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from answers.finders.rule_answer import LIKELY_CHANCE, RuleAnswer, UnitSpan
from answers.scoring.unit_scores import Question, ScoredUnit
from answers.units.answer_units import Role
from core.language.content_words import stems

_NOUNS = (
    "chapter|section|module|part|clause|article|annex|appendix|schedule|step|lesson|unit|paragraph|phase|stage|session|exhibit|rule|"
    "kapitel|abschnitt|modul|teil|artikel|anhang|anlage|schritt|lektion|paragraf|phase"
)
_QUESTION_PATTERN = re.compile(
    rf"^\W*(?:(?:in|under|of|to|unter)\s+)?(?:which|what|welche[rsmn]?)\s+(?P<noun>{_NOUNS})\b(?!\s+numbers?\b)", re.IGNORECASE
)
_NUMBER = r"(?:\d+(?:\.\d+)*[a-z]?|[ivxlc]+|[a-z]|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|eins|zwei|drei|vier|fünf)"
_LEAST_SHARE = 0.5  # of the question's words in the part
_LEAST_AHEAD = 0.1  # of them, before the next best part


def asked_section(question: Question, units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    """Return the heading of the part that holds most of the question, with the sentence of it that holds most; None where no headings are called
    so, or two parts hold about as much."""
    asked = _QUESTION_PATTERN.match(question.text)
    if asked is None:
        return None
    heading = re.compile(rf"^[\s#*]*{asked['noun']}\s+{_NUMBER}\b", re.IGNORECASE)
    parts = sorted(((_share(question, part, units), part) for part in _parts(heading, units)), reverse=True)
    if not parts or parts[0][0] < _LEAST_SHARE or (len(parts) > 1 and parts[0][0] - parts[1][0] < _LEAST_AHEAD):
        return None
    first, *own = parts[0][1]
    said = max((place for place in own if units[place].unit.choosable), key=lambda place: question.share(units[place].terms), default=None)
    if said is None:
        return None
    text = units[first].unit.text
    return RuleAnswer(text, (UnitSpan(first, 0, len(text)), UnitSpan(said, 0, len(units[said].unit.text))), LIKELY_CHANCE, "span")


def _parts(heading: re.Pattern[str], units: Sequence[ScoredUnit]) -> Iterator[list[int]]:
    """Yield each heading that is called so, with the units under it up to the next one."""
    part: list[int] = []
    for place, unit in enumerate(units):
        begins = unit.unit.role in {Role.HEADING, Role.LABEL} and heading.match(unit.unit.text) is not None
        if part and (begins or unit.unit.source != units[part[0]].unit.source):
            yield part
            part = []
        if begins or part:
            part.append(place)
    if part:
        yield part


def _share(question: Question, part: Sequence[int], units: Sequence[ScoredUnit]) -> float:
    said = frozenset[str]().union(*(units[place].terms | units[place].names | stems(units[place].unit.text) for place in part))
    return question.share(said)
