"""Reclaiming of the space that a deletion freed in an SQLite file, and of the log, in which deleted text can still be read."""

from __future__ import annotations

import logging
import sqlite3

_log = logging.getLogger(__name__)
_STEP = 2000  # pages that are given back while others wait: some tens of milliseconds
_SMALL = 64 << 20  # bytes that are left of a file made by an older version, for which it is written anew
_INCREMENTAL = 2
_PATIENCE_MS = 100  # that is waited for readers before the log is left to the next time


def reclaim_step(connection: sqlite3.Connection) -> bool:
    """Reclaim one step, on a connection without a transaction; nobody else may write. Returns whether another step is due. Blocks."""
    try:
        more = _reclaim_pages(connection)
        if not more:
            _empty_log(connection)
    except sqlite3.OperationalError as error:  # a full disk, or a lock of another program: the room is used again by what comes next
        _log.warning("Room that was freed in the library could not be given back: %s.", error)
        return False
    return more


def _reclaim_pages(connection: sqlite3.Connection) -> bool:
    free, pages, size, mode = (_read_pragma(connection, name) for name in ("freelist_count", "page_count", "page_size", "auto_vacuum"))
    if 4 * free <= pages:
        return False
    if mode == _INCREMENTAL:
        connection.executescript(f"PRAGMA incremental_vacuum({_STEP})")  # as a script: a single statement would free a single page
        return free > _STEP
    if 2 * free > pages and (pages - free) * size <= _SMALL:
        connection.execute("PRAGMA auto_vacuum=INCREMENTAL")
        connection.execute("VACUUM")
    return False


def _empty_log(connection: sqlite3.Connection) -> None:
    patience = _read_pragma(connection, "busy_timeout")
    connection.execute(f"PRAGMA busy_timeout={_PATIENCE_MS}")
    try:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    finally:
        connection.execute(f"PRAGMA busy_timeout={patience}")


def _read_pragma(connection: sqlite3.Connection, pragma: str) -> int:
    return int(connection.execute(f"PRAGMA {pragma}").fetchone()[0])
