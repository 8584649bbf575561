"""A file of a person's own as a response: it is never run."""

from __future__ import annotations

import io
import os
import stat
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Protocol
from urllib.parse import quote

from fastapi.responses import FileResponse, Response
from starlette.background import BackgroundTask

from core.errors import NotFound
from core.format_table import FORMATS

MEMBER_SEPARATOR = "!/"  # between a file and what lies in it, as `ingestion.workers.worker_protocol` has it

# Types that a browser shows without running anything of them; all others are offered for download.
_INLINE_TYPES = {suffix: media_type for each in FORMATS for suffix, media_type in each.inline}
_NEVER_RUN = {"Content-Security-Policy": "sandbox; default-src 'none'"}


def file_response(path: Path, filename: str) -> FileResponse:
    """Return the file's response. Everything but PDF, pictures and plain text is a download, and a sandbox policy goes with it."""
    kind = _INLINE_TYPES.get(Path(filename).suffix.lower())
    disposition = "inline" if kind else "attachment"
    headers = {
        "Content-Disposition": f"{disposition}; filename*=UTF-8''{quote(filename, errors='replace')}",
        "Cache-Control": "no-cache",
        **_NEVER_RUN,
    }
    return FileResponse(path, media_type=kind or "application/octet-stream", headers=headers)


class MemberFiles(Protocol):
    """The source of the bytes of a file that lies in another: `ingestion.workers.pool.ExtractionPool`."""

    async def fetch(self, path: Path, inner: str, target: IO[bytes], password: str = "") -> None: ...
    async def draw_page(self, path: Path, inner: str, page: int, target: IO[bytes]) -> None: ...


async def picture_response(paths: Sequence[str], page: int, members: MemberFiles) -> Response | None:
    """Return page `page` of the first of these pictures that is there, as JPEG. None where none is.

    Raises:
        NotFound: it has no such page.
        ExtractionError: it is there, but cannot be drawn.
    """
    for path in paths:
        places = [(Path(path), ""), *container_paths(path)]
        outer, inner = next(((outer, inner) for outer, inner in places if is_plain_file(outer)), (None, ""))
        if outer is not None:
            drawn = io.BytesIO()
            await members.draw_page(outer, inner, page, drawn)
            return Response(drawn.getvalue(), media_type="image/jpeg", headers={**_NEVER_RUN, "Cache-Control": "no-cache"})
    return None


async def stored_file_response(paths: Sequence[str], filename: str, members: MemberFiles) -> FileResponse | None:
    """Return the first of these files that is there: on disk, or in an archive or message. None where none is.

    Raises:
        ExtractionError: it is there, but cannot be taken out (it is locked, damaged, too large).
    """
    plain = next((Path(path) for path in paths if is_plain_file(Path(path))), None)
    if plain is not None:
        return file_response(plain, filename)
    for path in paths:
        for outer, inner in container_paths(path):
            if is_plain_file(outer) and (copy := await _extract_member(outer, inner, members)) is not None:
                response = file_response(copy, filename)
                response.background = BackgroundTask(copy.unlink, missing_ok=True)
                return response
    return None


async def _extract_member(outer: Path, inner: str, members: MemberFiles) -> Path | None:
    """Return the member in a private file, to be deleted by the caller."""
    with tempfile.NamedTemporaryFile(prefix="vantage-", delete=False) as target:
        copy = Path(target.name)
        try:
            await members.fetch(outer, inner, target)
        except NotFound:
            _delete_copy(copy)
            return None
        except BaseException:
            _delete_copy(copy)
            raise
    return copy


def _delete_copy(copy: Path) -> None:
    copy.unlink(missing_ok=True)


def container_paths(path: str) -> Iterator[tuple[Path, str]]:
    """Yield every way to read a path as that of a file on disk and of a member in it ("…/a.zip!/mail.eml!/x.pdf"), the shortest file first."""
    at = path.find(MEMBER_SEPARATOR)
    while at >= 0:
        yield Path(path[:at]), path[at + len(MEMBER_SEPARATOR) :]
        at = path.find(MEMBER_SEPARATOR, at + 1)


def is_plain_file(path: Path) -> bool:
    """Return whether it is a regular file that no link leads to: one put in its place, or in that of a folder above, after indexing could point
    anywhere.
    """
    try:
        return stat.S_ISREG(path.lstat().st_mode) and os.path.realpath(path) == str(path)
    except (OSError, ValueError):
        return False
