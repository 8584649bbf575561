"""Words and rules of a page of an open PDF."""

from __future__ import annotations

from typing import Any

from ingestion.readers.pdf import pdfium_ffi as pdf_calls
from ingestion.readers.pdf.page_characters import Characters, OpenPage
from ingestion.readers.pdf.rtl import text_in_reading_order
from ingestion.readers.pdf.tables.drawn_lines import RuleCollector
from ingestion.readers.pdf.tables.page_words import read_words
from ingestion.readers.pdf.tables.table_model import PageGeometry

# A dense page of figures has some 2,000 words and 3,000 pieces of line; far above that are maps and files made to hurt.
MAX_WORDS = 12_000
MAX_PIECES = 30_000


def read_geometry(document: Any, number: int) -> PageGeometry:
    """Read words and rules of page `number` (from 1) of a pypdfium2 document.

    Raises:
        pypdfium2.PdfiumError: the page cannot be loaded.
    """
    page = document[number - 1]
    try:
        text_page = page.get_textpage()
        try:
            characters = Characters(page, text_page)
            return geometry_of(OpenPage(number, page, characters, text_in_reading_order(characters), pdf_calls.objects_on(page)))
        finally:
            text_page.close()
    finally:
        page.close()


def geometry_of(opened: OpenPage) -> PageGeometry:
    """Collect words and rules of an open page."""
    page = opened.page
    box = page.get_bbox()
    words, rotation, many = read_words(opened.characters, opened.text, box, MAX_WORDS)
    drawing = RuleCollector(box, rotation, MAX_PIECES)
    drawing.collect_rules(opened.objects)
    return PageGeometry(
        words, drawing.strong_rules, drawing.weak_rules, box, rotation, page.get_rotation(), drawing.crooked_boxes, many or drawing.truncated
    )
