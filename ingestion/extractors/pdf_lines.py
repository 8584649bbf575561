"""The lines of a PDF page as PDFium sees them, with just enough geometry to tell what they are.

PDFium is asked for a page's whole text in one call and then for the boxes of a few characters of each line: asking for every character
costs twenty times as much and says nothing more about lines.
"""

from __future__ import annotations

import ctypes
import re
from collections import Counter
from dataclasses import dataclass
from typing import Any

import pypdfium2.raw as pdfium

# PDFium puts this noncharacter where a hyphen at a line's end divides a word, instead of the hyphen and the line break.
_DIVIDED = "\ufffe"
_LINE_END = re.compile(r"\r\n|[\r\n]|\ufffe(?:\r\n)?")
_BOLD = re.compile(r"bold|black|heavy|demi|medi(?!um)|bx\d", re.I)
_ALEF_LAM = re.compile("[اأإآ]ل")
_SPACES = re.compile(r"\s+")
_LEADING_NUMBER = re.compile(r"\s*(?:[\d.]+|[A-Z]\.?|[IVX]+\.?)\s")
_SHORT = 125
_LIGATURES = str.maketrans(
    {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "ft", "ﬆ": "st", "\uf0b7": "•", "\uf0a7": "•", "\uf0fc": "✓"}
)
_NAME = ctypes.create_string_buffer(256)


@dataclass(slots=True)
class Line:
    """A line of text. Coordinates are points on the page as it is shown, x from the left and y from the top edge down to the line's bottom;
    `size` is the height of its letters' boxes, `divided` says that its last word goes on in the next line, `gap` is the widest space between
    two words in units of `size` (measured only in lines that may be headings: it tells the names of a table's columns from a title).
    """

    text: str
    page: int
    left: float
    right: float
    y: float
    size: float
    bold: bool
    divided: bool = False
    gap: float = 0.0
    furniture: bool = False
    level: int = 0


@dataclass(frozen=True, slots=True)
class PageText:
    """A page: its number from 1, its size in points, its lines in the order of the file."""

    number: int
    width: float
    height: float
    lines: list[Line]


def read_page(document: Any, number: int) -> PageText:
    """Page `number` (from 1) of an open pypdfium2 document; a page that PDFium cannot load has no lines and no size."""
    page = document[number - 1]
    try:
        width, height = page.get_size()
        text_page = page.get_textpage()
        try:
            frame = _Frame(page, text_page, number)
            return PageText(number, width, height, frame.lines())
        finally:
            text_page.close()
    finally:
        page.close()


def is_blank(document: Any, number: int) -> bool:
    """Whether nothing at all is drawn on the page."""
    page = document[number - 1]
    try:
        return bool(pdfium.FPDFPage_CountObjects(page) == 0)
    finally:
        page.close()


