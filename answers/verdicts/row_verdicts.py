"""What the rows of a table say to a question for yes or no: a cell that is what is asked or something else, none or some of a thing, one row's figure
beside another's."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from answers.finders.rule_answer import UnitSpan
from answers.scoring.unit_scores import ScoredUnit
from answers.units.row_wording import cell_places
from answers.verdicts.asked_statement import AskedComparison, AskedStatement, Sense, general_words
from answers.verdicts.figure_ranges import Range, compare_ranges, ranges_of, same_kind
from answers.verdicts.table_rows import YES_OR_NO, NamedRow, RowTable, read_number, tables_of
from answers.verdicts.verdict_words import verdict_words
from answers.verdicts.word_match import count_held, holds_all, holds_word, read_tokens, words_in
from core.answers import Evidence

_UP = frozenset("more higher larger bigger greater longer heavier taller wider deeper mehr höher größer länger plus más mayor".split())
_LEAST_NAME = 0.6  # of a row's name in the question
_LEAST_LONG_NAME, _LEAST_TERMS = 3, 0.75  # words of a long name in the question, and of the question in the name
_LEAST_ABOVE = 0.5  # of a question about a whole column, in its head and above the table; the rest stands in the document
_LEAST_CONTEXT = 0.5
_WHOLE, _PARTLY = 1.0, 0.8  # strengths


class RowReading(NamedTuple):
    """Yes or no, how surely the rows were meant (0..1), and the cells that say so."""

    holds: bool
    strength: float
    places: tuple[UnitSpan, ...]


def read_rows(
    asked: AskedStatement, units: Sequence[ScoredUnit], evidence: Sequence[Evidence], far: Mapping[str, frozenset[str]]
) -> list[RowReading]:
    """Return what the tables among the units say to what is asked, of each the surest thing; `far` are the words of each document."""
    if asked.sense in {Sense.DUTY, Sense.ADVICE} or asked.is_denied:
        return []
    found = []
    for table in tables_of(units, evidence):
        if not table.rows:
            continue
        around = table.above | far[units[table.rows[0].place].document]
        if count_held([word.word for word in asked.context], around) < _LEAST_CONTEXT * len(asked.context):
            continue
        reading = _read_table(asked, table, units, around)
        if reading is not None:
            found.append(reading)
    return found


def _read_table(asked: AskedStatement, table: RowTable, units: Sequence[ScoredUnit], around: frozenset[str]) -> RowReading | None:
    if asked.comparison is not None:
        return _compare_rows(asked, asked.comparison, table, units, around)
    rows = _named_rows(asked, table)
    if not rows:
        return _read_column(asked, table, units, around) if asked.exists else None
    readings = [reading for row in rows if (reading := _read_row(asked, table, row, units, around)) is not None]
    if not readings or len(readings) < len(rows) or len({each.holds for each in readings}) > 1:
        return None
    return readings[0]


def _span(units: Sequence[ScoredUnit], row: NamedRow, column: int) -> UnitSpan:
    start, end = cell_places(units[row.place].unit.text)[column]
    return UnitSpan(row.place, start, end)


def _content(words: Sequence[str]) -> list[str]:
    """Return the words of a name that tell it from others."""
    return [word for word in words if len(word) > 2 and word not in {"the", "and", "for", "der", "die", "das", "und"}]


def _named_rows(asked: AskedStatement, table: RowTable) -> list[NamedRow]:
    """Return the rows of which the question says the name, or most of a long one; the best ones where it says more of some."""
    terms = [term.word for term in asked.terms]
    scored = []
    for row in table.rows:
        name = _content(row.name)
        held = count_held(name, terms)
        whole = held >= _LEAST_NAME * len(name) and _says_most(row, held)
        if name and held and (whole or (held >= _LEAST_LONG_NAME and held >= _LEAST_TERMS * len(terms))):
            scored.append((held / len(name) + held, row))
    best = max((score for score, _ in scored), default=0.0)
    return [row for score, row in scored if score == best]


def _says_most(row: NamedRow, held: int) -> bool:
    """Return whether the words of the question that a row's name has are more than one, or the whole name."""
    return held > 1 or len(_content(row.name)) == 1


