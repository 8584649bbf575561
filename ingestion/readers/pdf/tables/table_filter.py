"""A filter that tells tables without ruled cells from running text, lists, contents, forms, formulas and diagrams."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.language.numbers import parse_digits
from ingestion.readers.pdf.tables.table_model import Box, TableGrid, WordLine
from ingestion.readers.pdf.tables.text_segments import is_numeric

_MARK = re.compile(r"^[•●▪■◦‣⁃∙·]$")
_MARKED = re.compile(r"^[•●○▪■◦‣∙]\s?\S")
_ITEM = re.compile(r"^(?:(?:[•●▪◦*○o–-]|\(?[a-zivx\d]{1,4}[).])$|\(\d{1,3}\)\s)")
_NUMBERED = re.compile(r"^(?:\d+(?:[.-]\d+)*|[A-Z])\.? \w")
_LEADERS = re.compile(r"\.\s?\.\s?\.")
_TO_PAGE = re.compile(r"(?:\.\s?){3,}\s*(?:\d{1,4}|[ivxlc]{1,6})?$")
_INDEXED = re.compile(r"\w,\s*\d{1,4}(?:\s*[-–,]\s*\d{1,4})*(?:\s*ff?\.?)?$")
_MATHEMATICS = re.compile("[=≈≠≤≥≡∈∉∋⊂⊆∪∩∑∏∫∂∇√∞∀∃→⇒⇔↦∘⊗⊕⟨⟩]|^[|()\\[\\]{}\uf8e0-\uf8ff,.·/|∣]{1,3}$|^[A-Za-zα-ωΑ-Ω]$")
_TORN = re.compile(r"^[+−×·]\s|^[^(]*\)\s*\w|\([^)]*$")  # a cell that begins with an operator, or holds one bracket of two
_ENDING = 60  # characters at the end of a text that are looked at
_PARAGRAPH_NUMBER = re.compile(r"^\(?(?:[a-z]|\d{1,3}|[ivx]{1,4})[).](?:\s|$)")
_PARAGRAPH = 7  # words
_MOST_HEADING_ROWS = 4
_FEW_CELLS = 9
_FEW_CROOKED = 4
_SLACK = 3.0  # points
_THIRD, _HALF, _WHOLE = 0.33, 0.5, 0.98
_AXIS = 4  # numbers in equal steps that may be an axis

FilledCell = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The surroundings of a candidate: whether rules frame it, its lines, and the boxes of the curves and slanted lines on the page."""

    is_framed: bool
    lines: Sequence[WordLine]
    crooked_boxes: Sequence[Box]


def is_table(grid: TableGrid, around: Surroundings) -> bool:
    """Return whether the grid is a table; rules above and below make it likely."""
    cells = [(row, column, text) for row, texts in enumerate(grid.rows) for column, text in enumerate(texts) if text]
    if len(cells) < 4 or _is_something_else(cells, grid, around):
        return False
    behind = [text for row, column, text in cells if column and (row or len(around.lines) > 2)]
    figures = sum(map(is_numeric, behind)) / max(1, len(behind))
    long = sum(len(text.split()) > 7 for _, _, text in cells) / len(cells)
    filled = len(cells) / (len(grid.rows) * grid.width)
    return (_is_framed_table if around.is_framed else _is_free_table)(cells, grid, figures, long, filled)


def _is_something_else(cells: Sequence[FilledCell], grid: TableGrid, around: Surroundings) -> bool:
    """Return whether it is a drawing, a formula, or text that happens to stand in columns."""
    if _is_diagram(grid, cells, around) or _is_contents(cells, grid) or _is_formula(cells, around.lines):
        return True
    if len(cells) >= _FEW_CELLS and len({text for _, _, text in cells}) <= 2:
        return True  # one sign over and over: a drawing
    if _is_bulleted(cells, grid.width) or _is_all_heading(grid) or _is_numbered_text(cells, grid.width):
        return True
    return not around.is_framed and (_is_running_text(cells) or _is_list(cells, grid.width) or _is_form(cells))


def _is_free_table(cells: Sequence[FilledCell], grid: TableGrid, figures: float, long: float, filled: float) -> bool:
    if len(cells) < _FEW_CELLS and filled < 0.75:
        return False
    if _count_used_columns(cells, grid) <= 2:
        return figures > 0.5 and long < 0.3
    return (figures > 0.25 and filled > 0.35 and long < 0.3) or (filled > 0.6 and long < 0.12 and len(grid.rows) >= 4)


