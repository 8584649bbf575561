"""Workbooks of Excel 5 to 2003 (MS-XLS): records, shared strings, formats, and the cells of each sheet as they are shown.

Nothing is taken from the file's own counts without the bytes to go with it: a damaged workbook gives fewer cells, never more memory.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from openpyxl.styles.numbers import BUILTIN_FORMATS, is_date_format
from openpyxl.utils.datetime import CALENDAR_MAC_1904, CALENDAR_WINDOWS_1900, from_excel

from ingestion.readers.base.cell_values import format_cell_value
from ingestion.readers.base.document_builder import Span
from ingestion.readers.rtf.rtf_tokens import code_page

_BOF, _EOF, _FILEPASS, _BOUNDSHEET, _XF, _FORMAT, _MERGED, _SST, _CONTINUE = 0x0809, 0x0A, 0x2F, 0x85, 0xE0, 0x041E, 0xE5, 0xFC, 0x3C
_CODE_PAGE, _DATE_MODE, _STRING, _OBJECT, _TEXT_OBJECT, _NOTE = 0x42, 0x22, 0x0207, 0x5D, 0x01B6, 0x1C
_NUMBER, _RK, _MULRK, _FORMULA, _LABEL, _LABEL_SST, _TRUTH, _RICH = 0x0203, 0x027E, 0xBD, 0x0006, 0x0204, 0xFD, 0x0205, 0xD6
_LEAST_BYTES = {_LABEL_SST: 4, _RK: 4, _TRUTH: 2, _NUMBER: 8}  # of the body of a cell with one value
_CELLS = frozenset({_NUMBER, _RK, _MULRK, _FORMULA, _LABEL, _LABEL_SST, _TRUTH, _RICH})
_BIFF8 = 0x0600
_MOST_MERGED = 50_000
_ERRORS = {0: "#NULL!", 7: "#DIV/0!", 15: "#VALUE!", 23: "#REF!", 29: "#NAME?", 36: "#NUM!", 42: "#N/A"}
# Formats that mean something else from land to land; in all of them they are days or times.
_LOCAL_DATES = frozenset({*range(27, 37), *range(50, 59)})
WORKSHEET, CHART = 0, 2


def records(stream: bytes, at: int = 0) -> Iterator[tuple[int, int, int]]:
    """Yield (type, begin, end) of the bodies of all records of a stream from an offset on."""
    end = len(stream)
    while at + 4 <= end:
        kind, size = struct.unpack_from("<HH", stream, at)
        at += 4
        if at + size > end:
            return
        yield kind, at, at + size
        at += size


def password_record(stream: bytes) -> bytes | None:
    """Return the body of the record that says how the workbook is encrypted; None if it is not."""
    for count, (kind, begin, end) in enumerate(records(stream)):
        if kind == _FILEPASS:
            return stream[begin:end]
        if kind == _EOF or count > 50:
            return None
    return None


@dataclass(slots=True)
class SheetEntry:
    """A sheet as the workbook lists it: where it begins, its name, its kind, and whether it is hidden."""

    offset: int
    name: str
    kind: int
    hidden: bool


@dataclass(slots=True)
class SheetContent:
    """The content of a sheet: texts of cells by row (from 1) and column, merged cells, and notes. `truncated` says that the limit was reached."""

    rows: dict[int, dict[int, str]] = field(default_factory=dict)
    merged_cells: list[Span] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    cells: int = 0
    truncated: bool = False

    def lines(self) -> Iterator[tuple[int, list[str]]]:
        """Yield the rows that hold anything, each as wide as its last cell."""
        for number in sorted(self.rows):
            row = self.rows[number]
            line = [""] * (max(row) + 1)
            for column, text in row.items():
                line[column] = text
            yield number, line


class Workbook:
    """The parts of a workbook that all sheets share."""

    def __init__(self, stream: bytes) -> None:
        self._stream = stream
        self._wide = True
        self._encoding = "cp1252"
        self._epoch = CALENDAR_WINDOWS_1900
        self._formats: dict[int, str] = dict(BUILTIN_FORMATS)
        self._styles: list[tuple[str, bool]] = []
        self._strings: list[str] = []
        self.sheets: list[SheetEntry] = []
        pieces: list[tuple[int, int]] = []
        for kind, begin, end in records(stream):
            if kind == _EOF:
                break
            if kind == _SST or (kind == _CONTINUE and pieces):
                pieces.append((begin, end))
            elif pieces and not self._strings:
                self._strings = _shared_strings(stream, pieces)
            if end - begin >= 2:
                self._read_global(kind, begin, end)
        if pieces and not self._strings:
            self._strings = _shared_strings(stream, pieces)

    def _read_global(self, kind: int, begin: int, end: int) -> None:
        first = struct.unpack_from("<H", self._stream, begin)[0]
        if kind == _BOF:
            self._wide = first >= _BIFF8
        elif kind == _CODE_PAGE:
            self._encoding = code_page(first) if first != 1200 else "cp1252"
        elif kind == _DATE_MODE:
            self._epoch = CALENDAR_MAC_1904 if first else CALENDAR_WINDOWS_1900
        elif kind == _FORMAT and end - begin > 3:
            self._formats[first] = self._text(begin + 2, end, 2 if self._wide else 1)
        elif kind == _XF and end - begin >= 4:
            identifier = struct.unpack_from("<H", self._stream, begin + 2)[0]
            style = self._formats.get(identifier, "")
            self._styles.append((style, identifier in _LOCAL_DATES or bool(is_date_format(style))))
        elif kind == _BOUNDSHEET and end - begin >= 8:
            at, state, sort = struct.unpack_from("<IBB", self._stream, begin)
            self.sheets.append(SheetEntry(at, self._text(begin + 6, end, 1), sort, state & 3 != 0))

    def _text(self, begin: int, end: int, length_bytes: int) -> str:
        """Read a string with its length before it; from Excel 97 on a byte says how wide its characters are."""
        if end - begin < length_bytes + self._wide:
            return ""
        length = int.from_bytes(self._stream[begin : begin + length_bytes], "little")
        at = begin + length_bytes
        if not self._wide:
            return self._stream[at : min(at + length, end)].decode(self._encoding, errors="replace")
        wide = self._stream[at] & 1
        content = self._stream[at + 1 : min(at + 1 + length * (2 if wide else 1), end)]
        return content.decode("utf-16-le" if wide else "latin-1", errors="replace")

    # -- sheets ----------------------------------------------------------------------------------------------------------------------

    def content(self, sheet: SheetEntry, limit: int) -> SheetContent:
        """Read the cells of a sheet, at most `limit` of them."""
        found = SheetContent()
        if sheet.offset >= len(self._stream):
            return found
        waiting: tuple[int, int] | None = None  # the formula whose text stands in the next record
        objects = _DrawnTexts()
        depth = 0
        for kind, begin, end in records(self._stream, sheet.offset):
            depth += (kind == _BOF) - (kind == _EOF)
            if depth <= 0:
                break
            if depth > 1:
                continue  # a chart on the sheet has a stream of its own
            if kind in _CELLS and end - begin >= 6:
                waiting = self._read_cell(found, kind, begin, end)
            elif kind == _STRING and waiting:
                self._store_text(found, *waiting, self._text(begin, end, 2))
            elif kind == _MERGED and len(found.merged_cells) < _MOST_MERGED:
                found.merged_cells += self._read_merged_cells(begin, end)
            else:
                objects.read_record(self._stream, kind, begin, end)
            if found.cells >= limit:
                found.truncated = True
                break
        found.notes = objects.notes()
        return found

    def _read_cell(self, found: SheetContent, kind: int, begin: int, end: int) -> tuple[int, int] | None:
        """Take in a record of cells; the place of a formula whose text is still to come."""
        row, column, style = struct.unpack_from("<HHH", self._stream, begin)
        body = self._stream[begin + 6 : end]
        if kind == _FORMULA and len(body) >= 8:
            return self._read_formula_result(found, row, column, style, body)
        if kind == _MULRK:
            for place in range(min(256, (end - begin - 6) // 6)):
                number, value = struct.unpack_from("<HI", self._stream, begin + 4 + 6 * place)
                self._store_text(found, row, column + place, self._number(_decode_rk(value), number))
        elif kind in (_LABEL, _RICH):
            self._store_text(found, row, column, self._text(begin + 6, end, 2))
        elif len(body) >= _LEAST_BYTES.get(kind, len(body) + 1):
            self._store_text(found, row, column, self._fixed_value(kind, style, body))
        return None

    def _fixed_value(self, kind: int, style: int, body: bytes) -> str:
        """Return the text of a cell of one of the kinds of `_LEAST_BYTES`."""
        if kind == _TRUTH:
            return _ERRORS.get(body[0], "#ERROR") if body[1] else format_cell_value(bool(body[0]))
        if kind == _NUMBER:
            return self._number(struct.unpack_from("<d", body)[0], style)
        value = struct.unpack_from("<I", body)[0]
        if kind == _RK:
            return self._number(_decode_rk(value), style)
        return self._strings[value] if value < len(self._strings) else ""

    def _read_formula_result(self, found: SheetContent, row: int, column: int, style: int, body: bytes) -> tuple[int, int] | None:
        """Return the value that a formula last had."""
        if body[6:8] != b"\xff\xff":
            self._store_text(found, row, column, self._number(struct.unpack_from("<d", body)[0], style))
        elif body[0] == 0:
            return row, column
        elif body[0] in (1, 2):
            self._store_text(found, row, column, format_cell_value(bool(body[2])) if body[0] == 1 else _ERRORS.get(body[2], "#ERROR"))
        return None

    def _store_text(self, found: SheetContent, row: int, column: int, text: str) -> None:
        text = text.strip()
        if text and column < 256:
            found.rows.setdefault(row + 1, {})[column] = text
            found.cells += 1

    def _number(self, value: float, style: int) -> str:
        form, dated = self._styles[style] if style < len(self._styles) else ("", False)
        if dated:
            try:
                moment = from_excel(value, self._epoch)
            except (ValueError, OverflowError, TypeError):
                moment = None
            if moment is not None:
                return format_cell_value(moment.replace(microsecond=0) if isinstance(moment, datetime) else moment)
        return format_cell_value(float(value), form) if value == value and abs(value) != float("inf") else ""  # noqa: PLR0124  (not a number is no cell)

    def _read_merged_cells(self, begin: int, end: int) -> list[Span]:
        count = min(struct.unpack_from("<H", self._stream, begin)[0], (end - begin - 2) // 8) if end - begin >= 2 else 0
        areas = (struct.unpack_from("<4H", self._stream, begin + 2 + 8 * number) for number in range(count))
        return [(top + 1, left, bottom - top + 1, right - left + 1) for top, bottom, left, right in areas if top <= bottom and left <= right]


@dataclass(slots=True)
class _DrawnTexts:
    """Text boxes and comments: an object, its text in the records behind it, and which cell it is a comment on."""

    current_object: int = -1
    expected_characters: int = 0
    texts: dict[int, str] = field(default_factory=dict)
    cells: dict[int, tuple[str, str]] = field(default_factory=dict)

    def read_record(self, stream: bytes, kind: int, begin: int, end: int) -> None:
        if kind == _OBJECT and end - begin >= 8:
            self.current_object = struct.unpack_from("<H", stream, begin + 6)[0]
        elif kind == _TEXT_OBJECT and end - begin >= 12:
            self.expected_characters = struct.unpack_from("<H", stream, begin + 10)[0]
        elif kind == _CONTINUE and self.expected_characters and end - begin > 1 and len(self.texts) < _MOST_MERGED:
            wide = stream[begin] & 1
            content = stream[begin + 1 : min(end, begin + 1 + self.expected_characters * (2 if wide else 1))]
            self.texts[self.current_object] = content.decode("utf-16-le" if wide else "latin-1", errors="replace")
            self.expected_characters = 0
        elif kind == _NOTE and end - begin >= 11:
            row, column, _, number, length, wide = struct.unpack_from("<HHHHHB", stream, begin)
            name = stream[begin + 11 : min(end, begin + 11 + length * (2 if wide & 1 else 1))].decode(
                "utf-16-le" if wide & 1 else "latin-1", "replace"
            )
            self.cells[number] = (f"{_letters(column)}{row + 1}", name.strip())

    def notes(self) -> list[str]:
        """List comments with their authors and cells; other texts as they are."""
        found = []
        for number, text in self.texts.items():
            place, author = self.cells.get(number, ("", ""))
            said = text.removeprefix(f"{author}:").strip() if author else text.strip()
            found.append(f"Comment{' by ' + author if author else ''} on {place}: {said}" if place else said)
        return [note for note in found if note.strip()]


def _letters(column: int) -> str:
    """Return a column's letters: "A" for 0, "AA" for 26."""
    return (chr(64 + column // 26) if column >= 26 else "") + chr(65 + column % 26)


def _decode_rk(value: int) -> float:
    """Decode a number in four bytes: a whole one or the upper half of a float, perhaps in hundredths."""
    if value & 2:
        number = float((value >> 2) - (1 << 30 if value & 0x80000000 else 0))
    else:
        number = float(struct.unpack("<d", struct.pack("<Q", (value & 0xFFFFFFFC) << 32))[0])
    return number / 100 if value & 1 else number


def _shared_strings(stream: bytes, pieces: list[tuple[int, int]]) -> list[str]:
    """Return the strings of the table, which may break off anywhere and go on in the next record."""
    reader = _RecordBytes(stream, pieces)
    reader.skip(8)
    found: list[str] = []
    while not reader.has_ended:
        head = reader.read_bytes(3)
        if len(head) < 3:
            break
        length, flags = struct.unpack("<HB", head)
        runs = int.from_bytes(reader.read_bytes(2), "little") if flags & 8 else 0
        extra = int.from_bytes(reader.read_bytes(4), "little") if flags & 4 else 0
        found.append(reader.characters(length, flags & 1))
        reader.skip(4 * runs + extra)
    return found


class _RecordBytes:
    """Bytes over the bounds of records."""

    def __init__(self, stream: bytes, pieces: list[tuple[int, int]]) -> None:
        self._stream, self._pieces = stream, pieces
        self._piece = 0
        self._at = pieces[0][0]

    @property
    def has_ended(self) -> bool:
        return self._piece >= len(self._pieces) - 1 and self._at >= self._pieces[-1][1]

    def _bytes_left(self) -> int:
        """Return the bytes left in the current piece; goes on to the next one where there are none."""
        while self._at >= self._pieces[self._piece][1] and self._piece + 1 < len(self._pieces):
            self._piece += 1
            self._at = self._pieces[self._piece][0]
        return self._pieces[self._piece][1] - self._at

    def read_bytes(self, size: int) -> bytes:
        taken = b""
        while size > 0 and (room := self._bytes_left()) > 0:
            part = self._stream[self._at : self._at + min(size, room)]
            taken, size = taken + part, size - len(part)
            self._at += len(part)
        return taken

    def skip(self, size: int) -> None:
        while size > 0 and (room := self._bytes_left()) > 0:
            step = min(size, room)
            self._at, size = self._at + step, size - step

    def characters(self, count: int, wide: int) -> str:
        """Read characters; where they go on in another record, its first byte says anew how wide they are."""
        parts: list[str] = []
        while count > 0:
            piece = self._piece
            room = self._bytes_left()
            if room <= 0:
                break
            if self._piece != piece:
                wide = self._stream[self._at] & 1
                self._at += 1
                room -= 1
            width = 2 if wide else 1
            number = min(count, room // width)
            parts.append(self._stream[self._at : self._at + number * width].decode("utf-16-le" if wide else "latin-1", errors="replace"))
            self._at += number * width if number else room
            count -= number
        return "".join(parts)
