"""Metadata of a PDF, and the error for one that stays locked, for both PDF libraries."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone

from core.documents import Metadata
from ingestion.readers.base.document_builder import clean_line
from ingestion.readers.base.source import Source

LOCKED = "The PDF is protected: it needs a password."
WRONG_PASSWORD = "The PDF is protected, and the password that was given does not open it."  # noqa: S105
_LONGEST_NAME = 1_000
_LONGEST_LIST = 5_000
_DATE = re.compile(r"^D?:?\s*(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:(Z)|([+-])(\d\d)'?(\d\d)?)?")


def locked_message(source: Source) -> str:
    """Make the error for a protected file that does not open."""
    return WRONG_PASSWORD if source.password else LOCKED


def metadata_of(values: dict[str, str], language: str = "") -> Metadata:
    """Convert the document information dictionary (keys without "/") to metadata."""
    author = clean_line(values.get("Author", "")[:_LONGEST_NAME])
    extra = {key.lower(): clean_line(values[key][:_LONGEST_LIST]) for key in ("Subject", "Keywords", "Creator", "Producer") if values.get(key)}
    return Metadata(
        title=clean_line(values.get("Title", "")[:_LONGEST_NAME]),
        authors=(author,) if author else (),
        created_at=_parse_date(values.get("CreationDate", "")),
        modified_at=_parse_date(values.get("ModDate", "")),
        language=language,
        extra=extra,
    )


def _parse_date(text: str) -> datetime | None:
    """Return a PDF date ("D:20240822125427+02'00'", ISO 32000-1, 7.9.4); None if it is none."""
    match = _DATE.match(text[:40].strip())
    if not match:
        return None
    year, *rest = (int(part) if part else None for part in match.groups()[:6])
    month, day, hour, minute, second = (value if value is not None else default for value, default in zip(rest, (1, 1, 0, 0, 0), strict=True))
    offset = timedelta(hours=int(match[9] or 0), minutes=int(match[10] or 0)) * (-1 if match[8] == "-" else 1)
    try:
        return datetime(year or 1, month, day, hour, minute, min(second, 59), tzinfo=timezone(offset)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
