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
from core.watcher_status import WatchedFolder, WatchState
from ingestion.scan.paths import is_within
from ingestion.scan.unmounted_roots import check_present
from ingestion.watching.change_notices import WatchPlace
from ingestion.watching.mounts import Mount, is_large, remote_reason


@dataclass(frozen=True, slots=True)
class RootStatus:
    """A root at one moment. `identity` is (device, inode), None where it is not there; then `missing_reason` says why."""

    identity: tuple[int, int] | None
    is_folder: bool = True
    missing_reason: str = ""


@dataclass(slots=True, eq=False)
class WatchedRoot:
    """State of one root of a tenant.

    `polling_reason` says why it gets no notices ("" where it does), `trouble` what went wrong last. `needs_comparison` asks for a comparison with the
    library, `task` is the one that runs; `next_poll` is when the clock asks for one."""

    tenant: str
    root: Root
    is_on: bool = True
    status: RootStatus | None = None
    polling_reason: str = ""
    pause_reason: str = ""
    trouble: str = ""
    needs_comparison: bool = True
    was_compared: bool = False
    next_poll: float = 0.0
    task: asyncio.Task[None] | None = None
    last_event_at: datetime | None = None
    last_compared_at: datetime | None = None

    @property
    def path(self) -> str:
        return self.root.path

    @property
    def is_watched(self) -> bool:
        return self.is_on and self.status is not None and self.status.identity is not None

    @property
    def place(self) -> WatchPlace:
        """What must be watched for it: of a file its folder, because an editor puts a new file in its place."""
        folder = self.status is None or self.status.is_folder
        return WatchPlace(self.path) if folder else WatchPlace(str(Path(self.path).parent), deep=False)

    @property
    def state(self) -> WatchState:
        if not self.is_on:
            return WatchState.OFF
        if self.pause_reason:
            return WatchState.PAUSED
        return WatchState.WATCHING if self.was_compared else WatchState.SCANNING

    def as_watched_folder(self, waiting: Sequence[str]) -> WatchedFolder:
        reason = self.pause_reason or self.trouble or self.polling_reason if self.is_on else ""
        return WatchedFolder(
            path=self.path,
            collection=self.root.collection,
            state=self.state,
            reason=reason,
            waiting=sum(is_within(path, self.path) for path in waiting) if self.is_on else 0,
            last_event_at=self.last_event_at,
            last_compared_at=self.last_compared_at,
        )

    def update_status(self, root_status: RootStatus) -> bool:
        """Note how the root is now. Return True where it came back, or is another than before: it must be compared, and watched anew."""
        before, self.status = self.status, root_status
        if root_status.identity is None:
            self.pause_reason = root_status.missing_reason
            return False
        changed = before is None or before.identity != root_status.identity
        if changed:
            self.pause_reason, self.needs_comparison, self.was_compared = "", True, False
        return changed


def probe_root(path: str) -> RootStatus:
    """Take a look at a root. Blocks."""
    try:
        check_present(Path(path))
        status = os.stat(path)  # noqa: PTH116
    except Unavailable as error:
        return RootStatus(None, missing_reason=str(error))
    except OSError as error:
        return RootStatus(None, missing_reason=f"{path} cannot be read ({error.strerror or error}). Nothing was removed from the library.")
    return RootStatus((status.st_dev, status.st_ino), stat.S_ISDIR(status.st_mode))


def find_polling_reason(root_status: RootStatus, path: str, mounts: list[Mount], most: int) -> str:
    """Return why a root gets no notices, "" where it does. Blocks: a large tree is counted."""
    reason = remote_reason(path, mounts)
    if not reason and root_status.is_folder and is_large(path, most):
        reason = f"polled: it has more than {most:,} folders (ingestion.watch.max_folders)"
    return reason


def owner_of(path: str, folders: Sequence[WatchedRoot], tenant: str) -> WatchedRoot | None:
    """Return the innermost root of the tenant that holds `path`."""
    mine = (folder for folder in folders if folder.tenant == tenant and is_within(path, folder.path))
    return max(mine, key=lambda folder: len(folder.path), default=None)
