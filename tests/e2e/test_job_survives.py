"""A job whose server is killed is the same job in the next one: its id, its counts, who started it."""

from __future__ import annotations

import json
import signal
import sqlite3
import time
from pathlib import Path
from typing import Any

from tests.support.serving import ServedVantage, wait_for_job

FILES = 150
SECONDS = 120.0


def stored_progress(home: Path, job_id: str) -> dict[str, Any]:
    """What the database has of the job: all that is left after a kill."""
    with sqlite3.connect(f"file:{home / 'library.db'}?mode=ro", uri=True) as connection:
        row = connection.execute("SELECT progress FROM jobs WHERE id = ?", (job_id,)).fetchone()
    found: dict[str, Any] = json.loads(row[0])
    return found


def some_progress(home: Path, job_id: str) -> dict[str, Any]:
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        progress = stored_progress(home, job_id)
        if progress["files_done"]:
            return progress
        time.sleep(0.1)
    raise AssertionError(f"no progress was stored within {SECONDS} s")


def test_a_killed_servers_job_goes_on_under_its_id_with_its_counts(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    for number in range(FILES):
        (docs / f"{number:03}.md").write_text(
            "\n\n".join(f"# Part {part} of file {number}\n\nThe pump of hall {number} was serviced." for part in range(6))
        )
    server = ServedVantage(tmp_path / "home").start()
    try:
        with server.client() as http:
            job = http.post("/index", json={"path": str(docs)}).raise_for_status().json()
        some_progress(server.home, job["id"])
    finally:
        server.stop(signal.SIGKILL)
    left = stored_progress(server.home, job["id"])
    assert 0 < left["files_done"] < FILES
    server = ServedVantage(server.home).start()
    try:
        with server.client() as http:
            shown = http.get(f"/jobs/{job['id']}").raise_for_status().json()
            listed = http.get("/jobs").raise_for_status().json()["jobs"]
            ended = wait_for_job(http, job["id"], SECONDS)
    finally:
        server.stop()
    assert (shown["path"], shown["started_by"], shown["created_at"]) == (str(docs), "local", job["created_at"])
    assert shown["files_done"] >= left["files_done"]
    assert [each["id"] for each in listed] == [job["id"]]
    assert (ended["state"], ended["files_done"], ended["files_total"]) == ("done", FILES, FILES)
