"""OpenSearch behind a network that is slow, that cuts answers off, and that is gone for a while; and with a disk that is full."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from core.errors import Unavailable
from retrieval.opensearch import connection
from server.services import Services
from tests.support.model_switch import FILES, ask_question, index_folder, question_of, write_files
from tests.support.opensearch_library import open_opensearch_library
from tests.support.opensearch_server import NoOpenSearchError, options_of, request, shared_server
from tests.support.slow_proxy import slow_network

pytestmark = [pytest.mark.scale, pytest.mark.integration]


@pytest.fixture(scope="module")
def port() -> int:
    try:
        return options_of(shared_server(), "any").port
    except NoOpenSearchError as missing:
        pytest.skip(str(missing))


@asynccontextmanager
async def open_library(home: Path, port: int, index_name: str) -> AsyncIterator[Services]:
    place = {"VANTAGE_OPENSEARCH__HOST": "127.0.0.1", "VANTAGE_OPENSEARCH__PORT": str(port), "VANTAGE_OPENSEARCH__TIMEOUT_SECONDS": "2"}
    async with open_opensearch_library(home, index_name, place) as services:
        yield services


def entries(port: int, index_name: str) -> int:
    reached = options_of(f"http://127.0.0.1:{port}", index_name)
    request(reached, "POST", f"/{index_name}-*/_refresh")
    return int(request(reached, "GET", f"/{index_name}-words,{index_name}-vectors/_count")["count"])


async def index_part(services: Services) -> tuple[str, str]:
    (part,) = [part for part in await services.parts() if part.name == "index"]
    return part.state, part.detail


async def test_answers_that_are_late_or_cut_off_cost_time_and_nothing_else(tmp_path: Path, port: int) -> None:
    async with slow_network(port) as network, open_library(tmp_path, network.port, "slow") as services:
        network.delay = 0.05
        folder = write_files(tmp_path / "docs")
        network.resets = 3
        assert (await index_folder(services, folder)).state == "done"
        assert network.cut == 3
        assert entries(port, "slow") == 2 * 2 * FILES  # a chunk and its document, of words and of vectors: what was sent twice is there once
        for number in range(0, FILES, 6):
            network.resets = 1
            response = await ask_question(services, question_of(number))
            assert (response.results[0].filename, response.degraded) == (f"{number}.txt", [])
        assert network.cut == 3 + 5
        assert (await index_part(services))[0] == "ok"


async def test_a_network_that_is_too_slow_or_gone_is_said_and_all_goes_on_when_it_is_back(
    tmp_path: Path, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "PATIENCE_SECONDS", 1.0)
    async with slow_network(port) as network, open_library(tmp_path, network.port, "gone") as services:
        folder = write_files(tmp_path / "docs")
        assert (await index_folder(services, folder)).state == "done"
        network.delay = 5.0
        with pytest.raises(Unavailable, match=r"did not answer in time.*opensearch\.timeout_seconds"):
            await ask_question(services, question_of(2))
        network.delay = 0.0
        network.refuse()
        with pytest.raises(Unavailable, match="does not answer"):
            await ask_question(services, question_of(2))
        (folder / "late.txt").write_text("The ferry of the delta is called Halcyon.\n")
        failed = await index_folder(services, folder)
        assert (failed.state, "does not answer" in (failed.error or "")) == ("failed", True)
        assert (await index_part(services))[0] == "down"
        network.is_open = True
        assert (await ask_question(services, question_of(2))).results[0].filename == "2.txt"
        assert (await index_folder(services, folder)).state == "done"
        assert "Halcyon" in (await ask_question(services, "What is the ferry of the delta called?")).answer
        assert entries(port, "gone") == 2 * 2 * (FILES + 1)


async def test_a_full_disk_stops_indexing_and_no_question_and_indexing_goes_on_when_there_is_space(tmp_path: Path, port: int) -> None:
    reached = options_of(f"http://127.0.0.1:{port}", "full")
    async with open_library(tmp_path, port, "full") as services:
        folder = write_files(tmp_path / "docs")
        assert (await index_folder(services, folder)).state == "done"
        request(reached, "PUT", "/full-*/_settings", {"index.blocks.read_only_allow_delete": True})
        (folder / "late.txt").write_text("The ferry of the delta is called Halcyon.\n")
        failed = await index_folder(services, folder)
        assert (failed.state, "disk is full" in (failed.error or "")) == ("failed", True)
        assert (await index_part(services))[0] == "degraded"
        assert (await ask_question(services, question_of(9))).results[0].filename == "9.txt"
        request(reached, "PUT", "/full-*/_settings", {"index.blocks.read_only_allow_delete": None})
        assert (await index_folder(services, folder)).state == "done"
        assert "Halcyon" in (await ask_question(services, "What is the ferry of the delta called?")).answer
        assert entries(port, "full") == 2 * 2 * (FILES + 1)
