"""Which pages may hold a table at all: looking for one takes three times as long as reading a page, and most pages of most files are prose."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pypdfium2.raw as pdfium

from ingestion.extractors.pdf_lines import Line

_FIGURE = re.compile(r"\S*\d\S*")
_DIGIT = re.compile(r"\d")
_ROWS = 3
_LONGEST_CELL = 50  # letters
_DEPTH = 3  # forms inside forms
_GAPS = 2
_WIDE_GAP = 0.9  # heights of a line; justified prose stays below
_SHAPES = 12
_MAX_OBJECTS = 600


def may_hold_table(page: Any, lines: Sequence[Line]) -> bool:
    """Whether several lines of an open pypdfium2 page are divided by wide gaps, stand beside one another, or hold figures, or many shapes are
    drawn. Of the pages on which a table is found none may be without such a sign; of pages of prose half are."""
    upright = [line for line in lines if line.size and not line.sideways]
    if sum(line.gap > _WIDE_GAP for line in upright) >= _GAPS or sum(map(_has_figures, upright)) >= _ROWS:
        return True
    if sum(map(_stand_beside, upright, upright[1:])) >= _ROWS:
        return True
    return _has_shapes(page)


def _has_figures(line: Line) -> bool:
    if not _DIGIT.search(line.text):
        return False
    figures = len(_FIGURE.findall(line.text))
    return figures >= 2 and figures >= 0.3 * len(line.text.split())


def _stand_beside(line: Line, other: Line) -> bool:
    """Whether two lines are cells of one row; lines of two columns of prose are longer."""
    return abs(line.y - other.y) < 0.4 * line.size and min(len(line.text), len(other.text)) <= _LONGEST_CELL


def _has_shapes(page: Any) -> bool:
    """Whether many shapes are drawn on the page itself or in its forms (pieces of content that are drawn as one object)."""
    raw = page.raw
    count = min(_MAX_OBJECTS, pdfium.FPDFPage_CountObjects(raw))
    left = _SHAPES
    for index in range(count):
        left -= _shapes(pdfium.FPDFPage_GetObject(raw, index), left, _DEPTH)
        if left <= 0:
            return True
    return False


def _shapes(item: Any, enough: int, depth: int) -> int:
    """1 for a shape, for a form how many it holds, up to `enough`."""
    kind = pdfium.FPDFPageObj_GetType(item)
    if kind != pdfium.FPDF_PAGEOBJ_FORM or not depth:
        return int(kind == pdfium.FPDF_PAGEOBJ_PATH)
    found = 0
    for index in range(min(_MAX_OBJECTS, pdfium.FPDFFormObj_CountObjects(item))):
        found += _shapes(pdfium.FPDFFormObj_GetObject(item, index), enough - found, depth - 1)
        if found >= enough:
            break
    return found
