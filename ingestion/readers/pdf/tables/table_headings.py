"""Headings and captions of tables."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ingestion.readers.pdf.tables.table_model import Box, TableGrid, WordLine
from ingestion.readers.pdf.tables.text_segments import is_numeric, is_year, join_cell_lines, line_of

_CAPTION = re.compile(
    r"^(?:table|exhibit|tabelle|übersicht|tableau|tabla|cuadro|tabela|quadro|tabella|tabel|tabell|taulukko|таблица|جدول|表)\s*"
    r"(?:[A-Z]{1,2}[-.]?)?(?:\d|[IVX]+\b|[A-Z]\b)",
    re.I,
)
_DAY = re.compile(r"^(?:\d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d\d)|\d{4}-\d\d-\d\d)\W{0,2}$")
_MOST_HEADING_ROWS = 6
_NEAR = 2.6  # em between a caption and its table
_MOST_CAPTION_LINES = 4


def count_heading_rows(grid: TableGrid) -> int:
    """Count the first rows that name the columns: those above the first row of figures, else a first row that is set apart."""
    if grid.heading_rows:
        return _extend_over_spans(grid, min(grid.heading_rows, len(grid.rows) - 1))
    figures = [_has_figures(row) for row in grid.rows]
    figures[0] = figures[0] and not _spans_days(grid)
    if figures[0] or len(grid.rows) < 2:
        return 0
    first = figures.index(True) if any(figures) else 0
    if 0 < first <= _MOST_HEADING_ROWS:
        return _extend_over_spans(grid, _count_rows_above_figures(grid, first))
    begins_bold = bool(grid.bold_rows) and grid.bold_rows[0]
    if grid.heading_rows is None or (begins_bold and not all(grid.bold_rows)):
        return _extend_over_spans(grid, 1) if begins_bold or all(grid.rows[0][1:]) else 0
    return _extend_over_spans(grid, 1) if _names_figures(grid) else 0


def _count_rows_above_figures(grid: TableGrid, first: int) -> int:
    """Count the bold rows, else those above the first row of figures where they are few or nothing says that they are no heading."""
    bold = grid.bold_rows.index(False) if False in grid.bold_rows else 0
    if 0 < bold < first:
        return bold
    return first if first <= 2 or grid.heading_rows == 0 else _count_spanned_rows(grid) or 1


def _has_figures(row: Sequence[str]) -> bool:
    """Return whether half of the cells behind the first are numbers, and not the years that stand above columns."""
    behind = [text for text in row[1:] if text]
    figures = [text for text in behind if is_numeric(text)]
    return bool(behind) and 2 * len(figures) >= len(behind) and not all(map(is_year, behind))


def _spans_days(grid: TableGrid) -> bool:
    """Return whether the first row has nothing but days behind its first cell, each over several columns."""
    wide = {column for row, column, _, width in grid.spans if row == 0 and width > 1}
    filled = {column for column, text in enumerate(grid.rows[0]) if column and text}
    return bool(filled) and filled <= wide and all(_DAY.match(grid.rows[0][column]) for column in filled)


def _names_figures(grid: TableGrid) -> bool:
    """Return whether the first row names each column, and numbers stand below one of its words."""
    names, body = grid.rows[0], grid.rows[1:]
    if not all(names) or any(map(is_numeric, names)):
        return False
    columns = [[row[place] for row in body if row[place]] for place in range(grid.width)]
    return any(len(texts) > 1 and sum(map(is_numeric, texts)) > 0.8 * len(texts) for texts in columns)


def _count_spanned_rows(grid: TableGrid) -> int:
    """Return the rows down to the lowest that begins with a heading over several columns, and the row of names below."""
    rows = [row for row, _, height, width in grid.spans if row < _MOST_HEADING_ROWS and width > 1 and height == 1]
    return rows.index(max(rows)) + 2 if rows and rows[0] == 0 and rows == list(range(len(rows))) else 0


def _extend_over_spans(grid: TableGrid, count: int) -> int:
    """Extend the heading: none of its cells may reach into the body."""
    for row, _, height, _ in sorted(grid.spans):
        if row < count:
            count = max(count, row + height)
    return min(count, len(grid.rows) - 1)


def captions_of(grids: Sequence[TableGrid], lines: Sequence[WordLine]) -> list[str]:
    """Return the caption ("Table 3: …") of each table of a page: what stood inside its rules, else the nearest right above or below that no other
    table is nearer to; `lines` are those outside tables."""
    captions = [grid.title for grid in grids]
    near: list[tuple[float, int, str]] = []
    for index, grid in enumerate(grids):
        beside = [part for line in lines if (part := _clip_to_box(line, grid.box)) is not None]
        above = [line for line in beside if line.bottom <= grid.box[1] + 0.5 * line.size]
        below = [line for line in beside if line.top >= grid.box[3] - 0.5 * line.size]
        near += [(distance, index, text) for distance, text in (_caption_above(grid.box, above), _caption_below(grid.box, below)) if text]
    given: set[str] = set()
    for _, index, text in sorted(near):
        if not captions[index] and text[:30] not in given:
            captions[index] = text
            given.add(text[:30])
    return captions


def _clip_to_box(line: WordLine, box: Box) -> WordLine | None:
    """Return what of a line stands above or below the box, without the text of the page's other columns."""
    words = [word for part in line.segments if part.right > box[0] and part.left < box[2] for word in part.words]
    return line_of(words) if words else None


def _caption_above(box: Box, lines: Sequence[WordLine]) -> tuple[float, str]:
    """Return how far above the table its caption ends, and the caption; "" where there is none."""
    edge = box[1]
    own: list[WordLine] = []
    for line in sorted(lines, key=lambda line: -line.middle)[:_MOST_CAPTION_LINES]:
        if edge - line.bottom > _NEAR * line.size:
            break
        own.insert(0, line)
        edge = line.top
        if _CAPTION.match(line.text):
            return box[1] - own[-1].bottom, join_cell_lines([each.text for each in own])
    return 0.0, ""


def _caption_below(box: Box, lines: Sequence[WordLine]) -> tuple[float, str]:
    """Return how far below the table its caption begins, and the caption."""
    own: list[WordLine] = []
    for line in sorted(lines, key=lambda line: line.middle)[:_MOST_CAPTION_LINES]:
        edge = own[-1].bottom if own else box[3]
        if line.top - edge > (0.6 if own else _NEAR) * line.size or not (own or _CAPTION.match(line.text)):
            break
        own.append(line)
    return (own[0].top - box[3], join_cell_lines([line.text for line in own])) if own else (0.0, "")
