"""A clause that the question names by its number: "Explain clause 8.4", "What does section 3 say?"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from answers.scoring.unit_scores import ScoredUnit
from answers.units.answer_units import Role

FIRST_UNIT_FACTOR, OTHER_UNITS_FACTOR = 1.5, 1.2  # on the score of the clause's first unit and of its others
_CLAUSE = (
    r"(?:clauses?|sections?|secs?\b\.?|articles?|arts?\b\.|paragraphs?|paras?\b\.?|rules?|chapters?|annex|appendix|schedule|ziffer|abschnitt|artikel|"
    r"absatz|kapitel|punkt|§+)"
)
_NAMED_CLAUSE = re.compile(rf"(?:\b|(?=§)){_CLAUSE}\s*(?P<number>\d{{1,3}}(?:\.\d{{1,3}})*)(?![\d%])", re.IGNORECASE)
_OPENING_NUMBER = re.compile(rf"^\W{{0,3}}(?P<word>{_CLAUSE}\s*)?(?P<number>\d{{1,3}}(?:\.\d{{1,3}})*)(?P<mark>[.):])?(?=\s|$)", re.IGNORECASE)


def named_clauses(question: str) -> frozenset[str]:
    """Return the numbers of the clauses that a question names."""
    return frozenset(match["number"] for match in _NAMED_CLAUSE.finditer(question))


def with_named_clauses(question: str, units: Sequence[ScoredUnit]) -> list[ScoredUnit]:
    """Return the units of a clause that the question names by its number in front of all others; the same list where it names none that is there."""
    named = named_clauses(question)
    if not named:
        return list(units)
    out: list[ScoredUnit] = []
    inside, source = "", -1
    for unit in units:
        opened = _leading_number(unit)
        if opened or unit.unit.source != source or unit.unit.role is Role.HEADING:
            inside, source = opened, unit.unit.source
        held = next((number for number in named if inside == number or inside.startswith(f"{number}.")), "")
        out.append(replace(unit, score=unit.score + (FIRST_UNIT_FACTOR if opened else OTHER_UNITS_FACTOR), in_named_clause=True) if held else unit)
    return out


def _leading_number(unit: ScoredUnit) -> str:
    """Return the number that stands in front of a unit as that of a clause: with a point inside, a word or mark, or as a heading's."""
    match = _OPENING_NUMBER.match(unit.unit.text)
    if match is None or unit.unit.role is Role.ROW:
        return ""
    is_clause = "." in match["number"] or match["word"] or match["mark"] or unit.unit.role in {Role.HEADING, Role.LABEL}
    return match["number"] if is_clause else ""
