"""Types the tables of a document: what each column holds, each cell as a value, and which rows are sums or headings and not data.

A column is typed by its cells: nearly all that are filled must fit, or it stays text. The decimal mark and the order of day and month are read
from the cells of the whole column, then of the whole table; where nothing decides, a date stays text and a number is read as the file's own
program (spreadsheets) or its language writes it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache

from core.documents import ExtractedDocument, Table
from core.language.numbers import DecimalMark
from core.tables import UNCOUNTED, Column, ColumnType, RowKind, TypedTable, Value
from ingestion.tables.cell_dates import LONGEST as LONGEST_DATE
from ingestion.tables.cell_dates import CellDate, Order, read_date
from ingestion.tables.cell_figures import LONGEST as LONGEST_FIGURE
from ingestion.tables.cell_figures import CellFigure, is_blank, is_empty, read_figure
from ingestion.tables.column_names import column_names, header_rows, is_currency, table_unit, unit_of
from ingestion.tables.merged_cells import spread_merged_cells
from ingestion.tables.summary_rows import heading_rows, total_rows

MAX_ROWS = 200_000
_SAMPLE = 20_000  # rows that a column's type is read from
_FIT = 0.9
_COMMA_LANGUAGES = frozenset("de fr es it pt nl pl cs sk hu ro bg ru uk tr sv nb no da fi el sl hr sr lt lv et id vi ca".split())
_PLAIN_PARSERS = ("xls", "ods", "json", "xml", "yaml")  # they give numbers as programs write them
_TRUE = frozenset("yes true ja oui sí si wahr vrai ✓ ✔ ☑ y".split())
_FALSE = frozenset("no false nein non falsch faux ✗ ✘ ☐ ✕ n".split())

_COUNTS = re.compile(r"\b(?:year|jahr|année|año|no|nr|number|anzahl|count|rank|page|seite|code|id|employees|staff|headcount|note|shares)\b", re.I)
_YEARLIKE = re.compile(r"(?:1[89]|20|21)\d{2}")

_Reader = Callable[[str], Value]


def typed_tables(document: ExtractedDocument) -> tuple[TypedTable, ...]:
    """Return one typed table for each of the document's tables, in their order. Never raises on odd cells: what fits nothing is text."""
    plain = document.parser.startswith(_PLAIN_PARSERS)
    fallback: DecimalMark = "," if not plain and document.metadata.language[:2].casefold() in _COMMA_LANGUAGES else "."
    return tuple(_type_table(table, fallback) for table in document.tables)


def _type_table(table: Table, fallback: DecimalMark) -> TypedTable:
    names_rows = header_rows(table)
    names = column_names(table, names_rows)
    rows = len(table.rows) - names_rows + table.left_out
    body = [[cell.strip() for cell in row] + [""] * (len(names) - len(row)) for row in table.rows[names_rows : names_rows + MAX_ROWS]]
    headings = heading_rows(body, [[cell.strip() for cell in row] for row in table.rows[:names_rows]])
    columns = _apply_table_unit(_columns(names, body, headings, fallback), table_unit(table, names), body)
    values = tuple(tuple(column.read_cell(cell) for column, cell in zip(columns, row, strict=False)) for row in body)
    types = [column.column.type for column in columns]
    totals = total_rows(body, values, types, headings)
    kinds = tuple(RowKind.HEADING if place in headings else RowKind.TOTAL if place in totals else RowKind.DATA for place in range(len(body)))
    note = _note(rows, len(body), uncounted=table.uncounted)
    merged = spread_merged_cells(table, names_rows, body)
    values = _set_merged(values, types, merged)
    return TypedTable(names_rows, tuple(column.column for column in columns), kinds, values, rows, note, merged)


def _set_merged(
    values: tuple[tuple[Value, ...], ...], types: Sequence[ColumnType], merged: Mapping[tuple[int, int], str]
) -> tuple[tuple[Value, ...], ...]:
    """Return the values with the texts of merged cells in each of their rows."""
    found = [list(row) for row in values] if merged else []
    for (row, place), text in merged.items():
        found[row][place] = text if types[place] is ColumnType.TEXT else found[row][place]
    return tuple(map(tuple, found)) if merged else values


