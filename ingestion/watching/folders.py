"""One watched root: its switch, whether it is there, how it is watched, and what was seen of it."""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from core.errors import Unavailable
from core.ports import Root
from core.watching import WatchedFolder, WatchState
from ingestion.missing import check_present
from ingestion.paths import is_within
from ingestion.watching.mounts import Mount, is_large, remote_reason
from ingestion.watching.sources import Place


@dataclass(frozen=True, slots=True)
class Look:
    """A root at one moment. `identity` is (device, inode), None where it is not there; then `missing` says why."""

    identity: tuple[int, int] | None
    is_folder: bool = True
    missing: str = ""


@dataclass(slots=True, eq=False)
class Folder:
    """State of one root of a tenant.

    `polled` says why it gets no notices ("" where it does), `trouble` what went wrong last. `compare` asks for a comparison with the library,
    `task` is the one that runs; `next_poll` is when the clock asks for one.
    """

    tenant: str
    root: Root
    on: bool = True
    look: Look | None = None
    polled: str = ""
    paused: str = ""
    trouble: str = ""
    compare: bool = True
    compared_once: bool = False
    next_poll: float = 0.0
    task: asyncio.Task[None] | None = None
    last_event_at: datetime | None = None
    last_compared_at: datetime | None = None

    @property
    def path(self) -> str:
        return self.root.path

    @property
    def is_watched(self) -> bool:
        return self.on and self.look is not None and self.look.identity is not None

    @property
    def place(self) -> Place:
        """What must be watched for it: of a file its folder, because an editor puts a new file in its place."""
        folder = self.look is None or self.look.is_folder
        return Place(self.path) if folder else Place(str(Path(self.path).parent), deep=False)

    @property
    def state(self) -> WatchState:
        if not self.on:
            return WatchState.OFF
        if self.paused:
            return WatchState.PAUSED
        return WatchState.WATCHING if self.compared_once else WatchState.SCANNING

    def shown(self, waiting: Sequence[str]) -> WatchedFolder:
        reason = self.paused or self.trouble or self.polled if self.on else ""
        return WatchedFolder(
            path=self.path,
            collection=self.root.collection,
            state=self.state,
            reason=reason,
            waiting=sum(is_within(path, self.path) for path in waiting) if self.on else 0,
            last_event_at=self.last_event_at,
            last_compared_at=self.last_compared_at,
        )

    def seen(self, look: Look) -> bool:
        """Note how the root is now. Return True where it came back, or is another than before: it must be compared, and watched anew."""
        before, self.look = self.look, look
        if look.identity is None:
            self.paused = look.missing
            return False
        changed = before is None or before.identity != look.identity
        if changed:
            self.paused, self.compare, self.compared_once = "", True, False
        return changed


def look_at(path: str) -> Look:
    """Take a look at a root. Blocks."""
    try:
        check_present(Path(path))
        status = os.stat(path)  # noqa: PTH116
    except Unavailable as error:
        return Look(None, missing=str(error))
    except OSError as error:
        return Look(None, missing=f"{path} cannot be read ({error.strerror or error}). Nothing was removed from the library.")
    return Look((status.st_dev, status.st_ino), stat.S_ISDIR(status.st_mode))


def why_polled(look: Look, path: str, mounts: list[Mount], most: int) -> str:
    """Return why a root gets no notices, "" where it does. Blocks: a large tree is counted."""
    reason = remote_reason(path, mounts)
    if not reason and look.is_folder and is_large(path, most):
        reason = f"polled: it has more than {most:,} folders (ingestion.watch.max_folders)"
    return reason


def owner_of(path: str, folders: Sequence[Folder], tenant: str) -> Folder | None:
    """Return the innermost root of the tenant that holds `path`."""
    mine = (folder for folder in folders if folder.tenant == tenant and is_within(path, folder.path))
    return max(mine, key=lambda folder: len(folder.path), default=None)
