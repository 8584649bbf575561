"""Folders of uploads: a folder for each library, and in it never two files of one name."""

from __future__ import annotations

import hashlib
import threading
import uuid
from pathlib import Path, PurePath

import anyio
import anyio.to_thread
from fastapi import UploadFile

from core.errors import InvalidInput
from core.ownership import library_folder

_LONGEST = 200  # bytes of a file's name; file systems take 255, and a number may be added to it
_NAME_LOCK = threading.Lock()  # between looking for a free name and taking it nobody else takes one


def upload_folder(uploads: Path, library: str) -> Path:
    return uploads / library_folder(library)


async def save_upload(item: UploadFile, folder: Path) -> Path:
    """Write one upload under a name of its own and move it to its final one, so that no half file is ever indexed and none is replaced."""
    name = safe_name(item.filename or "")
    partial = folder / f".{uuid.uuid4().hex}.part"
    try:
        async with await anyio.open_file(partial, "xb") as out:
            while piece := await item.read(1 << 20):
                await out.write(piece)
        return await anyio.to_thread.run_sync(_move_to_free_name, partial, folder, name)
    finally:
        await anyio.Path(partial).unlink(missing_ok=True)


def _move_to_free_name(partial: Path, folder: Path, name: str) -> Path:
    """Give the file its name, or where it is taken the next free one: "report (2).pdf"."""
    plain = PurePath(name)
    with _NAME_LOCK:
        target, number = folder / name, 1
        while target.exists() or target.is_symlink():
            number += 1
            target = folder / f"{plain.stem} ({number}){plain.suffix}"
        return partial.rename(target)


def safe_name(name: str) -> str:
    """Return the last part of the sent name without anything that means something to a file system. Raises InvalidInput for none."""
    plain = PurePath(name.replace("\\", "/")).name
    plain = "".join(c if c.isprintable() and c not in '<>:"|?*' and not "\ud800" <= c <= "\udfff" else "_" for c in plain).strip(" .")
    if not plain:
        raise InvalidInput("An uploaded file needs a name.")
    return plain if len(plain.encode()) <= _LONGEST else _shorten_name(plain)


def _shorten_name(name: str) -> str:
    """Return the beginning of a name with its suffix, and a hash between them: two long names that begin alike stay two files."""
    suffix = PurePath(name).suffix.encode()[:40].decode(errors="ignore")
    mark = f"-{hashlib.sha256(name.encode()).hexdigest()[:12]}{suffix}"
    return name.encode()[: _LONGEST - len(mark.encode())].decode(errors="ignore").rstrip(" .") + mark
