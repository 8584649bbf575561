"""Two servers that write the same rows of one PostgreSQL at the same moment: neither fails, and nothing is there twice."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from core.errors import Unavailable
from core.memory import Note
from core.ports import BrowserSession, MemoryChange, MemoryVector, SharedRun, StoredNote, StoredSession, Turn
from storage.database import Database, open_database
from storage.sql_conversations import SqlConversations
from storage.sql_memory import SqlMemory
from storage.sql_sessions import SqlSessions
from storage.sql_shared_runs import SqlSharedRuns
from tests.support.databases import DIMENSION, open_backend, shared_postgres, vectors_of

pytestmark = pytest.mark.integration
NOW = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
ROUNDS = 8


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[tuple[Database, Database]]:
    with open_backend("postgres", tmp_path) as one:
        other = open_database(tmp_path, shared_postgres())
        yield one, other
        other.close_sync()


async def write_everything(database: Database, number: int) -> None:
    """Write what two servers may both be told to write: of one person, in one conversation, in one run."""
    note = Note(
        id="note", user_id="ann", content=f"Words {number}", keywords=[], tags=[], context="", source="remember", created_at=NOW, updated_at=NOW
    )
    kept = StoredNote(note, MemoryVector("test", vectors_of("note", 1)[0]))
    turn = Turn("turn", "Where?", NOW, "run", {"answer": f"There {number}"}, "answered", {}, {})
    conversations, runs = SqlConversations(database), SqlSharedRuns(database)
    await conversations.create("t", "ann", "Talk", "talk")
    await conversations.append_turn("t", "talk", turn)
    await SqlMemory(database).apply_change("t", "ann", MemoryChange(notes=[kept], sessions=[StoredSession("session", NOW, None)]))
    await SqlSessions(database).save(BrowserSession(f"browser {number} {id(database)}", "proof", NOW + timedelta(days=1)), NOW)
    await runs.begin(SharedRun(f"run {number} {id(database)}", "t", "ann", "a", NOW, "talk", details={}), 1000)
    await runs.forget("t", user_id="ann")
    await runs.prune(NOW)


async def test_what_both_write_is_there_once(servers: tuple[Database, Database]) -> None:
    for number in range(ROUNDS):
        await asyncio.gather(*(write_everything(each, number) for each in servers))
    _, turns = await SqlConversations(servers[0]).get("t", "talk")
    memory = await SqlMemory(servers[1]).person("t", "ann")
    assert [turn.response["answer"] for turn in turns] == [f"There {ROUNDS - 1}"]
    assert [kept.note.content for kept in memory.notes] == [f"Words {ROUNDS - 1}"]
    assert memory.notes[0].memory_vector.vector.shape == (DIMENSION,)


class Crossing:
    """A transaction that changes two rows, the other one first the second time: with its twin it is a deadlock, once both have their first row."""

    def __init__(self, order: tuple[str, str], both: threading.Barrier) -> None:
        self.order, self.both, self.tries = order, both, 0

    def __call__(self, connection: Connection) -> int:
        self.tries += 1
        for place, name in enumerate(self.order):
            connection.execute(text("UPDATE meta SET value = value || '.' WHERE name = :name"), {"name": name})
            if place == 0 and self.tries == 1:
                self.both.wait(60)
        return self.tries


async def test_a_deadlock_is_written_again_and_nobody_is_told(servers: tuple[Database, Database]) -> None:
    one, other = servers
    await one.write(lambda connection: connection.execute(text("INSERT INTO meta VALUES ('a', ''), ('b', '')")))
    both = threading.Barrier(2)
    tries = await asyncio.gather(one.write_apart(Crossing(("a", "b"), both)), other.write_apart(Crossing(("b", "a"), both)))
    assert sorted(tries) == [1, 2]  # PostgreSQL undid one of the two
    rows = await one.read(lambda connection: connection.execute(text("SELECT name, value FROM meta WHERE name IN ('a', 'b') ORDER BY name")).all())
    assert [tuple(row) for row in rows] == [("a", ".."), ("b", "..")]


async def test_a_write_that_is_undone_again_and_again_says_that_the_library_is_busy(servers: tuple[Database, Database]) -> None:
    tries = list[int]()

    def undone(connection: Connection) -> None:
        tries.append(1)
        connection.execute(text("DO $$ BEGIN RAISE EXCEPTION 'undone' USING ERRCODE = '40001'; END $$"))

    for write in (servers[0].write_apart, servers[0].write):
        tries.clear()
        with pytest.raises(Unavailable, match=r"is busy.*Try again in a moment"):
            await write(undone)
        assert len(tries) == 4
