"""`vantage memory`: what Vantage remembers of a person, forgetting it, and consolidating it now."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any
from urllib.parse import quote

from commands.client import connect
from commands.exit_codes import DONE, NOTHING_FOUND

TIERS = ("session", "episodic", "procedural", "profile", "notes")


async def show_memory(config: Path | None, person: str, *, limit: int, as_json: bool) -> int:
    """Print GET /memory/{person}: every tier, newest first, with the ids that `forget --item` takes."""
    async with connect(config) as client:
        seen = await client.get(_memory_path(person), limit=limit)
    if as_json:
        sys.stdout.write(json.dumps(seen, ensure_ascii=False) + "\n")
    else:
        _print_overview(seen)
    return DONE if any(seen[tier]["total"] for tier in TIERS) else NOTHING_FOUND


async def forget_memory(config: Path | None, person: str, what: dict[str, str | None], *, as_json: bool) -> int:
    """Send DELETE /memory/{person}, or for one session, document or item of it. Exit code 3 where there was nothing to forget."""
    item = what.get("item")
    async with connect(config) as client:
        if item is not None:
            removed = await client.delete(f"{_memory_path(person)}/items/{quote(item, safe='')}")
            gone = {"user_id": person, "removed": {removed["tier"]: 1}, "items": [removed]}
        else:
            gone = await client.delete(_memory_path(person), session_id=what.get("session"), document_id=what.get("document"))
    if as_json:
        sys.stdout.write(json.dumps(gone, ensure_ascii=False) + "\n")
    else:
        _print_forgotten(gone)
        if not any(what.values()):
            sys.stdout.write("Conversations and runs are not memory and stay. DELETE /history removes them with it (docs/deleting.md).\n")
    return DONE if gone["removed"] else NOTHING_FOUND


async def consolidate_memory(config: Path | None, person: str, *, as_json: bool) -> int:
    """Send POST /memory/{person}/consolidate."""
    async with connect(config) as client:
        records = await client.post(f"{_memory_path(person)}/consolidate", {})
    if as_json:
        sys.stdout.write(json.dumps(records, ensure_ascii=False) + "\n")
        return DONE
    changes = [change for record in records for change in record["changes"]]
    sys.stdout.write("".join(f"{change}\n" for change in changes) or "There was nothing to do.\n")
    return DONE


def _memory_path(person: str) -> str:
    return f"/memory/{quote(person, safe='')}"


def _print_overview(seen: dict[str, Any]) -> None:
    out = sys.stdout
    for tier in TIERS:
        section = seen[tier]
        out.write(f"{tier}: {section['total']}\n")
        for item in section["items"]:
            when = f"{item['at'][:16].replace('T', ' ')}  " if item["at"] else ""
            out.write(f"  {when}{_shorten(item['text'])}  [{item['id']}]\n")
    reason = seen["preferences"]["reason"]
    if reason:
        out.write(f"learned: {reason}\n")


def _print_forgotten(gone: dict[str, Any]) -> None:
    counts = ", ".join(f"{count} of {tier}" for tier, count in gone["removed"].items())
    sys.stdout.write(f"Forgotten: {counts}.\n" if counts else "There was nothing to forget.\n")
    for item in gone["items"]:
        sys.stdout.write(f"  {item['tier']:10}  {_shorten(item['text'])}\n")


def _shorten(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 100 else line[:99] + "…"
