"""A library whose sessions are kept in Redis: two servers see the same, and one that is gone is said and stops no question."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bootstrap import open_services
from core.errors import ConfigurationError
from core.search_schemas import SearchRequest
from server.services import Services
from settings import Settings, load_settings
from tests.support.redis_server import redis_server


def settings(tmp_path: Path, home: str, **session: object) -> Settings:
    environ = {"VANTAGE_HOME": str(tmp_path / home), "VANTAGE_OLLAMA__ENABLED": "off"}
    return load_settings(environ=environ, overrides={"memory": {"session": session}}, folder=tmp_path)


@pytest.fixture(scope="module")
def redis_url() -> Iterator[str]:
    try:
        with redis_server() as url:
            yield url
    except FileNotFoundError as missing:
        pytest.skip(str(missing))


async def ask(services: Services, query: str) -> str:
    """The words of the first step's end."""
    run = await services.runs.start(SearchRequest(query=query, session_id="s1"))
    response = await services.runs.result("default", run)
    assert response.status in ("success", "not_found")
    return next(step.details for step in response.steps if step.node == "load_context" and step.outcome != "running")


@pytest.mark.integration
async def test_two_servers_share_a_session(tmp_path: Path, redis_url: str) -> None:
    async with open_services(settings(tmp_path, "one", redis_url=redis_url)) as one:
        assert "No earlier turns" in await ask(one, "How much notice must we give?")
        part = next(part for part in await one.parts() if part.name == "session memory")
        assert (part.state, part.detail[:9]) == ("ok", "Redis at ")
    async with open_services(settings(tmp_path, "two", backend="redis", redis_url=redis_url)) as two:
        assert "1 earlier turn" in await ask(two, "And when must it arrive?")


async def test_a_redis_that_is_gone_is_said_and_stops_nothing(tmp_path: Path) -> None:
    async with open_services(settings(tmp_path, "home", redis_url=f"unix://{tmp_path}/gone")) as services:
        part = next(part for part in await services.parts() if part.name == "session memory")
        assert part.state == "degraded"
        assert "memory.session.backend" in part.detail
        run = await services.runs.start(SearchRequest(query="How much notice must we give?", session_id="s1"))
        response = await services.runs.result("default", run)
        assert response.status == "not_found"
        assert [each.part for each in response.degraded] == ["session memory"]
        remembered = next(step for step in response.steps if step.node == "remember" and step.outcome != "running")
        assert remembered.outcome == "ok"
        assert "Not kept in the session" in remembered.details


async def test_redis_without_an_address_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="redis_url"):
        async with open_services(settings(tmp_path, "home", backend="redis")):
            pass
