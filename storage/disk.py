"""The disk under VANTAGE_HOME: its errors in words, and how much lies there. Imports no database, so that a command starts quickly."""

from __future__ import annotations

import errno
from pathlib import Path

from core.errors import ConfigurationError, StorageFull, Unavailable, VantageError


def disk_error(error: OSError, place: str) -> VantageError:
    """Return an error of the operating system about `place`."""
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return disk_full_error(place)
    if error.errno in {errno.EACCES, errno.EPERM, errno.EROFS}:
        return ConfigurationError(f"{place} cannot be written ({error.strerror}). Change its permissions or set VANTAGE_HOME to a folder of yours.")
    return Unavailable(f"{place} cannot be used: {error.strerror or error}. Check the disk and its permissions.")


def disk_full_error(place: str) -> StorageFull:
    """Return the error of a full disk that holds `place`."""
    return StorageFull(f"No space left on the disk that holds {place}. Free some space and try again; what was stored before is unharmed.")


def folder_bytes(folder: Path) -> int:
    """Return bytes of the files under `folder`; a file that goes away meanwhile counts nothing."""
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.stat().st_size if path.is_file() else 0
        except FileNotFoundError:
            continue
    return total
