"""PDF: PDFium for pages, characters and bookmarks; pypdf for files that PDFium cannot open."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pypdfium2

from core.documents import BlockKind, ExtractedDocument, Metadata, PageUnit
from core.errors import Empty, Malformed
from core.formats import FileKind, Format, NameRole, Viewer
from ingestion.readers.base.document_builder import DocumentBuilder, clean_line
from ingestion.readers.base.page_lines import PageText
from ingestion.readers.base.source import Source
from ingestion.readers.pdf.annotations import AnnotationReader, attached_names, catalogue_language
from ingestion.readers.pdf.blocks import PagePlacer
from ingestion.readers.pdf.footnotes import mark_notes
from ingestion.readers.pdf.furniture import mark_furniture
from ingestion.readers.pdf.line_extraction import read_page
from ingestion.readers.pdf.paragraphs import LineJoiner
from ingestion.readers.pdf.pdf_figures import PdfFigures
from ingestion.readers.pdf.pdf_headings import OutlineEntry, body_of, mark_headings
from ingestion.readers.pdf.pdf_metadata import metadata_of
from ingestion.readers.pdf.pdf_opener import open_pdf
from ingestion.readers.pdf.reading_order import sort_page_lines
from ingestion.readers.pdf.recognized_pages import recognize_pages
from ingestion.readers.pdf.table_placement import insert_tables
from ingestion.readers.pdf.tables import FoundTable, TableFinder
from ingestion.readers.pdf.unreadable_pages import needs_recognition
from ingestion.readers.pdf.xfa import form_lines, is_xfa_only

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
        from ingestion.readers.pdf.repair import extract_damaged

        return extract_damaged(source, str(error))
    try:
        return _read_document(document, source)
    finally:
        document.close()


def _read_document(document: Any, source: Source) -> ExtractedDocument:
    builder = DocumentBuilder("pdf", page_unit=PageUnit.PAGE, limit=source.limits.characters)
    builder.metadata = _metadata(document)
    if is_xfa_only(document) and (lines := form_lines(document)):
        return _build_form(builder, lines)
    beside = AnnotationReader(document)
    finder = TableFinder()
    pages, broken = _read_pages(document, source, finder)
    unread = [page.number for page in pages if needs_recognition(page)]
    if not any(page.lines or page.annotated for page in pages) and (broken or not unread):
        return _read_without_text(document, source, broken)
    figures = PdfFigures(source, builder, document)
    unseen = _try_recognition(builder, document, pages, unread, source)
    _place_pages(builder, document, pages, beside, finder.joined_tables(pages, builder.warn))
    figures.add_pages(pages)
    if unseen is not None and not builder.figures:
        raise unseen
    if names := attached_names(document):
        builder.block(BlockKind.NOTE, "Attached files: " + ", ".join(names))
    if len(document) > source.limits.pages:
        builder.warn(f"Only the first {source.limits.pages:,} of {len(document):,} pages were read.")
    if broken:
        builder.warn(f"{broken:,} of {len(pages):,} pages are damaged and could not be read.")
    return builder.build()


def _build_form(builder: DocumentBuilder, lines: Sequence[str]) -> ExtractedDocument:
    """Build the document of a form that is drawn from XML: where its pages would break is known to the program that draws it alone."""
    builder.page("1")
    for line in lines:
        builder.paragraph(line)
    return builder.build()


def _try_recognition(builder: DocumentBuilder, document: Any, pages: list[PageText], unread: Sequence[int], source: Source) -> Empty | None:
    """Recognise as `recognize_pages` does; that nothing at all was found is returned where a vision model may find something to say of the
    pictures.
    """
    try:
        recognize_pages(builder, document, pages, unread, source)
    except Empty as error:
        if not source.limits.ocr.describe_images:
            raise
        return error
    return None


def _read_pages(document: Any, source: Source, finder: TableFinder) -> tuple[list[PageText], int]:
    """Read the pages' lines, and count how many pages PDFium could not load; `finder` looks at those that may hold tables."""
    count = min(len(document), source.limits.pages)
    pages, broken = [], 0
    for number in range(1, count + 1):
        try:
            pages.append(read_page(document, number, finder.find_boxes))
        except pypdfium2.PdfiumError:
            pages.append(PageText(number, 0.0, 0.0, []))
            broken += 1
        if number % _PROGRESS_PAGES == 0:
            source.progress(number, count)
    return pages, broken


def _place_pages(builder: DocumentBuilder, document: Any, pages: list[PageText], beside: AnnotationReader, tables: Sequence[FoundTable]) -> None:
    mark_furniture(pages)
    body = body_of(pages)
    insert_tables(pages, tables)
    mark_notes(pages, body.size)
    for page in pages:
        sort_page_lines(page)
    mark_headings(pages, _outline(document), body)
    placer = PagePlacer(builder, LineJoiner([line for page in pages for line in page.lines]), tables)
    for page in pages:
        builder.page(_label(document, page.number))
        placer.place_page(page)
        if page.annotated:
            placer.place_annotations(beside.read_page(page.number))


def _read_without_text(document: Any, source: Source, broken: int) -> ExtractedDocument:
    """Read a document in which PDFium finds nothing at all, or damage that pypdf may get over."""
    from ingestion.readers.pdf.repair import extract_damaged

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
