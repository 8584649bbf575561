"""`vantage worker` beside `vantage serve`: real PostgreSQL, real OpenSearch, real documents."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.databases import postgres_database, shared_postgres
from tests.support.opensearch_server import NoOpenSearchError, options_of, request, shared_server
from tests.support.serving import ServedVantage, index_and_wait, make_environment, read_health, wait_for_job
from tests.support.warm_start import Command, Process, start_module


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({}, "workers.queue is in_process"),
        ({"VANTAGE_WORKERS__QUEUE": "postgres"}, "storage.url names no PostgreSQL"),
        (
            {"VANTAGE_WORKERS__QUEUE": "postgres", "VANTAGE_STORAGE__URL": "postgresql+psycopg://me:SECRET-1@127.0.0.1:9/x"},
            "search.engine is embedded, which one process alone can write; set it to opensearch",
        ),
    ],
)
def test_a_worker_that_has_no_place_says_what_to_set(tmp_path: Path, settings: dict[str, str], words: str) -> None:
    home = tmp_path / "home"
    home.mkdir()
    printed = tmp_path / "printed"
    with printed.open("wb") as output:
        code = start_module(Command(("worker",), make_environment(home, **settings), tmp_path, output, output)).wait(120)
    said = printed.read_text()
    assert code == 1
    assert words in said
    assert "SECRET-1" not in said
    assert "Traceback" not in said


@pytest.fixture
def scaled(tmp_path: Path) -> Iterator[ServedVantage]:
    """A server that does no job itself, and no worker yet."""
    try:
        reached = options_of(shared_server(), f"commands-{os.getpid()}")
    except NoOpenSearchError as missing:
        pytest.skip(str(missing))
    with postgres_database(shared_postgres()) as url:
        settings = {
            "VANTAGE_STORAGE__URL": url,
            "VANTAGE_SEARCH__ENGINE": "opensearch",
            "VANTAGE_OPENSEARCH__HOST": reached.host,
            "VANTAGE_OPENSEARCH__PORT": str(reached.port),
            "VANTAGE_OPENSEARCH__INDEX_NAME": reached.index_name,
            "VANTAGE_WORKERS__QUEUE": "postgres",
            "VANTAGE_WORKERS__HEARTBEAT_SECONDS": "1",
        }
        server = ServedVantage(tmp_path / "home", settings)
        try:
            yield server.start()
        finally:
            server.stop()
            request(reached, "DELETE", f"/{reached.index_name}-*")


@contextmanager
def worker_beside(server: ServedVantage, tmp_path: Path) -> Iterator[tuple[Process, Path]]:
    """A worker with the server's settings, and the file that it prints into."""
    printed = tmp_path / "worker.log"
    with printed.open("wb") as output:
        started = start_module(Command(("worker", "--json"), make_environment(server.home, **server.settings), tmp_path, output, output))
        try:
            yield started, printed
        finally:
            started.kill()
            started.wait(30)


def test_a_worker_does_what_a_server_is_asked(scaled: ServedVantage, tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "ferry.md").write_text("# Ferry timetable\n\nThe ferry to Skarholm leaves at 06:40 from pier 3.\n")
    (docs / "bakery.md").write_text("# Bakery\n\nThe bakery on Mill Street closes at 14:00 on Sundays.\n")
    with scaled.client() as client:
        waiting = client.post("/index", json={"path": str(docs)}).raise_for_status().json()
        assert workers_part(scaled)["state"] == "degraded"
        assert "vantage worker" in str(workers_part(scaled)["advice"])
        with worker_beside(scaled, tmp_path) as (worker, printed):
            job = wait_for_job(client, waiting["id"])
            assert (job["state"], job["files_indexed"]) == ("done", 2), printed.read_text()
            wait_until_well(scaled)
            assert "06:40" in answer(scaled, "When does the ferry to Skarholm leave?", "06:40"), scaled.read_log()
            (docs / "ferry.md").write_text("# Ferry timetable\n\nThe ferry to Skarholm leaves at 07:15 from pier 3.\n")
            assert index_and_wait(client, str(docs))["state"] == "done"
            assert "07:15" in answer(scaled, "When does the ferry to Skarholm leave?", "07:15"), scaled.read_log()
            client.delete(f"/documents/{document_named(scaled, 'ferry.md')}").raise_for_status()
            assert index_and_wait(client, str(docs))["state"] == "done"
            assert [each["filename"] for each in client.get("/documents").json()["documents"]] == ["bakery.md"]
            worker.send_signal(signal.SIGTERM)
            assert worker.wait(60) == 0
            said = [json.loads(line) for line in printed.read_text().splitlines() if line.startswith("{")]
            assert [sorted(each) for each in said] == [["library", "worker"], ["stopped"]]


def wait_until_well(server: ServedVantage) -> None:
    """Wait until /health, which is asked once in some seconds, tells of the worker."""
    deadline = time.monotonic() + 60
    while workers_part(server)["state"] != "ok":
        assert time.monotonic() < deadline, workers_part(server)
        time.sleep(0.5)


def workers_part(server: ServedVantage) -> dict[str, object]:
    with server.client() as client:
        parts = read_health(client)["parts"]
    found: dict[str, object] = next(part for part in parts if part["name"] == "workers")
    return found


def answer(server: ServedVantage, question: str, word: str) -> str:
    """Return the answer, asked again for some seconds until the word is in it: the server takes over from OpenSearch once a second."""
    deadline = time.monotonic() + 20
    with server.client() as client:
        while word not in (said := str(client.post("/search", json={"query": question}).raise_for_status().json()["answer"])):
            if time.monotonic() > deadline:
                break
            time.sleep(0.5)
    return said


def document_named(server: ServedVantage, name: str) -> str:
    with server.client() as client:
        documents = client.get("/documents").raise_for_status().json()["documents"]
    return str(next(each["id"] for each in documents if each["filename"] == name))
