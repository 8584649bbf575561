"""Words and rules of a page of an open PDF."""

from __future__ import annotations

from typing import Any

from ingestion.extractors.pdf_tables.drawing import Drawing
from ingestion.extractors.pdf_tables.model import Geometry
from ingestion.extractors.pdf_tables.words import read_words

# A dense page of figures has some 2,000 words and 3,000 pieces of line; far above that are maps and files made to hurt.
MAX_WORDS = 12_000
MAX_PIECES = 30_000


def read_geometry(document: Any, number: int) -> Geometry:
    """Page `number` (from 1) of a pypdfium2 document.

    Raises:
        pypdfium2.PdfiumError: the page cannot be loaded.
    """
    page = document[number - 1]
    try:
        box = page.get_bbox()
        text_page = page.get_textpage()
        try:
            words, rotation, many = read_words(text_page, box, MAX_WORDS)
        finally:
            text_page.close()
        drawing = Drawing(box, rotation, MAX_PIECES)
        drawing.read(page)
        return Geometry(words, drawing.strong, drawing.weak, box, rotation, page.get_rotation(), drawing.crooked, many or drawing.cut)
    finally:
        page.close()
