"""PDFium's functions for single characters and shapes, asked for by the thousand.

They are bound again with plain addresses in place of typed pointers, and without letting go of the interpreter's lock: a call costs half as much.
Each returns what PDFium returns (0 or None where it has nothing) and writes to the address that it is given.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from itertools import repeat
from typing import Any

import pypdfium2.raw as pdfium

_MOST = 200_000
_ADDRESS, _INT = ctypes.c_void_p, ctypes.c_int


def address(handle: Any) -> int:
    """Return the memory address of one of PDFium's typed handles (or functions)."""
    return ctypes.cast(handle, ctypes.c_void_p).value or 0


def _bind(function: Any, result: Any, *arguments: Any) -> Callable[..., Any]:
    prototype = ctypes.PYFUNCTYPE(result, *arguments)
    call: Callable[..., Any] = prototype(address(function))
    return call


# Of a text page and the number of a character.
loose_box = _bind(pdfium.FPDFText_GetLooseCharBox, _INT, _ADDRESS, _INT, _ADDRESS)
origin = _bind(pdfium.FPDFText_GetCharOrigin, _INT, _ADDRESS, _INT, _ADDRESS, _ADDRESS)
text_object = _bind(pdfium.FPDFText_GetTextObject, _ADDRESS, _ADDRESS, _INT)
char_angle = _bind(pdfium.FPDFText_GetCharAngle, ctypes.c_float, _ADDRESS, _INT)
font_size = _bind(pdfium.FPDFText_GetFontSize, ctypes.c_double, _ADDRESS, _INT)
char_matrix = _bind(pdfium.FPDFText_GetMatrix, _INT, _ADDRESS, _INT, _ADDRESS)
has_map_error = _bind(pdfium.FPDFText_HasUnicodeMapError, _INT, _ADDRESS, _INT)

font_of = _bind(pdfium.FPDFTextObj_GetFont, _ADDRESS, _ADDRESS)

# Of a page or a form, and the number of an object on it; of an object.
page_object = _bind(pdfium.FPDFPage_GetObject, _ADDRESS, _ADDRESS, _INT)
form_object = _bind(pdfium.FPDFFormObj_GetObject, _ADDRESS, _ADDRESS, ctypes.c_ulong)
count_form_objects = _bind(pdfium.FPDFFormObj_CountObjects, _INT, _ADDRESS)
kind_of = _bind(pdfium.FPDFPageObj_GetType, _INT, _ADDRESS)
bounds = _bind(pdfium.FPDFPageObj_GetBounds, _INT, _ADDRESS, _ADDRESS, _ADDRESS, _ADDRESS, _ADDRESS)
matrix = _bind(pdfium.FPDFPageObj_GetMatrix, _INT, _ADDRESS, _ADDRESS)
fill_color = _bind(pdfium.FPDFPageObj_GetFillColor, _INT, _ADDRESS, _ADDRESS, _ADDRESS, _ADDRESS, _ADDRESS)
stroke_color = _bind(pdfium.FPDFPageObj_GetStrokeColor, _INT, _ADDRESS, _ADDRESS, _ADDRESS, _ADDRESS, _ADDRESS)
stroke_width = _bind(pdfium.FPDFPageObj_GetStrokeWidth, _INT, _ADDRESS, _ADDRESS)

# Of a path and the number of a segment; of a segment.
draw_mode = _bind(pdfium.FPDFPath_GetDrawMode, _INT, _ADDRESS, _ADDRESS, _ADDRESS)
count_segments = _bind(pdfium.FPDFPath_CountSegments, _INT, _ADDRESS)
segment = _bind(pdfium.FPDFPath_GetPathSegment, _ADDRESS, _ADDRESS, _INT)
segment_kind = _bind(pdfium.FPDFPathSegment_GetType, _INT, _ADDRESS)
segment_point = _bind(pdfium.FPDFPathSegment_GetPoint, _INT, _ADDRESS, _ADDRESS, _ADDRESS)
segment_closes = _bind(pdfium.FPDFPathSegment_GetClose, _INT, _ADDRESS)


def box_of(item: int) -> tuple[float, float, float, float]:
    """Return left, bottom, right and top of an object in the coordinates of what holds it; zeros where it has none."""
    sides = (ctypes.c_float * 4)()
    first = ctypes.addressof(sides)
    if not bounds(item, first, first + 4, first + 8, first + 12):
        return 0.0, 0.0, 0.0, 0.0
    left, bottom, right, top = sides
    return left, bottom, right, top


def objects_on(page: Any, most: int = _MOST) -> list[tuple[int, int]]:
    """Return kind and address of each of the first `most` objects of an open pypdfium2 page that are no text."""
    return _non_text_objects(page_object, address(page.raw), min(most, max(0, pdfium.FPDFPage_CountObjects(page.raw))))


def texts_on(page: Any, most: int = _MOST) -> list[int]:
    """Return the address of each text among the first `most` objects of an open pypdfium2 page."""
    count = min(most, max(0, pdfium.FPDFPage_CountObjects(page.raw)))
    found: list[int] = list(map(page_object, repeat(address(page.raw), count), range(count)))
    return [item for item in found if kind_of(item) == pdfium.FPDF_PAGEOBJ_TEXT]


def objects_in(form: int, most: int) -> list[tuple[int, int]]:
    """Return kind and address of what a form object draws."""
    return _non_text_objects(form_object, form, min(most, max(0, count_form_objects(form))))


def _non_text_objects(ask: Callable[..., Any], owner: int, count: int) -> list[tuple[int, int]]:
    found: Sequence[int] = list(map(ask, repeat(owner, count), range(count)))
    kinds: Sequence[int] = list(map(kind_of, found))
    text = pdfium.FPDF_PAGEOBJ_TEXT
    return [(kind, item) for kind, item in zip(kinds, found, strict=True) if kind != text]
