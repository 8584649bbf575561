"""Which pages may hold a table: a look at the lines that the reader of the text gave, and at how much is drawn, before any geometry."""

from __future__ import annotations

import re
from typing import Any

import pypdfium2.raw as pdfium

from ingestion.extractors.pdf_lines import PageText

_NUMBER = re.compile(r"[^\W\d_]{0,3}\W{0,2}\d[\d.,:%/-]*\W{0,2}$")
_WORDS_OF_TEXT = 9
_ROWS = 3
_FEWEST_PATHS = 4  # a ruled table has two lines on either axis


def may_hold_tables(page: PageText) -> bool:
    """Whether three lines together are no running text: short, or full of numbers."""
    together = 0
    for line in page.lines:
        together = 0 if _is_text(line.text) else together + 1
        if together >= _ROWS:
            return True
    return False


def _is_text(line: str) -> bool:
    words = line.split()
    return len(words) >= _WORDS_OF_TEXT and 5 * sum(bool(_NUMBER.match(word)) for word in words) < len(words)


def is_drawn_on(page: Any) -> bool:
    """Whether enough is drawn on an open page for a ruled table."""
    paths = 0
    for index in range(min(pdfium.FPDFPage_CountObjects(page), 5_000)):
        kind = pdfium.FPDFPageObj_GetType(pdfium.FPDFPage_GetObject(page, index))
        if kind == pdfium.FPDF_PAGEOBJ_FORM:
            return True
        if kind == pdfium.FPDF_PAGEOBJ_PATH:
            paths += 1
            if paths >= _FEWEST_PATHS or pdfium.FPDFPath_CountSegments(pdfium.FPDFPage_GetObject(page, index)) > 4 * _FEWEST_PATHS:
                return True
    return False
