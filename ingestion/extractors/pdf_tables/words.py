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

from ingestion.extractors.pdf_characters import Characters
from ingestion.extractors.pdf_signs import LETTERS
from ingestion.extractors.pdf_tables.frame import turned
from ingestion.extractors.pdf_tables.model import Box, Word

# PDFium puts U+FFFE where a hyphen divides a word at the end of a line.
_WORD = re.compile("[^\\s\ufffe\x00]+(\ufffe)?")
_BOLD = re.compile(rb"bold|black|heavy|demi|bx\d", re.I)
_DESCENT = 0.21  # part of an em below the baseline

# A word as it is drawn: text, angle of its baseline, size, start and end of its boxes in the page's own coordinates, baseline, bold.
Style = tuple[int, float, bool]  # angle, size, bold
Placed = tuple[str, int, float, Box, Box, tuple[float, float], bool]


def read_words(characters: Characters, text: str, box: Box, limit: int) -> tuple[list[Word], int, bool]:
    """The upright words of a page, the turn that sets them upright (the direction in which most characters run), and whether there were more
    than `limit`; `text` is that of the characters in reading order."""
    placed, cut = _Reader(characters).words(text, limit)
    directions: Counter[int] = Counter()
    for item in placed:
        directions[item[1]] += len(item[0])
    rotation = directions.most_common(1)[0][0] if directions else 0
    words = [_upright(item, box, rotation) for item in placed if item[1] == rotation]
    return [word for word in words if word.height > 1 and word.right > word.left], rotation, cut


def _upright(item: Placed, box: Box, rotation: int) -> Word:
    text, _, size, first, last, origin, bold = item
    if not rotation:
        bottom = box[3] - origin[1] + _DESCENT * size
        return Word(text, min(first[0], last[0]) - box[0], bottom - size, max(first[2], last[2]) - box[0], bottom, bold)
    ends = [turned(point[0], point[1], box, rotation) for place in (first, last) for point in ((place[0], place[1]), (place[2], place[3]))]
    left, right = min([x for x, _ in ends]), max([x for x, _ in ends])
    bottom = turned(origin[0], origin[1], box, rotation)[1] + _DESCENT * size
    return Word(text, left, bottom - size, right, bottom, bold)


class _Reader:
    """Asks PDFium for one page's words; the buffers of its calls are made once."""

    def __init__(self, characters: Characters) -> None:
        self._page = characters.raw  # its wrapper makes each call three times as slow
        self._index = characters.index
        self._aligned = characters.aligned
        self._rect = pdfium.FS_RECTF()
        self._matrix = pdfium.FS_MATRIX()
        self._x, self._y = ctypes.c_double(), ctypes.c_double()
        self._name = ctypes.create_string_buffer(256)
        self._fonts: dict[int, bool] = {}
        self._styles: dict[int, Style] = {}

    def words(self, text: str, limit: int) -> tuple[list[Placed], bool]:
        words: list[Placed] = []
        for match in _WORD.finditer(text):
            if len(words) >= limit:
                return words, True
            start, end = match.span()
            last = end - 1 - bool(match[1])
            if word := self._word(match[0], start, last) if self._aligned else self._word(match[0], self._index(start), self._index(last)):
                words.append(word)
        return words, False

    def _word(self, text: str, start: int, end: int) -> Placed | None:
        first = self._box(start)
        last = first if end == start else self._box(end)
        if first is None or last is None or not pdfium.FPDFText_GetCharOrigin(self._page, start, self._x, self._y):
            return None
        angle, size, bold = self._style(start)
        if not text.isascii():
            text = text.replace("\ufffe", "-").translate(LETTERS)
            if not text:
                return None
        return text, angle, size, first, last, (self._x.value, self._y.value), bold

    def _box(self, index: int) -> Box | None:
        rect = self._rect
        if index < 0 or not pdfium.FPDFText_GetLooseCharBox(self._page, index, rect):
            return None
        return rect.left, rect.bottom, rect.right, rect.top

    def _style(self, index: int) -> Style:
        """Angle, size and weight of a character: one for all that one operation draws."""
        drawn = pdfium.FPDFText_GetTextObject(self._page, index)
        if not drawn:
            return *self._angle_and_size(index), False
        address = ctypes.addressof(drawn.contents)
        style = self._styles.get(address)
        if style is None:
            style = self._styles[address] = (*self._angle_and_size(index), self._bold(drawn))
        return style

    def _angle_and_size(self, index: int) -> tuple[int, float]:
        size = pdfium.FPDFText_GetFontSize(self._page, index)
        if not pdfium.FPDFText_GetMatrix(self._page, index, self._matrix):
            return 0, abs(size)
        matrix = self._matrix
        angle = round(math.degrees(math.atan2(matrix.b, matrix.a)) / 90) % 4 * 90
        return angle, abs(size * math.hypot(matrix.c, matrix.d))

    def _bold(self, drawn: Any) -> bool:
        font = pdfium.FPDFTextObj_GetFont(drawn)
        if not font:
            return False
        address = ctypes.addressof(font.contents)
        if address not in self._fonts:
            length = pdfium.FPDFFont_GetBaseFontName(font, self._name, 256)
            self._fonts[address] = 0 < length <= 256 and bool(_BOLD.search(self._name.raw[: length - 1]))
        return self._fonts[address]
