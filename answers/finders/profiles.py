"""Profiles: who or what somebody is who is asked about by name alone ("Tell me about Trevanion & Holt", "What does Stannard do?"): what stands under
the name as under a heading, what is said right behind it, and the label in front of it ("Tenant: Merrow Chandlers Ltd").

Sentences that only mention the name share as many words with such a question, and say nothing of who it is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from answers.finders.rule_answer import LIKELY_CHANCE, RuleAnswer, UnitSpan
from answers.reading.lead import LEAST_LEAD
from answers.scoring.unit_scores import Question, ScoredUnit
from answers.units.answer_units import Role
from answers.units.leading_marks import mark_length
from answers.units.line_kinds import is_short_field
from answers.units.row_wording import cell_places
from core.labels import ADDRESS_LABELS
from core.language.firm_names import name_pattern
from core.language.question_wording import name_alone
from core.language.sentences import word_count

_MOST_SENTENCES = 3  # sentences of a profile
_MOST_UNDER_HEADING = 2  # of them under one heading
_LEAST_LETTERS = 3  # of a cell that says what somebody is
_LEAST_WORDS = 4  # words of a sentence under a heading: fewer are a field of a form
# Who holds an office is asked for, not what it is: "Who is Operations Director?".
_OFFICE = re.compile(
    r"\b(?:director|manager|officer|lead|leader|supervisor|coordinator|head|chair\w*|secretary|president|c[efto]o|engineer|agent|tenant|landlord|owner|"
    r"clerk|assistant|deputy|minister|mayor|direktor(?:in)?|leiter(?:in)?)$",
    re.IGNORECASE,
)
_ASKS_WHAT_IT_DOES = re.compile(r"\b(?:do|does|macht)\b", re.IGNORECASE)
_ADDRESSED = re.compile(r"^\W*(?:for the attention|attention|attn|dear|to|cc|z\.\s?hd)\b", re.IGNORECASE)


def profile(question: Question, units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    """Return the sentences that say who or what the thing is that a question names alone, the likeliest in front, or the only row that is about it;
    None where nothing says so, or several rows are about it."""
    name = name_alone(question.text)
    if not name or _OFFICE.search(name):
        return None
    rows = [place for place, unit in enumerate(units) if _is_row_of(unit, name)]
    if rows:
        return _profile_of_row(rows[0], units[rows[0]].unit.text) if len(rows) == 1 else None
    own = [place for place, unit in enumerate(units) if unit.unit.choosable and not unit.is_for_another]
    under = _first_of_each([place for place in own if _stands_under(units[place], name)], units)
    said = [place for place in own if _predicate_pattern(name).search(units[place].unit.text) is not None]
    labelled = [place for place in own if _is_labelled(units[place].unit.text, name)]
    found = list(dict.fromkeys([*under, *said, *labelled]))[:_MOST_SENTENCES]
    if not found:
        return None
    spans = tuple(UnitSpan(place, mark_length(units[place].unit.text), len(units[place].unit.text.rstrip())) for place in found)
    text = units[found[0]].unit.text[spans[0].start : spans[0].end]
    only_called = (
        found[0] not in {*under, *said} and _ASKS_WHAT_IT_DOES.search(question.text) is not None
    )  # what somebody does is not what he is called
    return RuleAnswer(text, spans, LEAST_LEAD if only_called else LIKELY_CHANCE, "span")


def _profile_of_row(place: int, row: str) -> RuleAnswer | None:
    """Return the cell behind the name, as a directory has the office there; None for a figure, which says nothing without its column."""
    cells = [(start, end) for start, end in cell_places(row)[1:] if row[start:end].strip()]
    if not cells:
        return None
    start, end = cells[0]
    text = row[start:end]
    start, end = start + len(text) - len(text.lstrip()), end - len(text) + len(text.rstrip())
    return (
        RuleAnswer(row[start:end], (UnitSpan(place, start, end),), LIKELY_CHANCE, "cell")
        if sum(letter.isalpha() for letter in text) >= _LEAST_LETTERS
        else None
    )


def _first_of_each(places: Sequence[int], units: Sequence[ScoredUnit]) -> list[int]:
    """Return the first sentences under each document's heading."""
    taken = Counter[str]()
    out: list[int] = []
    for place in places:
        taken[units[place].document] += 1
        if taken[units[place].document] <= _MOST_UNDER_HEADING:
            out.append(place)
    return out


def _predicate_pattern(name: str) -> re.Pattern[str]:
    """Return the pattern of what is said right behind the name: "X (brackets) is a …", "X, our …"."""
    return re.compile(
        rf"(?:^|[\s“\"(]){name_pattern(name)}(?:\s*\([^()]{{1,60}}\))?"
        r"(?:\s+(?:is|are|was|were|ist|sind|war|waren)\s+(?:an?|the|our|one|based|eine?|der|die|das)\b|"
        r",\s+(?:an?|our|the|eine?|agents?|owners?|makers?|sellers?|suppliers?|consultants?)\s)"
    )


def _is_labelled(text: str, name: str) -> bool:
    """Return whether the name stands behind a label that says what it is: "Tenant: …", not "To: …"."""
    match = re.match(rf"[\W\d]*(?P<label>[^\W\d_][\w'’ /-]{{2,40}}?)(?::|\s\|)\s+{name_pattern(name)}\b[^|]*$", text)
    return match is not None and ADDRESS_LABELS.search(match["label"]) is None


def _stands_under(unit: ScoredUnit, name: str) -> bool:
    """Return whether a sentence stands under the name alone, as under a term of a list or in a letterhead."""
    text = unit.unit.text
    return (
        unit.unit.role in {Role.SENTENCE, Role.ITEM}
        and word_count(text) >= _LEAST_WORDS
        and not is_short_field(text)
        and _ADDRESSED.match(text) is None
        and re.fullmatch(rf"{name_pattern(name)}\W*", unit.unit.lead_in.strip(), re.IGNORECASE) is not None
    )


def _is_row_of(unit: ScoredUnit, name: str) -> bool:
    return unit.unit.role is Role.ROW and re.match(rf"\W*{name_pattern(name)}\s*\|", unit.unit.text, re.IGNORECASE) is not None
