"""The cell of a row that a question names by its words and by the whole name of its column, where no other row is named as well."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from answers.finders.named_cells import asks_computation
from answers.questions.answer_kinds import is_of_another_kind
from answers.reading.row_figures import has_twin_row
from answers.scoring.unit_scores import Question, ScoredUnit, header_of
from answers.units.answer_units import Role
from answers.units.row_wording import cell_places, cells_of, find_row_name
from core.answers import Evidence
from core.language.content_words import stems

_LEAST_ROW_WORDS = 2  # of the question in the row that no column is called: one may stand in any row


def named_row_cell(question: Question, evidence: Sequence[Evidence], units: Sequence[ScoredUnit], first: ScoredUnit) -> tuple[int, int] | None:
    """Return [start:end] of the cell in the row that stands first: of the only column whose whole name the question says, in the row that has more of
    the question's other words than all others of its table; None where something is computed."""
    if first.unit.role is not Role.ROW or asks_computation(question.text) or has_twin_row(question.text, first, units):
        return None
    header, asked = cells_of(header_of(first.unit, evidence[first.unit.source])), stems(question.text)
    names = [stems(name.replace("_", " ")) for name in header]
    named = [place for place, words in enumerate(names) if words and words <= asked]
    if len(named) != 1 or len(cells_of(first.unit.text)) != len(header):
        return None
    others = asked - names[named[0]]
    start, end = cell_places(first.unit.text)[named[0]]
    is_answer = _may_answer(question, first.unit.text[start:end], others)
    return (start, end) if is_answer and _is_named_best(question.text, first, units, others) else None


def _may_answer(question: Question, cell: str, others: frozenset[str]) -> bool:
    """Return whether a cell says something of the kind that is asked for, and no more of the question."""
    return bool(cell.strip()) and not is_of_another_kind(question.answer_kind, cell) and not stems(cell) & others


def _is_named_best(question: str, row: ScoredUnit, units: Sequence[ScoredUnit], words: frozenset[str]) -> bool:
    """Return whether a row has two of the words, or is called by some of them alone, and each other row of its table says less of them."""
    table = (row.unit.source, row.unit.header)
    rivals = [each for each in units if each.unit.role is Role.ROW and (each.unit.source, each.unit.header) == table and each is not row]
    pairs = {pair for pair in _pairs_of(question) if stems(" ".join(pair)) <= words}

    def said(unit: ScoredUnit) -> int:
        return len(words & stems(unit.unit.text)) + len(pairs & _pairs_of(unit.unit.text))

    name = find_row_name(row.unit.text)
    return ((name is not None and name.stems <= words) or len(words & stems(row.unit.text)) >= _LEAST_ROW_WORDS) and all(
        said(each) < said(row) for each in rivals
    )


def _pairs_of(text: str) -> set[tuple[str, str]]:
    """Return the words that stand side by side: "child neglect" is not "child abuse or neglect"."""
    return set(pairwise(re.findall(r"\w+", text.casefold())))