class _Frame:
    """Reads one page's text and turns its coordinates as the page is shown."""

    def __init__(self, page: Any, text_page: Any, number: int) -> None:
        self._text_page = text_page
        self._number = number
        self._rotation = page.get_rotation()
        left, bottom, right, top = page.get_bbox()
        self._box = (left, bottom, right, top)

    def lines(self) -> list[Line]:
        text = self._mended_ligatures(self._text())
        wide = max(text, default="") > "\uffff"
        lines: list[Line] = []
        places: list[tuple[str, int]] = []
        at = 0
        for match in [*_LINE_END.finditer(text), None]:
            end = match.start() if match else len(text)
            piece = text[at:end]
            if piece.strip():
                offset = len(text[:at].encode("utf-16-le")) // 2 if wide else at
                if line := self._line(piece, offset):
                    line.divided = bool(match and match[0].startswith(_DIVIDED))
                    lines.append(line)
                    places.append((piece, offset))
            at = match.end() if match else end
        self._measure_gaps(lines, places)
        return lines

    def _measure_gaps(self, lines: list[Line], places: list[tuple[str, int]]) -> None:
        """Measure the spaces of short lines that are bold or larger than most of the page."""
        sizes: Counter[float] = Counter()
        for line in lines:
            sizes[line.size] += len(line.text)
        usual = sizes.most_common(1)[0][0] if sizes else 0.0
        for line, (piece, offset) in zip(lines, places, strict=True):
            if len(line.text) < _SHORT and (line.bold or line.size > 1.1 * usual):
                line.gap = self._widest_gap(piece, offset) / max(line.size, 1.0)

    def _text(self) -> str:
        count = pdfium.FPDFText_CountChars(self._text_page)
        if count <= 0:
            return ""
        buffer = (ctypes.c_ushort * (count * 2 + 2))()
        written = pdfium.FPDFText_GetText(self._text_page, 0, count, buffer)
        return bytes(buffer)[: max(0, written - 1) * 2].decode("utf-16-le", errors="replace")

    def _mended_ligatures(self, text: str) -> str:
        """PDFium turns right-to-left runs around letter by letter; the two letters of one lam-alef glyph then stand the wrong way."""
        if not _ALEF_LAM.search(text) or max(text) > "\uffff":
            return text
        letters = list(text)
        for match in _ALEF_LAM.finditer(text):
            first, second = self._letter(match.start()), self._letter(match.start() + 1)
            if first and second and abs(first[0] - second[0]) < 0.1 and abs(first[2] - second[2]) < 0.1:
                letters[match.start()], letters[match.start() + 1] = letters[match.start() + 1], letters[match.start()]
        return "".join(letters)

    def _line(self, piece: str, offset: int) -> Line | None:
        first = len(piece) - len(piece.lstrip())
        last = len(piece.rstrip()) - 1
        middle = first + (last - first) // 3
        while middle < last and not piece[middle].isalnum():
            middle += 1
        boxes = [self._letter(offset + place) for place in sorted({first, middle, last})]
        found = [box for box in boxes if box]
        text = piece.strip().translate(_LIGATURES)
        if not found:
            return Line(text, self._number, 0.0, 0.0, 0.0, 0.0, False)
        left, right = min(box[0] for box in found), max(box[2] for box in found)
        size = sorted(box[3] - box[1] for box in found)[len(found) // 2]
        y = sorted(box[3] for box in found)[len(found) // 2]
        bold = all(self._is_bold(offset + place) for place in (first, middle, last))
        return Line(text, self._number, left, right, y, round(2 * size) / 2, bold)

    def _widest_gap(self, piece: str, offset: int) -> float:
        widest = 0.0
        number = _LEADING_NUMBER.match(piece)
        for match in _SPACES.finditer(piece.rstrip()):
            if number and match.start() < number.end():
                continue
            before, after = self._letter(offset + match.start() - 1), self._letter(offset + match.end())
            if match.start() and before and after and abs(before[3] - after[3]) < 3:
                widest = max(widest, after[0] - before[2])
        return widest

    def _letter(self, place: int) -> tuple[float, float, float, float] | None:
        """The loose box of a character of the text as (left, top, right, bottom) on the page as shown, None for a generated one."""
        index = pdfium.FPDFText_GetCharIndexFromTextIndex(self._text_page, place)
        box = pdfium.FS_RECTF()
        if index < 0 or not pdfium.FPDFText_GetLooseCharBox(self._text_page, index, box):
            return None
        left, bottom, right, top = self._box
        match self._rotation:
            case 90:
                return (box.bottom - bottom, box.left - left, box.top - bottom, box.right - left)
            case 180:
                return (right - box.right, box.bottom - bottom, right - box.left, box.top - bottom)
            case 270:
                return (top - box.top, right - box.right, top - box.bottom, right - box.left)
            case _:
                return (box.left - left, top - box.top, box.right - left, top - box.bottom)

    def _is_bold(self, place: int) -> bool:
        index = pdfium.FPDFText_GetCharIndexFromTextIndex(self._text_page, place)
        flags = ctypes.c_int()
        length = pdfium.FPDFText_GetFontInfo(self._text_page, index, _NAME, 256, flags) if index >= 0 else 0
        return 0 < length <= 256 and bool(_BOLD.search(_NAME.raw[: length - 1].decode("utf-8", errors="replace")))
