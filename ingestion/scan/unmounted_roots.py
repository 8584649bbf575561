"""Recognises unmounted roots: a folder whose files are all gone at once is taken for a disk that is not connected, nothing of it is removed, and
the run says so."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import anyio.to_thread

from core.documents import DocumentState
from core.errors import Unavailable
from core.ports import Root
from ingestion.scan.sync_plan import ASKABLE, SyncPlan


@dataclass(frozen=True, slots=True)
class RootProbe:
    """How a run probes a root: `holds_files` (blocks) whether there is any file to read in it, `count_searchable` how many files of it can be asked
    about.

    `saw_deletions`: the deletions themselves were seen, so the last single file of a folder may go.
    """

    holds_files: Callable[[Root], bool]
    count_searchable: Callable[[Root], Awaitable[int]]
    saw_deletions: bool = False


async def separate_unmounted(changes: SyncPlan, gone: Sequence[str], survey: RootProbe) -> tuple[list[str], dict[str, str]]:
    """Return the vanished paths that may be removed, and root -> sentence for each root that seems to be on a missing disk."""
    by_root: dict[str, list[str]] = defaultdict(list)
    for path in gone:
        by_root[changes.known_files[path].root].append(path)
    missing: dict[str, str] = {}
    for root in changes.roots:
        lost = sum(changes.known_files[path].state in ASKABLE for path in by_root.get(root.path, ()))
        if lost and await _seems_unmounted(root, survey):
            missing[root.path] = (
                f"{root.path} holds no file now, though {lost} were indexed there. Its disk may be missing, so nothing was removed; "
                "remove the folder from the library if that is meant."
            )
    return [path for path in gone if changes.known_files[path].root not in missing], missing


async def _seems_unmounted(root: Root, survey: RootProbe) -> bool:
    if await anyio.to_thread.run_sync(survey.holds_files, root):
        return False
    present = await anyio.to_thread.run_sync(os.path.isdir, root.path)
    return not (survey.saw_deletions and present and await survey.count_searchable(root) <= 1)


def check_present(root: Path) -> None:
    """Raise Unavailable where a root cannot be looked into: its files may well exist, on a disk that is not connected. Blocks."""
    try:
        if root.is_dir():
            with os.scandir(root) as entries:
                next(entries, None)
        elif not root.exists():
            raise Unavailable(f"{root} is not there. If it lies on another disk, connect it; nothing was removed from the library.")
    except OSError as error:
        raise Unavailable(f"{root} cannot be read ({error.strerror or error}). Nothing was removed from the library.") from error


def count_searchable_files(root: Root) -> int:
    """Return how many files of a root can be asked about."""
    return sum(root.counts.get(state, 0) for state in (DocumentState.INDEXED, DocumentState.PARTIAL))
