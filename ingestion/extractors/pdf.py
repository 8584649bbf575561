"""PDF: PDFium for pages, characters and bookmarks; pypdf for files that PDFium cannot open."""

from __future__ import annotations

import re
from typing import Any

import pypdfium2

from core.documents import BlockKind, ExtractedDocument, Metadata, PageUnit
from core.errors import Empty, Malformed
from ingestion.builder import DocumentBuilder, clean_line
from ingestion.extractors.pdf_facts import metadata_of
from ingestion.extractors.pdf_layout import BULLET, CAPTION, Joiner, OutlineEntry, group, mark_furniture, mark_headings
from ingestion.extractors.pdf_lines import Line, PageText, is_blank, read_page
from ingestion.extractors.pdf_open import open_pdf
from ingestion.extractors.source import Source

_UNDECODED = re.compile("[\ue000-\uf8ff\ufffd]")
_MAX_BOOKMARKS = 5_000
_RETRIED_PAGES = 30


def extract(source: Source) -> ExtractedDocument:
    """A PDF, also one whose password is empty.

    Raises:
        Encrypted: it opens only with a password.
        Malformed: neither PDFium nor pypdf can open it.
        Empty: no page holds any text.
    """
    try:
        document = open_pdf(source)
    except pypdfium2.PdfiumError as error:
        from ingestion.extractors.pdf_repair import extract_damaged

        return extract_damaged(source, str(error))
    try:
        return _read(document, source)
    finally:
        document.close()


def _read(document: Any, source: Source) -> ExtractedDocument:
    builder = DocumentBuilder("pdf", page_unit=PageUnit.PAGE, limit=source.limits.characters)
    builder.metadata = _metadata(document)
    pages, broken = _pages(document, min(len(document), source.limits.pages))
    if not any(page.lines for page in pages):
        return _without_text(document, source, broken)
    mark_furniture(pages)
    mark_headings(pages, _outline(document))
    joiner = Joiner([line for page in pages for line in page.lines])
    for page in pages:
        builder.page(_label(document, page.number))
        place_page(builder, page, joiner)
    if len(document) > source.limits.pages:
        builder.warn(f"Only the first {source.limits.pages:,} of {len(document):,} pages were read.")
    _warn_of_missing_text(builder, document, pages, broken)
    return builder.build()


def _pages(document: Any, count: int) -> tuple[list[PageText], int]:
    """The pages' lines, and how many pages PDFium could not load."""
    pages, broken = [], 0
    for number in range(1, count + 1):
        try:
            pages.append(read_page(document, number))
        except pypdfium2.PdfiumError:
            pages.append(PageText(number, 0.0, 0.0, []))
            broken += 1
    return pages, broken


def _without_text(document: Any, source: Source, broken: int) -> ExtractedDocument:
    """A document in which PDFium finds no text: pictures, or damage that pypdf may get over."""
    from ingestion.extractors.pdf_repair import extract_damaged

    count = len(document)
    if broken or count == 0:
        return extract_damaged(source, "no page can be loaded")
    if count <= _RETRIED_PAGES:
        try:
            return extract_damaged(source, "no text was found")
        except (Empty, Malformed):
            pass  # then it is as PDFium says
    pages = "page is a picture or a drawing" if count == 1 else f"{count:,} pages are pictures or drawings"
    raise Empty(f"There is no text: the {pages}. Reading scanned pages comes later.")


def place_page(builder: DocumentBuilder, page: PageText, joiner: Joiner) -> None:
    """Put the blocks of one page into `builder`."""
    for lines in group(page.lines):
        text = joiner.text(lines)
        first = lines[0]
        if first.furniture:
            builder.block(BlockKind.FURNITURE, text)
        elif first.level:
            builder.heading(text, first.level)
        elif BULLET.match(first.text):
            builder.list_item(text, _depth(first, page))
        elif CAPTION.match(first.text) and len(text) < 600:
            builder.block(BlockKind.CAPTION, text)
        else:
            builder.paragraph(text)


def _depth(line: Line, page: PageText) -> int:
    """1 for an item near the left edge of the page's text, 2 and 3 further in."""
    margin = min(other.left for other in page.lines if not other.furniture)
    indent = (line.left - margin) / max(1.0, line.size)
    return 1 if indent < 3 or indent > 20 else 2 if indent < 6 else 3


def _warn_of_missing_text(builder: DocumentBuilder, document: Any, pages: list[PageText], broken: int) -> None:
    if broken:
        builder.warn(f"{broken:,} of {len(pages):,} pages are damaged and could not be read.")
    missing = sum(1 for page in pages if not page.lines and page.width and not is_blank(document, page.number))
    if missing:
        builder.warn(f"{missing:,} of {len(pages):,} pages have no text: scanned?")
    undecoded = sum(1 for page in pages if _is_undecoded("".join(line.text for line in page.lines)))
    if undecoded:
        builder.warn(f"The text of {undecoded:,} of {len(pages):,} pages is in fonts that cannot be decoded: parts of it are lost.")


def _is_undecoded(text: str) -> bool:
    """Whether more than a twentieth of the letters has no meaning outside the font of the file."""
    return 20 * len(_UNDECODED.findall(text)) > len(text) > 0


def _outline(document: Any) -> list[OutlineEntry]:
    entries: list[OutlineEntry] = []
    try:
        for bookmark in document.get_toc(max_depth=6):
            target = bookmark.get_dest()
            index = target.get_index() if target else None
            entries.append(OutlineEntry(clean_line(bookmark.get_title()), bookmark.level + 1, index + 1 if index is not None else None))
            if len(entries) >= _MAX_BOOKMARKS:
                break
    except (pypdfium2.PdfiumError, ValueError, UnicodeError):
        return entries
    return entries


def _label(document: Any, number: int) -> str:
    try:
        return str(document.get_page_label(number - 1) or "") or str(number)
    except (pypdfium2.PdfiumError, UnicodeError):
        return str(number)


def _metadata(document: Any) -> Metadata:
    try:
        values: dict[str, str] = document.get_metadata_dict(skip_empty=True)
    except (pypdfium2.PdfiumError, UnicodeError):
        return Metadata()
    return metadata_of(values)
