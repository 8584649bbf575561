"""Values that a form writes above their label in brackets, as the covers of filings and the lines of signatures do: "(Telephone number)" under
"(702) 939-3254", "(State of incorporation) | (Tax number)" under "Nevada | 20-8143439"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from answers.finders.rule_answer import SURE_CHANCE, RuleAnswer, UnitSpan
from answers.questions.answer_kinds import capitalised_spans, strip_asking_words
from answers.scoring.unit_scores import Question, ScoredUnit
from answers.units.answer_units import Role
from answers.units.row_wording import cell_places
from core.language.content_words import stems
from core.language.related_words import similar_words

_IN_BRACKETS = re.compile(r"\([^()]{3,120}\)")
_LONGEST_VALUE = 20  # words
_ENDINGS = ("ion", "ions", "ing", "ed", "e")  # "incorporated", "incorporation"; an employee is no employer
_LEAST_NAMED = 2  # words of the label where all that is asked is written as a name: "Employer Number"
_ASKED = re.compile(r"^\W*(?:(?:in|of|under|on|at)\s+)?(?:what|which|where|when|who|how\s+much)\b", re.IGNORECASE)


def value_over_label(question: Question, units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    """Return the value over the bracketed label that has every word of what is asked, in documents that have the names of the question; None where
    there is none, or several that differ."""
    if _ASKED.match(question.text) is None:
        return None
    text = strip_asking_words(question.text)
    named = capitalised_spans(text)
    names = stems(" ".join(text[start:end] for start, end in named))
    asked = _other_words(text, named)
    found = {
        units[span.unit].unit.text[span.start : span.end].casefold(): span
        for label, span in ((stems(said), span) for said, span in bracketed_values(units))
        if _is_asked(label, asked, names) and names <= label | _document_words(units, span.unit)
    }
    if len(found) != 1:
        return None
    span = next(iter(found.values()))
    return RuleAnswer(units[span.unit].unit.text[span.start : span.end], (span,), SURE_CHANCE, "span")


def _other_words(text: str, named: Sequence[tuple[int, int]]) -> list[str]:
    """Return the words of a question that are no part of a name."""
    words = re.finditer(r"[^\W\d_]+", text)
    return [word.group() for word in words if stems(word.group()) and not any(start <= word.start() < end for start, end in named)]


def bracketed_values(units: Sequence[ScoredUnit]) -> Iterator[tuple[str, UnitSpan]]:
    """Yield each label in brackets, without them, with the value above it."""
    for place in range(1, len(units)):
        above, below = units[place - 1].unit, units[place].unit
        if above.source != below.source or "(" not in below.text:
            continue
        values, labels = (cell_places(unit.text) if unit.role in {Role.ROW, Role.HEADER} else [(0, len(unit.text))] for unit in (above, below))
        if len(values) != len(labels):
            continue
        for (start, end), (first, last) in zip(values, labels, strict=True):
            label, value = below.text[first:last].strip(), above.text[start:end]
            if _IN_BRACKETS.fullmatch(label) and _IN_BRACKETS.fullmatch(value.strip()) is None and 0 < len(value.split()) <= _LONGEST_VALUE:
                yield label[1:-1], UnitSpan(place - 1, start, end)


def _is_asked(label: frozenset[str], asked: Sequence[str], names: frozenset[str]) -> bool:
    """Return whether a label has all words that are asked for; where they are written as a name, two of that."""
    return all(_holds(label, word) for word in asked) if asked else len(label & names) >= _LEAST_NAMED


def _holds(label: frozenset[str], word: str) -> bool:
    alike = stems(" ".join((word, *similar_words(word.lower()))))
    return any(one == other or one.removeprefix(other) in _ENDINGS or other.removeprefix(one) in _ENDINGS for one in alike for other in label)


def _document_words(units: Sequence[ScoredUnit], place: int) -> frozenset[str]:
    own = units[place]
    return stems(" ".join((*own.names, *(unit.unit.text for unit in units if unit.document == own.document))))