def _note(rows: int, kept: int, *, uncounted: bool) -> str:
    if rows <= kept:
        return ""
    return f"Only the first {kept:,} {'rows' if uncounted else f'of {rows:,} rows'} are kept as rows{UNCOUNTED if uncounted else '.'}"


@dataclass(frozen=True, slots=True)
class _TypedColumn:
    """A column with how its cells become values."""

    column: Column
    read_cell: _Reader


@dataclass(frozen=True, slots=True)
class _Cells:
    """The filled cells of a column in the rows that its type is read from, and those of them that are figures and dates."""

    name: str
    filled: list[str]
    figures: list[CellFigure]
    moments: list[CellDate]

    @property
    def is_numeric(self) -> bool:
        return bool(self.figures) and len(self.figures) >= _FIT * len(self.filled)

    @property
    def is_dated(self) -> bool:
        return bool(self.moments) and len(self.moments) >= _FIT * len(self.filled)


@dataclass(frozen=True, slots=True)
class _TableConventions:
    """How the whole table writes what a column alone leaves open; `order` None decides nothing."""

    mark: DecimalMark
    order: Order | None


def _columns(names: Sequence[str], body: Sequence[Sequence[str]], headings: frozenset[int], fallback: DecimalMark) -> list[_TypedColumn]:
    sample = [row for place, row in enumerate(body[:_SAMPLE]) if place not in headings]
    cells = [_cells(name, [row[place] for row in sample]) for place, name in enumerate(names)]
    marks = {mark for column in cells if column.is_numeric for mark in _marks(column)}
    orders = {order for column in cells if column.is_dated for order in _orders(column)}
    habits = _TableConventions(next(iter(marks)) if len(marks) == 1 else fallback, next(iter(orders)) if len(orders) == 1 else None)
    return [_column(column, habits) for column in cells]


def _apply_table_unit(columns: list[_TypedColumn], unit: str, body: Sequence[Sequence[str]]) -> list[_TypedColumn]:
    """Give the unit that stands over the whole table to its figures that have none of their own and count nothing ("Year", "Number of shops")."""
    if not unit:
        return columns
    kind = ColumnType.AMOUNT if is_currency(unit) else ColumnType.NUMBER
    found = []
    for place, each in enumerate(columns):
        column = each.column
        bare = column.type in {ColumnType.INTEGER, ColumnType.NUMBER} and not column.unit and not _COUNTS.search(column.name)
        years = bare and all(_YEARLIKE.fullmatch(row[place]) for row in body[:_SAMPLE] if row[place])
        found.append(replace(each, column=Column(name=column.name, type=kind, unit=unit)) if bare and not years else each)
    return found


def _cells(name: str, texts: Sequence[str]) -> _Cells:
    filled = [text for text in texts if not is_empty(text)]
    figures = [figure for figure in map(_figure, filled) if figure is not None]
    moments = [moment for moment in map(_moment, filled) if moment is not None] if len(figures) < len(filled) else []
    return _Cells(name, filled, figures, moments)


@lru_cache(maxsize=8192)
def _known_figure(cell: str) -> CellFigure | None:
    return read_figure(cell)


@lru_cache(maxsize=8192)
def _known_moment(cell: str) -> CellDate | None:
    return read_date(cell)


def _figure(cell: str) -> CellFigure | None:
    return _known_figure(cell) if len(cell) <= LONGEST_FIGURE else None


def _moment(cell: str) -> CellDate | None:
    return _known_moment(cell) if len(cell) <= LONGEST_DATE else None


def _marks(column: _Cells) -> set[DecimalMark]:
    return {mark for figure in column.figures if (mark := figure.decisive_mark) is not None}


def _orders(column: _Cells) -> set[Order]:
    return {order for moment in column.moments if (order := moment.decisive_order) is not None}


