"""`vantage export`: what the library knows of this machine's person as plain files in a new folder: text, conversations, memory, settings."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator
from datetime import datetime
from pathlib import Path
from typing import Any

from commands.client import Client, connect
from commands.exit_codes import DONE
from commands.export_text import conversation_text, file_name, strip_secrets
from commands.progress_display import ProgressStep, State, show_states
from commands.terminal_text import escape_line
from core.errors import InvalidInput, NotFound, VantageError
from core.version import VERSION
from settings import load_settings

LOCAL_PERSON = "local"  # whose command this is
_PAGE = 500
_MEMORIES = 10_000  # of each tier
_TIERS = ("session", "episodic", "procedural", "profile", "notes")


async def export(config: Path | None, target: Path | None, *, as_json: bool) -> int:
    """Write the folder and print what is in it. Raises InvalidInput where it is there already: nothing is overwritten."""
    folder = target if target is not None else Path(f"vantage-export-{datetime.now().astimezone():%Y-%m-%d-%H%M%S}")
    made = _make_temporary_folder(folder)
    try:
        async with connect(config) as client:
            done = await show_states(_write_files(client, made), _step, quiet=as_json)
        _write_json(made / "settings.json", strip_secrets(load_settings(config).model_dump(mode="json")))
        report = {"folder": str(folder.absolute()), "version": VERSION, **{key: value for key, value in done.items() if key != "total"}}
        _write_json(made / "export.json", report)
        _check_free(folder)
        made.rename(folder)
    except OSError as error:
        raise VantageError(f"The export could not be written to {folder}: {error.strerror}. Nothing of it was kept.") from error
    finally:
        shutil.rmtree(made, ignore_errors=True)  # there is nothing any more where it went well
    sys.stdout.write(json.dumps(report, ensure_ascii=False) + "\n" if as_json else _format_report(report))
    return DONE


def _check_free(folder: Path) -> None:
    if folder.exists() or folder.is_symlink():
        raise InvalidInput(f"{folder} is there already, and an export overwrites nothing. Name another folder with --to.")


def _make_temporary_folder(folder: Path) -> Path:
    """Create a folder that only this person can read, beside the one that it becomes when all is written."""
    _check_free(folder)
    try:
        return Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.absolute().parent))
    except OSError as error:
        raise InvalidInput(f"No folder can be made in {folder.absolute().parent}: {error.strerror}. Name another one with --to.") from error


async def _write_files(client: Client, folder: Path) -> AsyncIterator[State]:
    """Write all that comes from the library; yield the state after each file."""
    state: State = {"documents": 0, "total": 0, "conversations": 0, "memories": 0, "left_out": []}
    for part in (_write_documents, _write_conversations):
        async for now in part(client, folder, state):
            state = now
            yield state
    yield await _write_memory(client, folder, state)


async def _write_documents(client: Client, folder: Path, state: State) -> AsyncIterator[State]:
    """Write a text file for each document, and `documents.json` with what is known of all."""
    (folder / "documents").mkdir()
    known: list[dict[str, Any]] = []
    left_out: list[str] = []
    async for document, total in _list_documents(client):
        try:
            content = await client.get(f"/documents/{document['id']}/content")
        except NotFound:
            left_out.append(document["file_path"])  # it was deleted since it was listed
            continue
        name = file_name(len(known) + 1, document["filename"], ".txt")
        (folder / "documents" / name).write_text(content["text"], encoding="utf-8", newline="")
        known.append({**document, "exported_as": f"documents/{name}"})
        yield {**state, "documents": len(known), "total": total}
    _write_json(folder / "documents.json", known)
    yield {**state, "documents": len(known), "total": len(known), "left_out": left_out}


async def _list_documents(client: Client) -> AsyncIterator[tuple[dict[str, Any], int]]:
    """Yield each document, with how many there are."""
    cursor: str | None = None
    while True:
        page = await client.get("/documents", limit=_PAGE, cursor=cursor)
        for document in page["documents"]:
            yield document, page["total"]
        cursor = page["next_cursor"]
        if cursor is None:
            return


async def _write_conversations(client: Client, folder: Path, state: State) -> AsyncIterator[State]:
    """Write each conversation twice: as Markdown with its sources, and as JSON with everything."""
    (folder / "conversations").mkdir()
    listed = (await client.get("/conversations", user_id=LOCAL_PERSON))["conversations"]
    written = 0
    for item in listed:
        try:
            conversation = await client.get(f"/conversations/{item['id']}")
        except NotFound:
            continue  # deleted since it was listed
        written += 1
        name = file_name(written, conversation["title"] or "Conversation", "")
        (folder / "conversations" / f"{name}.md").write_text(conversation_text(conversation), encoding="utf-8")
        _write_json(folder / "conversations" / f"{name}.json", conversation)
        yield {**state, "conversations": written}
    yield {**state, "conversations": written}


async def _write_memory(client: Client, folder: Path, state: State) -> State:
    memory = await client.get("/memory/me", limit=_MEMORIES)
    _write_json(folder / "memory.json", memory)
    cut = [f"memory: {tier}, older than the newest {_MEMORIES:,}" for tier in _TIERS if memory[tier]["total"] > len(memory[tier]["items"])]
    return {**state, "memories": sum(len(memory[tier]["items"]) for tier in _TIERS), "left_out": [*state["left_out"], *cut]}


def _write_json(path: Path, value: object) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def _step(state: State) -> ProgressStep:
    return ProgressStep(
        state["documents"], state["total"], "documents", f"{state['conversations']:,} conversations" if state["conversations"] else ""
    )


def _format_report(report: dict[str, Any]) -> str:
    named = (("documents", "document", "documents"), ("conversations", "conversation", "conversations"), ("memories", "memory", "memories"))
    counts = ", ".join(f"{report[key]:,} {one if report[key] == 1 else many}" for key, one, many in named)
    said = f"Exported to {escape_line(report['folder'])}: {counts} and the settings (without keys and passwords).\n"
    return said + "".join(f"left out: {escape_line(each)}\n" for each in report["left_out"])
