"""The words of a PDF page with their boxes, from PDFium.

The text comes in one call; boxes are asked for the first and the last character of each word only, which says all that tables need of them and
costs a tenth of asking for every character.
"""

from __future__ import annotations

import ctypes
import math
import re
from collections import Counter

import pypdfium2.raw as pdfium

from ingestion.readers.pdf import pdfium_ffi as pdf_calls
from ingestion.readers.pdf.line_heuristics import LETTERS
from ingestion.readers.pdf.page_characters import Characters, is_bold
from ingestion.readers.pdf.tables.page_coordinates import turn_point
from ingestion.readers.pdf.tables.table_model import Box, PageWord

# PDFium puts U+FFFE where a hyphen divides a word at the end of a line.
_WORD = re.compile("[^\\s\ufffe\x00]+(\ufffe)?")
_DESCENT = 0.21  # part of an em below the baseline

# A word as it is drawn: text, angle of its baseline, size, start and end of its boxes in the page's own coordinates, baseline, bold.
Style = tuple[int, float, bool, float | None]  # angle, size, bold, the height of the baseline where all that is drawn at once shares it
PlacedWord = tuple[str, int, float, Box, Box, tuple[float, float], bool]


def read_words(characters: Characters, text: str, box: Box, limit: int) -> tuple[list[PageWord], int, bool]:
    """Read the upright words of a page, the turn that sets them upright (the direction in which most characters run), and whether there were more
    than `limit`; `text` is that of the characters in reading order."""
    placed, cut = _WordReader(characters).words(text, limit)
    directions: Counter[int] = Counter()
    for item in placed:
        directions[item[1]] += len(item[0])
    rotation = directions.most_common(1)[0][0] if directions else 0
    words = [_turn_upright(item, box, rotation) for item in placed if item[1] == rotation]
    return [word for word in words if word.height > 1 and word.right > word.left], rotation, cut


def _turn_upright(item: PlacedWord, box: Box, rotation: int) -> PageWord:
    text, _, size, first, last, origin, bold = item
    if not rotation:
        bottom = box[3] - origin[1] + _DESCENT * size
        if first is last or first[0] <= last[0]:
            return PageWord(text, first[0] - box[0], bottom - size, max(first[2], last[2]) - box[0], bottom, bold)
        return PageWord(text, last[0] - box[0], bottom - size, max(first[2], last[2]) - box[0], bottom, bold)
    ends = [turn_point(point[0], point[1], box, rotation) for place in (first, last) for point in ((place[0], place[1]), (place[2], place[3]))]
    left, right = min([x for x, _ in ends]), max([x for x, _ in ends])
    bottom = turn_point(origin[0], origin[1], box, rotation)[1] + _DESCENT * size
    return PageWord(text, left, bottom - size, right, bottom, bold)


class _WordReader:
    """Asks PDFium for one page's words; the buffers of its calls are made once."""

    def __init__(self, characters: Characters) -> None:
        self._page = characters.handle
        self._index = characters.index
        self._aligned = characters.aligned
        self._font = characters.font_name
        self._rect = pdfium.FS_RECTF()
        self._rect_at = ctypes.addressof(self._rect)
        self._matrix = pdfium.FS_MATRIX()
        self._matrix_at = ctypes.addressof(self._matrix)
        self._point = (ctypes.c_double * 2)()
        self._x_at = ctypes.addressof(self._point)
        self._y_at = self._x_at + ctypes.sizeof(ctypes.c_double)
        self._styles: dict[int, Style] = {}

    def words(self, text: str, limit: int) -> tuple[list[PlacedWord], bool]:
        words: list[PlacedWord] = []
        for match in _WORD.finditer(text):
            if len(words) >= limit:
                return words, True
            start, end = match.span()
            if word := self._word(match[0], start, end - 1 - bool(match[1])):
                words.append(word)
        return words, False

    def _word(self, text: str, start: int, end: int) -> PlacedWord | None:
        place = start
        if not self._aligned:
            start, end = self._index(start), self._index(end)
        first = self._box(start)
        last = first if end == start else self._box(end)
        if first is None or last is None:
            return None
        angle, size, bold, baseline = self._style(start, place)
        if baseline is None and not pdf_calls.origin(self._page, start, self._x_at, self._y_at):
            return None
        if not text.isascii():
            text = text.replace("\ufffe", "-").translate(LETTERS)
            if not text:
                return None
        return text, angle, size, first, last, (first[0], baseline) if baseline is not None else (self._point[0], self._point[1]), bold

    def _box(self, index: int) -> Box | None:
        if index < 0 or not pdf_calls.loose_box(self._page, index, self._rect_at):
            return None
        rect = self._rect
        return rect.left, rect.bottom, rect.right, rect.top

    def _style(self, index: int, place: int) -> Style:
        """Return angle, size, weight and baseline of a character: one for all that one operation draws."""
        drawn = pdf_calls.text_object(self._page, index)
        if not drawn:
            return *self._angle_and_size(index), False, None
        style = self._styles.get(drawn)
        if style is None:
            angle, size = self._angle_and_size(index)
            level = not angle and pdf_calls.origin(self._page, index, self._x_at, self._y_at)
            style = self._styles[drawn] = (angle, size, is_bold(self._font(place)), self._point[1] if level else None)
        return style

    def _angle_and_size(self, index: int) -> tuple[int, float]:
        size: float = pdf_calls.font_size(self._page, index)
        if not pdf_calls.char_matrix(self._page, index, self._matrix_at):
            return 0, abs(size)
        matrix = self._matrix
        b, c = matrix.b, matrix.c
        if not b and not c and matrix.a > 0:
            return 0, abs(size * matrix.d)
        angle = round(math.degrees(math.atan2(b, matrix.a)) / 90) % 4 * 90
        return angle, abs(size * math.hypot(c, matrix.d))
