"""`vantage status` and `vantage ledger`: what is in the library, and what became of every file."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from commands.client import Client, connect
from commands.exits import DONE
from commands.terminal import shown_line


async def status(config: Path | None, *, as_json: bool) -> int:
    """Documents by state, chunks, vectors and the size on disk."""
    async with connect(config) as client:
        health = await client.get("/health")
        ledger = await client.get("/ledger", limit=1)
        running = client.running
    body = {
        "server_running": running,
        "status": health["status"],
        **health["library"],
        "by_state": ledger["counts"]["by_state"],
        "by_reason": ledger["counts"]["by_reason"],
        "askable": ledger["counts"]["askable"],
        "roots": ledger["roots"],
    }
    if as_json:
        sys.stdout.write(json.dumps(body, ensure_ascii=False) + "\n")
    else:
        _print_status(body)
    return DONE


def _print_status(body: dict[str, Any]) -> None:
    out = sys.stdout
    out.write(f"{body['askable']} of {body['files']} files can be asked about: {body['documents']} documents, {body['chunks']} passages, ")
    out.write(
        f"{body['vectors']} vectors, {body['bytes_on_disk'] / 1e6:.1f} MB on disk. Server {'running' if body['server_running'] else 'not running'}.\n"
    )
    for state, count in body["by_state"].items():
        out.write(f"  {count:6} {state}\n")
    for root in body["roots"]:
        missing = " (missing: is the disk connected?)" if root["missing"] else ""
        out.write(f"  {shown_line(root['path'])}: {root['files']} files{missing}{_watched(root, running=body['server_running'])}\n")


def _watched(root: dict[str, Any], *, running: bool) -> str:
    """How a folder keeps itself current, as far as somebody does it now."""
    if root["watch"] == "off":
        return ", not watched"
    return f", {root['watch']}{': ' + root['watch_reason'] if root['watch_reason'] else ''}" if running else ""


async def ledger(config: Path | None, states: list[str] | None, *, as_json: bool) -> int:
    """Every line of the ledger, all pages."""
    async with connect(config) as client:
        lines = await _all_lines(client, states)
    if as_json:
        sys.stdout.write(json.dumps(lines, ensure_ascii=False) + "\n")
        return DONE
    for line in lines:
        said = f"{line['state']:12} {line['path']}{'  ' + line['reason'] if line['reason'] else ''}"
        sys.stdout.write(f"{shown_line(said)}\n")
    return DONE


async def _all_lines(client: Client, states: list[str] | None) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    cursor: str | None = None
    while True:
        page = await client.get("/ledger", state=states, limit=1000, cursor=cursor)
        found += page["lines"]
        cursor = page["next_cursor"]
        if cursor is None:
            return found