def _rest(asked: AskedStatement, row: NamedRow) -> list[str]:
    """Return the words of a question that are no part of a row's name and none that its document need not repeat."""
    skipped = general_words() | verdict_words().idle
    return [term.word for term in asked.terms if not holds_word(term.word, row.name) and term.word not in skipped]


def _read_row(asked: AskedStatement, table: RowTable, row: NamedRow, units: Sequence[ScoredUnit], around: frozenset[str]) -> RowReading | None:
    rest = _rest(asked, row)
    columns = [column for column in range(len(row.cells)) if column != row.name_column and row.cells[column].strip()]
    heads = {column: count_held(rest, table.header_at(column)) for column in columns}
    if asked.figures or asked.numbers or asked.numbered:
        return _compare_cell(asked, table, row, units, rest, heads)
    valued = _read_value(asked, table, row, units, rest, columns)
    if valued is not None:
        return valued
    column = _best_column(heads) if any(heads.values()) else (columns[0] if len(columns) == 1 else None)
    if column is None or not holds_all(rest, table.header_at(column) | table.header_at(row.name_column) | table.above):
        return None
    return _read_cell(asked, row, column, units)


def _best_column(heads: Mapping[int, int]) -> int | None:
    """Return the only column whose head has most of the words; None where two have as many."""
    best = [column for column, held in heads.items() if held == max(heads.values())]
    return best[0] if len(best) == 1 else None


def _read_value(
    asked: AskedStatement, table: RowTable, row: NamedRow, units: Sequence[ScoredUnit], rest: Sequence[str], columns: Sequence[int]
) -> RowReading | None:
    """Return yes where a cell of the row says the rest of the question, no where cells of that column say so of other rows and this one does not."""
    value, others = rest[-1:], rest[:-1]
    for column in columns if value else ():
        cell, told = row.cells[column], table.header_at(column) | table.above | words_in([row.cells[column]])
        if read_number(cell) is not None or not holds_all(others, told):
            continue
        if _cell_says(value[0], cell):
            return RowReading(holds=True, strength=_WHOLE, places=(_span(units, row, column),))
        cells = [other.cells[column] for other in table.rows if other is not row and column < len(other.cells)]
        if any(_cell_says(value[0], other) for other in cells):
            return RowReading(holds=False, strength=_WHOLE, places=(_span(units, row, column),))
    return None


def _cell_says(word: str, cell: str) -> bool:
    """Return whether a cell holds a word, also shortened with a full stop ("Misd.")."""
    said = [token.word for token in read_tokens(cell)]
    return holds_word(word, said) or any(len(short) >= 3 and word.startswith(short) and f"{short}." in cell.casefold() for short in said)


def _read_cell(asked: AskedStatement, row: NamedRow, column: int, units: Sequence[ScoredUnit]) -> RowReading | None:
    """Return what a cell says by itself: yes or no, or none or some where any at all is asked for."""
    cell, place = row.cells[column], (_span(units, row, column),)
    if (answer := YES_OR_NO.match(cell)) is not None:
        return RowReading(holds=bool(answer["yes"] or answer["tick"]), strength=_WHOLE, places=place)
    number = read_number(cell)
    if number is None or not asked.exists:
        return None
    return RowReading(holds=number > 0, strength=_WHOLE, places=place)


def _compare_cell(
    asked: AskedStatement, table: RowTable, row: NamedRow, units: Sequence[ScoredUnit], rest: Sequence[str], heads: Mapping[int, int]
) -> RowReading | None:
    """Return whether the cell under the column that is asked for is the value, or lies within its limits."""
    column = _best_column(heads)
    if column is None or not holds_all(rest, table.header_at(column) | table.above):
        return None
    holds = _within(asked, f"{table.headers[column] if column < len(table.headers) else ''}", row.cells[column])
    return RowReading(holds, _WHOLE, (_span(units, row, column),)) if holds is not None else None


def _within(asked: AskedStatement, header: str, cell: str) -> bool | None:
    """Return whether a cell is the figure that is asked; None where it is none."""
    wanted = [*asked.numbers, *(number for _, number in asked.numbered)]
    if wanted:
        number, asked_number = read_number(cell), read_number(wanted[0])
        if number is not None and asked_number is not None:
            return number == asked_number
        code, other = wanted[0].casefold(), cell.strip().casefold()
        alike = re.sub(r"\d", "", code) == re.sub(r"\d", "", other)
        return code == other if alike else None
    said = [each for each in ranges_of(cell) if same_kind(asked.figures[0].kind, each.kind)]
    if len(said) == 1:
        return compare_ranges(asked.figures[0], said[0])
    number = read_number(cell)
    if number is None or said or not _has_kind(asked.figures[0], header):
        return None
    kind = asked.figures[0].kind
    return compare_ranges(asked.figures[0], Range(kind, number, number, has_low=True, has_high=True, start=0, end=0))


