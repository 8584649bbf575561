"""A database's errors as Vantage's: each says what happened and what to do."""

from __future__ import annotations

import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from core.errors import ConfigurationError, Unavailable, VantageError
from storage.disk import disk_error, disk_full_error

Result = TypeVar("Result")

_LOW = 1 << 20
_UNDONE = {"40001", "40P01"}  # a transaction that could not be put in a row with others, or had to end a deadlock
_PAUSES = (0.05, 0.2, 0.5)  # seconds before it is made again
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_DAMAGED = {sqlite3.SQLITE_CORRUPT}
_REFUSED = {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM}


@contextmanager
def translate_errors(place: str, home: Path) -> Iterator[None]:
    """Turn the database library's exceptions into core.errors; `place` names the library to a person (a path, or a URL without password).

    An IntegrityError passes unchanged: it is a mistake in this package, not a condition that a person can act on.
    """
    try:
        yield
    except IntegrityError:
        raise
    except DBAPIError as error:
        raise _explain(error, place, home) from error
    except PoolTimeout as error:
        raise Unavailable(f"The library {place} is busy: no free connection for 30 seconds. Try again in a moment.") from error
    except OSError as error:
        raise disk_error(error, place) from error


def repeat_undone(transaction: Callable[[], Result]) -> Result:
    """Make a transaction; again where the database undid all of it for the sake of another one."""
    for pause in _PAUSES:
        try:
            return transaction()
        except DBAPIError as error:
            if getattr(error.orig, "sqlstate", None) not in _UNDONE:
                raise
        time.sleep(pause)
    return transaction()


def _explain(error: DBAPIError, place: str, home: Path) -> VantageError:
    cause = error.orig
    if isinstance(cause, sqlite3.Error):
        return _explain_sqlite(cause, place, home)
    return _explain_postgres(cause, place)


def _explain_sqlite(cause: sqlite3.Error, place: str, home: Path) -> VantageError:
    code = getattr(cause, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_FULL or (code == sqlite3.SQLITE_IOERR and _nearly_full(home)):
        return disk_full_error(place)
    if code in _BUSY:
        return Unavailable(f"The library {place} is busy: another process has been writing to it for too long. Try again, or stop that process.")
    if code in _DAMAGED:
        return Unavailable(
            f"The library {place} is damaged ({cause}). Restore the file from a copy, or move it away and index your folders again: "
            "your own documents are not touched."
        )
    if code == sqlite3.SQLITE_NOTADB:
        return ConfigurationError(f"{place} is not a Vantage library. Move the file away, or set VANTAGE_HOME to another folder.")
    if code in _REFUSED:
        return ConfigurationError(f"The library {place} cannot be opened or written ({cause}). Check the permissions of the file and its folder.")
    return Unavailable(f"The library {place} cannot be used: {cause}. Run `vantage doctor`.")


def _nearly_full(home: Path) -> bool:
    return home.exists() and shutil.disk_usage(home).free < _LOW


def _explain_postgres(cause: BaseException | None, place: str) -> VantageError:
    state = getattr(cause, "sqlstate", None) or ""
    words = str(cause).strip().splitlines()[0] if str(cause).strip() else "no reason given"
    if state == "53100":
        return disk_full_error(place)
    if state in {"28000", "28P01", "3D000", "42501"}:
        return ConfigurationError(f"PostgreSQL refuses {place}: {words}. Check `storage.url`, the user's rights and that the database exists.")
    if state == "" or state.startswith(("08", "57")):
        return Unavailable(f"PostgreSQL at {place} does not answer: {words}. Start it, or check `storage.url`.")
    if state in _UNDONE:
        return Unavailable(f"The library at {place} is busy: others change the same again and again ({words}). Try again in a moment.")
    return Unavailable(f"The library at {place} cannot be used: {words}.")
