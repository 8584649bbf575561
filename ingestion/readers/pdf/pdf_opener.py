"""Opening a PDF: passwords, and files that break off before their trailer."""

from __future__ import annotations

import re
from typing import Any

import pypdfium2

from core.errors import Encrypted
from ingestion.readers.base.source import Source
from ingestion.readers.pdf.pdf_metadata import locked_message

_CATALOGUE = re.compile(rb"\b(\d+) 0 obj\s*<<(?:(?!endobj).){0,2000}?/Type\s*/Catalog\b", re.S)


def open_pdf(source: Source) -> Any:
    """Open a pypdfium2 document with no password, the one of `source`, or an empty owner's password.

    Raises:
        Encrypted: none of them opens it.
        pypdfium2.PdfiumError: it is damaged.
    """
    try:
        return _load_document(source.data, "")
    except pypdfium2.PdfiumError as error:
        if not _is_locked(error):
            raise
    if source.password:
        try:
            return _load_document(source.data, source.password)
        except pypdfium2.PdfiumError as error:
            if not _is_locked(error):
                raise
    from ingestion.readers.pdf.pdf_decryption import unlocked_copy

    if (data := unlocked_copy(source)) is not None:
        return _load_document(data, "")
    raise Encrypted(locked_message(source))


def _is_locked(error: pypdfium2.PdfiumError) -> bool:
    return "password" in str(error).lower()


def _load_document(data: bytes, password: str) -> Any:
    try:
        return pypdfium2.PdfDocument(data, password=password or None)
    except pypdfium2.PdfiumError as error:
        mended = _append_trailer(data)
        if _is_locked(error) or mended is data:
            raise
        return pypdfium2.PdfDocument(mended, password=password or None)


def _append_trailer(data: bytes) -> bytes:
    """Complete a file that breaks off before its trailer with one that names its catalogue: readers then look for the objects themselves."""
    match = _CATALOGUE.search(data)
    if b"startxref" in data or match is None:
        return data
    return data + b"\ntrailer\n<< /Root %s 0 R >>\nstartxref\n0\n%%%%EOF\n" % match[1]
