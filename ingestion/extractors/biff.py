"""Records of binary workbooks (MS-XLS, MS-XLSB), as far as they must be known before a library may load the sheets: how large the sheets
are, how their numbers are shown, which cells are merged, and whether a password is needed.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

from ingestion.builder import Span

_BOF, _EOF, _FILEPASS, _BOUNDSHEET, _XF, _FORMAT, _MERGED = 0x0809, 0x000A, 0x002F, 0x0085, 0x00E0, 0x041E, 0x00E5
_NUMBER, _RK, _MULRK, _FORMULA = 0x0203, 0x027E, 0x00BD, 0x0006
_VALUES = frozenset({_NUMBER, _RK, _MULRK, _FORMULA, 0x0204, 0x00FD, 0x0205, 0x00D6})
_BUILT_IN = {9: "0%", 10: "0.00%", 5: '"$"0', 6: '"$"0', 7: '"$"0.00', 8: '"$"0.00'}
_MOST_MARKED = 1_000_000
_MOST_MERGED = 50_000


@dataclass(slots=True)
class SheetFacts:
    """The extent of the cells with a value, formats of numbers that are percentages or amounts, and merged cells (row from 1)."""

    top: int = 1 << 30
    bottom: int = -1
    left: int = 1 << 30
    right: int = -1
    formats: dict[tuple[int, int], str] = field(default_factory=dict)
    merged: list[Span] = field(default_factory=list)

    @property
    def places(self) -> int:
        """Cells of the rectangle that holds all values: what a dense grid of the sheet takes."""
        return 0 if self.bottom < 0 else (self.bottom - self.top + 1) * (self.right - self.left + 1)

    def cell(self, row: int, left: int, right: int) -> None:
        self.top, self.bottom = min(self.top, row), max(self.bottom, row)
        self.left, self.right = min(self.left, left), max(self.right, right)


def records(stream: bytes) -> Iterator[tuple[int, int, int]]:
    """(type, begin, end) of the bodies of all records of a stream of MS-XLS."""
    at, end = 0, len(stream)
    while at + 4 <= end:
        kind, size = struct.unpack_from("<HH", stream, at)
        at += 4
        if at + size > end:
            return
        yield kind, at, at + size
        at += size


def password_record(stream: bytes) -> bytes | None:
    """The body of the record that says how the workbook is encrypted; None if it is not."""
    for count, (kind, begin, end) in enumerate(records(stream)):
        if kind == _FILEPASS:
            return stream[begin:end]
        if kind == _EOF or count > 50:
            return None
    return None


def sheet_facts(stream: bytes) -> list[SheetFacts]:
    """The facts of all sheets in the order of the workbook."""
    return _Facts(stream).sheets


class _Facts:
    def __init__(self, stream: bytes) -> None:
        self._stream = stream
        self._starts: dict[int, int] = {}
        self._xfs: list[int] = []
        self._formats = dict(_BUILT_IN)
        self._left = _MOST_MARKED
        self.sheets: list[SheetFacts] = []
        sheet: SheetFacts | None = None
        for kind, begin, end in records(stream):
            if kind == _BOF:
                number = self._starts.get(begin - 4)
                sheet = self.sheets[number] if number is not None else sheet
            elif sheet is not None:
                if kind in _VALUES and end - begin >= 6:
                    self._value(sheet, kind, begin, end)
                elif kind == _MERGED and len(sheet.merged) < _MOST_MERGED:
                    sheet.merged += self._merged(begin, end)
            elif end - begin >= 4:
                self._global(kind, begin, end)

    def _global(self, kind: int, begin: int, end: int) -> None:
        if kind == _BOUNDSHEET:
            self._starts[struct.unpack_from("<I", self._stream, begin)[0]] = len(self.sheets)
            self.sheets.append(SheetFacts())
        elif kind == _XF:
            self._xfs.append(struct.unpack_from("<H", self._stream, begin + 2)[0])
        elif kind == _FORMAT and end - begin > 5:
            identifier, length, wide = struct.unpack_from("<HHB", self._stream, begin)
            text = self._stream[begin + 5 : end]
            style = text[: 2 * length].decode("utf-16-le", "replace") if wide & 1 else text[:length].decode("latin-1")
            self._formats[identifier] = style

    def _value(self, sheet: SheetFacts, kind: int, begin: int, end: int) -> None:
        row, column, xf = struct.unpack_from("<HHH", self._stream, begin)
        if kind == _MULRK and end - begin >= 12:
            last = struct.unpack_from("<H", self._stream, end - 2)[0]
            sheet.cell(row, column, max(column, last))
            for place in range(min(256, (end - begin - 6) // 6)):
                self._mark(sheet, row, column + place, struct.unpack_from("<H", self._stream, begin + 4 + 6 * place)[0])
            return
        sheet.cell(row, column, column)
        if kind in (_NUMBER, _RK, _FORMULA):
            self._mark(sheet, row, column, xf)

    def _mark(self, sheet: SheetFacts, row: int, column: int, xf: int) -> None:
        style = self._formats.get(self._xfs[xf], "") if xf < len(self._xfs) else ""
        if self._left > 0 and any(sign in style for sign in "%$€£¥₹₽₩["):
            sheet.formats[row, column] = style
            self._left -= 1

    def _merged(self, begin: int, end: int) -> list[Span]:
        count = min(struct.unpack_from("<H", self._stream, begin)[0], (end - begin - 2) // 8) if end - begin >= 2 else 0
        areas = (struct.unpack_from("<4H", self._stream, begin + 2 + 8 * number) for number in range(count))
        return [(top + 1, left, bottom - top + 1, right - left + 1) for top, bottom, left, right in areas if top <= bottom and left <= right]


def binary_extent(part: bytes) -> SheetFacts:
    """The extent of a sheet of an .xlsb."""
    facts = SheetFacts()
    row = 0
    for kind, begin, end in _binary_records(part):
        if kind == 0 and end - begin >= 4:
            row = struct.unpack_from("<I", part, begin)[0]
        elif 2 <= kind <= 11 and end - begin >= 4:
            column = struct.unpack_from("<I", part, begin)[0]
            facts.cell(row, column, column)
        elif kind == 176 and end - begin >= 16 and len(facts.merged) < _MOST_MERGED:
            top, bottom, left, right = struct.unpack_from("<4I", part, begin)
            if top <= bottom and left <= right:
                facts.merged.append((top + 1, left, bottom - top + 1, right - left + 1))
    return facts


def _binary_records(part: bytes) -> Iterator[tuple[int, int, int]]:
    """(type, begin, end) of records whose type and length are numbers of seven bits a byte."""
    at, total = 0, len(part)
    while at + 2 <= total:
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
