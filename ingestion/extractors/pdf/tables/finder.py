"""The tables of a PDF, page by page, those over several pages joined."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import pypdfium2

from ingestion.extractors.pdf.characters import OpenPage
from ingestion.extractors.pdf.lines import PageText
from ingestion.extractors.pdf.tables.continuation import Part, join_pages, stands_first, stands_last
from ingestion.extractors.pdf.tables.direction import is_leftward
from ingestion.extractors.pdf.tables.frame import as_shown, size_of
from ingestion.extractors.pdf.tables.geometry import MAX_PIECES, MAX_WORDS, geometry_of, read_geometry
from ingestion.extractors.pdf.tables.headings import captions_of, heading_rows
from ingestion.extractors.pdf.tables.lines import lines_of, without_leaders
from ingestion.extractors.pdf.tables.model import Box, FoundTable, Geometry, Grid
from ingestion.extractors.pdf.tables.page import page_tables
from ingestion.extractors.pdf.tables.running import RunningLines


class TableFinder:
    """Collects the tables of a document's pages, which are given to it one after another while they are open."""

    def __init__(self) -> None:
        self._parts: dict[int, list[Part]] = {}
        self._crowded: list[int] = []
        self._running = RunningLines()

    def look(self, opened: OpenPage) -> list[Box]:
        """Find tables on an open page (a `Look` of the reader of pages); return their boxes on the page as it is shown."""
        self.take(geometry_of(opened), opened.number)
        return [part.table.bbox for part in self._parts.get(opened.number, ())]

    def take(self, geometry: Geometry, number: int) -> None:
        if geometry.cut:
            self._crowded.append(number)
        geometry.words = self._running.without(geometry.words, number)
        if parts := _parts(geometry, number):
            self._parts[number] = parts

    def tables(self, pages: Sequence[PageText], warn: Callable[[str], None] | None = None) -> list[FoundTable]:
        """Return the tables of those of the `pages` that are `tabular`, in their order, those over several pages joined. `warn` is given a sentence
        where a page was too crowded for all of it to be considered."""
        if self._crowded and warn is not None:
            numbers = ", ".join(map(str, self._crowded[:10])) + (" …" if len(self._crowded) > 10 else "")
            limits = f"more than {MAX_WORDS:,} words or {MAX_PIECES:,} drawn lines"
            warn(f"Tables may be missing on crowded pages ({numbers}): they hold {limits}, of which only so many are considered.")
        return join_pages([part for page in pages if page.tabular for part in self._parts.get(page.number, [])])


def find_tables(document: Any, pages: Sequence[PageText], warn: Callable[[str], None] | None = None) -> list[FoundTable]:
    """Return the tables on those of the `pages` of an open pypdfium2 document that are `tabular`, as `TableFinder` finds them. A page that PDFium
    cannot load has no tables."""
    finder = TableFinder()
    for page in pages:
        if page.tabular:
            with suppress(pypdfium2.PdfiumError):  # the reader of the text has said so
                finder.take(read_geometry(document, page.number), page.number)
    return finder.tables(pages, warn)


def _parts(geometry: Geometry, number: int) -> list[Part]:
    grids = page_tables(geometry)
    if not grids:
        return []
    lines = lines_of(word for word in geometry.words if not any(word.inside(grid.box) for grid in grids))
    height = size_of(geometry.box, geometry.rotation)[1]
    others = [(line.top, line.bottom, line.text) for line in lines]
    parts = []
    for grid, caption in zip(grids, captions_of(grids, lines), strict=True):
        if is_leftward([text for row in grid.rows for text in row]):
            grid.mirror()
        table = _found(grid, geometry, number, caption)
        outside = [other for other in others if not table.caption or other[2] not in table.caption]
        first = grid is grids[0] and stands_first(grid.box, outside, height)
        parts.append(Part(table, first, grid is grids[-1] and stands_last(grid.box, outside, height), grid.ruled, grid.sides))
    return parts


def _found(grid: Grid, geometry: Geometry, number: int, caption: str) -> FoundTable:
    box = as_shown(grid.box, geometry.box, geometry.rotation, geometry.shown)
    rows = [[without_leaders(text) for text in row] for row in grid.rows]
    return FoundTable(number, box, rows, grid.spans, heading_rows(grid), caption, None, [(number, box)])
