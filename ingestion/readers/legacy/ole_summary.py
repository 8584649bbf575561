"""The metadata of Office 97 to 2003 files: the summary stream of their OLE container."""

from __future__ import annotations

from datetime import UTC, datetime

from core.documents import Metadata
from core.errors import Malformed
from ingestion.readers.base.charset import decode
from ingestion.readers.base.compound_file import CompoundFile
from ingestion.readers.base.document_builder import clean_line


def summary(container: CompoundFile) -> Metadata:
    """Read the metadata of a compound file; empty where its summary is absent or damaged."""
    try:
        values = container.properties()
    except Malformed:
        return Metadata()
    encoding = f"cp{values.codepage & 0xFFFF}" if isinstance(values.codepage, int) else ""
    author = _text(values.author, encoding)
    extra = {name: text for name in ("subject", "keywords") if (text := _text(getattr(values, name), encoding))}
    return Metadata(
        title=_text(values.title, encoding),
        authors=tuple(name for part in author.split(";") if (name := part.strip())),
        created_at=_moment(values.create_time),
        modified_at=_moment(values.last_saved_time),
        extra=extra,
    )


def _text(value: object, encoding: str) -> str:
    if isinstance(value, bytes):
        value = decode(value.rstrip(b"\0"), declared="utf-8" if encoding in ("cp65001", "cp1200") else encoding).text
    return clean_line(value) if isinstance(value, str) else ""


def _moment(value: object) -> datetime | None:
    """Return a time; what lies before 1980 is a field that nobody filled."""
    return value.replace(tzinfo=UTC) if isinstance(value, datetime) and value.year >= 1980 else None
