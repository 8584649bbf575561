"""`vantage migrate`: the sample library answers out of PostgreSQL as it did out of SQLite, and the command says what is in its way."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, text

from storage.database import WRITER_LOCK, open_database
from storage.home import Home
from tests.support.databases import postgres_database, shared_postgres
from tests.support.empty_library import open_library
from tests.support.sample_library import serve_sample
from tests.support.serving import ServedVantage, read_health, run_vantage, start_interruptible

pytestmark = pytest.mark.integration

QUESTIONS = (
    "How large is the deposit for Quay 7 and who holds it?",
    "What did air freight cost in August 2026?",
    "Compare the three offers for reach trucks: total net price.",
)


@pytest.fixture
def url() -> Iterator[str]:
    with postgres_database(shared_postgres()) as made:
        yield made


def ask_all(server: ServedVantage) -> list[dict[str, Any]]:
    kept = ("status", "answer", "lead", "citations", "results", "confidence")
    with server.client() as client:
        found = [client.post("/search", json={"query": question}).raise_for_status().json() for question in QUESTIONS]
    return [{key: answer[key] for key in kept} for answer in found]


def test_the_same_answers_out_of_postgresql(tmp_path: Path, url: str) -> None:
    home = tmp_path / "home"
    server = serve_sample(home)
    try:
        before = ask_all(server)
        with server.client() as client:
            documents = read_health(client)["library"]["documents"]
        held = run_vantage(home, "migrate", url)
    finally:
        server.stop()
    assert held.returncode == 1
    assert "is in use by process" in held.stderr

    tried = json.loads(run_vantage(home, "migrate", url, "--dry-run", "--json").stdout)
    assert (tried["dry_run"], tried["already_there"]) == (True, False)
    moved = run_vantage(home, "migrate", url)
    assert moved.returncode == 0, moved.stderr
    assert "url: postgresql+psycopg://vantage@/vantage_" in moved.stdout
    again = json.loads(run_vantage(home, "migrate", url, "--json").stdout)
    assert again == {**tried, "dry_run": False, "already_there": True}
    assert again["tables"]["documents"] == documents
    assert again["tables"]["traces"] == len(QUESTIONS)

    Home(home).library.rename(home / "library.away")
    server = ServedVantage(home, {"VANTAGE_STORAGE__URL": url}).start()
    try:
        after = ask_all(server)
    finally:
        server.stop()
    assert after == before


def test_ctrl_c_leaves_nothing_and_says_so(library_home: Path, url: str) -> None:
    """While it waits for its turn to write, so that the moment is known."""
    engine = create_engine(url)
    waiting = text("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'vantage' AND wait_event = 'advisory'")
    open_database(library_home, url).close_sync()
    with engine.connect() as holder, engine.connect() as watcher:
        holder.execute(text(f"SELECT pg_advisory_lock({WRITER_LOCK})"))
        process = start_interruptible(library_home, "migrate", url)
        deadline = time.monotonic() + 120
        while not watcher.execute(waiting).scalar_one():
            assert time.monotonic() < deadline
            watcher.rollback()
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        printed, said = process.communicate(timeout=60)
    engine.dispose()
    assert (process.returncode, printed) == (130, "")
    assert "PostgreSQL holds nothing of it" in said
    assert "Traceback" not in said
    assert json.loads(run_vantage(library_home, "migrate", url, "--json").stdout)["already_there"] is False


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "Name the PostgreSQL database"),
        (("sqlite:////tmp/other.db",), "The library moves to PostgreSQL"),
        (("mysql://ann:SECRET-1@db/x",), "`storage.url` names mysql"),
        (("postgresql://ann:SECRET-1@127.0.0.1:1/x?password=SECRET-2",), "postgresql+psycopg://ann:***@127.0.0.1:1/x does not answer"),
    ],
)
def test_what_cannot_be_moved_is_said_without_a_password(library_home: Path, arguments: tuple[str, ...], said: str) -> None:
    done = run_vantage(library_home, "migrate", *arguments)
    assert done.returncode == 1
    assert said in done.stderr
    assert "SECRET" not in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


@pytest.fixture
def library_home(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    Home(home).create()
    open_library(home).close_sync()
    return home


def test_without_a_library_there_is_nothing_to_move(tmp_path: Path) -> None:
    done = run_vantage(tmp_path / "none", "migrate", "postgresql://db/x")
    assert done.returncode == 1
    assert "There is no SQLite library to move" in done.stderr
    assert not (tmp_path / "none").exists()
