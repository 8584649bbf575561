"""Files of the built page: in the smallest form that the browser takes, not sent again where it has them, kept for as long as their name allows."""

from __future__ import annotations

import hashlib
import mimetypes
from functools import lru_cache
from pathlib import Path

from fastapi.responses import FileResponse, Response
from starlette.datastructures import Headers

HASHED_CACHE = "public, max-age=31536000, immutable"  # the name changes with the content
CHECKED_CACHE = "no-cache"  # kept, and asked about before each use

_FORMS = (("br", ".br"), ("gzip", ".gz"))  # as the build writes them beside a file, the smaller one first


def page_file(path: Path, asked: Headers, cache: str) -> Response:
    """Return the response for `path`, which is a file. A range is one of the file itself, never of a compressed form: it means the same to
    everybody.
    """
    encoding, sent = _smallest_form(path, asked)
    headers = {"Cache-Control": cache, "Vary": "Accept-Encoding", "ETag": _etag(sent)}
    if _is_cached(headers["ETag"], asked.get("if-none-match")):
        return Response(status_code=304, headers=headers)
    if encoding:
        headers["Content-Encoding"] = encoding
    return FileResponse(sent, headers=headers, media_type=mimetypes.guess_type(path.name)[0] or "application/octet-stream")


def _smallest_form(path: Path, asked: Headers) -> tuple[str, Path]:
    """Return the encoding (empty for none) and the file that holds `path` in it."""
    if "range" not in asked:
        taken = _accepted_encodings(asked.get("accept-encoding", ""))
        for encoding, suffix in _FORMS:
            packed = path.with_name(path.name + suffix)
            if taken.get(encoding, taken.get("*", 0.0)) > 0 and packed.is_file():
                return encoding, packed
    return "", path


def _accepted_encodings(header: str) -> dict[str, float]:
    """Return how much each encoding is wanted (RFC 9110, 12.5.3); what cannot be read is not wanted."""
    wanted: dict[str, float] = {}
    for part in header.split(","):
        name, _, weight = part.partition(";")
        wanted[name.strip().lower()] = _weight(weight)
    return wanted


def _weight(text: str) -> float:
    name, _, value = text.strip().partition("=")
    if not name:
        return 1.0
    try:
        return float(value) if name.strip().lower() == "q" else 0.0
    except ValueError:
        return 0.0


def _is_cached(etag: str, asked: str | None) -> bool:
    """Return whether the browser has what it would get."""
    known = [] if asked is None else [each.strip().removeprefix("W/") for each in asked.split(",")]
    return etag in known or known == ["*"]


def _etag(path: Path) -> str:
    status = path.stat()
    return _content_etag(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=512)
def _content_etag(path: Path, modified: int, size: int) -> str:
    """Return the ETag of the content: two builds may write index.html at the same size, and an image of a container may give every file the same
    time.
    """
    return f'"{hashlib.sha256(path.read_bytes()).hexdigest()[:32]}"'
