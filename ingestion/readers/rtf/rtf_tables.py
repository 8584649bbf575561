"""Tables of Rich Text Format: cells by their right edges, merged ones as spans, tables in cells row by row."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field

from ingestion.readers.base.document_builder import DocumentBuilder, clean_line
from ingestion.readers.base.table_grid import MAX_COLUMNS, Cell, CellGrid, guess_header_rows, join_merged_cells, lay_out_cells

_CLOSE = 40  # twips; edges that differ by less are the same column


@dataclass(slots=True)
class _CellDefinition:
    """`horizontal_merge` and `vertical_merge` are "" or "first" or "on": part of a cell over several columns or rows."""

    edge: int
    horizontal_merge: str = ""
    vertical_merge: str = ""


@dataclass(slots=True)
class _TableRow:
    texts: list[str]
    definitions: list[_CellDefinition]
    header: bool


@dataclass(slots=True)
class _NestingLevel:
    """Cells of the row that is open, at one depth of nesting, and how its cells are defined."""

    cells: list[str] = field(default_factory=list)
    rows: list[str] = field(default_factory=list)


class TableRows:
    """Collects cells and rows as they end. Definitions may stand before or behind the cells of their row, and hold until the next ones."""

    def __init__(self) -> None:
        self._levels: dict[int, _NestingLevel] = {}
        self._definitions: list[_CellDefinition] = []
        self._merged = self._below = ""
        self._header = False
        self._rows: list[_TableRow] = []

    def apply_definition(self, word: str, number: int | None) -> bool:
        """Apply a control word that defines a row, and return whether it was one."""
        match word:
            case "trowd":
                self._definitions, self._merged, self._below, self._header = [], "", "", False
            case "clmgf" | "clmrg":
                self._merged = "first" if word == "clmgf" else "on"
            case "clvmgf" | "clvmrg":
                self._below = "first" if word == "clvmgf" else "on"
            case "trhdr":
                self._header = True
            case "cellx":
                if len(self._definitions) < MAX_COLUMNS:
                    self._definitions.append(_CellDefinition(number or 0, self._merged, self._below))
                self._merged = self._below = ""
            case _:
                return False
        return True

    def end_cell(self, text: str, nesting: int) -> None:
        """End a cell. A cell that holds an inner table has its rows in front."""
        inner = self._levels.pop(nesting + 1, None)
        parts = [*(inner.rows if inner else ()), text]
        level = self._levels.setdefault(nesting, _NestingLevel())
        if len(level.cells) < MAX_COLUMNS:
            level.cells.append("\n".join(filter(None, map(clean_line, parts))))

    def end_row(self, nesting: int) -> None:
        """End a row."""
        level = self._levels.setdefault(nesting, _NestingLevel())
        cells, level.cells = level.cells, []
        if nesting > 1:
            level.rows.append(", ".join(filter(None, cells)))
        elif cells:
            self._rows.append(_TableRow(cells, list(self._definitions), self._header))

    def place_table(self, builder: DocumentBuilder) -> None:
        """Place the table so far, if there is one; a single cell is a paragraph."""
        grid, header = self.finish_table()
        if len(grid.rows) == 1 and len(grid.rows[0]) == 1:
            builder.paragraph(grid.rows[0][0])
        elif grid.rows:
            builder.table(grid.rows, header_rows=header, spans=grid.spans)

    def finish_table(self) -> tuple[CellGrid, int]:
        """Return the table so far and how many of its rows are a header, and begin the next one."""
        if any(level.cells for level in self._levels.values()):
            self.end_row(1)
        rows, self._rows, self._levels = self._rows, [], {}
        edges = _columns(rows)
        grid = lay_out_cells(join_merged_cells([_cells(row, edges) for row in rows]))
        declared = next((number for number, row in enumerate(rows) if not row.header), len(rows))
        return grid, declared if 0 < declared < len(rows) else guess_header_rows(grid.rows)


def _columns(rows: list[_TableRow]) -> list[int]:
    """Return the right edges of all columns of the table."""
    edges: list[int] = []
    for edge in sorted({definition.edge for row in rows for definition in row.definitions}):
        if not edges or edge - edges[-1] > _CLOSE:
            edges.append(edge)
    return edges[:MAX_COLUMNS]


def _cells(row: _TableRow, edges: list[int]) -> list[tuple[Cell, str]]:
    """Return the cells of a row over the columns that they cover, and how each merges with the one above."""
    cells: list[tuple[Cell, str]] = []
    column = 0
    for number, text in enumerate(row.texts):
        definition = row.definitions[number] if number < len(row.definitions) else None
        end = bisect_left(edges, definition.edge - _CLOSE) + 1 if definition else column + 1
        width = max(1, end - column)
        column += width
        if definition and definition.horizontal_merge == "on" and cells:
            last, below = cells[-1]
            cells[-1] = (Cell(" ".join(filter(None, [last.text, text])), last.columns + width), below)
        else:
            cells.append((Cell(text, width), definition.vertical_merge if definition else ""))
    return cells
