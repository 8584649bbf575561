"""The characters of a PDF page as PDFium tells them: their text in one call, and box, weight, direction and visibility of single ones.

Asking for every character costs twenty times as much as asking for a few of each line, and says nothing more about lines.
"""

from __future__ import annotations

import ctypes
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Any

import pypdfium2.raw as pdfium

from ingestion.readers.pdf import pdfium_ffi as pdf_calls

Box = tuple[float, float, float, float]  # left, top, right, bottom on the page as it is read
_BOLD = re.compile(r"bold|black|heavy|demi|medi(?!um)|bx\d", re.I)
WHITE = 250
_PRIVATE = re.compile("[\ue000-\uf8ff\ufffd]")
_SAMPLE = 40
_SUBSET = re.compile(r"^[A-Z]{6}\+")
_INVISIBLE = frozenset({pdfium.FPDF_TEXTRENDERMODE_INVISIBLE, pdfium.FPDF_TEXTRENDERMODE_CLIP})
_NAME = ctypes.create_string_buffer(256)
_COLOUR = tuple(ctypes.c_uint() for _ in range(4))  # red, green, blue, alpha


class Ink(Enum):
    NONE = "none"
    WHITE = "white"
    DARK = "dark"


class Characters:
    """One page's characters. `text` holds no lone surrogates; a place in it is a code point, and -1 stands for no character.

    `rotation` is the clockwise turn (0, 90, 180, 270) of the page's own coordinates after which boxes are given: first the one with which the
    page is shown. `aligned` says that places are PDFium's numbers.
    """

    def __init__(self, page: Any, text_page: Any) -> None:
        self._text_page = text_page
        self.handle = pdf_calls.address(text_page.raw)
        self._rect = pdfium.FS_RECTF()
        self._rect_at = ctypes.addressof(self._rect)
        self._fonts: dict[int, str] = {}
        self._inks: dict[int, Ink] = {}
        self._frame = page.get_bbox()
        self.rotation: int = page.get_rotation()
        count = max(0, pdfium.FPDFText_CountChars(self._text_page))
        self.text = self._read_text(count)
        self.aligned = len(self.text) == count
        self._units = _utf16_offsets(self.text)

    def _read_text(self, count: int) -> str:
        if not count:
            return ""
        buffer = (ctypes.c_ushort * (count * 2 + 2))()
        written = pdfium.FPDFText_GetText(self._text_page, 0, count, buffer)
        return bytes(memoryview(buffer)[: max(0, written - 1)]).decode("utf-16-le", errors="replace")

    def index(self, place: int) -> int:
        """Return PDFium's number of the character at a place of `text`."""
        if self.aligned or place < 0:
            return place
        place = self._units[place] if self._units else place
        return int(pdfium.FPDFText_GetCharIndexFromTextIndex(self._text_page, place))

    def box(self, place: int) -> Box | None:
        """Return the loose box of a character (as high as its font, as wide as its advance); None for one that PDFium made up."""
        index = place if self.aligned else self.index(place)
        if index < 0 or not pdf_calls.loose_box(self.handle, index, self._rect_at):
            return None
        box = self._rect
        return self.turn_box(box.left, box.bottom, box.right, box.top)

    def turn_box(self, left: float, bottom: float, right: float, top: float) -> Box:
        """Turn a box of the page's own coordinates (y upwards) to the page as it is read."""
        first, lowest, last, highest = self._frame
        match self.rotation:
            case 0:
                return (left - first, highest - top, right - first, highest - bottom)
            case 90:
                return (bottom - lowest, left - first, top - lowest, right - first)
            case 180:
                return (last - right, bottom - lowest, last - left, top - lowest)
            case _:
                return (highest - top, last - right, highest - bottom, last - left)

    def font_name(self, place: int) -> str:
        """Return the name of the character's font, "" where it has none."""
        index = self.index(place)
        if not (drawn := self._text_object(index)):
            return self._read_font_name(index)
        handle = pdf_calls.font_of(drawn) or 0
        if (font := self._fonts.get(handle)) is None:
            font = self._read_font_name(index)
            if handle:
                self._fonts[handle] = font
        return font

    def _read_font_name(self, index: int) -> str:
        flags = ctypes.c_int()
        length = pdfium.FPDFText_GetFontInfo(self._text_page.raw, index, _NAME, 256, flags) if index >= 0 else 0
        return _base_font_name(_NAME.raw[: length - 1]) if 0 < length <= 256 else ""

    def _text_object(self, index: int) -> int:
        """Return the address of the operation that draws a character, 0 where PDFium made it up."""
        return (pdf_calls.text_object(self.handle, index) or 0) if index >= 0 else 0

    def upright_rotation(self, place: int) -> int:
        """Return the clockwise turn (0, 90, 180, 270) of the page's own coordinates that sets the character upright."""
        angle = pdf_calls.char_angle(self.handle, self.index(place))  # clockwise, -1 where there is none
        if angle == 0:
            return 0
        return -round(math.degrees(angle) / 90) % 4 * 90 if angle >= 0 else self.rotation

    def ink(self, place: int) -> Ink:
        """Return the ink of a character; it is one for all that one operation draws."""
        index = self.index(place)
        if not (drawn := self._text_object(index)):
            return self._read_ink(index)
        if (ink := self._inks.get(drawn)) is None:
            ink = self._inks[drawn] = self._read_ink(index)
        return ink

    def _read_ink(self, index: int) -> Ink:
        drawn = pdfium.FPDFText_GetTextObject(self._text_page.raw, index)
        if drawn and pdfium.FPDFTextObj_GetTextRenderMode(drawn) in _INVISIBLE:
            return Ink.NONE
        if not pdfium.FPDFText_GetFillColor(self._text_page.raw, index, *_COLOUR):
            return Ink.DARK
        red, green, blue, alpha = (channel.value for channel in _COLOUR)
        return Ink.NONE if alpha == 0 else Ink.WHITE if min(red, green, blue) >= WHITE else Ink.DARK

    def is_unmapped(self, place: int) -> bool:
        """Return whether the font does not say which letter this is."""
        return bool(pdf_calls.has_map_error(self.handle, self.index(place)) == 1)

    def text_object_id(self, place: int) -> int:
        """Return a number for the operation that draws the character, 0 for none."""
        return self._text_object(self.index(place))

    def undecoded_share(self) -> float:
        """Return the share (0..1) of the letters of which the font does not say what they are, from a sample of them."""
        private = len(_PRIVATE.findall(self.text))
        step = max(1, len(self.text) // _SAMPLE)
        sample = [place for place in range(0, len(self.text), step) if not self.text[place].isspace()]
        unmapped = sum(self.is_unmapped(place) for place in sample) / max(1, len(sample))
        return max(unmapped, private / max(1, len(self.text)))


@dataclass(frozen=True, slots=True)
class OpenPage:
    """A page while it is open: its number from 1, pypdfium2's page, its characters, their `text` in reading order (each in its place), and what else
    is drawn on it (`pdf_calls.objects_on`)."""

    number: int
    page: Any
    characters: Characters
    text: str
    objects: Sequence[tuple[int, int]]


@lru_cache(maxsize=1024)
def _base_font_name(name: bytes) -> str:
    """Return a font's name without the six letters that mark a subset of it; one object for each name."""
    return _SUBSET.sub("", name.decode("utf-8", errors="replace"))


@lru_cache(maxsize=1024)
def is_bold(font: str) -> bool:
    """Return whether a font's name says that it is bold."""
    return bool(_BOLD.search(font))


def _utf16_offsets(text: str) -> list[int] | None:
    """Return for each code point its place in UTF-16; None where they are the same."""
    if max(text, default="") <= "\uffff":
        return None
    units = [0]
    for letter in text:
        units.append(units[-1] + (2 if letter > "\uffff" else 1))
    return units
