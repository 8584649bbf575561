"""The tables among the units: rows with their cells, the heads of their columns, and what stands above them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from answers.scoring.unit_scores import ScoredUnit, header_of
from answers.units.answer_units import Role
from answers.units.row_wording import cells_of
from answers.verdicts.word_match import read_tokens, words_in
from core.answers import Evidence

_NUMBER = re.compile(r"^\s*(?:[£$€]|USD|EUR|GBP)?\s*(?P<number>-?\d[\d,.\s]*\d|-?\d)\s*(?:[^\W\d]{0,6}|%|°C)[\s*.†]*$")
YES_OR_NO = re.compile(
    r"^\W*(?:(?P<yes>yes|y|true|included|ja|oui|sí|✓|✔|☒)|(?P<no>no|n|none|nil|false|not\s+included|nein|non|keine?))\W*$|"
    r"^(?P<tick>[✓✔☒])$|^(?P<cross>[✗✘☐]|\s*[-–—]\s*)$",
    re.IGNORECASE,
)
_MOST_ABOVE = 4  # units above a table that may say what it is about


@dataclass(frozen=True)
class NamedRow:
    """A row: the place of its unit, its cells, and the column of its name (the first one with a letter; -1: none)."""

    place: int
    cells: tuple[str, ...]
    name_column: int

    @cached_property
    def name(self) -> tuple[str, ...]:
        """The words of the row's name."""
        return tuple(token.word for token in read_tokens(self.cells[self.name_column])) if self.name_column >= 0 else ()


@dataclass(frozen=True)
class RowTable:
    """Rows under the `headers` of their columns (none: no header); `above` are the words of title, heading and caption."""

    headers: tuple[str, ...]
    rows: tuple[NamedRow, ...]
    above: frozenset[str]

    @cached_property
    def header_words(self) -> tuple[frozenset[str], ...]:
        """The words of the head of each column."""
        return tuple(words_in([header]) for header in self.headers)

    def header_at(self, column: int) -> frozenset[str]:
        return self.header_words[column] if column < len(self.header_words) else frozenset()


def tables_of(units: Sequence[ScoredUnit], evidence: Sequence[Evidence]) -> list[RowTable]:
    """Return the tables of the passages, in their order; of one that begins before its passage the header is its own."""
    tables: list[RowTable] = []
    place = 0
    while place < len(units):
        start = place
        header = units[place].unit.role is Role.HEADER
        if not header and units[place].unit.role is not Role.ROW:
            place += 1
            continue
        place += header
        while place < len(units) and units[place].unit.role is Role.ROW and units[place].unit.source == units[start].unit.source:
            place += 1
        rows = [_read_row(units, each) for each in range(start + header, place)]
        heads = tuple(cells_of(units[start].unit.text if header else _header_before(units[start], evidence)))
        if not any(heads) and _heads_answers(rows):
            heads, rows = rows[0].cells, rows[1:]
        tables.append(RowTable(heads, tuple(rows), _words_above(units, start)))
        place = max(place, start + 1)
    return tables


def _heads_answers(rows: Sequence[NamedRow]) -> bool:
    """Return whether the first row is the head of a column of yes and no, which no figures tell from the rows below."""
    columns = range(1, min((len(row.cells) for row in rows), default=0))
    return len(rows) > 1 and any(
        not YES_OR_NO.match(rows[0].cells[column]) and sum(bool(YES_OR_NO.match(row.cells[column])) for row in rows[1:]) * 2 > len(rows) - 1
        for column in columns
    )


def _header_before(unit: ScoredUnit, evidence: Sequence[Evidence]) -> str:
    return header_of(unit.unit, evidence[unit.unit.source]) if unit.unit.header is not None and unit.unit.source < len(evidence) else ""


def read_number(cell: str) -> float | None:
    """Return the number that a cell is, with at most a sign and a unit; None for anything else."""
    found = _NUMBER.match(cell)
    if found is None:
        return None
    try:
        return float(re.sub(r"[\s,](?=\d{3}\b)", "", found["number"]).replace(",", "."))
    except ValueError:
        return None


def _read_row(units: Sequence[ScoredUnit], place: int) -> NamedRow:
    cells = tuple(cells_of(units[place].unit.text))
    named = [column for column, cell in enumerate(cells) if any(map(str.isalpha, cell)) and read_number(cell) is None]
    return NamedRow(place, cells, named[0] if named else -1)


def _words_above(units: Sequence[ScoredUnit], start: int) -> frozenset[str]:
    own = units[start]
    texts = [own.title, own.unit.lead_in, *own.names]
    for above in reversed(units[max(0, start - _MOST_ABOVE) : start]):
        if above.unit.source != own.unit.source or above.unit.role is Role.ROW:
            break
        texts.append(above.unit.text)
    return words_in(texts)
