"""The members of a list that fit an answer: whole where there is room, else their names, so that none is missing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from answers.finders.named_lists import LEAST_MEMBERS, MOST_MEMBERS
from answers.scoring.unit_scores import ScoredUnit
from answers.scoring.unit_selection import Bounds, cut_to_bounds
from answers.units.answer_units import Role, Span
from answers.units.row_wording import cell_places
from core.language.sentences import word_count

# "Likert scale: an ordered set of …", "Deposit – two months' rent".
_NAME_IN_FRONT = re.compile(r"^\W*(?P<name>\w[^.:;|]{0,58}?[\w)”’\"])\s*(?::|\s[–—-])\s+\S")

_ROOM = 1.5  # of the words of an answer: a table is taken in at a glance, and who shall do it until when belongs to a list of actions


def fit_list(members: Sequence[ScoredUnit], bounds: Bounds) -> list[ScoredUnit]:
    """Return the members of a list, in their order, as far as there is room: all of them whole; else all of them by their names, the first
    cell of a row or what stands in front of a colon; else the first ones. Of any list at most MOST_MEMBERS."""
    if sum(unit.words for unit in members) <= _ROOM * bounds.max_words and len(members) <= MOST_MEMBERS:
        return list(members)
    named = [_cut_to_name(unit) for unit in members if unit.unit.role is not Role.HEADER]
    names = [unit for unit in named if unit is not None]
    fits = len(names) == len(named) and LEAST_MEMBERS <= len(names) <= MOST_MEMBERS and sum(unit.words for unit in names) <= bounds.max_words
    return names if fits else cut_to_bounds(members, bounds)


def _cut_to_name(unit: ScoredUnit) -> ScoredUnit | None:
    """Return a member as its name, which is verbatim what stands in the document; None where it has no name in front."""
    text = unit.unit.text
    place = _name_of_row(text) if unit.unit.role is Role.ROW else _name_in_front(text)
    if place is None:
        return None
    start, end = place
    name = replace(unit.unit, start=unit.unit.start + start, end=unit.unit.start + end, text=text[start:end], role=Role.ITEM, header=None)
    return replace(unit, unit=name, words=word_count(name.text))


def _name_of_row(text: str) -> Span | None:
    """Return where the first cell with a letter stands, if there are others behind it."""
    cells = [(start, end) for start, end in cell_places(text) if text[start:end].strip()]
    named = next((place for place, (start, end) in enumerate(cells) if any(map(str.isalpha, text[start:end]))), len(cells))
    return cells[named] if named + 1 < len(cells) else None


def _name_in_front(text: str) -> Span | None:
    found = _NAME_IN_FRONT.match(text)
    return found.span("name") if found is not None else None
