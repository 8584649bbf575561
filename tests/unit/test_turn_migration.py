"""A library of an earlier version gains the state of its turns, and the words that a search looks in."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import select

from core.ports import Turn
from storage.database import open_database
from storage.schema import turns
from storage.sql_conversations import SqlConversations
from tests.support.databases import BACKENDS, migrate_schema, open_backend

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize("backend", BACKENDS)
async def test_old_turns_are_answered_and_can_be_searched(backend: str, tmp_path: Path) -> None:
    with open_backend(backend, tmp_path) as database:
        conversations = SqlConversations(database)
        made = await conversations.create("default", "ada", "")
        for number in range(230):  # more than are filled at a time
            await conversations.append_turn("default", made.id, Turn(f"t{number}", f"WER {number}?", NOON, f"r{number}", {"answer": "Die STRASSE."}))
        migrate_schema(database, "0014")
        migrate_schema(database, "head")
        words = database.read_sync(lambda connection: connection.execute(select(turns.c.words).order_by(turns.c.ordinal)).scalars().all())
        assert list(words) == [f"wer {number}?\ndie strasse." for number in range(230)]
        kept, found = await conversations.get("default", made.id)
        assert {(turn.state, len(turn.request), len(turn.problem)) for turn in found} == {("answered", 0, 0)}
        assert not kept.pinned


def test_a_new_library_needs_no_filling(tmp_path: Path) -> None:
    open_database(tmp_path).close_sync()
    again = open_database(tmp_path)
    assert again.read_sync(lambda connection: connection.execute(select(turns.c.words)).all()) == []
    again.close_sync()
