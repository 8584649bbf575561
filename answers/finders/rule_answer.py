"""The answer of a rule, which decides a question without a reader: words of a verdict, or a value where it stands, with the places that it rests
on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from core.answers import LeadKind

SURE_CHANCE, LIKELY_CHANCE = 0.8, 0.6  # chances: of what sentences say, of what they would say if it were so


class UnitSpan(NamedTuple):
    """The span [start:end] of a unit's text; `unit` is its place in the list of units."""

    unit: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class RuleAnswer:
    """`text` is the answer; the sentences of `rests_on` say why, the one of what is named first. Of a verdict the text is made, of every other kind
    it is quoted from the first place. `is_dated`: it is the value of a time that the question names, so a later one does not take its place."""

    text: str
    rests_on: tuple[UnitSpan, ...]
    chance: float
    kind: LeadKind = "verdict"
    is_dated: bool = False