def _is_framed_table(cells: Sequence[FilledCell], grid: TableGrid, figures: float, long: float, filled: float) -> bool:
    names = [text for _, column, text in cells if column == 0]
    if sum(len(text.split()) <= 7 for text in names) > 0.8 * len(names):
        long *= 0.75
    if long >= 0.5 or filled <= 0.25:
        return False
    return figures > 0.2 or (len(grid.rows) >= 3 and filled > 0.5 and _broken_share(_drop_lowercase_columns(cells, grid)) < 0.35)


def _count_used_columns(cells: Sequence[FilledCell], grid: TableGrid) -> int:
    """Return the columns that at least a quarter of the rows fill."""
    return sum(4 * sum(column == place for _, place, _ in cells) >= len(grid.rows) for column in range(grid.width))


# -- text --------------------------------------------------------------------------------------------------------------------------------


def _broken_share(cells: Sequence[FilledCell]) -> float:
    """Return the part of the texts that go on with another's sentence: they begin small or end with a hyphen."""
    texts = [text for _, _, text in cells if not is_numeric(text)]
    return sum(text[0].islower() or text.endswith("-") for text in texts) / max(1, len(texts))


def _drop_lowercase_columns(cells: Sequence[FilledCell], grid: TableGrid) -> list[FilledCell]:
    """Return the cells but for columns in which, below the heading, every text begins small: so they are written, not broken off."""
    small: set[int] = set()
    for column in range(grid.width):
        texts = [text for row, place, text in cells if place == column and row >= (grid.heading_rows or 0)]
        if texts and all(text[0].islower() for text in texts) and sum(len(text.split()) for text in texts) <= 3 * len(texts):
            small.add(column)
    return [cell for cell in cells if cell[1] not in small]


def _is_running_text(cells: Sequence[FilledCell]) -> bool:
    words = sum(not is_numeric(text) for _, _, text in cells)
    return _broken_share(cells) > 0.4 and words > 0.5 * len(cells)


def _is_bulleted(cells: Sequence[FilledCell], width: int) -> bool:
    """Return whether there is a column of bullets."""
    return any(_is_mostly_true([bool(_MARK.match(text)) for _, place, text in cells if place == column and text != "-"]) for column in range(width))


def _is_all_heading(grid: TableGrid) -> bool:
    """Return whether it is a heading of many rows over a few rows: boxes that stand beside and below one another."""
    return (grid.heading_rows or 0) > _MOST_HEADING_ROWS and (grid.heading_rows or 0) >= 2 * (len(grid.rows) - (grid.heading_rows or 0))


def _is_numbered_text(cells: Sequence[FilledCell], width: int) -> bool:
    """Return whether these are numbered paragraphs beside the titles of their sections."""
    for column in range(1, width):
        texts = [text for _, place, text in cells if place == column]
        words = [len(text.split()) for _, place, text in cells if place > column]
        if words and sum(words) > _PARAGRAPH * len(words) and _is_mostly_true([bool(_PARAGRAPH_NUMBER.match(text)) for text in texts]):
            return True
    return False


def _is_list(cells: Sequence[FilledCell], width: int) -> bool:
    """Return whether there is a column of the numbers of a list, or cells that begin with a bullet."""
    if width <= 3 and any(_is_mostly_true([bool(_ITEM.match(text)) for _, place, text in cells if place == column]) for column in range(width)):
        return True
    return sum(bool(_MARKED.match(text)) for _, _, text in cells) > 0.3 * len(cells)


def _is_mostly_true(values: Sequence[bool]) -> bool:
    return bool(values) and sum(values) > 0.6 * len(values)


def _is_contents(cells: Sequence[FilledCell], grid: TableGrid) -> bool:
    """Return whether these are titles with page numbers that only grow, behind dot leaders or numbered; or the words of an index with theirs."""
    texts = [text for _, _, text in cells]
    return _are_led_to_pages(texts) or _are_indexed(texts) or (_end_with_growing_pages(cells, grid) and _are_led_or_numbered(cells, grid))


def _are_led_to_pages(texts: Sequence[str]) -> bool:
    led = sum(bool(_TO_PAGE.search(text[-_ENDING:])) for text in texts)
    figures = sum(is_numeric(text) and not _LEADERS.search(text) for text in texts)
    return led > 0.4 * len(texts) and figures < 0.2 * len(texts)


def _are_indexed(texts: Sequence[str]) -> bool:
    return sum(bool(_INDEXED.search(text[-_ENDING:])) and not is_numeric(text) for text in texts) > 0.4 * len(texts)


def _end_with_growing_pages(cells: Sequence[FilledCell], grid: TableGrid) -> bool:
    last = [text for _, column, text in cells if column == grid.width - 1]
    pages = [int(text) for text in last if text.isdecimal() and len(text) < 6]
    if grid.width > 3 or len(last) < 3 or len(pages) <= 0.8 * len(last):
        return False
    return all(after >= before for before, after in pairwise(pages))


