"""Stored runs are kept within their days and bytes while the library is open."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.runs import Trace
from storage.database import Database
from storage.sql_traces import SqlTraces, TracePruner
from tests.support.databases import BACKENDS, open_backend


@pytest.fixture(params=BACKENDS)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    with open_backend(request.param, tmp_path) as found:
        yield found


def trace(number: int, days_old: float) -> Trace:
    return Trace(
        id=f"run{number}",
        tenant="default",
        user_id="local",
        conversation_id=None,
        query="?",
        status="success",
        started_at=datetime.now(UTC) - timedelta(days=days_old),
        duration_ms=1.0,
        generated_by="extractive",
        routing_path="Zeus",
        request={},
        response={},
        nodes=[],
        moves=[],
        replay_of="run0",
        retrieval_request={"text": "?"},
    )


async def ids(traces: SqlTraces) -> list[str]:
    return [each.id for each in (await traces.list_recent("default", limit=9, cursor=None))[0]]


async def test_the_old_go_at_the_start_and_again_later(database: Database) -> None:
    traces = SqlTraces(database)
    await traces.save(trace(1, 5))
    await traces.save(trace(2, 1))
    pruner = TracePruner(traces, days=3, keep_bytes=10**9, every=0.01)
    await pruner.start()
    try:
        assert await ids(traces) == ["run2"]
        await traces.save(trace(3, 4))
        for _ in range(500):
            if await ids(traces) == ["run2"]:
                break
            await asyncio.sleep(0.01)
        assert await ids(traces) == ["run2"]
    finally:
        await pruner.close()
    await traces.save(trace(4, 4))
    await asyncio.sleep(0.05)
    assert await ids(traces) == ["run2", "run4"]


async def test_the_oldest_go_beyond_the_size(database: Database) -> None:
    traces = SqlTraces(database)
    await traces.save(trace(1, 1))
    await TracePruner(traces, days=3, keep_bytes=0).prune()
    assert await ids(traces) == []


async def test_what_a_replay_needs_comes_back(database: Database) -> None:
    traces = SqlTraces(database)
    await traces.save(trace(1, 1))
    found = await traces.get("default", "run1")
    assert (found.replay_of, found.retrieval_request) == ("run0", {"text": "?"})
    assert (await traces.list_recent("default", limit=1, cursor=None))[0][0].replay_of == "run0"
