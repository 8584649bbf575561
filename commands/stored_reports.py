"""The reports that `vantage status` and `vantage ledger` read straight from the library's database: no model, no lock, no other process."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import anyio.to_thread

from core.documents import DocumentState
from core.ports import LedgerFilter, LibraryTotals, Root
from settings import Settings
from storage.database import Database, open_current_database
from storage.ledger_reports import SqlLedgerReports
from storage.sql_library import SqlLibrary
from storage.sql_watch_store import SqlWatchStore

TENANT = "default"  # whose commands these are: the same as with a server, which knows them by its token
_ASKABLE = (DocumentState.INDEXED, DocumentState.PARTIAL)
_PAGE = 1000
_WATCHER_SWITCH = ""  # the switch of all folders


@asynccontextmanager
async def open_stored(settings: Settings) -> AsyncIterator[Database | None]:
    """Open the library's database for reading; None where there is no library yet, or one whose schema is of another version."""
    database = await anyio.to_thread.run_sync(open_current_database, settings.home, settings.storage.url)
    try:
        yield database
    finally:
        if database is not None:
            await database.close()


async def stored_counts(database: Database, *, watch: bool) -> dict[str, Any]:
    """Return the body of `vantage status` as far as it stands in the database. `watch` is what the settings say of folders that nobody switched; a
    folder is "on" where a server would watch it.
    """
    library = SqlLibrary(database)
    totals, roots = await library.totals(TENANT), await library.roots(TENANT)
    switches = await SqlWatchStore(database).switches(TENANT)
    return {
        **_format_totals(totals),
        "roots": [
            _format_root(root, missing=not await anyio.Path(root.path).exists(), on=switches.get(root.path, switches.get(_WATCHER_SWITCH, watch)))
            for root in roots
        ],
    }


def empty_counts() -> dict[str, Any]:
    """Return the same of a library that was never made."""
    return {**_format_totals(LibraryTotals(0, 0, 0, 0, 0, {}, {})), "roots": []}


def _format_totals(totals: LibraryTotals) -> dict[str, Any]:
    return {
        "documents": totals.documents,
        "files": totals.files,
        "chunks": totals.chunks,
        "vectors": totals.vectors,
        "bytes_on_disk": totals.bytes_on_disk,
        "by_state": {str(state): count for state, count in totals.by_state.items()},
        "by_reason": totals.by_code,
        "askable": sum(totals.by_state.get(state, 0) for state in _ASKABLE),
    }


def _format_root(root: Root, *, missing: bool, on: bool) -> dict[str, Any]:
    count = {state: root.counts.get(state, 0) for state in DocumentState}
    return {
        "path": root.path,
        "collection": root.collection,
        "files": sum(count.values()),
        "indexed": count[DocumentState.INDEXED],
        "partial": count[DocumentState.PARTIAL],
        "failed": count[DocumentState.FAILED] + count[DocumentState.QUARANTINED],
        "skipped": count[DocumentState.SKIPPED],
        "last_indexed_at": root.last_indexed_at.isoformat() if root.last_indexed_at is not None else None,
        "missing": missing,
        "job_id": None,
        "watch": "on" if on else "off",
        "watch_reason": "",
    }


async def stored_lines(database: Database, states: list[str] | None) -> list[dict[str, Any]]:
    """Return every line of the ledger in one of these states (None: all), as GET /ledger gives them."""
    reports, which = SqlLedgerReports(database), LedgerFilter([DocumentState(state) for state in states or ()])
    found: list[dict[str, Any]] = []
    cursor: str | None = None
    while True:
        page, _, cursor = await reports.lines(TENANT, which, limit=_PAGE, cursor=cursor)
        found += [line.model_dump(mode="json") for line in page]
        if cursor is None:
            return found
