"""A document as units that can be quoted: sentences, items of lists, lines with a figure, and rows of tables with their cells."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

from agents.text.document_lines import MOST_CHARACTERS, DocumentLine, lines_of
from core.documents import BlockKind, ExtractedDocument, Table
from core.language.content_words import strip_thousands_marks

_MOST_ROWS = 2_000
_GAP = re.compile(r"(?:\s*\|\s*)+")
_NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")


@dataclass(frozen=True, slots=True)
class QuotableUnit:
    """`text` is what [start, end) says, its white space made single; `section` the headings above it; `cells` and `header` only for a row."""

    text: str
    start: int
    end: int
    kind: BlockKind
    section: tuple[str, ...] = ()
    page: int | None = None
    cells: tuple[str, ...] = ()
    header: tuple[str, ...] = ()
    header_span: tuple[int, int] | None = None

    @property
    def needs_header(self) -> bool:
        """True where its figures say nothing without the names of their columns: a row of three filled cells and more under a header."""
        return self.header_span is not None and sum(bool(cell) for cell in self.cells) >= 3 and len(self.cells) == len(self.header)

    @property
    def display_text(self) -> str:
        """The text; a row without its empty cells, one that needs its header as "label: column cell, column cell"."""
        if self.needs_header:
            pairs = [f"{name} {cell}".strip() for name, cell in zip(self.header[1:], self.cells[1:], strict=True) if cell]
            return f"{self.cells[0]}: {', '.join(pairs)}" if self.cells[0] else ", ".join(pairs)
        return _GAP.sub(" | ", self.text).strip(" |") if self.cells else self.text

    @property
    def numbers(self) -> frozenset[str]:
        return frozenset(strip_thousands_marks(number) for number in _NUMBER.findall(self.text))


@dataclass(frozen=True, slots=True)
class ChosenUnit:
    """A unit of a document that an answer quotes; `strength`, about 0..1.4, says how well it speaks of what is asked."""

    document_id: str
    unit: QuotableUnit
    strength: float = 1.0


def quotable_units(document: ExtractedDocument) -> list[QuotableUnit]:
    """Split a document into units in reading order, in the first 300,000 characters; headings, running heads and rows that name columns are
    left out."""
    found = [unit_of_line(line) for line in lines_of(document)]
    starts = [section.start for section in document.sections]
    for table in document.tables:
        if table.start < MOST_CHARACTERS:
            place = bisect_right(starts, table.start) - 1
            found += _row_units(document.text, table, document.sections[place].path if place >= 0 else ())
    return sorted(found, key=lambda each: each.start)


def unit_of_line(line: DocumentLine) -> QuotableUnit:
    """Return a line as a unit."""
    return QuotableUnit(line.text, line.start, line.end, line.kind, line.section, line.page)


def _row_units(text: str, table: Table, section: tuple[str, ...]) -> list[QuotableUnit]:
    header = tuple(" ".join(cell.split()) for cell in table.rows[table.header_rows - 1]) if table.header_rows and table.rows else ()
    named = table.row_spans[table.header_rows - 1] if header else None
    found = []
    for cells, (start, end) in list(zip(table.rows, table.row_spans, strict=True))[table.header_rows : _MOST_ROWS]:
        if end > start and any(cell.strip() for cell in cells):
            words = tuple(" ".join(cell.split()) for cell in cells)
            found.append(QuotableUnit(" ".join(text[start:end].split()), start, end, BlockKind.TABLE, section, table.page, words, header, named))
    return found