def _has_kind(figure: Range, header: str) -> bool:
    """Return whether a number under a header is of a figure's kind: a count anywhere, a sum or share under a header that says so."""
    if figure.kind == "count":
        return True
    signs = {"sum EUR": r"€|eur", "sum GBP": r"£|gbp|pound", "sum USD": r"\$|usd|dollar", "measure %": r"%|per\s?cent|share"}
    if figure.kind in signs:
        return re.search(signs[figure.kind], header, re.IGNORECASE) is not None
    return re.search(rf"\b{re.escape(figure.kind.removeprefix('measure '))}s?\b", header, re.IGNORECASE) is not None and figure.kind != "measure day"


def _compare_rows(
    asked: AskedStatement, comparison: AskedComparison, table: RowTable, units: Sequence[ScoredUnit], around: frozenset[str]
) -> RowReading | None:
    """Return whether one row's figure is above (or below) another's in the column that is asked for."""
    others = verdict_words().degrees.get(comparison.degree, frozenset())
    is_up, is_down = comparison.degree in _UP, not _UP.isdisjoint(others)
    sides = _compared_rows(comparison, table) if is_up or is_down else None
    if sides is None:
        return None
    rest = [term.word for term in asked.terms if not any(holds_word(term.word, row.name) for row in sides)]
    column = _asked_column(rest, table, sides)
    if column is None or not holds_all(rest, table.header_at(column) | around | general_words()):
        return None
    one, other = (read_number(row.cells[column]) for row in sides)
    if one is None or other is None:
        return None
    return RowReading(one > other if is_up else one < other, _WHOLE, tuple(_span(units, row, column) for row in sides))


def _compared_rows(comparison: AskedComparison, table: RowTable) -> tuple[NamedRow, NamedRow] | None:
    """Return the only two rows that are compared, in the order of the question."""
    first = [row for row in table.rows if _is_side(comparison.first, row)]
    second = [row for row in table.rows if _is_side(comparison.second, row)]
    return (first[0], second[0]) if len(first) == 1 and len(second) == 1 and first[0] is not second[0] else None


def _is_side(side: Sequence[str], row: NamedRow) -> bool:
    """Return whether a side of a comparison is a row: its whole name stands there."""
    name = _content(row.name)
    return bool(name) and holds_all(name, side)


def _asked_column(rest: Sequence[str], table: RowTable, sides: tuple[NamedRow, NamedRow]) -> int | None:
    """Return the column with figures in both rows whose head has most of the question; the only one where no head has any of it."""
    least = min(len(row.cells) for row in sides)
    numeric = [column for column in range(least) if all(read_number(row.cells[column]) is not None for row in sides)]
    scored = {column: count_held(rest, table.header_at(column)) for column in numeric}
    best = _best_column(scored) if scored else None
    return best if best is not None and (scored[best] or not rest) else None


def _read_column(asked: AskedStatement, table: RowTable, units: Sequence[ScoredUnit], around: frozenset[str]) -> RowReading | None:
    """Return no where any at all is asked for, a column's head and what stands above the table say of what, and every figure in it is 0; yes where
    none is."""
    terms = [term.word for term in asked.terms]
    heads = {column: held for column, words in enumerate(table.header_words) if (held := count_held(terms, words))}
    column = _best_column(heads) if heads else None
    if column is None:
        return None
    head = table.header_at(column)
    if count_held(terms, head | table.above) < _LEAST_ABOVE * len(terms) or not holds_all(terms, head | around):
        return None
    figures = [(row, read_number(row.cells[column])) for row in table.rows if column < len(row.cells)]
    known = [(row, number) for row, number in figures if number is not None]
    if len(known) < 2 or len({number > 0 for _, number in known}) > 1:
        return None
    return RowReading(known[0][1] > 0, _PARTLY, (_span(units, known[0][0], column),))