def _column(cells: _Cells, habits: _TableConventions) -> _TypedColumn:
    found = None
    if _is_boolean(cells.filled):
        found = _TypedColumn(Column(name=cells.name, type=ColumnType.BOOLEAN), _boolean)
    elif cells.is_numeric:
        found = _numbers(cells, habits)
    elif cells.is_dated:
        found = _dates(cells, habits)
    return found or _TypedColumn(Column(name=cells.name, type=ColumnType.TEXT, unit=""), _text)


def _text(cell: str) -> Value:
    return None if is_blank(cell) else cell


def _is_boolean(filled: Sequence[str]) -> bool:
    words = {cell.casefold() for cell in filled}
    return bool(words) and words <= _TRUE | _FALSE and bool(words - {"y", "n"} or len(words) == 2)


def _boolean(cell: str) -> Value:
    return True if cell.casefold() in _TRUE else False if cell.casefold() in _FALSE else None


def _dates(cells: _Cells, habits: _TableConventions) -> _TypedColumn | None:
    """Type a column of dates; None where day and month cannot be told apart, or the column writes them in both orders."""
    orders = _orders(cells)
    is_open = any(moment.is_ambiguous for moment in cells.moments)
    order = next(iter(orders)) if len(orders) == 1 else habits.order
    if len(orders) > 1 or (is_open and order is None):
        return None

    def read(cell: str) -> Value:
        moment = _moment(cell)
        return moment.iso(order) if moment is not None else None

    return _TypedColumn(Column(name=cells.name, type=ColumnType.DATE), read)


def _numbers(cells: _Cells, habits: _TableConventions) -> _TypedColumn | None:
    """Type a column of numbers; None for identifiers, several currencies or units in one column, and for cells that disagree about the decimal
    mark."""
    marks = _marks(cells)
    if len(marks) > 1 or any(len(cell) > 1 and cell[0] == "0" and cell.isdigit() for cell in cells.filled):
        return None
    units = _units(cells.figures)
    if units is None:
        return None
    currency, unit = units
    mark = next(iter(marks)) if marks else habits.mark
    named = unit_of(cells.name)
    shown = named if is_currency(named) or not currency else currency
    shown = shown or unit

    def read(cell: str) -> Value:
        figure = None if is_empty(cell) else _figure(cell)
        if figure is None or (number := _number(figure, mark)) is None or figure.currency not in {"", currency} or figure.unit not in {"", unit}:
            return None
        return float(number) + 0.0

    numbers = [number for figure in cells.figures if (number := _number(figure, mark)) is not None]
    if len(numbers) < _FIT * len(cells.filled):
        return None
    return _TypedColumn(Column(name=cells.name, type=_kind(shown, numbers, cells.figures), unit=shown), read)


def _kind(unit: str, numbers: Sequence[Decimal], figures: Sequence[CellFigure]) -> ColumnType:
    if unit == "%":
        return ColumnType.PERCENT
    if is_currency(unit):
        return ColumnType.AMOUNT
    whole = all(number == number.to_integral_value() for number in numbers)
    return ColumnType.INTEGER if whole and not any(figure.scale for figure in figures) else ColumnType.NUMBER


def _number(figure: CellFigure, mark: DecimalMark) -> Decimal | None:
    number = figure.value(mark)
    return None if number is None else number.scaleb(figure.scale)


def _units(figures: Sequence[CellFigure]) -> tuple[str, str] | None:
    """Return the one currency and the one unit of a column ("" for none); None where it has several, or some cells have another kind of measure.

    A unit that only the first cell names holds for those below, as reports set it; any other mixture is none.
    """
    currencies = {figure.currency for figure in figures} - {""}
    units = Counter(figure.unit for figure in figures)
    named = set(units) - {""}
    if len(currencies) > 1 or len(named) > 1 or (currencies and named):
        return None
    unit = next(iter(named), "")
    if unit and units[unit] < _FIT * len(figures) and not (figures[0].unit == unit and units[unit] == 1):
        return None
    return next(iter(currencies), ""), unit
