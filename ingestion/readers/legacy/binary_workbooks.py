"""Workbooks of Excel in binary parts (.xlsb). Calamine reads the values; what it would take in memory is found out before."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import python_calamine
from python_calamine import CalamineError, PasswordError, SheetTypeEnum, SheetVisibleEnum

from core.documents import ExtractedDocument, PageUnit
from core.errors import Encrypted, LimitExceeded, Malformed
from core.formats import FileKind, Format, NameRole, Viewer
from ingestion.readers.base.cell_values import format_cell_value
from ingestion.readers.base.document_builder import DocumentBuilder
from ingestion.readers.base.office_package import FAILURES, check_container, core_metadata
from ingestion.readers.base.sheet_tables import group_rows, place_groups
from ingestion.readers.base.source import MEBIBYTE, Source
from ingestion.readers.base.table_grid import MAX_COLUMNS

FORMATS = (Format("xlsb", "Excel workbook", FileKind.SPREADSHEET, Viewer.SHEET, (".xlsb",), name_role=NameRole.PROMISES),)
_CELL_BYTES = 32  # a place of calamine's grid, filled or not
_MOST_MERGED = 50_000
_Read = TypeVar("_Read")


def extract(source: Source) -> ExtractedDocument:
    """Read a .xlsb.

    Raises:
        Malformed: it cannot be opened.
        LimitExceeded: its cells lie so far apart that the sheet does not fit into memory, or it is an archive bomb.
        Encrypted: it needs a password.
        Empty: no cell of any sheet holds anything.
    """
    check_container(source.data, source.limits)
    if _places(source.data) > source.limits.memory_mb * MEBIBYTE // 2 // _CELL_BYTES:
        raise LimitExceeded("The cells of this workbook lie too far apart to be loaded (ingestion.memory_mb). Save it as .xlsx.")
    workbook = _call_guarded(lambda: python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(source.data)))
    builder = DocumentBuilder("xlsb", page_unit=PageUnit.SHEET, limit=source.limits.characters)
    builder.metadata = core_metadata(source.data)
    cells_left = source.limits.cells
    failure: Malformed | None = None
    for sheet in workbook.sheets_metadata[: source.limits.pages]:
        if sheet.typ in (SheetTypeEnum.Vba, SheetTypeEnum.MacroSheet):
            continue
        label = f"{sheet.name} (hidden)" if sheet.visible is not SheetVisibleEnum.Visible else str(sheet.name)
        builder.page(label)
        try:
            cells_left = _place_sheet(builder, workbook, sheet, label, cells_left)
        except Malformed as error:
            failure = error
            builder.warn(f"Sheet “{label}” could not be read: {error}")
        if cells_left <= 0 or builder.full:
            builder.warn(f"The limits are reached in sheet “{label}”: its last rows and the sheets behind it were not read.")
            break
    if failure is not None and not builder.has_text:
        raise failure
    return builder.build()


def _call_guarded(read: Callable[[], _Read]) -> _Read:
    """Return what `read` returns. A panic of the library is an error of this file; it is no `Exception` and would end the worker."""
    try:
        return read()
    except PasswordError as error:
        raise Encrypted("The workbook is encrypted: it needs a password.") from error
    except (CalamineError, *FAILURES) as error:
        raise Malformed(f"This Excel workbook is damaged and cannot be opened ({str(error)[:120]}).") from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise Malformed("This Excel workbook is damaged: its reader gave up.") from error


def _place_sheet(builder: DocumentBuilder, workbook: Any, entry: Any, label: str, cells_left: int) -> int:
    """Place a sheet; how many cells may still be read."""
    if entry.typ is not SheetTypeEnum.WorkSheet:
        return cells_left
    sheet = _call_guarded(lambda: workbook.get_sheet_by_name(entry.name))
    rows: list[tuple[int, list[str]]] = []
    for number, texts in _rows(sheet):
        if cells_left <= 0:
            break
        cells_left -= sum(1 for text in texts if text)
        rows.append((number, texts))
    groups = group_rows(rows)
    if groups:
        builder.heading(label, 1)
    merged = [(top[0] + 1, top[1], max(1, end[0] - top[0] + 1), max(1, end[1] - top[1] + 1)) for top, end in (sheet.merged_cell_ranges or ())]
    place_groups(builder, groups, merged[:_MOST_MERGED])
    return cells_left


def _rows(sheet: Any) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that hold anything: they are given from the first on, their columns from the first that is used."""
    rows, left = iter(sheet.iter_rows()), [""] * (sheet.start or (0, 0))[1]
    for number in range(1, (sheet.end or (0, 0))[0] + 2):
        row = _call_guarded(lambda: next(rows, None))
        if row is None:
            return
        texts = left + [format_cell_value(value) for value in row[:MAX_COLUMNS]]
        if any(texts):
            yield number, texts


# -- extent ------------------------------------------------------------------------------------------------------------------------------


def _places(data: bytes) -> int:
    """Return the number of cells of the rectangles that hold all values of the sheets: what dense grids of them take.

    Raises:
        Malformed: a part cannot be read.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            names = [name for name in package.namelist() if name.startswith("xl/worksheets/sheet") and name.endswith(".bin")]
            return sum(_extent(package.read(name)) for name in names)
    except (*FAILURES, RuntimeError) as error:
        raise Malformed(f"This Excel workbook is damaged and cannot be opened ({type(error).__name__}).") from error


def _extent(part: bytes) -> int:
    top, bottom, left, right, row = 1 << 30, -1, 1 << 30, -1, 0
    for kind, begin, end in _records(part):
        if kind == 0 and end - begin >= 4:
            row = struct.unpack_from("<I", part, begin)[0]
        elif 2 <= kind <= 11 and end - begin >= 4:
            column = struct.unpack_from("<I", part, begin)[0]
            top, bottom, left, right = min(top, row), max(bottom, row), min(left, column), max(right, column)
    return 0 if bottom < 0 else (bottom - top + 1) * (right - left + 1)


def _records(part: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield (type, begin, end) of records whose type and length are numbers of seven bits a byte."""
    at, total = 0, len(part)
    while at + 2 < total:
        kind = part[at]
        at += 1
        if kind & 0x80:
            kind = (kind & 0x7F) | (part[at] << 7)
            at += 1
        size = shift = 0
        while at < total and shift < 28:
            byte = part[at]
            at += 1
            size |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                break
        if at + size > total:
            return
        yield kind, at, at + size
        at += size
