"""Who a browser's session is, until when, and what ends it."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from server.session_cookies import BrowserSessions
from tests.support.sessions import MemorySessions

ANN, BOB = "a" * 20, "b" * 20
KEYS = (BOB, ANN)


class Clock:
    def __init__(self) -> None:
        self.now = datetime(2026, 3, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store() -> MemorySessions:
    return MemorySessions()


@pytest.fixture
def sessions(store: MemorySessions, clock: Clock) -> BrowserSessions:
    return BrowserSessions(store, hours=2.0, now=clock)


async def test_a_session_is_its_key_s(sessions: BrowserSessions) -> None:
    mine, theirs = await sessions.open(ANN), await sessions.open(BOB)
    assert [await sessions.find_key(each, KEYS) for each in (mine, theirs)] == [ANN, BOB]
    assert mine != theirs


async def test_neither_id_nor_key_is_stored(sessions: BrowserSessions, store: MemorySessions) -> None:
    session_id = await sessions.open(ANN)
    assert not any(secret in repr(store.kept) for secret in (session_id, ANN))


async def test_a_key_that_was_taken_out_ends_its_sessions(sessions: BrowserSessions) -> None:
    session_id = await sessions.open(ANN)
    assert await sessions.find_key(session_id, KEYS) == ANN
    assert await sessions.find_key(session_id, (BOB,)) is None


async def test_it_is_over_after_its_hours_also_where_it_is_remembered(sessions: BrowserSessions, clock: Clock) -> None:
    session_id = await sessions.open(ANN)
    clock.now += timedelta(hours=2, seconds=-1)
    assert await sessions.find_key(session_id, KEYS) == ANN
    clock.now += timedelta(seconds=1)
    assert await sessions.find_key(session_id, KEYS) is None


async def test_signing_out_ends_it_at_once_and_no_other(sessions: BrowserSessions) -> None:
    mine, other = await sessions.open(ANN), await sessions.open(ANN)
    assert await sessions.find_key(mine, KEYS) == ANN
    await sessions.close(mine)
    await sessions.close("never there")
    assert [await sessions.find_key(each, KEYS) for each in (mine, other)] == [None, ANN]


async def test_what_was_being_read_while_it_was_signed_out_is_not_remembered(sessions: BrowserSessions, store: MemorySessions) -> None:
    session_id = await sessions.open(ANN)
    store.reading.clear()
    asking = asyncio.create_task(sessions.find_key(session_id, KEYS))
    await store.asked.wait()
    await sessions.close(session_id)
    store.reading.set()
    await asking
    assert await sessions.find_key(session_id, KEYS) is None


@pytest.mark.parametrize("session_id", ["", "x", "x" * 10_000, "\u00e9\u0000"])
async def test_what_no_server_made_is_nobody_s(sessions: BrowserSessions, session_id: str) -> None:
    assert await sessions.find_key(session_id, KEYS) is None
    await sessions.close(session_id)


async def test_the_library_is_asked_once(sessions: BrowserSessions, store: MemorySessions) -> None:
    session_id = await sessions.open(ANN)
    assert [await sessions.find_key(session_id, KEYS) for _ in range(5)] == [ANN] * 5
    assert store.reads == 1
