"""The levels above the chunks on every database: stored with their document, found from a chunk, gone with it, and never another tenant's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import func, select

from core.documents import LargerChunk
from core.ports import NewDocument
from storage.database import Database
from storage.sql_hierarchy import SqlHierarchy, chunk_levels
from storage.sql_library import SqlLibrary
from storage.sql_library_writer import SqlLibraryWriter
from tests.support.databases import BACKENDS, DocumentSample, new_document, open_backend

T = "default"
LARGER = (
    LargerChunk(1, 0, 0, 40, 10, 0, 1, 0, 1, 0.5),
    LargerChunk(1, 1, 35, 60, 8, 2, 2, 2, 2, 0.125),
    LargerChunk(2, 0, 0, 60, 16, 0, 1, 0, 2, 1.0),
)


@pytest.fixture(params=BACKENDS)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    with open_backend(request.param, tmp_path) as found:
        yield found


def with_levels(path: str = "/docs/long.txt", text: str = "x" * 60, larger: tuple[LargerChunk, ...] = LARGER) -> NewDocument:
    new = new_document(DocumentSample(path, text))
    chunks = tuple(replace(chunk, confidence=chunk.ordinal / 4) for chunk in new.chunks)
    return replace(new, chunks=chunks, larger_chunks=larger)


async def stored_rows(database: Database) -> int:
    return await database.read(lambda connection: connection.execute(select(func.count()).select_from(chunk_levels)).scalar_one())


async def test_levels_are_read_back_as_they_were_written(database: Database) -> None:
    written = await SqlLibraryWriter(database).write_document(T, with_levels())
    assert await SqlHierarchy(database).larger_chunks(T, written.document_id) == list(LARGER)
    assert await SqlHierarchy(database).larger_chunks("other", written.document_id) == []
    stored = await SqlLibrary(database).chunks(T, written.chunk_ids)
    assert [stored[each].confidence for each in written.chunk_ids] == [0.0, 0.25, 0.5]


async def test_a_chunk_finds_its_parent_of_the_level_or_the_highest_below(database: Database) -> None:
    written = await SqlLibraryWriter(database).write_document(T, with_levels())
    flat = await SqlLibraryWriter(database).write_document(T, with_levels("/docs/flat.txt", "y" * 60, ()))
    hierarchy, name = SqlHierarchy(database), written.document_id
    places = [(name, 0), (name, 1), (name, 2), (name, 3), (flat.document_id, 0)]
    assert await hierarchy.parents(T, places, 1) == {(name, 0): LARGER[0], (name, 1): LARGER[0], (name, 2): LARGER[1]}
    assert await hierarchy.parents(T, places, 3) == dict.fromkeys([(name, 0), (name, 1), (name, 2)], LARGER[2])
    assert await hierarchy.parents(T, places, 0) == {}
    assert await hierarchy.parents(T, [], 2) == {}
    assert await hierarchy.parents("other", places, 2) == {}


async def test_levels_go_with_their_generation_and_their_document(database: Database) -> None:
    writer = SqlLibraryWriter(database)
    written = await writer.write_document(T, with_levels())
    assert await stored_rows(database) == 2
    await writer.write_document(T, with_levels(text="z" * 60, larger=LARGER[:2]))
    assert await SqlHierarchy(database).larger_chunks(T, written.document_id) == list(LARGER[:2])
    await writer.delete_document(T, written.document_id)
    assert await stored_rows(database) == 0
