"""`vantage watch`: follow the indexed folders, and say each change; switch that on and off, and ask how it stands."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from commands.client import Client, OpenOptions, connect
from commands.exit_codes import DONE, STOPPED
from commands.terminal_text import escape_line

_POLL_SECONDS = 0.5
Status = dict[str, Any]


async def print_watch_status(config: Path | None, *, as_json: bool) -> int:
    """Print how each indexed folder is followed."""
    async with connect(config) as client:
        body = await client.get("/watcher/status")
        running = client.is_remote
    if as_json:
        sys.stdout.write(json.dumps({**body, "server_running": running}, ensure_ascii=False) + "\n")
    else:
        _print_status(body, running=running)
    return DONE


def _print_status(body: Status, *, running: bool) -> None:
    out = sys.stdout
    if not running:
        out.write("No server is running, so no folder is watched now. Start `vantage serve` or `vantage watch`.\n")
    out.write(f"The watcher is {'on' if body['enabled'] else 'off'}{_waiting_text(body['waiting'])}.\n")
    for folder in body["folders"]:
        state = folder["state"] if running or folder["state"] == "off" else "on"
        out.write(f"  {state:9} {folder['path']}{_waiting_text(folder['waiting'])}{': ' + folder['reason'] if folder['reason'] else ''}\n")


def _waiting_text(count: int) -> str:
    return f", {count} waiting" if count else ""


async def stop_watching(config: Path | None, path: str | None, *, as_json: bool) -> int:
    """Stop following one folder, or all."""
    async with connect(config) as client:
        body = await client.post("/watcher/disable", {"path": path} if path else {})
        running = client.is_remote
    if as_json:
        sys.stdout.write(json.dumps(body, ensure_ascii=False) + "\n")
    else:
        _print_status(body, running=running)
    return DONE


async def follow_folders(config: Path | None, path: str | None, *, as_json: bool) -> int:
    """Switch the watching on and print each change until Ctrl+C. With a server that does the work, and goes on afterwards; without one this
    process does, and nothing else may use the library meanwhile."""
    async with connect(config, OpenOptions(resume_jobs=True, watch=True, serve_as="watch")) as client:
        await _start_watching(client, path)
        printer = _ChangePrinter(as_json=as_json)
        printer.print_start(await client.get("/watcher/status"), running=client.is_remote)
        try:
            while True:
                await asyncio.sleep(_POLL_SECONDS)
                printer.print_new(await client.get("/watcher/status"))
        except asyncio.CancelledError:
            sys.stderr.write(f"vantage: stopped; {'the server goes on watching' if client.is_remote else 'nothing is watched now'}\n")
            return STOPPED


async def _start_watching(client: Client, path: str | None) -> None:
    """Index a folder that is new to the library; one that lies in an indexed folder is followed with that."""
    if path is None:
        await client.post("/watcher/enable", {})
        return
    folders = (await client.get("/watcher/status"))["folders"]
    around = [folder["path"] for folder in folders if os.path.commonpath([folder["path"], path]) == folder["path"]]
    if around:
        await client.post("/watcher/enable", {"path": max(around, key=len)})
    else:
        await client.post("/index", {"path": path})


class _ChangePrinter:
    """Printer of changes that leaves out what it printed before."""

    def __init__(self, *, as_json: bool) -> None:
        self._as_json = as_json
        self._events: set[tuple[str, str, str]] = set()
        self._states: dict[str, tuple[str, str]] = {}

    def print_start(self, body: Status, *, running: bool) -> None:
        """Say what is watched; earlier changes are not printed."""
        self._events = {_key(event) for event in body["recent"]}
        if not self._as_json:
            who = "The server watches" if running else "This process watches"
            sys.stdout.write(f"{who} the folders below. Press Ctrl+C to stop watching{' here; the server goes on' if running else ''}.\n")
        self.print_new(body)

    def print_new(self, body: Status) -> None:
        """Print what is new: states of folders, then changes, oldest first."""
        for folder in body["folders"]:
            state = (folder["state"], folder["reason"])
            if self._states.get(folder["path"]) != state:
                self._states[folder["path"]] = state
                self._print(folder, f"{folder['state']:9} {folder['path']}{': ' + folder['reason'] if folder['reason'] else ''}")
        for event in reversed(body["recent"]):
            if _key(event) not in self._events:
                self._print(event, _line(event))
        self._events = {_key(event) for event in body["recent"]}
        sys.stdout.flush()

    def _print(self, value: dict[str, Any], text: str) -> None:
        sys.stdout.write((json.dumps(value, ensure_ascii=False) if self._as_json else escape_line(text)) + "\n")


def _key(event: dict[str, Any]) -> tuple[str, str, str]:
    return event["at"], event["change"], event["path"]


def _line(event: dict[str, Any]) -> str:
    return " ".join(_parts(event))


def _parts(event: dict[str, Any]) -> Iterator[str]:
    yield f"{datetime.fromisoformat(event['at']).astimezone():%H:%M:%S}"
    yield f"{event['change']:8}"
    yield event["path"]
    if event["moved_from"]:
        yield f"(was {event['moved_from']})"
    if event["seconds"] is not None:
        yield f"(after {event['seconds']:.1f} s)"
