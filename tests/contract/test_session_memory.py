"""What every session memory promises, held by the one in the process and by a real Redis. A further back end joins by a row in `FACTORIES`."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from redis.asyncio import Redis

from core.errors import ConfigurationError, Unavailable
from core.ports import SessionMemory
from memory.in_process_session import InProcessSessionMemory
from memory.redis_session import RedisSessionMemory
from tests.support.redis_server import redis_server


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.redis: Redis | None = None

    def __call__(self) -> float:
        return self.now

    async def passes(self, seconds: float) -> None:
        """A Redis has a clock of its own: there the life that is left of every key becomes shorter instead."""
        self.now += seconds
        if self.redis is not None:
            async for key in self.redis.scan_iter("test:*"):
                await self.redis.pexpire(key, await self.redis.pttl(key) - round(seconds * 1000))


Opened = AbstractAsyncContextManager[SessionMemory]
Factory = Callable[[int, float, Clock], Opened]


@asynccontextmanager
async def in_process(window: int, ttl: float, clock: Clock) -> AsyncIterator[SessionMemory]:
    yield InProcessSessionMemory(window, ttl, clock=clock)


def in_redis(url: str) -> Factory:
    @asynccontextmanager
    async def opened(window: int, ttl: float, clock: Clock) -> AsyncIterator[SessionMemory]:
        memory = RedisSessionMemory(url, window, ttl, prefix=f"test:{uuid.uuid4().hex}")
        clock.redis = Redis.from_url(url)
        try:
            yield memory
        finally:
            await clock.redis.aclose()
            await memory.close()

    return opened


@pytest.fixture(scope="module")
def redis_url() -> Iterator[str]:
    try:
        with redis_server() as url:
            yield url
    except FileNotFoundError as missing:
        pytest.skip(str(missing))


FACTORIES = ["in process", pytest.param("redis", marks=pytest.mark.integration)]


@pytest.fixture(params=FACTORIES)
def factory(request: pytest.FixtureRequest) -> Factory:
    return in_redis(request.getfixturevalue("redis_url")) if request.param == "redis" else in_process


async def test_turns_come_back_in_order(factory: Factory) -> None:
    async with factory(10, 60, Clock()) as memory:
        for number in range(3):
            await memory.remember("t", "s", {"query": f"q{number}", "results": ["a", number], "nested": {"x": None}})
        assert await memory.recall("t", "s") == [{"query": f"q{number}", "results": ["a", number], "nested": {"x": None}} for number in range(3)]


async def test_the_window_slides(factory: Factory) -> None:
    async with factory(2, 60, Clock()) as memory:
        for number in range(5):
            await memory.remember("t", "s", {"query": number})
        assert await memory.recall("t", "s") == [{"query": 3}, {"query": 4}]


async def test_a_session_ends_after_its_time_and_lives_on_with_each_turn(factory: Factory) -> None:
    clock = Clock()
    async with factory(10, 600, clock) as memory:
        await memory.remember("t", "s", {"query": 1})
        await clock.passes(500)
        await memory.remember("t", "s", {"query": 2})
        await clock.passes(500)
        assert len(await memory.recall("t", "s")) == 2
        await clock.passes(101)
        assert await memory.recall("t", "s") == []
        assert await memory.forget("t", "s") == 0


async def test_forgetting_counts(factory: Factory) -> None:
    async with factory(10, 60, Clock()) as memory:
        await memory.remember("t", "s", {"query": 1})
        await memory.remember("t", "other", {"query": 2})
        assert await memory.forget("t", "s") == 1
        assert await memory.recall("t", "s") == []
        assert await memory.recall("t", "other") == [{"query": 2}]
        assert await memory.forget("t", "s") == 0


async def test_what_is_recalled_is_a_copy(factory: Factory) -> None:
    async with factory(10, 60, Clock()) as memory:
        entry: dict[str, Any] = {"results": ["a"]}
        await memory.remember("t", "s", entry)
        entry["results"].append("b")
        (await memory.recall("t", "s"))[0]["results"].append("c")
        assert await memory.recall("t", "s") == [{"results": ["a"]}]


async def test_words_of_every_kind_come_back(factory: Factory) -> None:
    odd = {"query": "naïve 🦉 \ud800 \x00 “quotes”\r\n" + "x" * 20_000}
    async with factory(10, 60, Clock()) as memory:
        await memory.remember("ten:ant 🏛️", "s\ud800\x00 1:2", odd)
        assert await memory.recall("ten:ant 🏛️", "s\ud800\x00 1:2") == [odd]


async def test_names_that_run_together_are_not_confused(factory: Factory) -> None:
    async with factory(10, 60, Clock()) as memory:
        await memory.remember("a", "b:c", {"query": 1})
        await memory.remember("a:b", "c", {"query": 2})
        assert await memory.recall("a", "b:c") == [{"query": 1}]
        assert await memory.recall("a:b", "c") == [{"query": 2}]


async def test_turns_at_the_same_time_are_all_kept(factory: Factory) -> None:
    async with factory(10, 60, Clock()) as memory:
        await asyncio.gather(*(memory.remember("t", "s", {"query": number}) for number in range(8)))
        assert sorted(entry["query"] for entry in await memory.recall("t", "s")) == list(range(8))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(turns=st.lists(st.tuples(st.sampled_from(["a", "b", "a:1"]), st.text(max_size=4), st.integers()), max_size=30))
async def test_tenants_and_sessions_never_meet(factory: Factory, turns: list[tuple[str, str, int]]) -> None:
    async with factory(100, 60, Clock()) as memory:
        for tenant, session, value in turns:
            await memory.remember(tenant, session, {"value": value})
        for tenant, session in {(tenant, session) for tenant, session, _ in turns}:
            expected = [{"value": value} for owner, name, value in turns if (owner, name) == (tenant, session)]
            assert await memory.recall(tenant, session) == expected


async def test_the_number_of_sessions_in_a_process_is_bounded() -> None:
    memory = InProcessSessionMemory(max_sessions=3, clock=Clock())
    for number in range(5):
        await memory.remember("t", f"s{number}", {"query": number})
    assert [len(await memory.recall("t", f"s{number}")) for number in range(5)] == [0, 0, 1, 1, 1]


# ------------------------------------------------------------------------------------------------------------------ Redis alone
async def test_a_redis_that_is_not_there_says_what_to_do(tmp_path: Path) -> None:
    memory = RedisSessionMemory(f"unix://{tmp_path}/nobody?password=secret")
    calls = (memory.recall("t", "s"), memory.remember("t", "s", {}), memory.forget("t", "s"), memory.check_connection())
    for call in calls:
        with pytest.raises(Unavailable, match=r"does not answer .*memory\.session\.backend: process") as told:
            await call
        assert "secret" not in str(told.value)
    await memory.close()


def test_an_address_that_is_none_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="redis_url"):
        RedisSessionMemory("http://localhost")


@pytest.mark.integration
async def test_every_key_has_an_end_and_strangers_values_are_passed_over(redis_url: str) -> None:
    memory, client = RedisSessionMemory(redis_url, prefix="test:ends"), Redis.from_url(redis_url)
    await memory.remember("t", "s", {"query": 1})
    assert 3_500_000 < await client.pttl("test:ends:1:t:s") <= 3_600_000
    await client.rpush("test:ends:1:t:s", "no json", "[1]")
    assert await memory.recall("t", "s") == [{"query": 1}]
    await client.set("test:ends:1:t:text", "another type")
    with pytest.raises(Unavailable):
        await memory.recall("t", "text")
    await memory.check_connection()
    await client.aclose()
    await memory.close()
