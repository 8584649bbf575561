"""Values under the very label that a question names: "Commission file number: 000-1" for "What is the commission file number of Marl Ltd?"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from answers.finders.rule_answer import SURE_CHANCE, RuleAnswer, UnitSpan
from answers.scoring.unit_scores import Question, ScoredUnit
from answers.units.answer_units import Role
from core.claim_words import label_words
from core.labels import MIN_LABEL_WORDS, labelled_values

_QUESTION_PATTERN = re.compile(
    r"^\W*(?:what|which|who|when|where|was|wer|wann)(?:['’]?s|\s+(?:is|are|was|were|ist|sind))\s+(?:(?:the|our|my|your|an?|der|die|das)\s+)?(?P<label>[^?]+?)"
    r"(?:\s+(?:of|for|on|in|from|at|von|für|auf|im|der|des)\s+(?P<thing>[^?]+?))?\W*$",
    re.IGNORECASE,
)
# "What is Ada Holm's date of birth?": the label is behind whose it is.
_OWNER_PATTERN = re.compile(
    r"^\W*(?:what|which|who|when|where|was|wer|wann)(?:['’]?s|\s+(?:is|are|was|were|ist|sind))\s+(?P<thing>[^?'’]+?)(?:['’]s|(?<=s)['’])\s+(?P<label>[^?]+?)\W*$",
    re.IGNORECASE,
)
_ASKS_WHO = re.compile(r"^\W*(?:who|wer)\b", re.IGNORECASE)
_LONGEST = 8  # words of a value on a line of its own


def labelled_value(question: Question, units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    """Return the value of the line whose label is what is asked for, word for word; of the thing that is named, where one is. None where no such line
    stands there, or several say different things."""
    asked = _OWNER_PATTERN.match(question.text) or _QUESTION_PATTERN.match(question.text)
    label = label_words(asked["label"]) if asked is not None else frozenset[str]()
    least = 1 if asked is not None and _ASKS_WHO.match(question.text) else MIN_LABEL_WORDS
    if asked is None or len(label) < least:
        return None
    thing = label_words(asked["thing"] or "")
    who = _ASKS_WHO.match(question.text) is not None
    value = _find_only_value(label, thing, units)
    if value is None and thing and who:
        value = _find_only_value(label | thing, frozenset(), units)  # "the agent of the landlord": "Landlord's Agent: …"
    if value is None:
        return None
    if who:  # a name, without the address behind it
        value = value._replace(end=value.start + len(re.split(r"[,;(]", units[value.unit].unit.text[value.start : value.end])[0].rstrip(" .")))
    return RuleAnswer(units[value.unit].unit.text[value.start : value.end], (value,), SURE_CHANCE, "span")


def _find_only_value(label: frozenset[str], thing: frozenset[str], units: Sequence[ScoredUnit]) -> UnitSpan | None:
    """Return the value under the label in a document that speaks of the thing; None where there is none, or several that differ."""
    found: dict[str, UnitSpan] = {}
    for place, unit in enumerate(units):
        value = _value(place, units, label)
        if (
            value is not None
            and (len(label) >= MIN_LABEL_WORDS or is_name(units[value.unit].unit.text[value.start : value.end]))
            and (not thing or speaks_of(thing, unit, units))
        ):
            said = units[value.unit].unit.text[value.start : value.end]
            found.setdefault(" ".join(said.casefold().split()), value)
    return next(iter(found.values())) if len(found) == 1 else None


def is_name(value: str) -> bool:
    """Return whether a value names somebody: two words and more, with capitals."""
    said = value.split(",", maxsplit=1)[0].split()
    return len(said) >= 2 and said[0][:1].isupper() and said[-1][:1].isupper()


def _value(place: int, units: Sequence[ScoredUnit], label: frozenset[str]) -> UnitSpan | None:
    """Return the value behind the label on a unit's line, or of a label that stands alone the short line under it."""
    unit = units[place].unit
    if unit.role is Role.LABEL and label_words(unit.text.strip().rstrip(":")) == label:
        below = units[place + 1] if place + 1 < len(units) else None
        if below is None or below.unit.source != unit.source or not below.unit.choosable or below.words > _LONGEST or below.unit.role is Role.ROW:
            return None
        return UnitSpan(place + 1, 0, len(below.unit.text))
    if unit.role is Role.ROW or not unit.choosable:
        return None
    fields = [each for each in labelled_values(label, unit.text) if each.label == label and _begins_label(unit.text, each.label_start)]
    return UnitSpan(place, fields[0].start, fields[0].end) if fields else None


def _begins_label(text: str, place: int) -> bool:
    """Return whether a label begins here: at the beginning of a line, or behind the value of another label."""
    before = text[text.rfind("\n", 0, place) + 1 : place]
    return not before.strip(" -*•>#|") or ":" in before


def speaks_of(thing: frozenset[str], unit: ScoredUnit, units: Sequence[ScoredUnit]) -> bool:
    """Return whether a unit's document names the thing, in its title, its file's name or its words."""
    said = label_words(" ".join(unit.names)).union(*(label_words(other.unit.text) for other in units if other.document == unit.document))
    return thing <= said
