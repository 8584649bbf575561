"""Which pages may hold a table at all: looking for one takes three times as long as reading a page, and most pages of most files are prose."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pypdfium2.raw as pdfium

from ingestion.extractors.pdf_lines import Line

_FIGURE = re.compile(r"\S*\d\S*")
_ROWS = 3
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
    if sum(abs(line.y - other.y) < 0.4 * line.size for line, other in pairwise(upright)) >= _ROWS:
        return True
    return _has_shapes(page)


def _has_figures(line: Line) -> bool:
    figures = len(_FIGURE.findall(line.text))
    return figures >= 2 and figures >= 0.3 * len(line.text.split())


def _has_shapes(page: Any) -> bool:
    shapes = 0
    for index in range(min(_MAX_OBJECTS, pdfium.FPDFPage_CountObjects(page))):
        kind = pdfium.FPDFPageObj_GetType(pdfium.FPDFPage_GetObject(page, index))
        shapes += kind == pdfium.FPDF_PAGEOBJ_PATH
        if shapes >= _SHAPES or kind == pdfium.FPDF_PAGEOBJ_FORM:
            return True
    return False
