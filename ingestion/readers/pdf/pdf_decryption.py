"""Protected files that PDFium does not open with the right password: pypdf unlocks them."""

from __future__ import annotations

import io
import logging
import zlib

from pypdf import PdfReader, PdfWriter
from pypdf.errors import DependencyError, DeprecationError, PyPdfError

from ingestion.readers.base.source import Source

# What pypdf lets through on broken input besides its own errors.
PYPDF_FAILURES = (
    PyPdfError,
    DependencyError,
    DeprecationError,
    zlib.error,
    ValueError,
    TypeError,
    KeyError,
    IndexError,
    AttributeError,
    AssertionError,
    OverflowError,
    NotImplementedError,
    OSError,
)


def silence_pypdf() -> None:
    """Silence pypdf, which logs a line for each oddity of a file; what matters becomes a warning of the document."""
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)


def unlock(reader: PdfReader, source: Source) -> bool:
    """Open a protected document with the password of `source` or with an empty one, the user's or the owner's."""
    return any(reader.decrypt(password) for password in dict.fromkeys((source.password, "")))


def unlocked_copy(source: Source) -> bytes | None:
    """Return the file without its protection, where pypdf can open it: PDFium does not try an empty owner's password. None where it cannot."""
    silence_pypdf()
    try:
        reader = PdfReader(io.BytesIO(source.data), strict=False)
        if not reader.is_encrypted or not unlock(reader, source):
            return None
        output = io.BytesIO()
        PdfWriter(clone_from=reader).write(output)
    except PYPDF_FAILURES:
        return None
    return output.getvalue()
