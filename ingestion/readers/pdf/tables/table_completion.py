"""Ruled headings with an unruled body below them: one table."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ingestion.readers.pdf.tables.columns import TableColumns
from ingestion.readers.pdf.tables.rulings import PageRules
from ingestion.readers.pdf.tables.table_model import TableGrid, WordLine
from ingestion.readers.pdf.tables.text_segments import is_numeric, is_prose, opens_note
from ingestion.readers.pdf.tables.unruled_tables import read_body

_LOOSE = 2.3  # em
_MOST_HEADING_ROWS = 4
_OVER = 8.0  # points that a line may stick out of the heading's box


def add_unruled_body(grid: TableGrid, lines: Sequence[WordLine], rules: PageRules) -> list[WordLine]:
    """Add the lines right below a ruled heading that stand in its columns, and return them; none where it stays as it is."""
    if not _is_heading(grid):
        return []
    body = _lines_below(grid, lines)
    cuts = [(left[1] + right[0]) / 2 for left, right in pairwise(grid.column_sides)]
    divided = [line for line in body if len(line.segments) > 1]
    if len(divided) < 2 or sum(_crosses_cut(line, cuts) for line in divided) > 0.15 * len(divided):
        return []
    if not any(is_numeric(part.text) for line in divided for part in line.segments[1:]):
        return []
    head = len(grid.rows)
    read_body(grid, body, TableColumns([], body, cuts), rules)
    grid.heading_rows = head
    grid.box = (min(grid.box[0], *(line.left for line in body)), grid.box[1], max(grid.box[2], *(line.right for line in body)), body[-1].bottom)
    return body


def _is_heading(grid: TableGrid) -> bool:
    """Return whether it is a ruled grid of a few rows without figures; the numbers of columns, "(1)", are none."""
    if not grid.is_ruled or len(grid.column_sides) != grid.width or grid.width < 2 or len(grid.rows) > _MOST_HEADING_ROWS:
        return False
    texts = [text for row in grid.rows for text in row if text]
    return sum(is_numeric(text) and not text.startswith("(") for text in texts) < 0.2 * len(texts)


def _lines_below(grid: TableGrid, lines: Sequence[WordLine]) -> list[WordLine]:
    body: list[WordLine] = []
    edge = grid.box[3]
    for line in sorted(lines, key=lambda line: line.middle):
        if line.middle < grid.box[3] or line.right < grid.box[0] or line.left > grid.box[2]:
            continue
        outside = line.left < grid.box[0] - _OVER or line.right > grid.box[2] + _OVER
        if outside or line.top - edge > _LOOSE * line.size or _is_running_text(line, grid) or opens_note(line):
            break
        body.append(line)
        edge = line.bottom
    while body and len(body[-1].segments) == 1:
        body.pop()
    return body


def _is_running_text(line: WordLine, grid: TableGrid) -> bool:
    """Return whether a line is running text; a line that begins behind the first column is one of a column's."""
    return is_prose(line) and line.left < grid.column_sides[0][1]


def _crosses_cut(line: WordLine, cuts: Sequence[float]) -> bool:
    return any(part.left + 1 < cut < part.right - 1 for part in line.segments for cut in cuts)
