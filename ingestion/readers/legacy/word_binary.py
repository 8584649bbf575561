"""The binary form of Word 97 to 2003 (MS-DOC): the file information block, the piece table, and the properties of paragraphs and characters."""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

from core.errors import Malformed

_PAGE = 512
_MAX_PIECES = 500_000
# Where things stand in the file information block (MS-DOC 2.5).
_FLAGS, _COUNTS, _CHARACTERS_AT, _PARAGRAPHS_AT, _PIECES_AT = 0x0A, 0x4C, 0xFA, 0x102, 0x1A2
_ENCRYPTED, _TABLE_1, _OBFUSCATED = 0x0100, 0x0200, 0x8000
# Properties (sprm) that are looked at (MS-DOC 2.6).
_HIDDEN, _DELETED, _TABLE, _CHANGED_TABS, _HUGE = 0x083C, 0x0800, 0xD608, 0xC615, 0x6646
_SIZES = {0: 1, 1: 1, 2: 2, 3: 4, 4: 2, 5: 2, 7: 3}
STORIES = ("text", "footnotes", "headers", "macros", "comments", "endnotes", "boxes", "header boxes")


@dataclass(frozen=True, slots=True)
class CellDefinition:
    """A cell of a row: its right edge in twips, and whether it goes on beside or below another one ("", "first", "on")."""

    edge: int
    horizontal_merge: str = ""
    vertical_merge: str = ""


@dataclass(slots=True)
class ParagraphProperties:
    """Properties of a paragraph. `heading` is 1..9 or 0, `cells` the definitions of a row where the paragraph ends one."""

    heading: int = 0
    in_table: bool = False
    ends_row: bool = False
    ends_inner_row: bool = False
    is_list_item: bool = False
    depth: int = 0
    cells: list[CellDefinition] = field(default_factory=list)


