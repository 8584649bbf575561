"""The watcher and a person's decisions about it: switches and exclusions; and the ledger as it is asked at any moment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from core.documents import DocumentState, LedgerLine
from core.ports.document_library import RemovalResult
from core.watcher_status import WatcherStatus


@dataclass(frozen=True, slots=True)
class Exclusion:
    """A file or folder (with everything in it) that a person took out of the library for good."""

    path: str
    created_at: datetime


class WatchStore(Protocol):
    """Switches and exclusions, kept over restarts. A path is excluded for its tenant alone."""

    async def exclusions(self, tenant: str) -> list[Exclusion]:
        """Return the exclusions by path."""
        ...

    async def exclude(self, tenant: str, path: str) -> Exclusion:
        """Exclude a path; what is excluded already stays as it is."""
        ...

    async def include(self, tenant: str, path: str) -> bool:
        """End an exclusion; False where the path was not excluded."""
        ...

    async def switches(self, tenant: str) -> dict[str, bool]:
        """Return root -> on or off, for those that were switched; "" is the whole watcher."""
        ...

    async def set_switch(self, tenant: str, path: str, *, on: bool) -> None: ...
    async def tenants(self) -> list[str]:
        """Return the tenants that have a root."""
        ...


@dataclass(frozen=True, slots=True)
class LedgerFilter:
    """The lines that are meant: those that pass all of these. `under` is a folder or file, `text` stands anywhere in the path, case aside."""

    states: Sequence[DocumentState] = ()
    codes: Sequence[str] = ()
    text: str = ""
    root: str | None = None
    under: str | None = None


@dataclass(frozen=True, slots=True)
class ReasonCount:
    """A code with its files: how many, in which states, the sentence of one of them, and at most three paths."""

    code: str
    files: int
    states: tuple[DocumentState, ...]
    reason: str
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FolderCount:
    """A folder with all that lies below it; `folders` are those directly in it."""

    path: str
    by_state: dict[DocumentState, int] = field(default_factory=dict)
    by_code: dict[str, int] = field(default_factory=dict)
    folders: int = 0


class LedgerReports(Protocol):
    """The ledger by folder, reason and text."""

    async def lines(
        self, tenant: str, which: LedgerFilter, *, limit: int = 100, cursor: str | None = None
    ) -> tuple[list[LedgerLine], int, str | None]:
        """Return one page by path, the total, and the next cursor."""
        ...

    async def line(self, tenant: str, path: str) -> LedgerLine:
        """Return the line of one path. Raises NotFound."""
        ...

    async def reasons(self, tenant: str, which: LedgerFilter) -> list[ReasonCount]:
        """Return the reasons, the most frequent first."""
        ...

    async def count_outdated(self, tenant: str, version: str) -> int:
        """Return how many files can be asked about as another version of the index settings read them, and are still to be read again."""
        ...

    async def folders(self, tenant: str, under: str, limit: int) -> tuple[list[FolderCount], int]:
        """Return the folders directly in `under`, by name, at most `limit`; and how many files lie in it directly."""
        ...


class Watcher(Protocol):
    """The folder watcher as HTTP needs it."""

    async def status(self, tenant: str) -> WatcherStatus: ...
    async def enable(self, tenant: str, path: str | None) -> WatcherStatus:
        """Switch watching on for one root, or for the whole watcher; return the status. Raises NotFound for a folder that is not indexed."""
        ...

    async def disable(self, tenant: str, path: str | None) -> WatcherStatus: ...
    async def exclusions(self, tenant: str) -> list[Exclusion]: ...
    async def exclude(self, tenant: str, path: str) -> tuple[Exclusion, RemovalResult]:
        """Take a file or folder out of the library, and keep it out. Raises NotFound where it lies below no root."""
        ...

    async def include(self, tenant: str, path: str) -> None:
        """End an exclusion. Raises NotFound."""
        ...