def _are_led_or_numbered(cells: Sequence[FilledCell], grid: TableGrid) -> bool:
    leaders = sum(bool(_LEADERS.search(text)) for _, _, text in cells)
    numbered = sum(bool(_NUMBERED.match(text)) for _, column, text in cells if column == 0)
    return leaders >= 2 or numbered > 0.5 * len(grid.rows)


def _is_form(cells: Sequence[FilledCell]) -> bool:
    """Return whether these are labels that end with a colon, with something to fill in behind them."""
    labels = sum(text.endswith(":") for _, _, text in cells)
    return labels > 0.3 * len(cells)


# -- formulas and diagrams ---------------------------------------------------------------------------------------------------------------


def _is_formula(cells: Sequence[FilledCell], lines: Sequence[WordLine]) -> bool:
    """Return whether these are cells of signs and single letters; fewer of them tell where the lines reach into one another, as fractions and indices
    do.
    """
    signs = sum(bool(_MATHEMATICS.search(text)) for _, _, text in cells)
    torn = sum(bool(_TORN.search(text)) and not _MATHEMATICS.search(text) for _, _, text in cells)
    if signs + torn > 0.5 * len(cells) and torn:
        return True
    return signs > (0.1 if _lines_overlap(lines) else 0.35) * len(cells)


def _lines_overlap(lines: Sequence[WordLine]) -> bool:
    pairs = list(pairwise(lines))
    return sum(before.bottom - after.top > 0.25 * min(before.size, after.size) for before, after in pairs) > 0.3 * len(pairs)


def _is_diagram(grid: TableGrid, cells: Sequence[FilledCell], around: Surroundings) -> bool:
    """Return whether these are labels among curves and slanted lines, or along an axis."""
    return is_drawing(grid, around.crooked_boxes, 0.8, _FEW_CROOKED) or _has_axis(cells, grid, by_row=False) or _has_axis(cells, grid, by_row=True)


def is_drawing(grid: TableGrid, crooked: Sequence[Box], sparse: float, curves: int = 1) -> bool:
    """Return whether at least so many curves reach into a grid of which less than the part `sparse` is filled, or one runs through much of it."""
    if any(_runs_through(box, grid.box) for box in crooked):
        return True
    filled = sum(bool(text) for row in grid.rows for text in row)
    over = sum(rows * columns - 1 for row, column, rows, columns in grid.spans if grid.rows[row][column])
    if filled + over >= sparse * len(grid.rows) * grid.width and grid.filled_share >= sparse:
        return False
    return sum(_reaches_into(box, grid.box) for box in crooked) >= curves


def _runs_through(box: Box, table: Box) -> bool:
    """Return whether a curve within a table is half as wide as it, and a third as high: the line of a chart."""
    within = box[0] > table[0] - _SLACK and box[2] < table[2] + _SLACK and box[1] > table[1] - _SLACK and box[3] < table[3] + _SLACK
    width, height = (box[2] - box[0]) / (table[2] - table[0]), (box[3] - box[1]) / (table[3] - table[1])
    return within and _HALF < width < _WHOLE and _THIRD < height < _WHOLE


def _reaches_into(box: Box, table: Box) -> bool:
    """Return whether a curve overlaps a table, and is not drawn around all of it."""
    around = box[0] < table[0] and box[1] < table[1] and box[2] > table[2] and box[3] > table[3]
    return not around and box[0] < table[2] and box[2] > table[0] and box[1] < table[3] and box[3] > table[1]


def _has_axis(cells: Sequence[FilledCell], grid: TableGrid, *, by_row: bool) -> bool:
    """Return whether there are numbers in equal steps along one column or row, with little beside them."""
    lines: dict[int, list[str]] = {}
    for row, column, text in cells:
        lines.setdefault(row if by_row else column, []).append(text)
    size = len(grid.rows) * grid.width
    for texts in lines.values():
        values = [value for text in texts if (value := _value(text)) is not None]
        length = grid.width if by_row else len(grid.rows)
        if len(values) >= max(_AXIS, len(texts) - 1) and _has_equal_steps(values) and len(cells) - len(texts) < 0.5 * (size - length):
            return True
    return False


def _value(text: str) -> float | None:
    value = parse_digits(text.rstrip("%"), english=True)
    return None if value is None else float(value)


def _has_equal_steps(values: Sequence[float]) -> bool:
    steps = [after - before for before, after in pairwise(values)]
    return steps[0] != 0 and all(abs(step - steps[0]) <= 0.01 * abs(steps[0]) for step in steps)
