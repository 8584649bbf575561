"""The whole service over a real OpenSearch: it answers, says what is wrong while OpenSearch is away, and goes on by itself when it is back."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from benchmarks.sample_questions import judge
from bootstrap import SAMPLE, open_services
from core.errors import Unavailable
from retrieval.opensearch import connection
from server.services import Services
from settings import load_settings
from tests.support.model_switch import ModelOpener, ask_question, index_folder, question_of, write_files
from tests.support.opensearch_server import NoOpenSearchError, OwnServer, options_of, own_server, request, shared_server

SAMPLE_FILES = {
    "Quay 7 warehouse lease.pdf",
    "Operations meeting 2026-10-06.md",
    "Quote Pallas Materials Handling.txt",
    "People and organisations.html",
}
ASKED_AT_MOST = 5


@pytest.fixture(scope="module")
def server() -> Iterator[OwnServer]:
    try:
        with own_server() as started:
            yield started
    except NoOpenSearchError as missing:
        pytest.skip(str(missing))


@asynccontextmanager
async def open_library(home: Path, url: str, index_name: str, models: ModelOpener | None = None, **settings: str) -> AsyncIterator[Services]:
    reached = options_of(url, index_name)
    environ = {
        "VANTAGE_HOME": str(home / "home"),
        "VANTAGE_OLLAMA__ENABLED": "off",
        "VANTAGE_EMBEDDING__KEEP_COMPILED": "false",
        "VANTAGE_INGESTION__WATCH__ENABLED": "false",
        "VANTAGE_SEARCH__ENGINE": "opensearch",
        "VANTAGE_OPENSEARCH__HOST": reached.host,
        "VANTAGE_OPENSEARCH__PORT": str(reached.port),
        "VANTAGE_OPENSEARCH__INDEX_NAME": index_name,
        **settings,
    }
    chosen = load_settings(environ=environ, folder=home)
    async with open_services(chosen, make=models) if models is not None else open_services(chosen) as services:
        yield services


async def index_part(services: Services) -> tuple[str, str]:
    (part,) = [part for part in await services.parts() if part.name == "index"]
    return part.state, f"{part.detail} {part.advice}"


async def test_what_opensearch_is_killed_in_the_middle_of_fails_clearly_and_goes_on(
    tmp_path: Path, server: OwnServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, models = write_files(tmp_path / "docs"), ModelOpener({"alpha": 128})
    async with open_library(tmp_path, server.url, "kills", models, VANTAGE_EMBEDDING__MODEL="alpha") as services:
        assert (await index_folder(services, folder)).state == "done"
        assert (await index_part(services))[0] == "ok"
        model = models.find_model("alpha")
        assert model is not None
        asked = asyncio.create_task(ask_question(services, f"wait: {question_of(7)}"))
        await model.reached.wait()
        server.kill()
        model.go.set()
        with pytest.raises(Unavailable, match="does not answer"):
            await asked
        state, said = await index_part(services)
        assert (state, "does not answer" in said) == ("down", True)

        monkeypatch.setattr(connection, "PATIENCE_SECONDS", 1.0)
        (folder / "late.txt").write_text("The ferry of the delta is called Halcyon.\n")
        (folder / "3.txt").unlink()
        failed = await index_folder(services, folder)
        assert failed.state == "failed"
        assert "does not answer" in (failed.error or "")

        monkeypatch.setattr(connection, "PATIENCE_SECONDS", 300.0)  # a start may take long where much else is at work
        indexing = asyncio.create_task(index_folder(services, folder))  # begins while it is away
        await asyncio.to_thread(server.start)
        assert (await indexing).state == "done"
        assert (await index_part(services))[0] == "ok"
        assert (await ask_question(services, question_of(7))).results[0].filename == "7.txt"
        assert "3.txt" not in [each.filename for each in (await ask_question(services, question_of(3))).results]
        assert "Halcyon" in (await ask_question(services, "What is the ferry of the delta called?")).answer
        assert await entries(server, "kills") == 2 * 2 * 30  # of words and of vectors, a chunk and its document for each of 30 files


async def test_a_crash_of_vantage_leaves_nothing_twice(tmp_path: Path, server: OwnServer) -> None:
    """What was sent and never committed is taken out at the next start, and what the index lost is brought by the library."""
    folder, models = write_files(tmp_path / "docs"), ModelOpener({"alpha": 128})
    reached = options_of(server.url, "crash")
    async with open_library(tmp_path, server.url, "crash", models, VANTAGE_EMBEDDING__MODEL="alpha") as services:
        await index_folder(services, folder)
    (name,) = request(reached, "GET", "/crash-words/_alias")
    half = {"tenant": "default", "document": "half", "revision": 7, "chunk": 99, "text": question_of(7)}
    request(reached, "PUT", f"/{name}/_doc/99.7?refresh=true", half)
    lost = {"query": {"match": {"text": "wardena0 warden5"}}}
    assert request(reached, "POST", f"/{name}/_delete_by_query?refresh=true", lost)["deleted"] == 1
    async with open_library(tmp_path, server.url, "crash", models, VANTAGE_EMBEDDING__MODEL="alpha") as services:
        assert (await ask_question(services, question_of(5))).results[0].filename == "5.txt"
        assert (await ask_question(services, question_of(7))).results[0].filename == "7.txt"
        assert await entries(server, "crash") == 2 * 2 * 30


async def entries(server: OwnServer, index_name: str) -> int:
    """How many entries the indices in use hold, seen or not."""
    reached = options_of(server.url, index_name)
    request(reached, "POST", f"/{index_name}-*/_refresh")
    return int(request(reached, "GET", f"/{index_name}-words,{index_name}-vectors/_count")["count"])


async def test_questions_about_the_sample_library_are_answered(tmp_path: Path) -> None:
    """About its files of text: the scans and workbooks would take most of the time, and are no engine's matter."""
    try:
        url = await asyncio.to_thread(shared_server)
    except NoOpenSearchError as missing:
        pytest.skip(str(missing))
    folder = tmp_path / "docs"
    folder.mkdir()
    for name in SAMPLE_FILES:
        shutil.copy(SAMPLE / name, folder)
    questions = json.loads((SAMPLE.parent / "questions.json").read_text(encoding="utf-8"))["questions"]
    asked = [each for each in questions if each["documents"] and set(each["documents"]) <= SAMPLE_FILES and each["kind"] == "lookup"]
    wrong = []
    async with open_library(tmp_path, url, f"sample-{os.getpid()}", VANTAGE_SEARCH__CROSS_LANGUAGE="never") as services:
        assert (await index_folder(services, folder)).state == "done"
        for entry in asked[:ASKED_AT_MOST]:
            response = await ask_question(services, entry["question"])
            if not judge(entry, response).right:
                wrong.append((entry["question"], response.answer))
    assert wrong == []
    assert len(asked) >= ASKED_AT_MOST


async def test_a_server_that_is_not_there_is_named_at_the_start(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match=r"OpenSearch at http://127\.0\.0\.1:9 does not answer\. Start it, or check opensearch\.host"):
        async with open_library(tmp_path, "http://127.0.0.1:9", "none", ModelOpener({"alpha": 128}), VANTAGE_EMBEDDING__MODEL="alpha"):
            pass
