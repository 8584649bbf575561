"""Browser sessions on every database."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select

from core.ports import BrowserSession, SessionStore
from server.session_cookies import BrowserSessions
from storage.database import Database
from storage.session_tables import browser_sessions
from storage.sql_sessions import SqlSessions
from tests.support.databases import BACKENDS, open_backend
from tests.support.sessions import MemorySessions

NOON = datetime(2026, 3, 1, 12, 0, 0, 123456, tzinfo=UTC)


@pytest.fixture(params=BACKENDS)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    with open_backend(request.param, tmp_path) as found:
        yield found


async def check_store(store: SessionStore) -> None:
    first, second = (BrowserSession(name, f"proof of {name}", NOON + timedelta(hours=hours)) for name, hours in (("one", 1), ("two", 2)))
    await store.save(first, NOON)
    await store.save(second, NOON)
    assert [await store.find(name) for name in ("one", "two", "three")] == [first, second, None]
    await store.remove("two")
    await store.remove("three")
    assert [await store.find(name) for name in ("one", "two")] == [first, None]
    await store.save(second, NOON + timedelta(hours=1))  # the first is over by then
    assert [await store.find(name) for name in ("one", "two")] == [None, second]


async def test_what_is_kept_is_found_until_it_is_removed_or_over(database: Database) -> None:
    await check_store(SqlSessions(database))


async def test_the_fake_keeps_the_same_promises() -> None:
    await check_store(MemorySessions())


async def test_a_session_outlives_the_process_and_signing_out_does_too(database: Database) -> None:
    session_id = await BrowserSessions(SqlSessions(database), 1.0).open("a" * 20)
    assert await BrowserSessions(SqlSessions(database), 1.0).find_key(session_id, ["a" * 20]) == "a" * 20
    await BrowserSessions(SqlSessions(database), 1.0).close(session_id)
    assert await BrowserSessions(SqlSessions(database), 1.0).find_key(session_id, ["a" * 20]) is None
    count = select(func.count()).select_from(browser_sessions)
    assert await database.read(lambda connection: connection.execute(count).scalar_one()) == 0
