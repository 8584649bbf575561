"""The amount up to which somebody may decide: the limit of his office in a table of limits, his office by the row of a directory.

"What is Ann Low's approval limit?" over "Finance Director | £100,000" and "Ann Low | Finance Director | …" -> £100,000
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from answers.finders.approvals import limit_tables
from answers.finders.labelled_values import is_name
from answers.finders.rule_answer import SURE_CHANCE, RuleAnswer, UnitSpan
from answers.questions.answer_kinds import capitalised_spans
from answers.scoring.unit_scores import Question, ScoredUnit
from answers.units.answer_units import Role
from answers.units.row_wording import cell_places
from core.claim_words import label_words

_QUESTION_PATTERN = re.compile(
    r"\b(?:approval|spending|order|signing|authori[sz]ation) limit\b|"
    r"\b(?:how much|up to (?:what|which) (?:amount|sum|limit)|(?:what|which) (?:amount|sum)s?)\b"
    r".*\b(?:approv\w+|authori[sz]\w+|sign(?: off)?|spend|order|release)\b",
    re.IGNORECASE,
)
_FIRST_OF_SEVERAL = re.compile(r",|\s(?:and|or|und|oder)\s")  # "Warehouse manager and other department heads", "Manager, Quay 7"
_OPENING_WORDS = frozenset("what which how up who whose is are may can does do and so".split())


def find_office_limit(question: Question, units: Sequence[ScoredUnit]) -> RuleAnswer | None:
    """Return the limit of the office of the person whom the question names; None where it names nobody, or the tables do not say or say several."""
    names = _name_words(question.text) if _QUESTION_PATTERN.search(question.text) else frozenset[str]()
    if not names:
        return None
    found: dict[str, tuple[UnitSpan, ...]] = {}
    for rows in limit_tables(units).values():
        for _, row in rows:
            office = _office(units[row.unit].unit.text[row.start : row.end])
            for holder in _holders(office, names, units):
                limit = _limit_cell(row, units)
                found.setdefault(units[limit.unit].unit.text[limit.start : limit.end], (limit, holder))
    return RuleAnswer(*next(iter(found.items())), SURE_CHANCE, "cell") if len(found) == 1 else None


def _name_words(question: str) -> frozenset[str]:
    """Return the words of the names in a question, in lower case."""
    words = [re.sub(r"['’]s?$", "", question[start:end]).lower() for start, end in capitalised_spans(question)]
    return frozenset(words) - _OPENING_WORDS


def _office(cell: str) -> frozenset[str]:
    return label_words(_FIRST_OF_SEVERAL.split(cell, maxsplit=1)[0])


def _holders(office: frozenset[str], names: frozenset[str], units: Sequence[ScoredUnit]) -> Iterator[UnitSpan]:
    """Yield the first cell of rows of people that have the office in a cell of its own and whose name holds what the question names."""
    for place, unit in enumerate(units):
        row, cells = unit.unit.text, cell_places(unit.unit.text) if unit.unit.role is Role.ROW else []
        if len(cells) < 2 or not office:
            continue
        first = row[slice(*cells[0])]
        if is_name(first) and names <= set(re.findall(r"\w+", first.lower())) and any(_office(row[slice(*each)]) == office for each in cells[1:]):
            yield UnitSpan(place, cells[0][0], cells[0][0] + len(first.rstrip()))


def _limit_cell(row: UnitSpan, units: Sequence[ScoredUnit]) -> UnitSpan:
    """Return the cell with the amount of a row of limits, whose first cell `row` is."""
    text = units[row.unit].unit.text
    start, end = next(each for each in cell_places(text)[1:] if any(letter.isdigit() for letter in text[slice(*each)]))
    cell = text[start:end]
    return UnitSpan(row.unit, start + len(cell) - len(cell.lstrip()), end - len(cell) + len(cell.rstrip()))
