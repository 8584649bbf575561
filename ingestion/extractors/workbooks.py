"""Binary workbooks: .xls of Excel 5 to 2003 and .xlsb. Calamine reads the values; what it would take in memory is found out before."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import python_calamine
from python_calamine import CalamineError, PasswordError, SheetTypeEnum, SheetVisibleEnum

from core.documents import ExtractedDocument, Metadata, PageUnit
from core.errors import Encrypted, LimitExceeded, Malformed
from ingestion.builder import DocumentBuilder
from ingestion.extractors.biff import SheetFacts, binary_extent, password_record, sheet_facts
from ingestion.extractors.cell_values import shown
from ingestion.extractors.compound import SIGNATURE, CompoundFile
from ingestion.extractors.grid import MAX_COLUMNS
from ingestion.extractors.legacy_ciphers import unlocked_workbook
from ingestion.extractors.ole_summary import summary
from ingestion.extractors.ooxml import FAILURES, check_container, core_metadata
from ingestion.extractors.sheets import group_rows, place_groups
from ingestion.extractors.source import MEBIBYTE, Source

_CELL_BYTES = 32  # a place of calamine's grid, filled or not
_LOCKED = "The workbook is encrypted: it needs a password. Save a copy without one."
_WRONG = "The workbook is encrypted, and the password that was given does not open it."


def extract(source: Source) -> ExtractedDocument:
    """A .xls, .xlt or .xlsb.

    Raises:
        Malformed: it cannot be opened.
        LimitExceeded: its cells lie so far apart that the sheet does not fit into memory, or it is an archive bomb.
        Encrypted: it needs a password.
        Empty: no cell of any sheet holds anything.
    """
    if source.data.startswith(SIGNATURE):
        source, facts = _opened(source)
        about = summary(source.data)
    else:
        facts, about = _package_facts(source)
    room = source.limits.memory_mb * MEBIBYTE // 2 // _CELL_BYTES
    if sum(sheet.places for sheet in facts) > room:
        raise LimitExceeded("The cells of this workbook lie too far apart to be loaded (ingestion.memory_mb). Save it as .xlsx.")
    workbook = _guarded(lambda: python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(source.data)))
    if not workbook.sheets_metadata:
        raise Malformed("This Excel workbook is damaged: it holds no sheets.")
    builder = DocumentBuilder("xls" if source.data.startswith(SIGNATURE) else "xlsb", page_unit=PageUnit.SHEET, limit=source.limits.characters)
    builder.metadata = about
    _Reader(builder, workbook, facts, source).read()
    return builder.build()


def _opened(source: Source) -> tuple[Source, list[SheetFacts]]:
    """The file in the clear, and the facts of its sheets.

    Raises:
        Encrypted: it needs another password.
    """
    container = CompoundFile(source.data)
    name = "Workbook" if container.stream("Workbook") else "Book"
    stream = container.stream(name)
    header = password_record(stream)
    if header is not None:
        clear = unlocked_workbook(stream, header, source.password)
        if clear is None:
            raise Encrypted(_WRONG if source.password else _LOCKED)
        stream, source = clear, replace(source, data=container.with_stream(name, clear))
    return source, sheet_facts(stream)


def _package_facts(source: Source) -> tuple[list[SheetFacts], Metadata]:
    """The facts in the order of the parts' numbers; which sheet they belong to does not matter for the bound."""
    check_container(source.data, source.limits)
    try:
        with zipfile.ZipFile(io.BytesIO(source.data)) as package:
            sheets = [name for name in package.namelist() if name.startswith("xl/worksheets/sheet") and name.endswith(".bin")]
            return [binary_extent(package.read(name)) for name in sheets], core_metadata(source.data)
    except (*FAILURES, RuntimeError) as error:
        raise Malformed(f"This Excel workbook is damaged and cannot be opened ({type(error).__name__}).") from error


def _guarded(read: Any) -> Any:
    """What `read` returns. A panic of the library is an error of this file; it is no `Exception` and would end the worker."""
    try:
        return read()
    except PasswordError as error:
        raise Encrypted(_LOCKED) from error
    except (CalamineError, *FAILURES) as error:
        raise Malformed(f"This Excel workbook is damaged and cannot be opened ({str(error)[:120]}).") from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise Malformed("This Excel workbook is damaged: its reader gave up.") from error


class _Reader:
    """Places the sheets one after another."""

    def __init__(self, builder: DocumentBuilder, workbook: Any, facts: list[SheetFacts], source: Source) -> None:
        self._builder = builder
        self._workbook = workbook
        self._facts = facts if _in_order(source) else []
        self._limits = source.limits
        self._cells_left = source.limits.cells
        self._row = 0

    def read(self) -> None:
        for number, sheet in enumerate(self._workbook.sheets_metadata[: self._limits.pages]):
            if sheet.typ in (SheetTypeEnum.Vba, SheetTypeEnum.MacroSheet):
                continue
            hidden = sheet.visible is not SheetVisibleEnum.Visible
            label = f"{sheet.name} (hidden)" if hidden else str(sheet.name)
            self._builder.page(label)
            if sheet.typ is SheetTypeEnum.ChartSheet:
                continue
            self._sheet(number, sheet.name, label)
            if self._cells_left <= 0 or self._builder.full:
                self._builder.warn(
                    f"Only the first {self._row:,} rows of sheet “{label}” and the sheets before it were read: the limits are reached."
                )
                return

    def _sheet(self, number: int, name: str, label: str) -> None:
        facts = self._facts[number] if number < len(self._facts) else SheetFacts()
        try:
            sheet = _guarded(lambda: self._workbook.get_sheet_by_name(name))
            groups = group_rows(self._rows(sheet, facts))
            merged = facts.merged or [_span(*area) for area in (sheet.merged_cell_ranges or ())[:50_000]]
        except Malformed as error:
            self._builder.warn(f"Sheet “{label}” could not be read: {error}")
            return
        if groups:
            self._builder.heading(label, 1)
        place_groups(self._builder, groups, merged)

    def _rows(self, sheet: Any, facts: SheetFacts) -> Iterator[tuple[int, list[str]]]:
        rows, left = iter(sheet.iter_rows()), [""] * (sheet.start or (0, 0))[1]  # rows are given from the first, columns from the first used
        for number in range(1, (sheet.end or (0, 0))[0] + 2):
            row = _guarded(lambda: next(rows, None))
            if row is None or self._cells_left <= 0:
                return
            self._row = number
            cells = enumerate(row[:MAX_COLUMNS], start=len(left))
            texts = left + [shown(value, facts.formats.get((number - 1, place), "")) for place, value in cells]
            if filled := sum(1 for text in texts if text):
                self._cells_left -= filled
                yield number, texts


def _in_order(source: Source) -> bool:
    """Whether the facts stand in the order of the sheets: in an .xls they do."""
    return source.data.startswith(SIGNATURE)


def _span(first: tuple[int, int], last: tuple[int, int]) -> tuple[int, int, int, int]:
    return first[0] + 1, first[1], max(1, last[0] - first[0] + 1), max(1, last[1] - first[1] + 1)