class WordBinary:
    """One document, decrypted. `stories` are its parts as (begin, end) of characters by name.

    Raises:
        Malformed: its tables do not fit together.
    """

    def __init__(self, document: bytes, table: bytes, data: bytes = b"") -> None:
        self._document, self._table, self._data = document, table, data
        try:
            counts = struct.unpack_from("<8i", document, _COUNTS)
            self._pieces = list(self._read_pieces())
            self._paragraphs = self._pages(_PARAGRAPHS_AT, 13)
            self._characters = self._pages(_CHARACTERS_AT, 1)
        except (struct.error, IndexError) as error:
            raise Malformed("This Word document is damaged: its tables are cut off.") from error
        self.stories: dict[str, tuple[int, int]] = {}
        begin = 0
        for name, count in zip(STORIES, counts, strict=True):
            self.stories[name] = (begin, begin + max(0, count))
            begin += max(0, count)

    def characters(self, story: str, limit: int) -> Iterator[tuple[str, int, int]]:
        """Yield runs of text of a part that are neither hidden nor deleted: (text, offset in the file, bytes a character), in order."""
        begin, end = self.stories[story]
        for first, last, offset, wide in self._pieces:
            if first >= end or limit <= 0:
                return
            start, stop = max(first, begin), min(last, end)
            if start >= stop:
                continue
            width = 2 if wide else 1
            where = offset + (start - first) * width
            content = self._document[where : where + (stop - start) * width]
            text = content.decode("utf-16-le", errors="replace") if wide else content.decode("cp1252", errors="replace")
            limit -= len(text)
            yield from self._split_visible(text, where, width)

    def _split_visible(self, text: str, offset: int, width: int) -> Iterator[tuple[str, int, int]]:
        """Yield the parts of a piece by the runs of character properties."""
        at = 0
        while at < len(text):
            position = offset + at * width
            stop, properties = _run_at(self._characters, position)
            length = min(len(text) - at, max(1, (stop - position) // width)) if stop > position else len(text) - at
            part = text[at : at + length]
            if not self._is_hidden(properties):
                yield part, position, width
            else:
                # The mark of a hidden cell or row still ends one.
                yield "".join(sign if sign == "\x07" else "" for sign in part), position, width
            at += length

    def _is_hidden(self, properties: bytes) -> bool:
        return any(code in (_HIDDEN, _DELETED) and operand[:1] == b"\1" for code, operand in _sprms(properties))

    def paragraph(self, offset: int) -> ParagraphProperties:
        """Return the properties of the paragraph whose text stands at `offset` in the file."""
        _, properties = _run_at(self._paragraphs, offset)
        found = ParagraphProperties()
        if len(properties) < 2:
            return found
        style = struct.unpack_from("<H", properties)[0]
        found.heading = style if 1 <= style <= 9 else 0
        for code, operand in _sprms(properties[2:]):
            if code == _HUGE and len(operand) == 4:
                self._apply_huge_properties(found, struct.unpack("<I", operand)[0])
            else:
                _apply_property(found, code, operand)
        return found

    def _apply_huge_properties(self, found: ParagraphProperties, offset: int) -> None:
        """Apply properties that do not fit into their page and stand in the stream of data."""
        size = struct.unpack_from("<H", self._data, offset)[0] if offset + 2 <= len(self._data) else 0
        for code, operand in _sprms(self._data[offset + 2 : offset + 2 + size]):
            _apply_property(found, code, operand)

    # -- tables of the file ----------------------------------------------------------------------------------------------------------

    def _read_pieces(self) -> Iterator[tuple[int, int, int, bool]]:
        """Yield (first character, end, offset in the file, two bytes a character) of all pieces."""
        begin, size = struct.unpack_from("<II", self._document, _PIECES_AT)
        part = self._table[begin : begin + size]
        at = 0
        while at < len(part) and part[at] == 1:
            at += 3 + struct.unpack_from("<H", part, at + 1)[0]
        if at >= len(part) or part[at] != 2:
            raise Malformed("This Word document is damaged: the table of its text is missing.")
        length = min(struct.unpack_from("<I", part, at + 1)[0], len(part) - at - 5)
        count = min((length - 4) // 12, _MAX_PIECES)
        bounds = struct.unpack_from(f"<{count + 1}I", part, at + 5)
        for number in range(count):
            code = struct.unpack_from("<I", part, at + 5 + 4 * (count + 1) + 8 * number + 2)[0]
            wide, offset = not code & 0x40000000, code & 0x3FFFFFFF
            if bounds[number] < bounds[number + 1]:
                yield bounds[number], bounds[number + 1], offset if wide else offset // 2, wide

    def _pages(self, at: int, width: int) -> list[tuple[int, int, bytes]]:
        """Return (begin, end, properties) of all runs, from the formatted pages that a table names, in the order of the file."""
        begin, size = struct.unpack_from("<II", self._document, at)
        part = self._table[begin : begin + size]
        count = min(max(0, (len(part) - 4) // 8), len(self._document) // _PAGE)
        runs: list[tuple[int, int, bytes]] = []
        for number in struct.unpack_from(f"<{count}I", part, len(part) - 4 * ((len(part) - 4) // 8)) if count else ():
            page = self._document[(number & 0x3FFFFF) * _PAGE :][:_PAGE]
            if len(page) == _PAGE:
                runs += _page_runs(page, width)
        runs.sort(key=lambda run: run[0])
        return runs


def _page_runs(page: bytes, width: int) -> Iterator[tuple[int, int, bytes]]:
    """Yield the runs of one page of 512 bytes; `width` is 13 for paragraphs, 1 for characters."""
    count = min(page[-1], (_PAGE - 5) // (4 + width))
    bounds = struct.unpack_from(f"<{count + 1}I", page)
    for number in range(count):
        place = 2 * page[4 * (count + 1) + width * number]
        size, at = page[place], place + 1
        if width == 13:
            size, at = (2 * size - 1, at) if size else (2 * page[at] if at < _PAGE else 0, at + 1)
        yield bounds[number], bounds[number + 1], page[at : at + size] if place else b""


def _run_at(runs: list[tuple[int, int, bytes]], offset: int) -> tuple[int, bytes]:
    """Return the end and the properties of the run that holds an offset; without one the start of the next, and none."""
    index = bisect_right(runs, offset, key=lambda run: run[0]) - 1
    if index >= 0 and offset < runs[index][1]:
        return runs[index][1], runs[index][2]
    return (runs[index + 1][0], b"") if index + 1 < len(runs) else (0, b"")


def _sprms(properties: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield (code, operand) of each property."""
    at = 0
    while at + 2 <= len(properties):
        code = properties[at] | properties[at + 1] << 8
        at += 2
        size = _SIZES.get(code >> 13)
        if size is None:
            if at >= len(properties):
                return
            if code == _TABLE:
                size, at = max(0, struct.unpack_from("<H", properties + b"\0", at)[0] - 1), at + 2
            else:
                size, at = properties[at], at + 1
                if code == _CHANGED_TABS and size == 255:
                    return  # its length must be computed from what it deletes; nothing behind it is needed
        yield code, properties[at : at + size]
        at += size


def _apply_property(found: ParagraphProperties, code: int, operand: bytes) -> None:
    on = operand[:1] not in (b"", b"\0")
    match code:
        case 0x2416:  # sprmPFInTable
            found.in_table = on
        case 0x2417:  # sprmPFTtp
            found.ends_row = on
        case 0x244B | 0x244C:  # sprmPFInnerTableCell, sprmPFInnerTtp
            found.ends_inner_row = found.ends_inner_row or on
        case 0x2640:  # sprmPOutLvl
            found.heading = operand[0] + 1 if operand and operand[0] < 9 else 0
        case 0x260A:  # sprmPIlvl
            found.depth = min(8, operand[0]) if operand else 0
        case 0x460B:  # sprmPIlfo
            found.is_list_item = operand not in (b"\0\0", b"")
        case 0xD608:  # sprmTDefTable
            found.cells = _cell_definitions(operand)


def _cell_definitions(operand: bytes) -> list[CellDefinition]:
    """Return the cells of a row: edges, then twenty bytes of flags each."""
    count = operand[0] if operand else 0
    if not count or count > 63 or len(operand) < 1 + 2 * (count + 1):
        return []
    edges = struct.unpack_from(f"<{count + 1}h", operand, 1)
    cells = []
    for number in range(count):
        at = 1 + 2 * (count + 1) + 20 * number
        flags = operand[at] if at < len(operand) else 0
        merged = "first" if flags & 1 else "on" if flags & 2 else ""
        below = "first" if flags & 0x40 else "on" if flags & 0x20 else ""
        cells.append(CellDefinition(edges[number + 1], merged, below))
    return cells


def flags(document: bytes) -> int:
    """Return the flags of the file information block; 0 where it is cut off."""
    return int(struct.unpack_from("<H", document, _FLAGS)[0]) if len(document) > _FLAGS + 2 else 0


def is_encrypted(document: bytes) -> bool:
    return bool(flags(document) & _ENCRYPTED)


def is_obfuscated(document: bytes) -> bool:
    """Return whether it is only obfuscated by XOR, as Word 95 did."""
    return bool(flags(document) & _OBFUSCATED)


def table_stream(document: bytes) -> str:
    """Return the name of the stream that holds the tables."""
    return "1Table" if flags(document) & _TABLE_1 else "0Table"
