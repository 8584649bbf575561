"""Text of a PDF page that cannot be seen on the page: it is marked, so that no answer rests on it."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence

import pypdfium2.raw as pdfium

from ingestion.readers.base.page_lines import PageLine
from ingestion.readers.pdf import pdfium_ffi as pdf_calls
from ingestion.readers.pdf.page_characters import WHITE, Box, Characters, Ink, OpenPage

_PICTURES = frozenset({pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_FORM, pdfium.FPDF_PAGEOBJ_SHADING})
_MAX_OBJECTS = 20_000
_THICK = 6.0  # points


def mark_hidden(opened: OpenPage, lines: Sequence[PageLine], inks: Mapping[int, Ink]) -> None:
    """Set `hidden` on lines that are drawn without ink where no picture lies below, in white where nothing dark does, or beside the paper.

    Where most of a page is so, that is its text: recognised text below a scan, or letters that are drawn as shapes. `inks` holds the lines that
    are not drawn in a dark colour.
    """
    far = max(opened.page.get_size())
    beside = {index for index, line in enumerate(lines) if line.size and _is_off_paper(line, far)}
    suspects = beside.union(inks)
    if not suspects or 2 * sum(len(lines[index].text) for index in suspects) > sum(len(line.text) for line in lines):
        return
    pictures, shades = _drawn_areas(opened.objects, opened.characters) if inks else ([], [])
    for index in suspects:
        areas = pictures + shades if inks.get(index) is Ink.WHITE else pictures
        lines[index].hidden = index in beside or not any(_covers(area, lines[index]) for area in areas)


def _is_off_paper(line: PageLine, far: float) -> bool:
    return line.right < 0 or line.y < 0 or line.left > far or line.y - line.size > far


def _covers(area: Box, line: PageLine) -> bool:
    """Return whether the area lies below the middle or an end of the line."""
    y = line.y - line.size / 2
    ends = (line.left + line.size / 2, (line.left + line.right) / 2, line.right - line.size / 2)
    return area[1] <= y <= area[3] and any(area[0] <= x <= area[2] for x in ends)


def _drawn_areas(objects: Sequence[tuple[int, int]], characters: Characters) -> tuple[list[Box], list[Box]]:
    """Return where pictures lie, and where areas are filled with another colour than white."""
    pictures: list[Box] = []
    shades: list[Box] = []
    for kind, drawn in objects[:_MAX_OBJECTS]:
        if kind in _PICTURES:
            pictures.append(_bounds(drawn, characters))
        elif kind == pdfium.FPDF_PAGEOBJ_PATH and _is_shade(drawn):
            shades.append(_bounds(drawn, characters))
    return pictures, shades


def _is_shade(path: int) -> bool:
    """Return whether a shape is filled with a colour, or a line in a colour is as thick as a line of text."""
    mode, stroked, width = ctypes.c_int(), ctypes.c_int(), ctypes.c_float()
    if not pdf_calls.draw_mode(path, ctypes.addressof(mode), ctypes.addressof(stroked)):
        return False
    if mode.value != pdfium.FPDF_FILLMODE_NONE and _is_dark(path, pdf_calls.fill_color):
        return True
    thick = stroked.value and pdf_calls.stroke_width(path, ctypes.addressof(width)) and width.value >= _THICK
    return bool(thick) and _is_dark(path, pdf_calls.stroke_color)


def _is_dark(path: int, ask: Callable[..., int]) -> bool:
    channels = (ctypes.c_uint * 4)()
    first = ctypes.addressof(channels)
    if not ask(path, first, first + 4, first + 8, first + 12):
        return True  # a pattern
    red, green, blue, alpha = channels
    return alpha > 0 and min(red, green, blue) < WHITE


def _bounds(drawn: int, characters: Characters) -> Box:
    left, bottom, right, top = pdf_calls.box_of(drawn)
    return characters.turn_box(left, bottom, right, top)
