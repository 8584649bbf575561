"""PDFs that PDFium refuses: pypdf rebuilds the list of objects and gives plain text page by page."""

from __future__ import annotations

import io

from pypdf import PdfReader

from core.documents import ExtractedDocument, PageUnit
from core.errors import Empty, Encrypted, Malformed
from ingestion.readers.base.document_builder import DocumentBuilder
from ingestion.readers.base.source import Source
from ingestion.readers.pdf.pdf_decryption import PYPDF_FAILURES, silence_pypdf, unlock
from ingestion.readers.pdf.pdf_metadata import locked_message, metadata_of
from ingestion.readers.text.plain_text import place_text


def extract_damaged(source: Source, reason: str) -> ExtractedDocument:
    """Read what text pypdf can save of a damaged file; the document is partial.

    Raises:
        Encrypted: it needs a password.
        Malformed: pypdf cannot open it either; `reason` is why the first reader could not.
        Empty: it opens, and no page has text.
    """
    silence_pypdf()
    builder = DocumentBuilder("pdf-repair", page_unit=PageUnit.PAGE, limit=source.limits.characters)
    try:
        reader = PdfReader(io.BytesIO(source.data), strict=False)
        if reader.is_encrypted and not unlock(reader, source):
            raise Encrypted(locked_message(source))
        count = len(reader.pages)
    except PYPDF_FAILURES as error:
        raise Malformed(f"The PDF is damaged and cannot be opened ({reason.removesuffix('.')}; {type(error).__name__}).") from error
    failed = 0
    for number in range(min(count, source.limits.pages)):
        builder.page()
        try:
            place_text(builder, reader.pages[number].extract_text())
        except PYPDF_FAILURES:
            failed += 1
    _set_metadata(builder, reader)
    if not builder.has_text:
        if failed or not count:
            pages = f"none of its {count:,} pages can be read" if count > 1 else "its only page cannot be read" if count else "it has no page"
            raise Malformed(f"The PDF is damaged: {pages} ({reason.removesuffix('.')}).")
        raise Empty("This PDF is damaged, and no text could be recovered. Open it in a PDF program, print it to a new PDF and index that.")
    builder.warn("The PDF is damaged: its text was recovered without its layout.")
    if failed:
        builder.warn(f"{failed:,} of {count:,} pages are damaged and could not be read.")
    return builder.build()


def _set_metadata(builder: DocumentBuilder, reader: PdfReader) -> None:
    try:
        builder.metadata = metadata_of({key.lstrip("/"): str(value) for key, value in (reader.metadata or {}).items()})
    except PYPDF_FAILURES:
        builder.warn("The PDF is damaged: its title and dates could not be read.")
