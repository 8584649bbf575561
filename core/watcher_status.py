"""The status of the folder watcher: the body of GET /watcher/status."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from pydantic import BaseModel, ConfigDict


class WatchState(StrEnum):
    """WATCHING: changes are followed; the folder was compared with the library since the start. SCANNING: that comparison is running.
    PAUSED: the folder cannot be looked into (a missing disk?), so nothing is removed. OFF: it was indexed, and is not watched."""

    WATCHING = "watching"
    SCANNING = "scanning"
    PAUSED = "paused"
    OFF = "off"


class WatchedFolder(BaseModel):
    """One root. `reason` says in a sentence why it is paused, or how it is watched where that is not the usual way ("polled: its file system
    reports no changes"). `waiting` are files that changed and are not read yet (still being written, or in the queue)."""

    model_config = ConfigDict(frozen=True)

    path: str
    collection: str
    state: WatchState
    reason: str = ""
    waiting: int = 0
    last_event_at: datetime | None = None
    last_compared_at: datetime | None = None


class WatcherStatus(BaseModel):
    """`enabled` is the switch of the whole watcher, kept over restarts. `recent` are the last changes that it followed, newest first."""

    model_config = ConfigDict(frozen=True)

    enabled: bool
    folders: list[WatchedFolder]
    waiting: int
    recent: list[WatchEvent]


class WatchEvent(BaseModel):
    """A change that the watcher followed: `change` is added, changed, moved or removed, `path` where the file is (or was), `moved_from` where
    it had been; `seconds` from its last write until it could be asked about (None where it is gone, or could not be read: see the ledger)."""

    model_config = ConfigDict(frozen=True)

    at: datetime
    change: str
    path: str
    moved_from: str | None = None
    seconds: float | None = None


WatcherStatus.model_rebuild()
