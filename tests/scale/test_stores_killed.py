"""PostgreSQL and Redis are killed in the middle of the work and started again: what fails says so, and everything goes on by itself."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractContextManager, asynccontextmanager
from pathlib import Path

import pytest

from bootstrap import open_services
from core.errors import Unavailable
from core.ports import JobRecord
from core.search_schemas import SearchRequest, SearchResponse
from server.services import Services
from settings import load_settings
from tests.support.model_switch import FILES, ModelOpener, ask_question, index_folder, question_of, write_files
from tests.support.own_stores import OwnStore, own_postgres, own_redis

pytestmark = [pytest.mark.scale, pytest.mark.integration]
MORE = 120


@asynccontextmanager
async def open_library(home: Path, **settings: str) -> AsyncIterator[Services]:
    environ = {
        "VANTAGE_HOME": str(home / "home"),
        "VANTAGE_OLLAMA__ENABLED": "off",
        "VANTAGE_EMBEDDING__KEEP_COMPILED": "false",
        "VANTAGE_EMBEDDING__MODEL": "alpha",
        "VANTAGE_INGESTION__WATCH__ENABLED": "false",
        **settings,
    }
    async with open_services(load_settings(environ=environ, folder=home), make=ModelOpener({"alpha": 128})) as services:
        yield services


async def store_state(services: Services) -> str:
    (part,) = [part for part in await services.parts() if part.name == "store"]
    return part.state


@pytest.fixture
def postgres() -> Iterator[OwnStore]:
    yield from _started(own_postgres())


@pytest.fixture
def redis() -> Iterator[OwnStore]:
    yield from _started(own_redis())


def _started(store: AbstractContextManager[OwnStore]) -> Iterator[OwnStore]:
    try:
        with store as started:
            yield started
    except FileNotFoundError as missing:
        pytest.skip(str(missing))


async def test_postgresql_is_killed_while_files_are_indexed_and_goes_on(tmp_path: Path, postgres: OwnStore) -> None:
    async with open_library(tmp_path, VANTAGE_STORAGE__URL=postgres.url) as services:
        folder = write_files(tmp_path / "docs")
        assert (await index_folder(services, folder)).state == "done"
        for number in range(MORE):
            (folder / f"more{number}.txt").write_text(f"The beacon lamp{number} burns on rock{number}. Its keeper is Keeper{number}.\n")
        job = await services.jobs.queue_run("default", str(folder), "default")
        ended: JobRecord = job
        killed_at = 0
        async for ended in services.jobs.events("default", job.id):
            if not killed_at and ended.progress.get("files_done", 0) >= 20:
                killed_at = ended.progress["files_done"]
                postgres.kill()
        assert killed_at < MORE
        assert (ended.state, "PostgreSQL" in (ended.error or "")) == ("failed", True)
        assert await store_state(services) == "down"
        with pytest.raises(Unavailable, match="PostgreSQL"):
            await ask_question(services, question_of(2))
        postgres.start()
        assert (await ask_question(services, question_of(2))).results[0].filename == "2.txt"
        assert (await index_folder(services, folder)).state == "done"
        assert await store_state(services) == "ok"
        assert (await services.library.totals("default")).documents == FILES + MORE
        for number in range(0, MORE, 17):
            assert (await ask_question(services, f"who is the keeper of rock{number}")).results[0].filename == f"more{number}.txt"
    async with open_library(tmp_path, VANTAGE_STORAGE__URL=postgres.url) as services:
        assert (await services.library.totals("default")).documents == FILES + MORE
        assert (await ask_question(services, question_of(5))).results[0].filename == "5.txt"


async def test_redis_is_killed_between_the_questions_of_a_session(tmp_path: Path, redis: OwnStore) -> None:
    async def ask(services: Services, number: int) -> tuple[SearchResponse, str]:
        request = SearchRequest.model_validate({"query": question_of(number), "session_id": "s1"})
        response = await services.runs.result("default", await services.runs.start(request))
        assert response.results[0].filename == f"{number}.txt"
        return response, next(step.details for step in response.steps if step.node == "load_context" and step.outcome != "running")

    async with open_library(tmp_path, VANTAGE_MEMORY__SESSION__REDIS_URL=redis.url) as services:
        assert (await index_folder(services, write_files(tmp_path / "docs"))).state == "done"
        await ask(services, 1)
        _, said = await ask(services, 2)
        assert "1 earlier turn" in said
        redis.kill()
        response, said = await ask(services, 3)
        assert "No earlier turns" in said
        assert [each.part for each in response.degraded] == ["session memory"]
        redis.start()
        response, said = await ask(services, 4)
        assert ("2 earlier turns" in said, response.degraded) == (True, [])  # what was asked without it is not in it, and was said
