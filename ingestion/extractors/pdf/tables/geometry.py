"""Words and rules of a page of an open PDF."""

from __future__ import annotations

from typing import Any

from ingestion.extractors.pdf import calls as pdf_calls
from ingestion.extractors.pdf.characters import Characters, OpenPage
from ingestion.extractors.pdf.rtl import in_reading_order
from ingestion.extractors.pdf.tables.drawing import Drawing
from ingestion.extractors.pdf.tables.model import Geometry
from ingestion.extractors.pdf.tables.words import read_words

# A dense page of figures has some 2,000 words and 3,000 pieces of line; far above that are maps and files made to hurt.
MAX_WORDS = 12_000
MAX_PIECES = 30_000


def read_geometry(document: Any, number: int) -> Geometry:
    """Read words and rules of page `number` (from 1) of a pypdfium2 document.

    Raises:
        pypdfium2.PdfiumError: the page cannot be loaded.
    """
    page = document[number - 1]
    try:
        text_page = page.get_textpage()
        try:
            characters = Characters(page, text_page)
            return geometry_of(OpenPage(number, page, characters, in_reading_order(characters), pdf_calls.objects_on(page)))
        finally:
            text_page.close()
    finally:
        page.close()


def geometry_of(opened: OpenPage) -> Geometry:
    """Collect words and rules of an open page."""
    page = opened.page
    box = page.get_bbox()
    words, rotation, many = read_words(opened.characters, opened.text, box, MAX_WORDS)
    drawing = Drawing(box, rotation, MAX_PIECES)
    drawing.read(opened.objects)
    return Geometry(words, drawing.strong, drawing.weak, box, rotation, page.get_rotation(), drawing.crooked, many or drawing.cut)
