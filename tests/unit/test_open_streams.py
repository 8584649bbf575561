"""Streams are counted from their promise to their end, of a person and in all; /health tells the latest report in time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from sse_starlette import ServerSentEvent
from starlette.types import Message

from core.errors import Overloaded, TooMany
from server.health_cache import HealthReports
from server.open_streams import CountedStream, OpenStreams
from server.schemas import HealthOut, LibraryCounts


def test_a_person_and_all_persons_have_a_limit() -> None:
    streams = OpenStreams(3, 2)
    ann = [streams.open_place("acme", "ann") for _ in range(2)]
    with pytest.raises(TooMany):
        streams.open_place("acme", "ann")
    streams.open_place("other", "ann")
    with pytest.raises(Overloaded):
        streams.open_place("acme", "bob")
    ann[0].close()
    ann[0].close()
    assert len(streams) == 2
    streams.open_place("acme", "bob")


def test_a_stream_that_could_not_begin_is_not_counted() -> None:
    streams = OpenStreams(1, 1)
    with pytest.raises(ValueError, match="no run"), streams.hold_place("acme", "ann"):
        raise ValueError("no run")
    assert len(streams) == 0


async def test_a_stream_whose_reader_never_came_gives_its_place_back() -> None:
    async def events() -> AsyncIterator[ServerSentEvent]:
        yield ServerSentEvent(data="1")
        await asyncio.Event().wait()

    async def gone() -> Message:
        return {"type": "http.disconnect"}

    async def nowhere(_: Message) -> None:
        await asyncio.sleep(0)

    streams = OpenStreams(1, 1)
    stream = CountedStream(events())
    stream.place = streams.open_place("acme", "ann")
    await stream({"type": "http", "method": "GET", "path": "/"}, gone, nowhere)
    assert len(streams) == 0


def report(documents: int) -> HealthOut:
    library = LibraryCounts(documents=documents, files=0, chunks=0, vectors=0, bytes_on_disk=0)
    return HealthOut(status="ok", live=True, ready=True, version="1", uptime_seconds=1, parts=[], library=library, jobs_running=[])


async def test_health_tells_what_it_knew_while_the_parts_are_busy() -> None:
    asked, answer = 0, asyncio.Event()

    async def busy() -> HealthOut:
        nonlocal asked
        asked += 1
        await answer.wait()
        return report(asked)

    now = 0.0
    reports = HealthReports(patience=0.01, clock=lambda: now)
    with pytest.raises(Overloaded, match="not answered yet"):
        await reports.latest("acme", busy)
    answer.set()
    assert (await reports.latest("acme", busy)).library.documents == 1
    answer.clear()
    assert (await reports.latest("acme", busy)).status == "ok"  # so young that it needs no remark
    now = 60.0
    old = await asyncio.gather(*(reports.latest("acme", busy) for _ in range(5)))
    assert [(each.status, each.library.documents, each.parts[-1].name) for each in old] == [("degraded", 1, "health")] * 5
    assert asked == 2
    with pytest.raises(Overloaded):
        await reports.latest("other", busy)
    assert "60 s old" in old[0].parts[-1].detail
    answer.set()
    await reports.make_report("acme", busy)
    fresh = await reports.latest("acme", busy)
    assert (fresh.status, fresh.parts) == ("ok", [])


async def test_nobody_waits_for_what_took_too_long_the_last_time() -> None:
    now, going = 0.0, asyncio.Event()

    async def slow() -> HealthOut:
        nonlocal now
        now += 1.0
        await going.wait()
        return report(int(now))

    reports = HealthReports(patience=0.25, clock=lambda: now)
    going.set()
    assert (await reports.make_report("acme", slow)).library.documents == 1
    assert (await reports.latest("acme", slow)).library.documents == 1
    assert (await reports.make_report("acme", slow)).library.documents == 2


async def test_a_report_that_fails_is_asked_for_anew() -> None:
    tries = 0

    async def fails_once() -> HealthOut:
        nonlocal tries
        tries += 1
        if tries == 1:
            raise Overloaded("once")
        return report(tries)

    reports = HealthReports()
    with pytest.raises(Overloaded, match="once"):
        await reports.latest("acme", fails_once)
    assert (await reports.latest("acme", fails_once)).library.documents == 2
