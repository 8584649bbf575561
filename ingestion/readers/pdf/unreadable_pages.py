"""Pages of a PDF that only recognition (OCR) can read: pictures of text, and text in fonts that do not say what their letters are."""

from __future__ import annotations

from ingestion.readers.base.page_lines import PageText

_UNDECODED = 0.3  # part of the letters; below it a page has some symbols of its own
_FEW_LETTERS = 50  # a stamp, a page number, the mark of a scanner's trial version
_PICTURE_PAGE = 0.5  # part of the paper


def needs_recognition(page: PageText) -> bool:
    """Return whether something on the page may be text and cannot be read. False for blank pages and for those that PDFium cannot load."""
    if not page.width:
        return False
    if is_undecoded(page):
        return True
    letters = sum(len(line.text.replace(" ", "")) for line in page.lines if not line.hidden)
    if letters > _FEW_LETTERS:
        return False
    return page.picture_share >= _PICTURE_PAGE or (letters == 0 and page.object_count > 0)


def is_undecoded(page: PageText) -> bool:
    """Return whether so many letters have no meaning outside of the file's fonts that the text cannot be used."""
    return page.undecoded_share >= _UNDECODED
