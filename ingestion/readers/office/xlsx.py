"""Excel workbooks, read row by row with the values that Excel last computed. Each sheet is a page, a section and one or more tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import openpyxl
from defusedxml.common import DefusedXmlException  # type: ignore[import-untyped]  # ships no types

from core.documents import BlockKind, ExtractedDocument, PageUnit
from core.errors import Malformed
from core.formats import FileKind, Format, NameRole, Viewer
from ingestion.readers.base.cell_values import format_cell_value
from ingestion.readers.base.document_builder import DocumentBuilder
from ingestion.readers.base.office_package import FAILURES, core_metadata, open_package
from ingestion.readers.base.sheet_tables import group_rows, place_groups
from ingestion.readers.base.source import Source
from ingestion.readers.base.table_grid import MAX_COLUMNS
from ingestion.readers.office.xlsx_drawings import SheetTexts

FORMATS = (
    Format(
        name="xlsx",
        title="Excel workbook",
        kind=FileKind.SPREADSHEET,
        viewer=Viewer.SHEET,
        suffixes=(".xlsx", ".xlsm"),
        rare_suffixes=(".xltx",),
        name_role=NameRole.PROMISES,
        zip_members=("xl/workbook.xml",),
        spoken_endings=("xlsx", "xlsm"),
    ),
)
_MOST_ROWS = 1_048_576  # of a sheet of Excel
_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")


def extract(source: Source) -> ExtractedDocument:
    """Read a .xlsx, .xlsm or .xltx.

    Raises:
        Malformed: the package cannot be opened, or defines XML entities (no workbook needs them; bombs do).
        LimitExceeded, Encrypted: see `open_package`.
        Empty: no cell of any sheet holds anything.
    """
    try:
        workbook = open_package(source, _load, "Excel workbook")
    except DefusedXmlException as error:
        raise Malformed("The workbook defines XML entities, as an entity bomb does: it was not opened.") from error
    try:
        return _read_workbook(workbook, source, SheetTexts(source.data))
    finally:
        workbook.close()


def _load(file: Any) -> Any:
    return openpyxl.load_workbook(file, read_only=True, data_only=True, keep_links=False)


def _read_workbook(workbook: Any, source: Source, texts: SheetTexts) -> ExtractedDocument:
    builder = DocumentBuilder("xlsx", page_unit=PageUnit.SHEET, limit=source.limits.characters)
    builder.metadata = core_metadata(source.data)
    cells_left = source.limits.cells
    for sheet in workbook.worksheets[: source.limits.pages]:
        hidden = getattr(sheet, "sheet_state", "visible") != "visible"
        label = f"{sheet.title} (hidden)" if hidden else str(sheet.title)
        builder.page(label)
        reader = _SheetReader(sheet, cells_left)
        try:
            groups = group_rows(reader.rows())
        except DefusedXmlException as error:
            raise Malformed("The workbook defines XML entities, as an entity bomb does: it was not read.") from error
        cells_left = reader.cells_left
        notes = texts.texts_of(sheet)
        if groups or notes:
            builder.heading(label, 1)
        place_groups(builder, groups, texts.merged_cells(sheet))
        for note in notes:
            builder.block(BlockKind.NOTE, note)
        if uncomputed := texts.count_uncomputed(sheet):
            builder.warn(f"{uncomputed:,} formulas of sheet “{label}” hold no computed value: open and save the workbook in Excel or LibreOffice.")
        if reader.failure:
            builder.note_omitted_rows()
            builder.warn(f"Sheet “{label}” is damaged: only its first {reader.row:,} rows were read ({reader.failure}).")
        elif cells_left <= 0 or builder.full:
            builder.note_omitted_rows()
            builder.warn(f"Only the first {reader.row:,} rows of sheet “{label}” and the sheets before it were read: the limits are reached.")
            break
    return builder.build()


# -- rows --------------------------------------------------------------------------------------------------------------------------------


class _SheetReader:
    """Rows of one sheet as texts, until the cells that are left are used up or the sheet breaks off."""

    def __init__(self, sheet: Any, cells_left: int) -> None:
        self._sheet = sheet
        self.cells_left = cells_left
        self.row = 0
        self.failure = ""

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        # The declared dimension may be the whole grid; without it only the rows that are there are made.
        self._sheet.reset_dimensions()
        rows = self._sheet.iter_rows()
        while self.cells_left > 0 and self.row < _MOST_ROWS:  # a row's number may be anything, and rows that are absent are made up
            try:
                row = next(rows, None)
            except DefusedXmlException:
                raise
            except FAILURES as error:
                self.failure = type(error).__name__
                return
            if row is None:
                return
            self.row += 1
            texts = [display_text(cell) for cell in row[:MAX_COLUMNS]]
            filled = sum(1 for text in texts if text)
            if filled:
                self.cells_left -= filled
                yield self.row, texts


# -- cells -------------------------------------------------------------------------------------------------------------------------------


def display_text(cell: Any) -> str:
    """Return the text of a cell as Excel shows it."""
    value = cell.value
    if isinstance(value, str) and "_x" in value:
        return _ESCAPE.sub(_unescape, value).strip()
    return format_cell_value(value, _number_format(cell) if isinstance(value, int | float) else "")


def _number_format(cell: Any) -> str:
    """Return the number format of a cell; "" where it names a style that is not there."""
    try:
        return str(cell.number_format)
    except FAILURES:
        return ""


def _unescape(match: re.Match[str]) -> str:
    """Restore control characters, which are written as _x000D_ in XML."""
    code = int(match[1], 16)
    return chr(code) if code in (9, 10, 13, 0x5F) else ""
