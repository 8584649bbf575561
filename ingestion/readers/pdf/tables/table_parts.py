"""Tables that are set as one and are several: below one another with the same names of columns, or lists side by side with titles of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ingestion.readers.pdf.tables.table_model import Span
from ingestion.readers.pdf.tables.text_segments import is_numeric

_MOSTLY = 0.75  # of the cells of a column
_APART = 0.2  # of the rows: a title in one list beside an entry of another
_LEAST_TITLES = 2


@dataclass(frozen=True, slots=True)
class TablePiece:
    """One of the tables that stood as one: its rows, the rows that name its columns, its cells over several columns or rows, and a title that stood
    in its first row over all columns."""

    rows: list[list[str]]
    header_rows: int
    spans: list[Span]
    title: str = ""


def split_table(rows: Sequence[Sequence[str]], header_rows: int, spans: Sequence[Span]) -> list[TablePiece]:
    """Return the tables that a table consists of; one, but for its title as it is, where it is one."""
    if bounds := _titled(rows, header_rows, spans):
        return [_cut_rows(rows, start, stop, spans) for start, stop in bounds]
    if bounds := _lists_side_by_side(rows):
        return [TablePiece([list(row[start:stop]) for row in rows if any(row[start:stop])], 0, []) for start, stop in bounds]
    return [TablePiece([list(row) for row in rows], header_rows, list(spans))]


def _cut_rows(rows: Sequence[Sequence[str]], start: int, stop: int, spans: Sequence[Span]) -> TablePiece:
    inner = [(row - start - 1, column, down, across) for row, column, down, across in spans if start < row < stop]
    return TablePiece([list(row) for row in rows[start + 1 : stop]], 1, inner, rows[start][0])


def _titled(rows: Sequence[Sequence[str]], header_rows: int, spans: Sequence[Span]) -> list[tuple[int, int]]:
    """Return the tables that each have a title over the same names of columns, as first row and end; [] where the first row is no title: it stands
    over all columns, or another such row above the same names."""
    if header_rows != 2 or not _is_title(rows[0]) or not rows[1][0] or _is_title(rows[1]):
        return []
    names = [place for place, row in enumerate(rows) if place and row == rows[1] and _is_title(rows[place - 1])]
    is_title = len(names) > 1 or (0, 0, 1, len(rows[0])) in spans
    return [(place - 1, end - 1) for place, end in pairwise([*names, len(rows) + 1])] if is_title else []


def _lists_side_by_side(rows: Sequence[Sequence[str]]) -> list[tuple[int, int]]:
    """Return the columns of lists that stand beside one another, as first column and end; [] where the rows are rows of one table.

    Each list has a column of words and figures behind it, and titles; those of the one stand beside entries of the other.
    """
    bounds = _lists_by_figures([_holds_figures([row[place] for row in rows]) for place in range(len(rows[0]))])
    titles = [[_is_title(row[start:stop]) for row in rows] for start, stop in bounds]
    if not bounds or min(map(sum, titles)) < _LEAST_TITLES:
        return []
    entries = [[bool(row[start]) and any(row[start + 1 : stop]) for row in rows] for start, stop in bounds]
    mixed = sum(any(title) and any(entry) for title, entry in zip(zip(*titles, strict=True), zip(*entries, strict=True), strict=True))
    return bounds if mixed >= _APART * len(rows) else []


def _lists_by_figures(figures: Sequence[bool]) -> list[tuple[int, int]]:
    """Return the lists that columns may make, each of words with figures behind them, as first column and end; [] where one is of another kind."""
    starts = [0, *(place for place in range(1, len(figures)) if figures[place - 1] and not figures[place])]
    bounds = list(pairwise([*starts, len(figures)]))
    return bounds if len(bounds) > 1 and figures[-1] and not figures[0] else []


def _holds_figures(cells: Sequence[str]) -> bool:
    filled = [cell for cell in cells if cell]
    return bool(filled) and sum(map(is_numeric, filled)) >= _MOSTLY * len(filled)


def _is_title(row: Sequence[str]) -> bool:
    return bool(row[0]) and not any(row[1:])
