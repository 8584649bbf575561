"""`vantage status` and `vantage ledger`: what is in the library, and what became of every file."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from commands.exit_codes import DONE
from commands.serving_process import find_serving_process
from commands.terminal_text import escape_line
from settings import Settings, load_settings
from storage.home import Home, library_owner

if TYPE_CHECKING:
    from commands.client import Client

Status = dict[str, Any]


async def print_status(config: Path | None, *, as_json: bool) -> int:
    """Print documents by state, chunks, vectors and the size on disk. Without a server, and while one starts, straight from the database."""
    settings = load_settings(config)
    served = await find_serving_process(Home(settings.home), wait_seconds=0.0, quiet=True)
    body = await _load_served_status(config) if served is not None else await _load_stored_status(settings)
    if as_json:
        sys.stdout.write(json.dumps(body, ensure_ascii=False) + "\n")
    else:
        _print_status(body)
    return DONE


async def _load_served_status(config: Path | None) -> Status:
    from commands.client import connect

    async with connect(config) as client:
        health = await client.get("/health")
        ledger = await client.get("/ledger", limit=1)
        by = client.served_by
    return {
        "server_running": by is not None,
        "served_by": {"process": by.pid, "command": by.command} if by is not None else None,
        "status": health["status"],
        **health["library"],
        "files": ledger["counts"]["seen"],  # counted with what follows: a moment later there may be more
        "by_state": ledger["counts"]["by_state"],
        "by_reason": ledger["counts"]["by_reason"],
        "askable": ledger["counts"]["askable"],
        "roots": ledger["roots"],
    }


async def _load_stored_status(settings: Settings) -> Status:
    from commands import stored_reports  # SQLAlchemy, which nothing here needs beside a server

    opened_by = library_owner(Home(settings.home))
    async with stored_reports.open_stored(settings) as database:
        found = (
            await stored_reports.stored_counts(database, watch=settings.ingestion.watch.enabled)
            if database is not None
            else stored_reports.empty_counts()
        )
    by = {"process": opened_by, "command": ""} if opened_by is not None else None
    return {"server_running": False, "served_by": by, "status": "starting" if by else "not running", **found}


def _print_status(body: Status) -> None:
    out = sys.stdout
    out.write(f"{body['askable']} of {body['files']} files are searchable: {body['documents']} documents, {body['chunks']} passages, ")
    out.write(f"{body['vectors']} vectors, {body['bytes_on_disk'] / 1e6:.1f} MB on disk. {_describe_server(body)}\n")
    for state, count in body["by_state"].items():
        out.write(f"  {count:6} {state}\n")
    for root in body["roots"]:
        missing = " (missing: is the disk connected?)" if root["missing"] else ""
        out.write(f"  {escape_line(root['path'])}: {root['files']} files{missing}{_describe_watching(root, running=body['server_running'])}\n")


def _describe_server(body: Status) -> str:
    by = body["served_by"]
    if by is None:
        return "Server not running."
    if not body["server_running"]:
        return f"Process {by['process']} is opening the library."
    return "Server running." if by["command"] == "serve" else f"`vantage {by['command']}` (process {by['process']}) is at work."


def _describe_watching(root: dict[str, Any], *, running: bool) -> str:
    """Return how a folder is kept current, as far as somebody does it now."""
    if root["watch"] == "off":
        return ", not watched"
    return f", {root['watch']}{': ' + root['watch_reason'] if root['watch_reason'] else ''}" if running else ""


async def print_ledger(config: Path | None, states: list[str] | None, *, as_json: bool) -> int:
    """Print every line of the ledger, all pages."""
    settings = load_settings(config)
    if await find_serving_process(Home(settings.home), wait_seconds=0.0, quiet=True) is not None:
        from commands.client import connect

        async with connect(config) as client:
            lines = await _load_all_lines(client, states)
    else:
        from commands import stored_reports

        async with stored_reports.open_stored(settings) as database:
            lines = await stored_reports.stored_lines(database, states) if database is not None else []
    if as_json:
        sys.stdout.write(json.dumps(lines, ensure_ascii=False) + "\n")
        return DONE
    for line in lines:
        said = f"{line['state']:12} {line['path']}{'  ' + line['reason'] if line['reason'] else ''}"
        sys.stdout.write(f"{escape_line(said)}\n")
    if not lines:
        sys.stderr.write(f"No file is {' or '.join(states)}.\n" if states else "No file was seen yet: vantage index FOLDER.\n")
    return DONE


async def _load_all_lines(client: Client, states: list[str] | None) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    cursor: str | None = None
    while True:
        page = await client.get("/ledger", state=states, limit=1000, cursor=cursor)
        found += page["lines"]
        cursor = page["next_cursor"]
        if cursor is None:
            return found
