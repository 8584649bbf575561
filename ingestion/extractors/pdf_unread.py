"""Which pages of a PDF only recognition (OCR) can read: pictures of text, and text in fonts that do not say what their letters are."""

from __future__ import annotations

import ctypes
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from ingestion.extractors.pdf_lines import PageText

_MAX_OBJECTS = 2_000
_UNDECODED = 0.3  # part of the letters; below it a page has some symbols of its own
_FEW_LETTERS = 50  # a stamp, a page number, the mark of a scanner's trial version
_PICTURE_PAGE = 0.5  # part of the paper


def needs_recognition(document: Any, page: PageText) -> bool:
    """Whether something on the page may be text and cannot be read. False for blank pages and for those that PDFium cannot load."""
    if not page.width:
        return False
    if is_undecoded(page):
        return True
    letters = sum(len(line.text.replace(" ", "")) for line in page.lines if not line.hidden)
    if letters > _FEW_LETTERS:
        return False
    try:
        objects, covered = _drawn(document, page.number)
    except pypdfium2.PdfiumError:
        return False
    return covered >= _PICTURE_PAGE or (letters == 0 and objects > 0)


def is_undecoded(page: PageText) -> bool:
    """Whether so many letters have no meaning outside of the file's fonts that the text cannot be used."""
    return page.undecoded >= _UNDECODED


def _drawn(document: Any, number: int) -> tuple[int, float]:
    """How many things are drawn on a page (annotations with an appearance count), and the part of its paper that its largest picture covers."""
    page = document[number - 1]
    try:
        count = pdfium.FPDFPage_CountObjects(page)
        width, height = page.get_bbox()[2] - page.get_bbox()[0], page.get_bbox()[3] - page.get_bbox()[1]
        largest = max((_picture_area(pdfium.FPDFPage_GetObject(page, index)) for index in range(min(count, _MAX_OBJECTS))), default=0.0)
        return count + pdfium.FPDFPage_GetAnnotCount(page), largest / max(1.0, width * height)
    finally:
        page.close()


def _picture_area(drawn: Any) -> float:
    if pdfium.FPDFPageObj_GetType(drawn) not in (pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_FORM):
        return 0.0
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    if not pdfium.FPDFPageObj_GetBounds(drawn, left, bottom, right, top):
        return 0.0
    return max(0.0, right.value - left.value) * max(0.0, top.value - bottom.value)
