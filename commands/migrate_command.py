"""`vantage migrate`: the library moves from SQLite into PostgreSQL, is compared there, and the command says what to write into the settings."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from commands.exit_codes import DONE, STOPPED
from commands.progress_display import ProgressStep, open_display
from commands.terminal_text import escape_line
from core.errors import ConfigurationError, NotFound
from settings import Settings, load_settings
from storage.database import Database, open_current_database, open_database, url_without_password
from storage.home import Home, LibraryLock
from storage.library_transfer import Transfer, check_target, count_rows, transfer_library


def migrate(config: Path | None, url: str | None, *, dry_run: bool, as_json: bool) -> int:
    """Move the library to `url` (None: `storage.url`) and print what to do next; Ctrl+C leaves nothing there. No coroutine: Ctrl+C has to reach the
    thread that copies. Raises Conflict where a server or another command has the library, and as `transfer_library`.
    """
    settings = load_settings(config)
    target = url or settings.storage.url
    if not target:
        raise ConfigurationError("Name the PostgreSQL database: vantage migrate postgresql+psycopg://user@host/database.")
    shown = url_without_password(target)
    try:
        with _open_source(settings) as source:
            done = _check(source, settings, target) if dry_run else _move(source, settings, target, quiet=as_json)
            report = {**done, "from": source.location, "to": shown}
    except KeyboardInterrupt:
        sys.stderr.write("vantage: stopped. PostgreSQL holds nothing of it; the library is as it was. Run the command again to begin anew.\n")
        return STOPPED
    sys.stdout.write(json.dumps(report, ensure_ascii=False) + "\n" if as_json else _format_report(report, settings, named=bool(settings.storage.url)))
    return DONE


@contextmanager
def _open_source(settings: Settings) -> Iterator[Database]:
    """Open the SQLite library, brought up to date, which nobody else has meanwhile."""
    stored = settings.storage.url if settings.storage.url.startswith("sqlite") else ""
    file = Home(settings.home).library
    if not stored and not file.is_file():
        raise NotFound(f"There is no SQLite library to move: {file} does not exist. Set VANTAGE_HOME to the folder that has it.")
    with LibraryLock(Home(settings.home)), _close_later(open_database(settings.home, stored)) as source:
        yield source


@contextmanager
def _close_later(database: Database) -> Iterator[Database]:
    try:
        yield database
    finally:
        database.close_sync()


def _check(source: Database, settings: Settings, url: str) -> dict[str, Any]:
    """Return the report of a dry run. A database that no Vantage has opened yet is given no tables."""
    counts = count_rows(source)
    target = open_current_database(settings.home, url)
    there = False
    if target is not None:
        with _close_later(target):
            there = check_target(target, counts)
    return {"dry_run": True, "already_there": there, "rows": sum(counts.values()), "tables": counts}


def _move(source: Database, settings: Settings, url: str, *, quiet: bool) -> dict[str, Any]:
    with open_display(quiet=quiet) as show, _close_later(open_database(settings.home, url)) as target:
        done: Transfer = transfer_library(source, target, lambda doing, rows, total: show(ProgressStep(rows, total, doing)))
    tables = {name: table.rows for name, table in done.tables.items()}
    return {"dry_run": False, "already_there": done.already_there, "rows": done.rows, "tables": tables}


def _format_report(report: dict[str, Any], settings: Settings, *, named: bool) -> str:
    told = f"{report['rows']:,} rows of {len(report['tables'])} tables, {report['tables']['documents']:,} documents"
    place = escape_line(report["to"])
    if report["dry_run"] and report["already_there"]:
        return f"{place} holds a library with as many rows ({told}) already: a run would compare the two, and move nothing.\n"
    if report["dry_run"]:
        return f"Would move {told} to {place}. Nothing was written there.\n"
    said = "already, each row the same: nothing was moved" if report["already_there"] else "now; each row was read back and is the same"
    next_step = "`storage.url` names a database: see that it is this one.\n" if named else f"In config.yaml:\n\nstorage:\n  url: {place}\n\n"
    return (
        f"{told} are in {place} {said}.\n{next_step}"
        "A password belongs into the environment (PGPASSWORD, or the whole URL as VANTAGE_STORAGE__URL) or into ~/.pgpass.\n"
        f"Then start Vantage with the same VANTAGE_HOME ({escape_line(str(settings.home))}): index and uploads stay there, no file is read again.\n"
        f"{escape_line(report['from'])} is not written any more. It keeps the text of documents that are deleted from now on: "
        "remove it once all is well.\n"
    )
