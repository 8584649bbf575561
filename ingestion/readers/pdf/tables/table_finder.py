"""The tables of a PDF, page by page, those over several pages joined."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import pypdfium2

from ingestion.readers.base.page_lines import PageText
from ingestion.readers.pdf.page_characters import OpenPage
from ingestion.readers.pdf.tables.continuation import TablePart, join_parts, stands_first, stands_last
from ingestion.readers.pdf.tables.geometry import MAX_PIECES, MAX_WORDS, geometry_of, read_geometry
from ingestion.readers.pdf.tables.page_coordinates import box_as_shown, turned_page_size
from ingestion.readers.pdf.tables.page_headers import RunningHeads
from ingestion.readers.pdf.tables.page_tables import find_page_tables
from ingestion.readers.pdf.tables.table_headings import captions_of, count_heading_rows
from ingestion.readers.pdf.tables.table_model import Box, FoundTable, PageGeometry, TableGrid
from ingestion.readers.pdf.tables.text_direction import is_leftward
from ingestion.readers.pdf.tables.text_segments import lines_of, strip_leaders


class TableFinder:
    """Collects the tables of a document's pages, which are given to it one after another while they are open."""

    def __init__(self) -> None:
        self._parts: dict[int, list[TablePart]] = {}
        self._crowded: list[int] = []
        self._running = RunningHeads()

    def find_boxes(self, opened: OpenPage) -> list[Box]:
        """Find tables on an open page; return their boxes on the page as it is shown."""
        self.add_page(geometry_of(opened), opened.number)
        return [part.table.bbox for part in self._parts.get(opened.number, ())]

    def add_page(self, geometry: PageGeometry, number: int) -> None:
        if geometry.truncated:
            self._crowded.append(number)
        geometry.words = self._running.strip_running_heads(geometry.words, number)
        if parts := _parts(geometry, number):
            self._parts[number] = parts

    def joined_tables(self, pages: Sequence[PageText], warn: Callable[[str], None] | None = None) -> list[FoundTable]:
        """Return the tables of those of the `pages` that are `tabular`, in their order, those over several pages joined. `warn` is given a sentence
        where a page was too crowded for all of it to be considered."""
        if self._crowded and warn is not None:
            numbers = ", ".join(map(str, self._crowded[:10])) + (" …" if len(self._crowded) > 10 else "")
            limits = f"more than {MAX_WORDS:,} words or {MAX_PIECES:,} drawn lines"
            warn(f"Tables may be missing on crowded pages ({numbers}): they hold {limits}, of which only so many are considered.")
        return join_parts([part for page in pages if page.tabular for part in self._parts.get(page.number, [])])


def find_tables(document: Any, pages: Sequence[PageText], warn: Callable[[str], None] | None = None) -> list[FoundTable]:
    """Return the tables on those of the `pages` of an open pypdfium2 document that are `tabular`, as `TableFinder` finds them. A page that PDFium
    cannot load has no tables."""
    finder = TableFinder()
    for page in pages:
        if page.tabular:
            with suppress(pypdfium2.PdfiumError):  # the reader of the text has said so
                finder.add_page(read_geometry(document, page.number), page.number)
    return finder.joined_tables(pages, warn)


def _parts(geometry: PageGeometry, number: int) -> list[TablePart]:
    grids = find_page_tables(geometry)
    if not grids:
        return []
    lines = lines_of(word for word in geometry.words if not any(word.is_inside(grid.box) for grid in grids))
    height = turned_page_size(geometry.box, geometry.rotation)[1]
    others = [(line.top, line.bottom, line.text) for line in lines]
    parts = []
    for grid, caption in zip(grids, captions_of(grids, lines), strict=True):
        if is_leftward([text for row in grid.rows for text in row]):
            grid.mirror_columns()
        table = _make_table(grid, geometry, number, caption)
        outside = [other for other in others if not table.caption or other[2] not in table.caption]
        first = grid is grids[0] and stands_first(grid.box, outside, height)
        parts.append(TablePart(table, first, grid is grids[-1] and stands_last(grid.box, outside, height), grid.is_ruled, grid.column_sides))
    return parts


def _make_table(grid: TableGrid, geometry: PageGeometry, number: int, caption: str) -> FoundTable:
    box = box_as_shown(grid.box, geometry.box, geometry.rotation, geometry.shown_rotation)
    rows = [[strip_leaders(text) for text in row] for row in grid.rows]
    return FoundTable(number, box, rows, grid.spans, count_heading_rows(grid), caption, None, [(number, box)])
