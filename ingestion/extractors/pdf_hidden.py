"""Text of a PDF page that nobody who looks at the page can see: it is told apart, so that no answer rests on it."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from typing import Any

import pypdfium2.raw as pdfium

from ingestion.extractors.pdf_characters import WHITE, Box, Characters, Ink
from ingestion.extractors.pdf_lines import Line

_PICTURES = frozenset({pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_FORM, pdfium.FPDF_PAGEOBJ_SHADING})
_MAX_OBJECTS = 20_000
_THICK = 6.0  # points


def mark_hidden(page: Any, characters: Characters, lines: Sequence[Line], inks: Mapping[int, Ink]) -> None:
    """Set `hidden` on lines that are drawn without ink where no picture lies below, in white where nothing dark does, or beside the paper.

    Where most of a page is so, that is its text: recognised text below a scan, or letters that are drawn as shapes. `inks` holds the lines that
    are not drawn in a dark colour.
    """
    width, height = page.get_size()
    far = max(width, height)
    beside = {index for index, line in enumerate(lines) if line.size and _is_beside(line, far)}
    suspects = beside.union(inks)
    if not suspects or 2 * sum(len(lines[index].text) for index in suspects) > sum(len(line.text) for line in lines):
        return
    pictures, shades = _drawn_areas(page, characters) if inks else ([], [])
    for index in suspects:
        areas = pictures + shades if inks.get(index) is Ink.WHITE else pictures
        lines[index].hidden = index in beside or not any(_covers(area, lines[index]) for area in areas)


def _is_beside(line: Line, far: float) -> bool:
    return line.right < 0 or line.y < 0 or line.left > far or line.y - line.size > far


def _covers(area: Box, line: Line) -> bool:
    """Whether the area lies below the middle or an end of the line."""
    y = line.y - line.size / 2
    ends = (line.left + line.size / 2, (line.left + line.right) / 2, line.right - line.size / 2)
    return area[1] <= y <= area[3] and any(area[0] <= x <= area[2] for x in ends)


def _drawn_areas(page: Any, characters: Characters) -> tuple[list[Box], list[Box]]:
    """Where pictures lie, and where areas are filled with another colour than white."""
    pictures: list[Box] = []
    shades: list[Box] = []
    for number in range(min(_MAX_OBJECTS, pdfium.FPDFPage_CountObjects(page))):
        drawn = pdfium.FPDFPage_GetObject(page, number)
        kind = pdfium.FPDFPageObj_GetType(drawn)
        if kind in _PICTURES or (kind == pdfium.FPDF_PAGEOBJ_PATH and _is_shade(drawn)):
            (pictures if kind in _PICTURES else shades).append(_bounds(drawn, characters))
    return pictures, shades


def _is_shade(path: Any) -> bool:
    """Whether a shape is filled with a colour, or a line in a colour is as thick as a line of text."""
    mode, stroked, width = ctypes.c_int(), ctypes.c_int(), ctypes.c_float()
    if not pdfium.FPDFPath_GetDrawMode(path, mode, stroked):
        return False
    if mode.value != pdfium.FPDF_FILLMODE_NONE and _is_dark(path, pdfium.FPDFPageObj_GetFillColor):
        return True
    thick = stroked.value and pdfium.FPDFPageObj_GetStrokeWidth(path, width) and width.value >= _THICK
    return bool(thick) and _is_dark(path, pdfium.FPDFPageObj_GetStrokeColor)


def _is_dark(path: Any, ask: Any) -> bool:
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    if not ask(path, red, green, blue, alpha):
        return True  # a pattern
    return alpha.value > 0 and min(red.value, green.value, blue.value) < WHITE


def _bounds(drawn: Any, characters: Characters) -> Box:
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    if not pdfium.FPDFPageObj_GetBounds(drawn, left, bottom, right, top):
        return (0.0, 0.0, 0.0, 0.0)
    return characters.turned(left.value, bottom.value, right.value, top.value)
