"""What tells a table without ruled cells from running text, lists, contents and diagrams."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from ingestion.extractors.pdf_tables.lines import numeric
from ingestion.extractors.pdf_tables.model import Grid

_BULLET = re.compile(r"^(?:[•●▪◦*○o–-]|\(?[a-zivx\d]{1,4}[).])$")
_NUMBERED = re.compile(r"^(?:\d+(?:\.\d+)*|[A-Z])\.? \w")
_LEADERS = re.compile(r"\.\s?\.\s?\.")

Cell = tuple[int, int, str]


def is_table(grid: Grid, *, framed: bool) -> bool:
    """Whether the grid is a table; `framed` says that rules stand above and below, which makes it likely."""
    cells = [(row, column, text) for row, texts in enumerate(grid.rows) for column, text in enumerate(texts) if text]
    if len(cells) < 4:
        return False
    if not framed and (_is_running_text(cells) or _is_list(cells, grid.width) or _is_contents(cells, grid)):
        return False
    behind = [text for _, column, text in cells if column]
    figures = sum(map(numeric, behind)) / max(1, len(behind))
    long = sum(len(text.split()) > 7 for _, _, text in cells) / len(cells)
    filled = len(cells) / (len(grid.rows) * grid.width)
    if framed:
        return _is_framed_table(cells, grid, figures, long, filled)
    if grid.width == 2:
        return figures > 0.5 and long < 0.3
    return (figures > 0.25 and filled > 0.35 and long < 0.3) or (filled > 0.6 and long < 0.12 and len(grid.rows) >= 4)


def _is_framed_table(cells: Sequence[Cell], grid: Grid, figures: float, long: float, filled: float) -> bool:
    names = [text for _, column, text in cells if column == 0]
    if sum(len(text.split()) <= 7 for text in names) > 0.8 * len(names):
        long *= 0.75
    if long >= 0.5 or filled <= 0.25:
        return False
    return figures > 0.2 or (len(grid.rows) >= 3 and filled > 0.5 and _broken(cells) < 0.35)


def _broken(cells: Sequence[Cell]) -> float:
    """The part of the texts that go on with another's sentence: they begin small or end with a hyphen."""
    texts = [text for _, _, text in cells if not numeric(text)]
    return sum(text[0].islower() or text.endswith("-") for text in texts) / max(1, len(texts))


def _is_running_text(cells: Sequence[Cell]) -> bool:
    words = sum(not numeric(text) for _, _, text in cells)
    return _broken(cells) > 0.4 and words > 0.5 * len(cells)


def _is_list(cells: Sequence[Cell], width: int) -> bool:
    """A column of bullets or of the numbers of a list."""
    if width > 3:
        return False
    for column in range(width):
        texts = [text for _, place, text in cells if place == column]
        if texts and sum(bool(_BULLET.match(text)) for text in texts) > 0.6 * len(texts):
            return True
    return False


def _is_contents(cells: Sequence[Cell], grid: Grid) -> bool:
    """Titles with page numbers that only grow, behind dot leaders or numbered."""
    last = [text for _, column, text in cells if column == grid.width - 1]
    pages = [int(text) for text in last if text.isdecimal()]
    if grid.width > 3 or len(last) < 3 or len(pages) <= 0.8 * len(last):
        return False
    if any(after < before for before, after in pairwise(pages)):
        return False
    leaders = sum(bool(_LEADERS.search(text)) for _, _, text in cells)
    numbered = sum(bool(_NUMBERED.match(text)) for _, column, text in cells if column == 0)
    return leaders >= 2 or numbered > 0.5 * len(grid.rows)
