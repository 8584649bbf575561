"""Pages whose text is in pictures, read by recognition (OCR) and put beside what the file itself says on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from core.errors import Empty, NeedsRecognition
from ingestion.builder import DocumentBuilder
from ingestion.extractors.pdf_lines import Line, PageText
from ingestion.extractors.pdf_unread import is_undecoded
from ingestion.extractors.source import Source

_IN_PICTURES = "All of its text is in pictures: it can be found once text recognition has read it."
_SWITCHED_OFF = "Text recognition is switched off (ingestion.ocr.enabled)."
_COVERED = 0.6


def recognize(builder: DocumentBuilder, document: Any, pages: list[PageText], unread: Sequence[int], source: Source) -> None:
    """Put what recognition reads on the pages with the numbers `unread` into `pages`, or say that they are unread where it is not allowed.

    Raises:
        NeedsRecognition: recognition is not allowed now, and no page has text without it.
        Empty: it is switched off, or found nothing, and no page has text without it.
    """
    if source.recognize and source.limits.ocr.enabled:
        _read(builder, document, pages, unread, source)
        return
    builder.unread_pages = list(unread)
    if not any(page.lines or page.annotated for page in pages):
        raise Empty(f"All of its text is in pictures. {_SWITCHED_OFF}") if source.recognize else NeedsRecognition(_IN_PICTURES)
    undecoded = sum(is_undecoded(page) for page in pages)
    if undecoded:
        builder.warn(f"The text of {undecoded:,} of {len(pages):,} pages is in fonts that cannot be decoded: parts of it are lost.")
    if len(unread) > undecoded:
        builder.warn(f"{len(unread) - undecoded:,} of {len(pages):,} pages have no text: scanned?")
    if source.recognize:
        builder.warn(_SWITCHED_OFF)


def _read(builder: DocumentBuilder, document: Any, pages: list[PageText], unread: Sequence[int], source: Source) -> None:
    from ingestion.ocr.pages import Recognition

    recognition = Recognition(source)
    for number in unread:
        if (recognized := recognition.page(document, number)) is not None:
            pages[number - 1] = merged(pages[number - 1], recognized)
    builder.recognized_pages, builder.unread_pages = recognition.recognized, recognition.unread
    for warning in recognition.warnings:
        builder.warn(warning)
    if not any(page.lines or page.annotated for page in pages):
        raise Empty(" ".join(recognition.warnings) or "There is no text: nothing was recognised in its pictures.")


def merged(page: PageText, recognized: PageText) -> PageText:
    """A page with the lines of its file and those that were recognised: letters are taken from the file where it has them, and once."""
    if is_undecoded(page):
        return replace(recognized, annotated=page.annotated, links=page.links) if recognized.lines else page
    own = [line for line in page.lines if line.size]
    added = recognized.lines
    if page.turned == recognized.turned:
        added = [line for line in added if not _is_covered(line, own)]
    read = "".join(_letters(line.text) for line in added)
    own = [line for line in own if _letters(line.text) not in read]
    return replace(recognized, lines=own + added, annotated=page.annotated, links=page.links)


def _is_covered(line: Line, others: Sequence[Line]) -> bool:
    """Whether the line lies mostly below lines of the file."""
    area = max(1.0, (line.right - line.left) * line.size)
    shared = 0.0
    for other in others:
        width = min(line.right, other.right) - max(line.left, other.left)
        height = min(line.y, other.y) - max(line.y - line.size, other.y - other.size)
        shared += max(0.0, width) * max(0.0, height)
    return shared >= _COVERED * area


def _letters(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())
