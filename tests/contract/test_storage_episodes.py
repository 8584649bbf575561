"""What happened in a library, over every database: a person's runs with what was opened, versions by their dates, people and tenants apart."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import Connection, insert, update

from storage.database import Database
from storage.schema import documents, feedback
from storage.sql_episodes import SqlEpisodeHistory
from storage.sql_library_writer import SqlLibraryWriter
from tests.support.databases import BACKENDS, DocumentSample, new_document, open_backend
from tests.support.memory_world import NOON, MemoryWorld

SINCE = NOON - timedelta(days=30)


@pytest.fixture(params=BACKENDS)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    with open_backend(request.param, tmp_path) as opened:
        yield opened


async def open_document(database: Database, run: str, document_id: str | None, kind: str = "click", user_id: str = "ann") -> None:
    row = {"tenant": "t", "id": f"{run} {document_id} {kind} {user_id}", "user_id": user_id, "trace_id": run, "kind": kind}
    await database.write(lambda connection: connection.execute(insert(feedback).values(**row, result_id=document_id, created_at=NOON)))


async def test_runs_are_those_of_one_person_with_what_was_opened(database: Database) -> None:
    world = MemoryWorld(database)
    run = await world.ask_question("Who rents Quay 7?", "Trevanion rents it.", user_id="ann")
    silent = await world.ask_question("Who owns Quay 8?", user_id="ann")
    await world.ask_question("Who owns Quay 9?", "Nobody does.", user_id="ben")
    await open_document(database, run, "doc-a", "open_citation")
    await open_document(database, run, "doc-b", "thumbs_down")
    await open_document(database, run, "doc-c", user_id="ben")
    await open_document(database, silent, None)
    history = SqlEpisodeHistory(database)
    for library in ("t", "t:ann"):
        found = await history.episodes(library, "ann", SINCE)
        assert [(each.text, each.document_ids) for each in found] == [
            ("Who owns Quay 8?\n", ()),
            ("Who rents Quay 7?\nTrevanion rents it.", ("doc-a",)),
        ]
    assert await history.episodes("t", "", SINCE) == await history.episodes("other", "ann", SINCE) == []
    assert await history.episodes("t", "ann", world.clock.at + timedelta(seconds=1)) == []
    assert await SqlEpisodeHistory(database, has_runs=False).episodes("t", "ann", SINCE) == []
    await world.memory.forget("t", "ann")
    assert await history.episodes("t", "ann", SINCE) == []


async def test_versions_count_by_their_own_dates(database: Database) -> None:
    writer = SqlLibraryWriter(database)
    dates: dict[str, datetime | None] = {"/l/new.txt": NOON, "/l/old.txt": NOON - timedelta(days=31), "/l/bare.txt": None}
    ids = {}
    for path, at in dates.items():
        made = await writer.write_document("t", new_document(DocumentSample(path=path, text=f"This is {path}.")))
        ids[path] = made.document_id

        def set_date(connection: Connection, document_id: str = made.document_id, at: datetime | None = at) -> None:
            connection.execute(update(documents).where(documents.c.id == document_id).values(modified_at=at))

        await database.write(set_date)
    (found,) = await SqlEpisodeHistory(database).episodes("t", "", SINCE)
    assert (found.at, found.text, found.document_ids) == (NOON, "", (ids["/l/new.txt"],))
    assert await SqlEpisodeHistory(database).episodes("other", "", SINCE) == []
