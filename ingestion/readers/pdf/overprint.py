"""Text that a file draws twice at one place, for bold letters, a shadow, or as a layer below another one: it is read once."""

from __future__ import annotations

import ctypes
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

import pypdfium2.raw as pdfium

from ingestion.readers.base.page_lines import PageLine
from ingestion.readers.pdf import pdfium_ffi as pdf_calls
from ingestion.readers.pdf.line_heuristics import LETTERS
from ingestion.readers.pdf.page_characters import Characters
from ingestion.readers.pdf.rtl import RTL_LETTER

_WORD = re.compile(r"\S+")
_SIGNS, _BLANKS = re.compile(r"[\W_]+"), re.compile(r"\s+")
_NARROW = 0.4  # width of a letter in heights of its line; text of which a part lies upon another part is narrower
_TOO_NARROW = 0.34
_ROW = 8.0  # points
_REPEATED = 0.25  # part of the words
_NEAR = 0.3  # heights of a line
_FEWEST_LINES = 3
_SLACK = 0.15  # heights of a text: how far it may stick out of the one that is drawn over it
_BAND = 6.0  # points
_MOST_OBJECTS, _MOST_IN_BAND = 20_000, 60
_LETTERS_OF_OBJECT = 2_000

_Bounds = tuple[float, float, float, float]


def drop_repeated_lines(lines: Sequence[PageLine], characters: Characters) -> list[PageLine]:
    """Return the lines without those that repeat another one at its place (but for signs: the fuller one stays), and without words that lie upon
    the same words."""
    kept: list[PageLine] = []
    same: dict[tuple[str, int], list[int]] = defaultdict(list)
    for line in lines:
        _drop_repeated_words(line, characters)
        letters, row = _SIGNS.sub("", line.text) or line.text, round(line.y / _ROW)
        near = (place for at in (row - 1, row, row + 1) for place in same.get((letters, at), ()))
        place = next((place for place in near if line.size and _are_coincident(line, kept[place])), None)
        if place is None:
            same[letters, row].append(len(kept))
            kept.append(line)
        elif len(_BLANKS.sub("", line.text)) > len(_BLANKS.sub("", kept[place].text)):
            kept[place] = line
    return kept


def _are_coincident(line: PageLine, other: PageLine) -> bool:
    near = _NEAR * line.size
    return abs(line.left - other.left) < near and abs(line.y - other.y) < near and abs(line.right - other.right) < 2 * near


def _drop_repeated_words(line: PageLine, characters: Characters) -> None:
    """Leave out words of a line that goes back over itself where they repeat a word at its place."""
    if not _goes_over_itself(line):
        return
    words = line.text.split()
    piece = characters.text[line.text_start : line.text_start + line.text_length]
    seen: dict[str, list[float]] = defaultdict(list)
    kept: list[str] = []
    for match in _WORD.finditer(piece):
        box = characters.box(line.text_start + match.start())
        if box and any(abs(box[0] - left) < _NEAR * line.size for left in seen[match[0]]):
            continue
        kept.append(match[0])
        seen[match[0]] += [box[0]] if box else []
    if len(kept) < len(words) and not RTL_LETTER.search(piece):
        line.text = " ".join(kept).translate(LETTERS)


def _goes_over_itself(line: PageLine) -> bool:
    """Return whether a line is narrow for its letters, and words come again in it."""
    if line.right - line.left > _NARROW * len(line.text) * line.size:
        return False
    words = line.text.split()
    return len(words) - len(set(words)) >= _REPEATED * len(words)


# -- a layer below another -----------------------------------------------------------------------------------------------------------------


def is_overprinted(lines: Sequence[PageLine], characters: Characters) -> bool:
    """Return whether several lines of a page go over themselves: PDFium takes the letters of two layers in turn, and leaves out those that are
    alike, so that "7.6" over "7 6" becomes "76."."""
    found = 0
    for line in lines:
        if line.size and len(line.text) > 1 and (_goes_over_itself(line) or _goes_back(line, characters)):
            found += 1
            if found >= _FEWEST_LINES:
                return True
    return False


