"""Fields of forms by what their labels call the kind of thing that is asked for: "Duration: 15 weeks" for "How long does the contract run?",
"(Address of principal executive offices)" under an address for "Where is Marl Ferry located?"; and by the label itself: "Secretary: Ada Holm" for
"Who is the secretary of the harbour committee?"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from answers.finders.bracketed_labels import bracketed_values
from answers.finders.labelled_values import speaks_of
from answers.finders.rule_answer import SURE_CHANCE, RuleAnswer, UnitSpan
from answers.scoring.unit_scores import Question, ScoredUnit
from answers.units.answer_units import CONTEXT_ROLES, Role
from core.claim_words import label_words
from core.language.question_wording import strip_politeness

_LONGEST_VALUE = 20  # words
_LONGEST_LABEL = 4  # words
# "Who is the secretary of the committee?", "Qui est la secrétaire du comité ?", "Wer ist der Vorsitz im Ausschuss?": a label and what it is said of.
_BY_LABEL = re.compile(
    r"^\W*(?:who|what|qui|quel(?:le)?|wer|wie|was|quién|cuál)\s+(?:is|are|was|were|est|sont|était|ist|sind|war|lautet|es|son)\s+"
    r"(?:(?:the|our|le|la|les|der|die|das|el|los|las)\s+|l['’])(?P<label>.+?)\s+"
    r"(?:of|for|at|in|on|from|du|de|des|d['’]|à|au|von|vom|der|des|beim?|im|am|für|del)\s+(?P<thing>.+?)\W*$",
    re.IGNORECASE,
)
_PERSON_ASKED = re.compile(r"^\W*(?:who|qui|wer|quién)\b", re.IGNORECASE)
_NO_PERSON = re.compile(r"[@\d]")  # "Billing Contact: accounts@marl.example" names nobody


@dataclass(frozen=True, slots=True)
class _FieldKind:
    """The pattern by which a question asks for the kind of thing, its `thing` named, and the labels under which forms give it."""

    question_pattern: re.Pattern[str]
    label_pattern: re.Pattern[str]


def _kind(asked: str, label: str) -> _FieldKind:
    return _FieldKind(re.compile(rf"^\W*{asked}\W*$", re.IGNORECASE), re.compile(rf"(?:\d+[.)]\s+)?(?:the\s+)?(?:{label})", re.IGNORECASE))


_KINDS = (
    _kind(
        r"(?:for\s+)?how\s+long\s+(?:does|do|did|will|is|are|was)\s+(?P<thing>.+?)\s+(?:run|last|go\s+on|valid|in\s+force)(?:\s+for)?",
        r"duration|term|contract\s+(?:term|period|duration)|period\s+of\s+(?:the\s+)?contract|laufzeit|dauer|vertragslaufzeit",
    ),
    _kind(
        r"(?:when|on\s+what\s+(?:day|date))\s+(?:does|do|did|will|is|was)\s+(?P<thing>.+?)\s+(?:start|begin|commence|take\s+effect|"
        r"(?:be)?come\s+(?:into\s+(?:force|effect)|effective)|effective)",
        r"(?:effective|start|starting|commencement)\s+date|date\s+of\s+commencement|start(?:s|ing)?|commencement|beginn|vertragsbeginn|startdatum",
    ),
    _kind(
        r"(?:how\s+much|what)\s+(?:is|was)\s+(?P<thing>.+?)\s+worth",
        r"(?:estimated\s+|total\s+|contract\s+)*(?:amount|value|price|sum)(?:\s+(?:payable|of)\b[^:]{0,60})?",
    ),
    _kind(
        r"(?:where\s+(?:is|are|was)\s+(?P<thing>.+?)\s+(?:located|based|situated|headquartered|registered)|what\s+is\s+the\s+address\s+of\s+(?P<of>.+?))",
        r"(?:business\s+|registered\s+|postal\s+)?address(?:\s+of\s+.{3,50})?|(?:registered|head|principal(?:\s+executive)?)\s+offices?|headquarters|anschrift|"
        r"adresse|sitz",
    ),
)


def form_field(question: Question, units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    """Return the only value under such a label in documents that speak of the thing; None where there is none, or several that differ."""
    asked = strip_politeness(question.text)
    for kind in _KINDS:
        if (match := kind.question_pattern.match(asked)) is not None:
            named = next(filter(None, match.groupdict().values()), "")
            return _find_only_value(label_words(named), kind.label_pattern, units)
    return _find_by_label(asked, units)


def _find_by_label(asked: str, units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    """Return the value under the very label that is asked for."""
    match = _BY_LABEL.match(asked)
    if match is None or len(match["label"].split()) > _LONGEST_LABEL:
        return None
    decided = _find_only_value(label_words(match["thing"]), re.compile(re.escape(match["label"]), re.IGNORECASE), units)
    return None if decided is not None and _PERSON_ASKED.match(asked) and _NO_PERSON.search(decided.text) else decided


def _find_only_value(thing: frozenset[str], label: re.Pattern[str], units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    if not thing:
        return None
    found = {
        " ".join(units[span.unit].unit.text[span.start : span.end].split()): span for span in _values(label, units) if _is_of(thing, span, units)
    }
    if len(found) != 1:
        return None
    text, span = next(iter(found.items()))
    return RuleAnswer(text, (span,), SURE_CHANCE, "span")


def _is_of(thing: frozenset[str], span: UnitSpan, units: Sequence[ScoredUnit]) -> bool:
    return speaks_of(thing, units[span.unit], units)


def _values(label: re.Pattern[str], units: Sequence[ScoredUnit]) -> Iterator[UnitSpan]:
    """Yield the values behind the label on its line, on the line under it, and above it where it stands in brackets, as under a line of a form."""
    yield from (span for said, span in bracketed_values(units) if label.fullmatch(said))
    for place, unit in enumerate(units):
        text = unit.unit.text
        behind = re.search(rf"(?:^|:[^:]*\s){label.pattern}\s*:\s*(?P<value>[^\s:][^:]*)$", text, label.flags)
        if behind is not None and unit.unit.role is not Role.ROW:
            yield from _yield_short(place, *behind.span("value"), units)
        elif unit.unit.role in {Role.LABEL, Role.HEADING} and label.fullmatch(text.strip().rstrip(": ")) and _has_value(place, units):
            bracketed = re.fullmatch(r"\s*\(([^()]+)\)\s*", units[place + 1].unit.text)
            yield from _yield_short(place + 1, *(bracketed.span(1) if bracketed else (0, len(units[place + 1].unit.text))), units)


def _has_value(place: int, units: Sequence[ScoredUnit]) -> bool:
    """Return whether the line under a label may be its value."""
    below = units[place + 1].unit if place + 1 < len(units) else None
    return below is not None and below.source == units[place].unit.source and below.role not in {Role.ROW, *CONTEXT_ROLES}


def _yield_short(place: int, start: int, end: int, units: Sequence[ScoredUnit]) -> Iterator[UnitSpan]:
    if len(units[place].unit.text[start:end].split()) <= _LONGEST_VALUE:
        yield UnitSpan(place, start, end)
