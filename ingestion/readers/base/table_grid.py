"""Tables as grids: spans written out, and which rows name the columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_NUMBER = re.compile(r"^[\s$€£¥+\-–(]*[\d.,'\s]*\d[\d.,'\s]*[)%‰€$£¥]?$|^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}")
_MAX_SPAN = 200
MAX_COLUMNS = 1_000


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell as the file holds it: its text, and over how many columns and rows it stands."""

    text: str
    columns: int = 1
    rows: int = 1
    header: bool = False


@dataclass(frozen=True, slots=True)
class CellGrid:
    """Rows of cell texts, and where cells stand over several places: (row, column, rows, columns)."""

    rows: list[list[str]]
    spans: list[tuple[int, int, int, int]]


def lay_out_cells(rows: Sequence[Sequence[Cell]]) -> CellGrid:
    """Lay rows of cells out as a grid of texts. A cell over several rows is repeated in each, so that every row can be read alone; over several
    columns only a header is repeated, so that every column has its name.
    """
    grid: list[list[str]] = []
    spans: list[tuple[int, int, int, int]] = []
    hanging: dict[int, tuple[int, str]] = {}
    for row in rows:
        line: list[str] = []
        below: dict[int, tuple[int, str]] = {}
        for cell in row:
            _fill_hanging_cells(line, hanging, below)
            width, height = max(1, min(cell.columns, _MAX_SPAN)), max(1, min(cell.rows, _MAX_SPAN, len(rows) - len(grid)))
            if width > 1 or height > 1:
                spans.append((len(grid), len(line), height, width))
            for offset in range(width):
                text = cell.text if offset == 0 or cell.header else ""
                if height > 1:
                    below[len(line)] = (height - 1, text)
                line.append(text)
            if len(line) > MAX_COLUMNS:
                break
        _fill_hanging_cells(line, hanging, below)
        grid.append(line)
        hanging = below
    return CellGrid(grid, spans)


def join_merged_cells(rows: Sequence[Sequence[tuple[Cell, str]]]) -> list[list[Cell]]:
    """Make rows for `lay_out_cells` from cells that say how they merge with the one above: "first" begins a cell over several rows, "on" goes on
    with it (if it holds no text of its own), "" stands alone."""
    heights: dict[tuple[int, int], int] = {}
    places: list[list[tuple[int, Cell]]] = []
    above: dict[int, tuple[int, int]] = {}
    for number, row in enumerate(rows):
        column = 0
        places.append([])
        for cell, merge in row:
            if merge == "on" and column in above and not cell.text.strip():
                heights[above[column]] += 1
            else:
                above.pop(column, None)
                if merge:
                    above[column] = (number, column)
                heights[number, column] = 1
                places[-1].append((column, cell))
            column += cell.columns
    return [[Cell(cell.text, cell.columns, heights[number, column]) for column, cell in line] for number, line in enumerate(places)]


def _fill_hanging_cells(line: list[str], hanging: dict[int, tuple[int, str]], below: dict[int, tuple[int, str]]) -> None:
    """Write the cells that reach down from the rows above into the next places of `line`."""
    while (place := len(line)) in hanging:
        left, text = hanging.pop(place)
        if left > 1:
            below[place] = (left - 1, text)
        line.append(text)


def guess_header_rows(rows: Sequence[Sequence[str]]) -> int:
    """Return 1 if the first row that holds several cells looks like names over values, 2 if a title stands above it in a row of its own, 0 otherwise.

    Names: filled, short, no numbers, no two alike. Values: below some name stand numbers, or shorter and longer texts that repeat. Below a title
    and its names a number must stand, under a name.
    """
    if len(rows) < 2:
        return 0
    if _is_title(rows[0]) and len(rows) > 2 and are_column_names(rows[1]):
        return 2 if any(is_number(cell) and name.strip() for name, cell in zip(rows[1], rows[2], strict=False)) else 0
    return 1 if are_column_names(rows[0]) else 0


def _is_title(row: Sequence[str]) -> bool:
    """Return whether only the first of several cells is filled, and with words."""
    return len(row) > 1 and bool(row[0].strip()) and not any(cell.strip() for cell in row[1:]) and not is_number(row[0])


def are_column_names(row: Sequence[str]) -> bool:
    """Return whether a row looks like the names of columns: filled, short, no numbers, no two alike."""
    first = [cell.strip() for cell in row]
    filled = [cell for cell in first if cell]
    if len(filled) < 2 or len(filled) < 0.6 * len(first) or any(is_number(cell) or len(cell) > 60 for cell in filled):
        return False
    return len(set(filled)) == len(filled)


def is_number(text: str) -> bool:
    """Return whether a cell holds an amount, a percentage or a date in figures."""
    return bool(_NUMBER.match(text.strip()))
