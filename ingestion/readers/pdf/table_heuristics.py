"""A cheap test whether a page may hold a table: finding one takes three times as long as reading a page, and most pages of most files are prose."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pypdfium2.raw as pdfium

from ingestion.readers.base.page_lines import PageLine
from ingestion.readers.pdf import pdfium_ffi as pdf_calls

_FIGURE = re.compile(r"\S*\d\S*")
_DIGIT = re.compile(r"\d")
_ROWS = 3
_LONGEST_CELL = 50  # letters
_DEPTH = 3  # forms inside forms
_GAPS = 2
_WIDE_GAP = 0.9  # heights of a line; justified prose stays below
_SHAPES = 12
_MAX_OBJECTS = 600


def may_hold_table(objects: Sequence[tuple[int, int]], lines: Sequence[PageLine]) -> bool:
    """Return whether several lines of a page are divided by wide gaps, stand beside one another, or hold figures, or there are many shapes among the
    `objects` that are drawn on it. Of the pages on which a table is found none may be without such a sign; of pages of prose half are."""
    upright = [line for line in lines if line.size and not line.sideways]
    if sum(line.gap > _WIDE_GAP for line in upright) >= _GAPS or sum(map(_has_figures, upright)) >= _ROWS:
        return True
    if sum(map(_are_side_by_side, upright, upright[1:])) >= _ROWS:
        return True
    return _has_shapes(objects)


def _has_figures(line: PageLine) -> bool:
    if not _DIGIT.search(line.text):
        return False
    figures = len(_FIGURE.findall(line.text))
    return figures >= 2 and figures >= 0.3 * len(line.text.split())


def _are_side_by_side(line: PageLine, other: PageLine) -> bool:
    """Return whether two lines are cells of one row; lines of two columns of prose are longer."""
    return abs(line.y - other.y) < 0.4 * line.size and min(len(line.text), len(other.text)) <= _LONGEST_CELL


def _has_shapes(objects: Sequence[tuple[int, int]], enough: int = _SHAPES, depth: int = _DEPTH) -> bool:
    """Return whether many shapes are drawn on the page itself or in its forms (pieces of content that are drawn as one object)."""
    return _count_shapes(objects, enough, depth) >= enough


def _count_shapes(objects: Sequence[tuple[int, int]], enough: int, depth: int) -> int:
    found = 0
    for kind, item in objects[:_MAX_OBJECTS]:
        if kind == pdfium.FPDF_PAGEOBJ_PATH or (kind == pdfium.FPDF_PAGEOBJ_FORM and not depth):
            found += kind == pdfium.FPDF_PAGEOBJ_PATH
        elif kind == pdfium.FPDF_PAGEOBJ_FORM:
            found += _count_shapes(pdf_calls.objects_in(item, _MAX_OBJECTS), enough - found, depth - 1)
        if found >= enough:
            break
    return found
