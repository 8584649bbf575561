"""PDF: PDFium for pages, characters and bookmarks; pypdf for files that PDFium cannot open."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pypdfium2

from core.documents import BlockKind, ExtractedDocument, Metadata, PageUnit
from core.errors import Empty, Malformed
from core.formats import FileKind, Format, NameRole, Viewer
from ingestion.builder import DocumentBuilder, clean_line
from ingestion.extractors.pdf.beside import BesideReader, attached_names, catalogue_language
from ingestion.extractors.pdf.facts import metadata_of
from ingestion.extractors.pdf.figures import PdfFigures
from ingestion.extractors.pdf.furniture import mark_furniture
from ingestion.extractors.pdf.headings import OutlineEntry, body_of, mark_headings
from ingestion.extractors.pdf.inserts import insert_tables
from ingestion.extractors.pdf.lines import PageText
from ingestion.extractors.pdf.notes import mark_notes
from ingestion.extractors.pdf.open import open_pdf
from ingestion.extractors.pdf.order import put_in_order
from ingestion.extractors.pdf.paragraphs import Joiner
from ingestion.extractors.pdf.place import Placer
from ingestion.extractors.pdf.read_pages import read_page
from ingestion.extractors.pdf.recognized import recognize
from ingestion.extractors.pdf.tables import FoundTable, TableFinder
from ingestion.extractors.pdf.unread import needs_recognition
from ingestion.extractors.pdf.xfa import form_lines, is_xfa_alone
from ingestion.extractors.source import Source

FORMATS = (
    Format(
        name="pdf",
        title="PDF",
        kind=FileKind.PDF,
        viewer=Viewer.PDF,
        suffixes=(".pdf",),
        name_role=NameRole.PROMISES,
        parsers=("pdf", "pdf-repair"),
        inline=((".pdf", "application/pdf"),),
    ),
)
_MAX_BOOKMARKS = 5_000
_LONGEST_TITLE = 500
_LONGEST_LABEL = 40
_RETRIED_PAGES = 30
_PROGRESS_PAGES = 10


def extract(source: Source) -> ExtractedDocument:
    """Read a PDF, also one whose password is empty or given.

    Raises:
        Encrypted: it opens only with another password.
        Malformed: neither PDFium nor pypdf can open it.
        NeedsRecognition: all its text is in pictures, and recognition is not allowed.
        Empty: no page holds any text.
    """
    try:
        document = open_pdf(source)
    except pypdfium2.PdfiumError as error:
        from ingestion.extractors.pdf.repair import extract_damaged

        return extract_damaged(source, str(error))
    try:
        return _read(document, source)
    finally:
        document.close()


def _read(document: Any, source: Source) -> ExtractedDocument:
    builder = DocumentBuilder("pdf", page_unit=PageUnit.PAGE, limit=source.limits.characters)
    builder.metadata = _metadata(document)
    if is_xfa_alone(document) and (lines := form_lines(document)):
        return _form(builder, lines)
    beside = BesideReader(document)
    finder = TableFinder()
    pages, broken = _pages(document, source, finder)
    unread = [page.number for page in pages if needs_recognition(page)]
    if not any(page.lines or page.annotated for page in pages) and (broken or not unread):
        return _without_text(document, source, broken)
    figures = PdfFigures(source, builder, document)
    unseen = _recognized(builder, document, pages, unread, source)
    _place(builder, document, pages, beside, finder.tables(pages, builder.warn))
    figures.pages(pages)
    if unseen is not None and not builder.figures:
        raise unseen
    if names := attached_names(document):
        builder.block(BlockKind.NOTE, "Attached files: " + ", ".join(names))
    if len(document) > source.limits.pages:
        builder.warn(f"Only the first {source.limits.pages:,} of {len(document):,} pages were read.")
    if broken:
        builder.warn(f"{broken:,} of {len(pages):,} pages are damaged and could not be read.")
    return builder.build()


def _form(builder: DocumentBuilder, lines: Sequence[str]) -> ExtractedDocument:
    """A form that is drawn from XML: where its pages would break is known to the program that draws it alone."""
    builder.page("1")
    for line in lines:
        builder.paragraph(line)
    return builder.build()


def _recognized(builder: DocumentBuilder, document: Any, pages: list[PageText], unread: Sequence[int], source: Source) -> Empty | None:
    """As `recognize`; that nothing at all was found is returned where a vision model may find something to say of the pictures."""
    try:
        recognize(builder, document, pages, unread, source)
    except Empty as error:
        if not source.limits.ocr.describe_images:
            raise
        return error
    return None


def _pages(document: Any, source: Source, finder: TableFinder) -> tuple[list[PageText], int]:
    """The pages' lines, and how many pages PDFium could not load; `finder` looks at those that may hold tables."""
    count = min(len(document), source.limits.pages)
    pages, broken = [], 0
    for number in range(1, count + 1):
        try:
            pages.append(read_page(document, number, finder.look))
        except pypdfium2.PdfiumError:
            pages.append(PageText(number, 0.0, 0.0, []))
            broken += 1
        if number % _PROGRESS_PAGES == 0:
            source.progress(number, count)
    return pages, broken


def _place(builder: DocumentBuilder, document: Any, pages: list[PageText], beside: BesideReader, tables: Sequence[FoundTable]) -> None:
    mark_furniture(pages)
    body = body_of(pages)
    insert_tables(pages, tables)
    mark_notes(pages, body.size)
    for page in pages:
        put_in_order(page)
    mark_headings(pages, _outline(document), body)
    placer = Placer(builder, Joiner([line for page in pages for line in page.lines]), tables)
    for page in pages:
        builder.page(_label(document, page.number))
        placer.place(page)
        if page.annotated:
            placer.place_beside(beside.page(page.number))


def _without_text(document: Any, source: Source, broken: int) -> ExtractedDocument:
    """A document in which PDFium finds nothing at all, or damage that pypdf may get over."""
    from ingestion.extractors.pdf.repair import extract_damaged

    count = len(document)
    if broken or count == 0:
        return extract_damaged(source, "no page can be loaded")
    if count <= _RETRIED_PAGES:
        try:
            return extract_damaged(source, "no text was found")
        except (Empty, Malformed):
            pass  # then it is as PDFium says
    raise Empty("There is no text: " + ("the page is blank." if count == 1 else f"all {count:,} pages are blank."))


def _outline(document: Any) -> list[OutlineEntry]:
    entries: list[OutlineEntry] = []
    try:
        for bookmark in document.get_toc(max_depth=6):
            target = bookmark.get_dest()
            index = target.get_index() if target else None
            entries.append(
                OutlineEntry(clean_line(bookmark.get_title()[:_LONGEST_TITLE]), bookmark.level + 1, index + 1 if index is not None else None)
            )
            if len(entries) >= _MAX_BOOKMARKS:
                break
    except (pypdfium2.PdfiumError, ValueError, UnicodeError):
        return entries
    return entries


def _label(document: Any, number: int) -> str:
    try:
        return str(document.get_page_label(number - 1) or "")[:_LONGEST_LABEL] or str(number)
    except (pypdfium2.PdfiumError, UnicodeError):
        return str(number)


def _metadata(document: Any) -> Metadata:
    try:
        values: dict[str, str] = document.get_metadata_dict(skip_empty=True)
    except (pypdfium2.PdfiumError, UnicodeError):
        return Metadata()
    return metadata_of(values, catalogue_language(document))
