"""Tables of OpenDocument: rows and cells that are repeated, covered or span others, within bounds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ingestion.readers.base.document_builder import Span
from ingestion.readers.base.table_grid import MAX_COLUMNS
from ingestion.readers.odf.odf_package import TABLE, bounded_span, repeat_count

# A row that holds text and is repeated more often than this is an accident or an attack.
MOST_REPEATED = 1_000
_ROW_HOLDERS = frozenset(f"{TABLE}{name}" for name in "table-header-rows table-rows table-row-group".split())
_MAX_NESTING = 20


class TableReader:
    """Rows as lists of texts. `spans` are its merged cells as (row from 0, column, rows, columns), `truncated` says that repetitions were left
    out."""

    def __init__(self, read_cell: Callable[[Any], str]) -> None:
        self._read_cell = read_cell
        self._above: dict[int, tuple[int, str]] = {}
        self.spans: list[Span] = []
        self.header_rows = 0
        self.truncated = False
        self._row = 0

    def rows(self, table: Any) -> Iterator[list[str]]:
        """Yield all rows of a table element."""
        yield from self._rows(table, 0)

    def _rows(self, holder: Any, depth: int) -> Iterator[list[str]]:
        for child in holder if depth < _MAX_NESTING else ():
            if child.tag == f"{TABLE}table-row":
                yield from self.row(child)
            elif child.tag in _ROW_HOLDERS:
                before = self._row
                yield from self._rows(child, depth + 1)
                if child.tag == f"{TABLE}table-header-rows":
                    self.header_rows += self._row - before

    def row(self, element: Any) -> Iterator[list[str]]:
        """Yield the row of an element as often as it is there."""
        texts = self._cells(element)
        times = repeat_count(element, f"{TABLE}number-rows-repeated", 1 << 20)
        for _ in range(min(times, MOST_REPEATED)):
            self._row += 1
            yield list(texts)
        if times > MOST_REPEATED:
            self._row += times - MOST_REPEATED
            self.truncated = self.truncated or any(texts)

    def _cells(self, element: Any) -> list[str]:
        texts: list[str] = []
        column = 0
        for cell in element:
            covered = cell.tag == f"{TABLE}covered-table-cell"
            if column >= MAX_COLUMNS or not (covered or cell.tag == f"{TABLE}table-cell"):
                continue
            times = repeat_count(cell, f"{TABLE}number-columns-repeated", MAX_COLUMNS - column)
            text = "" if covered else self._read_cell(cell)
            if not covered:
                self._note_span(cell, column, text)
            for _ in range(times):
                texts.append(text or self._hanging_text(column))
                column += 1
        while texts and not texts[-1]:
            texts.pop()
        return texts

    def _note_span(self, cell: Any, column: int, text: str) -> None:
        rows, columns = bounded_span(cell, "rows"), bounded_span(cell, "columns")
        if rows > 1 or columns > 1:
            self.spans.append((self._row, column, rows, columns))
        if rows > 1 and text:
            self._above[column] = (self._row + rows, text)

    def _hanging_text(self, column: int) -> str:
        """Return the text of a cell that reaches down to this row."""
        end, text = self._above.get(column, (0, ""))
        return text if self._row < end else ""

    @property
    def position(self) -> int:
        """The number of rows that were passed, repeated empty ones included."""
        return self._row
