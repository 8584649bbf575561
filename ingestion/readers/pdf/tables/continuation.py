"""Tables that go on over several pages, put together again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ingestion.readers.pdf.tables.table_model import Box, FoundTable

_CONTINUED = re.compile(r"\b(?:continued|cont['’.]?d?|contd|fortsetzung|suite|continuaci[oó]n|segue|vervolg)\b", re.I)
_CAPTION_NAME = re.compile(r"^\W*(\w+\s*[\w.-]*\d[\w.-]*)")
_FOOT, _HEAD = 0.12, 0.14  # parts of the page's height in which running feet and heads stand
_SAME_SIDE = 0.04  # of the table's width


@dataclass(frozen=True, slots=True)
class TablePart:
    """A table of one page with what stands around it: `is_first` and `is_last` say that no text of the page stands above or below
    it; `column_sides` are left and right of its columns."""

    table: FoundTable
    is_first: bool
    is_last: bool
    is_ruled: bool
    column_sides: list[tuple[float, float]]


def stands_first(box: Box, others: Sequence[tuple[float, float, str]], height: float) -> bool:
    """Return whether nothing but a running head or its own caption stands above; `others` are (top, bottom, text) of lines outside tables."""
    return all(top >= box[1] or bottom <= _HEAD * height or _CONTINUED.search(text) for top, bottom, text in others)


def stands_last(box: Box, others: Sequence[tuple[float, float, str]], height: float) -> bool:
    """Return whether nothing but a running foot or a remark that it goes on stands below."""
    return all(bottom <= box[3] or top >= (1 - _FOOT) * height or _CONTINUED.search(text) for top, bottom, text in others)


def join_parts(parts: Sequence[TablePart]) -> list[FoundTable]:
    """Join parts in the order of the pages to tables: a part that goes on with the last table of the page before is added to it."""
    tables: list[FoundTable] = []
    begun: TablePart | None = None  # the first part of the last table
    open_part: TablePart | None = None
    for part in parts:
        if begun is not None and open_part is not None and part.is_first and _continues_table(begun, open_part, tables[-1], part):
            tables[-1] = _join_part(tables[-1], part.table, _match_columns(begun, part))
        else:
            tables.append(part.table)
            begun = part
        open_part = part if part.is_last else None
    return tables


def _continues_table(begun: TablePart, before: TablePart, whole: FoundTable, part: TablePart) -> bool:
    one, two = before.table, part.table
    if two.page != one.page + 1 or not _shares_columns(begun, part):
        return False
    if two.caption and _caption_name(two.caption) != _caption_name(whole.caption) and not _CONTINUED.search(two.caption):
        return False
    if _count_repeated_rows(whole, two):
        return True
    if len(one.rows[0]) != len(two.rows[0]):
        return False
    return not two.header_rows or (before.is_ruled and part.is_ruled and not two.caption)


def _shares_columns(begun: TablePart, part: TablePart) -> bool:
    """Return whether the columns stand in the same places: all sides where lines are drawn, else all but one column over another of its own."""
    if begun.is_ruled and part.is_ruled:
        near = _SAME_SIDE * (begun.column_sides[-1][1] - begun.column_sides[0][0])
        return len(begun.column_sides) == len(part.column_sides) and all(
            abs(one[0] - other[0]) < near and abs(one[1] - other[1]) < near for one, other in zip(begun.column_sides, part.column_sides, strict=True)
        )
    fewer = min(len(begun.column_sides), len(part.column_sides))
    above = zip(_match_columns(begun, part), part.column_sides, strict=True)
    shared = {
        place for place, side in above if _overlap(begun.column_sides[place], side) > 0.3 * min(_width(begun.column_sides[place]), _width(side))
    }
    return fewer > 1 and len(shared) >= max(2, fewer - 1)


def _width(side: tuple[float, float]) -> float:
    return side[1] - side[0]


def _match_columns(begun: TablePart, part: TablePart) -> list[int]:
    """Return for each column of a part the column of the whole that it overlaps most."""
    if len(begun.column_sides) == len(part.column_sides):
        return list(range(len(part.column_sides)))
    return [max(range(len(begun.column_sides)), key=lambda index: _overlap(begun.column_sides[index], side)) for side in part.column_sides]


def _overlap(one: tuple[float, float], other: tuple[float, float]) -> float:
    return min(one[1], other[1]) - max(one[0], other[0])


def _caption_name(caption: str) -> str:
    match = _CAPTION_NAME.match(caption)
    return re.sub(r"\s", "", match[1]).casefold() if match else caption


def _count_repeated_rows(whole: FoundTable, part: FoundTable) -> int:
    """Count the rows of the heading that stand again at the head of the part."""
    count = min(whole.header_rows, len(part.rows) - 1)
    while count and [_casefold_row(row) for row in whole.rows[:count]] != [_casefold_row(row) for row in part.rows[:count]]:
        count -= 1
    return count


def _casefold_row(row: Sequence[str]) -> list[str]:
    return ["".join(text.split()).casefold() for text in row if text]


def _join_part(whole: FoundTable, part: FoundTable, places: Sequence[int]) -> FoundTable:
    drop = _count_repeated_rows(whole, part)
    shift = len(whole.rows) - drop
    spans = []
    for row, column, rows, columns in part.spans:
        width = places[column + columns - 1] - places[column] + 1
        if row >= drop and (rows > 1 or width > 1):
            spans.append((row + shift, places[column], rows, width))
    rows_below = [_align_row(row, places, len(whole.rows[0])) for row in part.rows[drop:]]
    boxes = [*whole.boxes, (part.page, part.bbox)]
    counts = [*(whole.rows_per_part or [len(whole.rows)]), len(rows_below)]
    again = [" ".join(filter(None, row)) for row in part.rows[:drop]]
    repeated = {**whole.repeated_headings, len(whole.boxes): again} if again else whole.repeated_headings
    spans = whole.spans + spans
    return replace(
        whole, rows=whole.rows + rows_below, spans=spans, last_page=part.page, boxes=boxes, rows_per_part=counts, repeated_headings=repeated
    )


def _align_row(row: Sequence[str], places: Sequence[int], width: int) -> list[str]:
    placed = [""] * width
    for text, place in zip(row, places, strict=True):
        placed[place] = f"{placed[place]} {text}".strip()
    return placed
