"""The blocks of a page, put into the document in reading order."""

from __future__ import annotations

from collections.abc import Sequence

from core.documents import BlockKind
from ingestion.readers.base.document_builder import DocumentBuilder
from ingestion.readers.base.page_lines import PageLine, PageText
from ingestion.readers.pdf.annotations import PageAnnotations
from ingestion.readers.pdf.line_heuristics import BULLET, CAPTION
from ingestion.readers.pdf.paragraphs import LineJoiner, group_lines
from ingestion.readers.pdf.pdf_links import links_on
from ingestion.readers.pdf.table_placement import TableOnPages
from ingestion.readers.pdf.tables.table_parts import TablePiece, split_table

_LONGEST_CAPTION = 600


class _PartlyPlacedTable:
    """A table that is placed in parts: its number in the builder, and the rows of each part."""

    def __init__(self, counts: Sequence[int]) -> None:
        self.table_number: int | None = None
        self._counts = list(counts)
        self._row = 0

    def next_rows(self) -> tuple[int, int]:
        """Return the rows of the next part, as first and end."""
        first = self._row
        self._row += self._counts.pop(0) if self._counts else 0
        return first, self._row


class PagePlacer:
    """Puts pages into `builder`; `tables` are those that the pages' lines hold the places of."""

    def __init__(self, builder: DocumentBuilder, joiner: LineJoiner, tables: Sequence[TableOnPages]) -> None:
        self._builder = builder
        self._joiner = joiner
        self._tables = tables
        self._begun: dict[int, _PartlyPlacedTable] = {}

    def place_page(self, page: PageText) -> None:
        if any(line.places for line in page.lines):
            self._builder.note_turn(page.rotation)
        margin = min((line.left for line in page.lines if line.text and not line.furniture), default=0.0)
        for lines in group_lines(page.lines):
            if lines[0].table is not None:
                self._place_table_part(lines[0].table)
            else:
                self._place_text(lines, margin)
                self._builder.note_line_places([piece for line in lines for piece in line.places])
            for link in links_on(page.links, lines):
                self._builder.link(link.anchor, link.target)

    def place_annotations(self, beside: PageAnnotations) -> None:
        """Place the fields and notes of the page that was placed last."""
        for field in beside.fields:
            self._builder.list_item(field)
        for note in beside.notes:
            self._builder.block(BlockKind.NOTE, note)
        if beside.truncated:
            self._builder.warn("A page has more form fields and notes than are read of one page.")

    def _place_table_part(self, number: int) -> None:
        """Place the rows of a table that stand on this page."""
        table = self._tables[number]
        begun = self._begun.setdefault(number, _PartlyPlacedTable(table.rows_per_part or [len(table.rows)]))
        first, end = begun.next_rows()
        rows = table.rows[first:end]
        spans = [(row - first, column, down, across) for row, column, down, across in table.spans if first <= row < end]
        if begun.table_number is not None:
            self._builder.add_rows(begun.table_number, rows, spans=spans)
            return
        if len(table.rows_per_part) < 2:
            for piece in split_table(rows, table.header_rows, spans):
                self._place_piece(piece, table)
            return
        header_rows = max(0, table.header_rows - first)
        begun.table_number = self._builder.table(rows, header_rows=header_rows, caption=table.caption, spans=spans, last_page=table.last_page)

    def _place_piece(self, piece: TablePiece, table: TableOnPages) -> None:
        self._builder.block(BlockKind.CAPTION, piece.title)
        caption = ": ".join(filter(None, (table.caption, piece.title)))
        self._builder.table(piece.rows, header_rows=piece.header_rows, caption=caption, spans=piece.spans, last_page=table.last_page)

    def _place_text(self, lines: list[PageLine], margin: float) -> None:
        text = self._joiner.join_lines(lines)
        first = lines[0]
        if first.furniture or first.hidden:
            self._builder.block(BlockKind.FURNITURE, text)
        elif first.note:
            self._builder.block(BlockKind.NOTE, text)
        elif first.level:
            self._builder.heading(text, first.level)
        elif BULLET.match(first.text):
            self._builder.list_item(text, _depth(first, margin))
        elif CAPTION.match(first.text) and len(text) < _LONGEST_CAPTION:
            self._builder.block(BlockKind.CAPTION, text)
        else:
            self._builder.paragraph(text)


def _depth(line: PageLine, margin: float) -> int:
    """Return 1 for an item near the left edge of the page's text, 2 and 3 further in."""
    indent = (line.left - margin) / max(1.0, line.size)
    return 1 if indent < 3 or indent > 20 else 2 if indent < 6 else 3
