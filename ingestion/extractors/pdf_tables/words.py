"""The words of a PDF page with their boxes, from PDFium.

The text comes in one call; boxes are asked for the first and the last character of each word only, which says all that tables need of them and
costs a tenth of asking for every character.
"""

from __future__ import annotations

import ctypes
import math
import re
from collections import Counter
from typing import Any

import pypdfium2.raw as pdfium

from ingestion.extractors.pdf_tables.frame import turned
from ingestion.extractors.pdf_tables.model import Box, Word

# PDFium puts U+FFFE where a hyphen divides a word at the end of a line.
_WORD = re.compile("[^\\s\ufffe\x00]+(\ufffe)?")
_BOLD = re.compile(rb"bold|black|heavy|demi|bx\d", re.I)
_LIGATURES = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "ft", "ﬆ": "st", "\uf0b7": "•", "\uf0a7": "•"})
_DESCENT = 0.21  # part of an em below the baseline

# A word as it is drawn: text, angle of its baseline, size, start and end of its boxes in the page's own coordinates, baseline, bold.
Placed = tuple[str, int, float, Box, Box, tuple[float, float], bool]


def read_words(text_page: Any, box: Box, limit: int) -> tuple[list[Word], int, bool]:
    """The upright words of a page, the turn that sets them upright (the direction in which most characters run), and whether there were more
    than `limit`."""
    placed, cut = _Reader(text_page).words(limit)
    directions: Counter[int] = Counter()
    for item in placed:
        directions[item[1]] += len(item[0])
    rotation = directions.most_common(1)[0][0] if directions else 0
    words = [_upright(item, box, rotation) for item in placed if item[1] == rotation]
    return [word for word in words if word.height > 1 and word.right > word.left], rotation, cut


def _upright(item: Placed, box: Box, rotation: int) -> Word:
    text, _, size, first, last, origin, bold = item
    ends = [turned(point[0], point[1], box, rotation) for place in (first, last) for point in ((place[0], place[1]), (place[2], place[3]))]
    left, right = min(x for x, _ in ends), max(x for x, _ in ends)
    bottom = turned(origin[0], origin[1], box, rotation)[1] + _DESCENT * size
    return Word(text, left, bottom - size, right, bottom, bold)


class _Reader:
    """Asks PDFium for one page's words; the buffers of its calls are made once."""

    def __init__(self, text_page: Any) -> None:
        self._page = text_page.raw  # its wrapper makes each call three times as slow
        self._rect = pdfium.FS_RECTF()
        self._matrix = pdfium.FS_MATRIX()
        self._x, self._y = ctypes.c_double(), ctypes.c_double()
        self._name = ctypes.create_string_buffer(256)
        self._fonts: dict[int, bool] = {}

    def words(self, limit: int) -> tuple[list[Placed], bool]:
        text, place = self._text()
        words: list[Placed] = []
        for match in _WORD.finditer(text):
            if len(words) >= limit:
                return words, True
            end = match.end() - 1 - bool(match[1])
            if word := self._word(match[0], place(match.start()), place(end)):
                words.append(word)
        return words, False

    def _text(self) -> tuple[str, Any]:
        """The page's text, and a function from a place in it to PDFium's number of the character."""
        count = pdfium.FPDFText_CountChars(self._page)
        if count <= 0:
            return "", int
        buffer = (ctypes.c_ushort * (count * 2 + 2))()
        written = max(0, pdfium.FPDFText_GetText(self._page, 0, count, buffer) - 1)
        text = bytes(memoryview(buffer)[:written]).decode("utf-16-le", errors="replace")
        if len(text) == count:
            return text, int
        if max(text, default="") <= "\uffff":
            return text, lambda place: pdfium.FPDFText_GetCharIndexFromTextIndex(self._page, place)
        units = [0]
        for letter in text:
            units.append(units[-1] + (2 if letter > "\uffff" else 1))
        return text, lambda place: pdfium.FPDFText_GetCharIndexFromTextIndex(self._page, units[place])

    def _word(self, text: str, start: int, end: int) -> Placed | None:
        first = self._box(start)
        last = first if end == start else self._box(end)
        if first is None or last is None or not pdfium.FPDFText_GetCharOrigin(self._page, start, self._x, self._y):
            return None
        size = pdfium.FPDFText_GetFontSize(self._page, start)
        angle = 0
        if pdfium.FPDFText_GetMatrix(self._page, start, self._matrix):
            matrix = self._matrix
            angle = round(math.degrees(math.atan2(matrix.b, matrix.a)) / 90) % 4 * 90
            size *= math.hypot(matrix.c, matrix.d)
        text = text.replace("\ufffe", "-").translate(_LIGATURES)
        return text, angle, abs(size), first, last, (self._x.value, self._y.value), self._bold(start)

    def _box(self, index: int) -> Box | None:
        rect = self._rect
        if index < 0 or not pdfium.FPDFText_GetLooseCharBox(self._page, index, rect):
            return None
        return rect.left, rect.bottom, rect.right, rect.top

    def _bold(self, index: int) -> bool:
        text_object = pdfium.FPDFText_GetTextObject(self._page, index)
        font = pdfium.FPDFTextObj_GetFont(text_object) if text_object else None
        if not font:
            return False
        address = ctypes.addressof(font.contents)
        if address not in self._fonts:
            length = pdfium.FPDFFont_GetBaseFontName(font, self._name, 256)
            self._fonts[address] = 0 < length <= 256 and bool(_BOLD.search(self._name.raw[: length - 1]))
        return self._fonts[address]
