"""Pages whose text is in pictures, read by recognition (OCR) and put beside what the file itself says on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from core.errors import Empty, NeedsRecognition
from ingestion.readers.base.document_builder import DocumentBuilder
from ingestion.readers.base.page_lines import PageLine, PageText
from ingestion.readers.base.source import MEBIBYTE, Source
from ingestion.readers.pdf.unreadable_pages import is_undecoded

_IN_PICTURES = "All of its text is in pictures: it can be found once text recognition has read it."
_SWITCHED_OFF = "Text recognition is switched off (ingestion.ocr.enabled)."
_COVERED = 0.6
_REPEATED = 8  # letters of a line that are not by chance those of another
_SLACK = 2.0  # points by which a line may reach into a picture below it
_LARGE_PICTURE = 0.15  # of the paper: a smaller one is not worth a second reading of the file
_LOOKED_AT = 12  # pages whose pictures are looked at where none is to be read now
_MEMORY_SHARE = 0.4  # of what a worker may take, for a picture on a page


def recognize_pages(builder: DocumentBuilder, document: Any, pages: list[PageText], unread: Sequence[int], source: Source) -> None:
    """Put what recognition reads on the pages with the numbers `unread`, and in large pictures of text on the others, into `pages`; or say that
    they are unread where it is not allowed.

    Raises:
        NeedsRecognition: recognition is not allowed now, and no page has text without it.
        Empty: it is switched off, or found nothing, and no page has text without it.
    """
    may_read = source.recognize and source.limits.ocr.enabled
    pictured = _pages_with_pictures(document, pages, unread, source, source.limits.ocr.max_pages if may_read else _LOOKED_AT)
    if not unread and not pictured:
        return
    if may_read:
        _read_pictures(builder, document, pages, (unread, pictured), source)
        return
    builder.unread_pages = sorted({*unread, *pictured})
    if not any(page.lines or page.annotated for page in pages):
        raise Empty(f"All of its text is in pictures. {_SWITCHED_OFF}") if source.recognize else NeedsRecognition(_IN_PICTURES)
    undecoded = sum(is_undecoded(page) for page in pages)
    if undecoded:
        builder.warn(f"The text of {undecoded:,} of {len(pages):,} pages is in fonts that cannot be decoded: parts of it are lost.")
    if len(unread) > undecoded:
        builder.warn(f"{len(unread) - undecoded:,} of {len(pages):,} pages have no text: scanned?")
    if pictured:
        builder.warn(f"{len(pictured):,} of {len(pages):,} pages hold a picture of text that was not read.")
    if source.recognize:
        builder.warn(_SWITCHED_OFF)


def _pages_with_pictures(document: Any, pages: Sequence[PageText], unread: Sequence[int], source: Source, most: int) -> list[int]:
    """Return the numbers of pages that can be read and have a large picture which looks like text."""
    known = set(unread)
    with_text = [page for page in pages if page.picture_share >= _LARGE_PICTURE and page.number not in known and page.lines]
    if not with_text:
        return []
    from ingestion.ocr.text_pictures import pages_with_text_pictures  # few files need what it imports

    return pages_with_text_pictures(document, with_text, int(_MEMORY_SHARE * source.limits.memory_mb) * MEBIBYTE, most)


def _read_pictures(
    builder: DocumentBuilder, document: Any, pages: list[PageText], numbers: tuple[Sequence[int], Sequence[int]], source: Source
) -> None:
    """Read whole pages and pictures on pages: `numbers` of each."""
    from ingestion.ocr.page_recognition import FileRecognition

    recognition = FileRecognition(source)
    whole, pictured = numbers
    for number in whole:
        if (recognized := recognition.recognize_page(document, number)) is not None:
            pages[number - 1] = merge_recognized(pages[number - 1], recognized)
    for number in pictured:
        page = pages[number - 1]
        for place, lines in recognition.recognize_pictures(document, page):
            page = insert_picture_lines(page, place, lines)
        pages[number - 1] = page
    builder.recognized_pages, builder.unread_pages = sorted(recognition.recognized), sorted(recognition.unread)
    for warning in recognition.warnings:
        builder.warn(warning)
    if not any(page.lines or page.annotated for page in pages):
        raise Empty(" ".join(recognition.warnings) or "There is no text: nothing was recognised in its pictures.")


def insert_picture_lines(page: PageText, place: tuple[float, float, float, float], lines: Sequence[PageLine]) -> PageText:
    """Insert the lines that were read in the picture at `place` (left, top, right, bottom) between those of the page, behind what stands above the
    picture; those that the page itself has are left out."""
    said = _letters("".join(line.text for line in page.lines))
    own = [line for line in page.lines if line.size and not line.hidden]
    added = [line for line in lines if not _is_covered(line, own) and not _is_repeated(line, said)]
    at = _place_in_order(page, place)
    return replace(page, lines=[*page.lines[:at], *added, *page.lines[at:]])


def _is_repeated(line: PageLine, said: str) -> bool:
    letters = _letters(line.text)
    return len(letters) >= _REPEATED and letters in said


def _place_in_order(page: PageText, place: tuple[float, float, float, float]) -> int:
    """Return the place among the lines that comes behind the last one above the picture, else in front of the first one below it."""
    left, top, right, _ = place
    beside = [(index, line) for index, line in enumerate(page.lines) if line.size and line.left < right and line.right > left]
    above = [index for index, line in beside if line.y <= top + _SLACK]
    if above:
        return above[-1] + 1
    return next((index for index, _ in beside), len(page.lines))


def merge_recognized(page: PageText, recognized: PageText) -> PageText:
    """Merge the lines of a page's file with those that were recognised: letters are taken from the file where it has them, and once."""
    if is_undecoded(page):
        return replace(recognized, annotated=page.annotated, links=page.links) if recognized.lines else page
    own = [line for line in page.lines if line.size]
    added = recognized.lines
    if page.rotation == recognized.rotation:
        added = [line for line in added if not _is_covered(line, own)]
    read = "".join(_letters(line.text) for line in added)
    own = [line for line in own if _letters(line.text) not in read]
    return replace(recognized, lines=own + added, annotated=page.annotated, links=page.links)


def _is_covered(line: PageLine, others: Sequence[PageLine]) -> bool:
    """Return whether the line lies mostly below lines of the file."""
    area = max(1.0, (line.right - line.left) * line.size)
    shared = 0.0
    for other in others:
        width = min(line.right, other.right) - max(line.left, other.left)
        height = min(line.y, other.y) - max(line.y - line.size, other.y - other.size)
        shared += max(0.0, width) * max(0.0, height)
    return shared >= _COVERED * area


def _letters(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())
