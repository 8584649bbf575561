"""The contract of the notice bus: within a process, by PostgreSQL and by Redis."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager, AsyncExitStack

import anyio
import pytest

from core.ports import NOTICE_BYTES, NoticeBus
from storage.in_process_notices import InProcessNotices
from storage.postgres_notices import PostgresNotices
from storage.redis_notices import RedisNotices
from tests.support.databases import shared_postgres
from tests.support.own_stores import OwnStore, own_postgres, own_redis
from tests.support.redis_server import redis_server

BUSES = ("in_process", pytest.param("postgres", marks=pytest.mark.integration), pytest.param("redis", marks=pytest.mark.integration))


class Heard:
    """What an end of a bus received."""

    def __init__(self, bus: NoticeBus) -> None:
        self.bus, self.notices = bus, list[str]()
        bus.subscribe(self.notices.append)

    async def until(self, notice: str, seconds: float = 20.0) -> list[str]:
        with anyio.fail_after(seconds):
            while notice not in self.notices:  # noqa: ASYNC110  (it tells nobody)
                await anyio.sleep(0.01)
        return self.notices


async def open_postgres(stack: AsyncExitStack, url: str) -> PostgresNotices:
    bus = PostgresNotices(url)
    stack.push_async_callback(bus.close)
    await bus.open()
    return bus


async def open_redis(stack: AsyncExitStack, url: str, postgres: str, library: str = "one") -> RedisNotices:
    bus = RedisNotices(url, library, await open_postgres(stack, postgres))
    stack.push_async_callback(bus.close)
    await bus.open()
    return bus


@pytest.fixture(params=BUSES)
async def ends(request: pytest.FixtureRequest) -> AsyncIterator[tuple[Heard, Heard]]:
    """Two servers' ends of one bus."""
    async with AsyncExitStack() as stack:
        match request.param:
            case "in_process":
                one: NoticeBus = (first := InProcessNotices())
                other: NoticeBus = first.connect()
            case "postgres":
                one, other = [await open_postgres(stack, shared_postgres()) for _ in range(2)]
            case _:
                url = await _own_server(stack, redis_server)
                one, other = [await open_redis(stack, url, shared_postgres()) for _ in range(2)]
        yield Heard(one), Heard(other)


async def _own_server(stack: AsyncExitStack, start: Callable[[], AbstractContextManager[str]]) -> str:
    try:
        return stack.enter_context(start())
    except FileNotFoundError as missing:
        pytest.skip(str(missing))


async def test_a_notice_reaches_every_end_its_own_too(ends: tuple[Heard, Heard]) -> None:
    one, other = ends
    await one.bus.publish("run 1")
    await other.bus.publish("run 2")
    for end in ends:
        assert {"run 1", "run 2"} <= {*await end.until("run 1"), *await end.until("run 2")}
        assert end.bus.problem == ""


async def test_they_come_whole_and_in_the_order_in_which_they_were_sent(ends: tuple[Heard, Heard]) -> None:
    one, other = ends
    sent = [f"{number} Größe ✓ 🦉" for number in range(40)] + ["x" * NOTICE_BYTES]
    for notice in sent:
        await one.bus.publish(notice)
    assert await other.until(sent[-1]) == sent


async def test_several_receivers_hear_the_same(ends: tuple[Heard, Heard]) -> None:
    one, other = ends
    second = Heard(other.bus)
    await one.bus.publish("hello")
    assert await other.until("hello") == await second.until("hello") == ["hello"]


# ------------------------------------------------------------------------------------------------------------ servers that go away
@pytest.fixture
async def postgres() -> AsyncIterator[OwnStore]:
    async for store in _store(own_postgres):
        yield store


@pytest.fixture
async def redis() -> AsyncIterator[OwnStore]:
    async for store in _store(own_redis):
        yield store


async def _store(make: Callable[[], AbstractContextManager[OwnStore]]) -> AsyncIterator[OwnStore]:
    async with AsyncExitStack() as stack:
        try:
            store = stack.enter_context(make())
        except FileNotFoundError as missing:
            pytest.skip(str(missing))
        yield store


async def publish_until(sender: Heard, receiver: Heard, seconds: float = 20.0) -> None:
    """Send until one arrives: those that are sent while nobody listens are lost."""
    notice = uuid.uuid4().hex
    with anyio.fail_after(seconds):
        while notice not in receiver.notices:
            await sender.bus.publish(notice)
            await anyio.sleep(0.1)


@pytest.mark.integration
async def test_postgres_that_was_started_again_carries_notices_again(postgres: OwnStore) -> None:
    async with AsyncExitStack() as stack:
        one, other = [Heard(await open_postgres(stack, postgres.url)) for _ in range(2)]
        await publish_until(one, other)
        await asyncio.to_thread(postgres.kill)
        await one.bus.publish("into nothing")  # raises nothing
        with anyio.fail_after(10):
            while not one.bus.problem:  # noqa: ASYNC110
                await anyio.sleep(0.05)
        assert "PostgreSQL does not send notices" in one.bus.problem
        postgres.start()  # here: it dies with the thread that started it
        await publish_until(one, other)
        await publish_until(other, one)
        assert (one.bus.problem, other.bus.problem) == ("", "")


@pytest.mark.integration
async def test_a_redis_that_dies_is_said_postgres_carries_on_and_redis_is_taken_up_again(redis: OwnStore) -> None:
    async with AsyncExitStack() as stack:
        one, other = [Heard(await open_redis(stack, redis.url, shared_postgres())) for _ in range(2)]
        await publish_until(one, other)
        assert one.bus.place.startswith("Redis at ")
        await asyncio.to_thread(redis.kill)
        await publish_until(one, other)
        assert "does not answer" in one.bus.problem
        assert "Notices go by PostgreSQL meanwhile." in one.bus.problem
        assert one.bus.place == "PostgreSQL"
        redis.start()
        with anyio.fail_after(20):
            while one.bus.problem or other.bus.problem:  # noqa: ASYNC110
                await anyio.sleep(0.05)
        await publish_until(one, other)
        assert one.bus.place.startswith("Redis at ")


@pytest.mark.integration
async def test_a_redis_that_never_was_there_costs_nothing_but_itself(tmp_path: object) -> None:
    async with AsyncExitStack() as stack:
        one, other = [Heard(await open_redis(stack, f"unix://{tmp_path}/gone", shared_postgres())) for _ in range(2)]
        await one.bus.publish("by the other way")
        assert await other.until("by the other way") == ["by the other way"]
        assert "does not answer" in one.bus.problem


@pytest.mark.integration
async def test_two_libraries_in_one_redis_do_not_hear_each_other(redis: OwnStore) -> None:
    async with AsyncExitStack() as stack:
        mine, theirs, ours = [Heard(await open_redis(stack, redis.url, shared_postgres(), library)) for library in ("one", "two", "one")]
        await mine.bus.publish("hello")
        await ours.until("hello")
        assert theirs.notices == []
