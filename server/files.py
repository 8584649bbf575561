"""A file of a person's own as a response: it is never run."""

from __future__ import annotations

import stat
from pathlib import Path
from urllib.parse import quote

from fastapi.responses import FileResponse

# Types that a browser shows without running anything of them; all others are offered for download.
_INLINE = {
    ".pdf": "application/pdf",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".txt": "text/plain; charset=utf-8",
    ".md": "text/plain; charset=utf-8",
    ".csv": "text/plain; charset=utf-8",
}


def file_response(path: Path, filename: str) -> FileResponse:
    """Everything but PDF, pictures and plain text is a download, and a sandbox policy goes with it."""
    kind = _INLINE.get(Path(filename).suffix.lower())
    disposition = "inline" if kind else "attachment"
    headers = {
        "Content-Disposition": f"{disposition}; filename*=UTF-8''{quote(filename, errors='replace')}",
        "Content-Security-Policy": "sandbox; default-src 'none'",
        "Cache-Control": "no-cache",
    }
    return FileResponse(path, media_type=kind or "application/octet-stream", headers=headers)


def is_plain_file(path: Path) -> bool:
    """A regular file that is no link: a link put in its place after indexing could point anywhere."""
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False