def _goes_back(line: PageLine, characters: Characters) -> bool:
    """Return whether a line is too narrow for its letters, and a word begins left of the one before."""
    if line.sideways or line.right - line.left > _TOO_NARROW * len(line.text) * line.size or RTL_LETTER.search(line.text):
        return False
    at = line.left
    for match in _WORD.finditer(characters.text[line.text_start : line.text_start + line.text_length]):
        box = characters.box(line.text_start + match.start())
        if box is None:
            continue
        if box[0] < at - line.size:
            return True
        at = box[0]
    return False


class CoveredTexts:
    """The texts of a page (by their place among its texts) that others lie upon. Each step is done on an open page whose text is not loaded: PDFium
    must load it again, and would still compare with texts that are only set inactive."""

    def __init__(self, page: Any, text_page: Any) -> None:
        texts = pdf_calls.texts_on(page, _MOST_OBJECTS)
        self._texts = texts
        covers = _find_covered(texts)
        below = {place: _object_text(texts[place], text_page) for place in covers}
        self._below = {place: Counter(text) for place, text in below.items() if text is not None}
        self._covers = {place: covers[place] for place in self._below}
        self._boxes = {place: pdf_calls.box_of(texts[place]) for place in {*self._covers, *self._covers.values()}}
        self._off = set(self._covers)

    @property
    def has_covered(self) -> bool:
        return bool(self._covers)

    def remove_covered(self, page: Any) -> None:
        """Remove the covered texts from a page from which nothing was removed yet."""
        self._texts = pdf_calls.texts_on(page, _MOST_OBJECTS)
        for place in self._off:
            item = ctypes.cast(self._texts[place], pdfium.FPDF_PAGEOBJECT)
            if pdfium.FPDFPage_RemoveObject(page.raw, item):
                pdfium.FPDFPageObj_Destroy(item)

    def restore_fuller(self, text_page: Any) -> bool:
        """With the text of the page from which was taken off: keep texts whose letters the one upon them does not have, in its place where that has
        no others. (In the fonts of a layer that only makes letters bold, signs may be missing.) True where there are such: the page is to be
        opened again."""
        said = {place: _object_text(self._texts[place], text_page) for place in set(self._covers.values())}
        upper = {place: Counter(text or "") for place, text in said.items()}
        kept = [place for place, own in self._below.items() if not own <= upper[self._covers[place]]]
        for place in kept:
            cover = self._covers[place]
            self._off.discard(place)
            if said[cover] is not None and upper[cover] <= self._below[place] and _lies_in(self._boxes[cover], self._boxes[place]):
                self._off.add(cover)
        return bool(kept)


def _find_covered(texts: Sequence[int]) -> dict[int, int]:
    """Return the place of each text that lies within the box of one that is drawn later, with the place of the last of those."""
    bands: dict[int, list[tuple[int, _Bounds]]] = defaultdict(list)
    covered: dict[int, int] = {}
    for place in range(len(texts) - 1, -1, -1):
        box = pdf_calls.box_of(texts[place])
        if box[2] <= box[0] or box[3] <= box[1]:
            continue
        band = round((box[1] + box[3]) / 2 / _BAND)
        over = next((other for near in (band, band - 1, band + 1) for other, around in bands[near] if _lies_in(box, around)), None)
        if over is not None:
            covered[place] = over
        elif len(bands[band]) < _MOST_IN_BAND:
            bands[band].append((place, box))
    return covered


def _lies_in(box: _Bounds, other: _Bounds) -> bool:
    slack = _SLACK * (other[3] - other[1])
    alike = box[3] - box[1] > 0.5 * (other[3] - other[1])
    inside = box[0] >= other[0] - slack and box[2] <= other[2] + slack
    return alike and inside and box[1] >= other[1] - slack and box[3] <= other[3] + slack


def _object_text(drawn: int, text_page: Any) -> str | None:
    """Return the letters that one operation draws, without blanks; None where they are too many."""
    pointer = ctypes.cast(drawn, pdfium.FPDF_PAGEOBJECT)
    buffer = (ctypes.c_ushort * _LETTERS_OF_OBJECT)()
    size = pdfium.FPDFTextObj_GetText(pointer, text_page.raw, buffer, 2 * _LETTERS_OF_OBJECT)
    if size > 2 * _LETTERS_OF_OBJECT:
        return None
    if size <= 2:
        return ""
    return "".join(bytes(memoryview(buffer)[: size // 2 - 1]).decode("utf-16-le", errors="replace").split())
