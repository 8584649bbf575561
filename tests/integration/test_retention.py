"""What is older than its days in the settings is removed when a server starts: with the real library, its times set back."""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import anyio

from commands.client import Client, OpenOptions, open_in_process
from commands.index_command import job_states
from settings import Settings, load_settings
from tests.support.leftovers import find_leftovers

TEXT = "The violet pelican keeps seventeen copper kettles under the stairs.\n"
PHRASE = "seventeen copper kettles"
LONG_AGO = 30 * 86_400  # seconds
KINDS = ("conversations", "feedback", "episodes", "jobs", "uploads")


def settings_of(home: Path, **days: str) -> Settings:
    fixed = {"VANTAGE_HOME": str(home), "VANTAGE_OLLAMA__ENABLED": "off", "VANTAGE_INGESTION__WORKERS": "1"}
    return load_settings(environ={**fixed, **{f"VANTAGE_STORAGE__{name.upper()}_DAYS": value for name, value in days.items()}}, folder=home.parent)


async def used(client: Client, folder: Path) -> str:
    """Upload a file, ask about it in a conversation, praise the answer; the job's id."""
    (folder / "pantry.txt").write_text(TEXT, encoding="utf-8")
    sent = await client.upload([folder / "pantry.txt"])
    assert [state async for state in job_states(client, sent["job"]["id"])][-1]["state"] == "done"
    talk = (await client.post("/conversations", {"title": ""}))["id"]
    asked = await client.post("/search", {"query": "Where are the kettles?", "conversation_id": talk, "session_id": "s"})
    await client.post("/feedback", {"trace_id": asked["trace_id"], "kind": "thumbs_up"})
    return str(sent["job"]["id"])


def set_back(home: Path) -> None:
    """Make everything a month older."""
    (upload,) = (home / "uploads").rglob("*.txt")
    stat = upload.stat()
    os.utime(upload, ns=(stat.st_atime_ns, stat.st_mtime_ns - LONG_AGO * 10**9))
    columns = {"conversations": "updated_at", "feedback": "created_at", "episodes": "timestamp", "jobs": "created_at"}
    with closing(sqlite3.connect(home / "library.db")) as connection, connection:
        for table, column in columns.items():
            assert connection.execute(f"UPDATE {table} SET {column} = {column} - {LONG_AGO * 10**6}").rowcount == 1, table
        connection.execute("UPDATE files SET mtime_ns = ?", (upload.stat().st_mtime_ns,))


def counts(home: Path) -> dict[str, int]:
    with closing(sqlite3.connect(home / "library.db")) as connection:
        found = {name: connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in ("conversations", "feedback", "episodes", "jobs")}
    return {**found, "uploads": len(list((home / "uploads").rglob("*.txt")))}


async def test_each_kind_is_kept_for_its_days(tmp_path: Path) -> None:
    home = tmp_path / "home"
    async with open_in_process(settings_of(home)) as client:
        await used(client, tmp_path)
    set_back(home)
    before = dict.fromkeys(KINDS, 1)
    assert counts(home) == before
    for days in ({}, dict.fromkeys(KINDS, "60")):
        async with open_in_process(settings_of(home, **days), OpenOptions(resume_jobs=True)):
            await anyio.sleep(1)
        assert counts(home) == before
    async with open_in_process(settings_of(home, **dict.fromkeys(KINDS, "7")), OpenOptions(resume_jobs=True)):
        deadline = time.monotonic() + 60
        while (any(counts(home).values()) or find_leftovers(home, PHRASE)) and time.monotonic() < deadline:  # noqa: ASYNC110  (in the background)
            await anyio.sleep(0.2)
        assert counts(home) == dict.fromkeys(KINDS, 0)
    assert find_leftovers(home, PHRASE) == []
