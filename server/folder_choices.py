"""The folders of this machine, to choose one to add from: those under the roots of the settings, and nothing else."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from core.errors import InvalidInput, NotFound, PathNotAllowed
from core.system_folders import SYSTEM_FOLDERS
from server.schemas import FolderChoice, FolderChoices

_SHOWN = 1000
_SYSTEM = tuple(Path(name) for name in SYSTEM_FOLDERS)  # never indexed, so never offered


def folder_choices(under: str | None, roots: Sequence[Path], home: Path) -> FolderChoices:
    """Return the folders directly in `under`, or the roots. Hidden folders and links are left out; `home` is VANTAGE_HOME. Blocks.

    Raises PathNotAllowed for what lies outside the roots, NotFound for what is no folder, InvalidInput for what cannot be a path or read.
    """
    real = [root.expanduser().resolve() for root in roots]
    if under is None:
        return FolderChoices(under=None, above=None, folders=[_choice(root) for root in real if root.is_dir()])
    folder = _resolve_folder(under)
    if not any(folder.is_relative_to(root) for root in real):
        raise PathNotAllowed(f"{under!r} lies outside the folders that are shown here. Add it to server.picker_roots, or type its path.")
    if not _may_be_indexed(folder, home.resolve()):
        raise PathNotAllowed(f"{under!r} belongs to Vantage or to the system. Choose the folder that your documents are in.")
    found = [path for path in _inner_folders(folder) if _may_be_indexed(path, home.resolve())]
    above = None if folder in real else str(folder.parent)
    return FolderChoices(under=str(folder), above=above, folders=[_choice(path) for path in found[:_SHOWN]], truncated=len(found) > _SHOWN)


def _choice(path: Path) -> FolderChoice:
    return FolderChoice(path=str(path), name=path.name or str(path))


def _inner_folders(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in entries if not entry.name.startswith(".") and entry.is_dir(follow_symlinks=False)]
    except (FileNotFoundError, NotADirectoryError) as error:
        raise NotFound(f"There is no folder {str(folder)!r} any more. Go back to the folder that holds it.") from error
    except OSError as error:
        raise InvalidInput(f"{str(folder)!r} cannot be looked into ({error.strerror or error}). Choose another folder.") from error
    return [folder / name for name in sorted(names, key=str.casefold) if name.isprintable()]


def _resolve_folder(text: str) -> Path:
    try:
        return Path(text).resolve()
    except (OSError, ValueError, RuntimeError) as error:
        raise InvalidInput(f"{text!r} cannot be a path. Choose a folder from the list.") from error


def _may_be_indexed(folder: Path, home: Path) -> bool:
    """Return whether it may be indexed: Vantage's own folder and folders of the system are not offered."""
    return not any(folder.is_relative_to(closed) for closed in (home, *_SYSTEM))
