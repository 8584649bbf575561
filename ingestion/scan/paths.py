"""Checks which paths may be read: resolved, under a root, outside Vantage's own folder, and safe to show."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.errors import InvalidInput, PathNotAllowed, Unavailable
from core.system_folders import SYSTEM_FOLDERS

UPLOADS = "uploads"


def resolve_under(path: str | Path, roots: Sequence[Path]) -> Path:
    """Resolve the links of `path` if it lies under one of `roots` (or is one); the path need not exist.

    Raises PathNotAllowed, and InvalidInput for what cannot be a path.
    """
    resolved = _resolve(path)
    if not any(is_within(str(resolved), str(_resolve(root))) for root in roots):
        raise PathNotAllowed(
            f"{printable_path(str(path))} lies outside the folders that may be indexed. Add its folder to ingestion.roots, or choose another."
        )
    return resolved


def resolve_indexable(path: str | Path, home: Path, roots: Sequence[Path] | None = None) -> Path:
    """Return the absolute, resolved form of a folder or file to index. `roots` None allows every folder (loopback), `home` is VANTAGE_HOME.

    Raises:
        PathNotAllowed: it lies outside `roots`, in VANTAGE_HOME (its uploads excepted) or in a folder of the system.
        InvalidInput: it cannot be a path.
    """
    uploads = _resolve(home / UPLOADS)
    resolved = _resolve(path) if roots is None else resolve_under(path, [*roots, uploads])
    if is_system(str(resolved)):
        raise PathNotAllowed(f"{printable_path(str(path))} is a folder of the system, not of documents. Index the folder that your documents are in.")
    if is_within(str(resolved), str(_resolve(home))) and not is_within(str(resolved), str(uploads)):
        raise PathNotAllowed(f"{printable_path(str(path))} belongs to Vantage itself. Index the folder that your documents are in.")
    return resolved


def remove_uploads(home: Path, path: str) -> None:
    """Delete the folder of a tenant's uploads with what is in it; any other path is passed over. Blocks. Raises Unavailable."""
    uploads = str(_resolve(home / UPLOADS))
    if not is_within(path, uploads) or path == uploads:
        return
    try:
        shutil.rmtree(path)
    except FileNotFoundError:
        return
    except OSError as error:
        raise Unavailable(
            f"Uploaded files in {printable_path(path)} could not be deleted ({error.strerror or error}). Delete them by hand."
        ) from error


def is_system(path: str) -> bool:
    """Return whether an absolute, resolved path lies in a folder that is never a root or part of one."""
    return any(is_within(path, folder) for folder in SYSTEM_FOLDERS)


def is_within(path: str, folder: str) -> bool:
    """Return whether `path` is `folder` or lies below it; both absolute. Compares names, touches no disk."""
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


@dataclass(frozen=True, slots=True)
class PathSet:
    """A set of paths that quickly tells whether another lies at, below or above one of them, however many there are."""

    paths: frozenset[str]
    ancestors: frozenset[str]

    @classmethod
    def from_paths(cls, paths: Iterable[str]) -> PathSet:
        held = frozenset(paths)
        return cls(held, frozenset(folder for path in held for folder in _folders_above(path)))

    def holds(self, path: str) -> bool:
        """Return whether `path` is one of them or lies below one."""
        return path in self.paths or any(folder in self.paths for folder in _folders_above(path))

    def meets(self, path: str) -> bool:
        """Return whether `path` is one of them, or lies below or above one."""
        return path in self.ancestors or self.holds(path)


def _folders_above(path: str) -> Iterator[str]:
    while (folder := os.path.dirname(path)) != path:  # noqa: PTH120  (as names alone, and quickly)
        yield folder
        path = folder


def printable_path(path: str) -> str:
    """Return `path` as valid Unicode: bytes of a file name that are not UTF-8 become \\xNN, so that it can be stored, sent and shown."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def is_printable(path: str) -> bool:
    return printable_path(path) == path


def _resolve(path: str | Path) -> Path:
    text = str(path)
    if not text.strip() or "\0" in text:
        raise InvalidInput("No path was given. Name a folder or a file.")
    try:
        return Path(text).expanduser().resolve()
    except (OSError, RuntimeError) as error:
        raise InvalidInput(f"{printable_path(text)[:200]} cannot be followed to a folder or file: {error}. Check the path and its links.") from error
