"""Tables that go on over several pages, put together again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ingestion.extractors.pdf_tables.model import Box, FoundTable

_CONTINUED = re.compile(r"\b(?:continued|cont['’.]?d?|contd|fortsetzung|suite|continuaci[oó]n|segue|vervolg)\b", re.I)
_CAPTION_NAME = re.compile(r"^\W*(\w+\s*[\w.-]*\d[\w.-]*)")
_FOOT, _HEAD = 0.12, 0.14  # parts of the page's height in which running feet and heads stand
_SAME_SIDE = 0.04  # of the table's width


@dataclass(frozen=True, slots=True)
class Part:
    """A table of one page with what stands around it: `last` and `first` say that no text of the page follows or precedes it."""

    table: FoundTable
    first: bool
    last: bool
    ruled: bool


def stands_first(box: Box, others: Sequence[tuple[float, float, str]], height: float) -> bool:
    """Whether nothing but a running head or its own caption stands above; `others` are (top, bottom, text) of lines outside tables."""
    return all(top >= box[1] or bottom <= _HEAD * height or _CONTINUED.search(text) for top, bottom, text in others)


def stands_last(box: Box, others: Sequence[tuple[float, float, str]], height: float) -> bool:
    """Whether nothing but a running foot or a remark that it goes on stands below."""
    return all(bottom <= box[3] or top >= (1 - _FOOT) * height or _CONTINUED.search(text) for top, bottom, text in others)


def join_pages(parts: Sequence[Part]) -> list[FoundTable]:
    """Parts in the order of the pages as tables; a part that goes on with the last table of the page before is added to it."""
    tables: list[FoundTable] = []
    open_part: Part | None = None
    for part in parts:
        if open_part is not None and part.first and _goes_on(open_part, tables[-1], part):
            tables[-1] = _joined(tables[-1], part.table)
        else:
            tables.append(part.table)
        open_part = part if part.last else None
    return tables


def _goes_on(before: Part, whole: FoundTable, part: Part) -> bool:
    one, two = before.table, part.table
    if two.page != one.page + 1 or len(one.rows[0]) != len(two.rows[0]):
        return False
    near = _SAME_SIDE * (one.bbox[2] - one.bbox[0])
    if abs(one.bbox[0] - two.bbox[0]) > near or abs(one.bbox[2] - two.bbox[2]) > near:
        return False
    if two.caption and _caption_name(two.caption) != _caption_name(whole.caption) and not _CONTINUED.search(two.caption):
        return False
    return bool(_repeated(whole, two)) or not two.header_rows or (before.ruled and part.ruled and not two.caption)


def _caption_name(caption: str) -> str:
    match = _CAPTION_NAME.match(caption)
    return re.sub(r"\s", "", match[1]).casefold() if match else caption


def _repeated(whole: FoundTable, part: FoundTable) -> int:
    """How many rows of the heading stand again at the head of the part."""
    count = whole.header_rows
    while count and [_folded(row) for row in whole.rows[:count]] != [_folded(row) for row in part.rows[:count]]:
        count -= 1
    return count


def _folded(row: Sequence[str]) -> list[str]:
    return ["".join(text.split()).casefold() for text in row]


def _joined(whole: FoundTable, part: FoundTable) -> FoundTable:
    drop = _repeated(whole, part)
    shift = len(whole.rows) - drop
    spans = [(row + shift, column, rows, columns) for row, column, rows, columns in part.spans if row >= drop]
    return replace(
        whole, rows=whole.rows + part.rows[drop:], spans=whole.spans + spans, last_page=part.page, boxes=[*whole.boxes, (part.page, part.bbox)]
    )
