"""Vectors of a new model on every database: filled beside the old ones, dropped with their document, put in their place in one step."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import select

from core.ports.refilling import Unfilled
from storage.engine import Database
from storage.next_vectors import KeptEmbedder, SqlNextVectors
from storage.schema import documents, files, vectors
from storage.writer import SqlLibraryWriter
from tests.support.databases import BACKENDS, Sample, new_document, opened, row_counts

T, OLD, NEW = "default", "test-embedder", "new-model"


@pytest.fixture(params=BACKENDS)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    with opened(request.param, tmp_path) as found:
        yield found


async def write(database: Database, name: str, text: str) -> str:
    sample = Sample(path=f"/docs/{name}", text=text, settings_version=f"{OLD}/256/2")
    return (await SqlLibraryWriter(database, OLD).write(T, new_document(sample))).document_id


async def filled(database: Database, store: SqlNextVectors) -> list[Unfilled]:
    """Fill what is waiting with vectors of seven numbers."""
    waiting = await store.beside(OLD, NEW).unfilled(10)
    for document in waiting:
        rows = len(await store.beside(OLD, NEW).texts(document))
        await store.beside(OLD, NEW).put(document, np.full((rows, 7), 0.5, np.float16))
    return list(waiting)


async def test_every_document_is_filled_once_and_again_when_it_changes(database: Database) -> None:
    store = SqlNextVectors(database)
    first, second = await write(database, "a.txt", "One."), await write(database, "b.txt", "Two " * 30)
    assert {each.document_id for each in await filled(database, store)} == {first, second}
    assert (await store.beside(OLD, NEW).unfilled(10), await store.beside(OLD, NEW).counts()) == ([], (2, 2))
    await write(database, "a.txt", "One, changed.")
    assert await store.beside(OLD, NEW).counts() == (1, 2)
    assert [each.document_id for each in await filled(database, store)] == [first]
    await SqlLibraryWriter(database).remove_paths(T, ["/docs/a.txt"])
    assert row_counts(database)["next_vectors"] == 1


async def test_vectors_of_a_generation_that_is_over_are_not_kept(database: Database) -> None:
    store = SqlNextVectors(database)
    await write(database, "a.txt", "One.")
    (before,) = await store.beside(OLD, NEW).unfilled(10)
    await write(database, "a.txt", "Two.")
    assert await store.beside(OLD, NEW).texts(before) == []
    await store.beside(OLD, NEW).put(before, np.zeros((1, 7), np.float16))
    assert await store.beside(OLD, NEW).counts() == (0, 1)


async def test_what_the_model_reads_is_the_heading_line_and_the_text(database: Database) -> None:
    store = SqlNextVectors(database)
    await write(database, "a.txt", "The lease ends in May.")
    (waiting,) = await store.beside(OLD, NEW).unfilled(10)
    title = Sample().title
    found = await store.beside(OLD, NEW).texts(waiting)
    assert all(text.startswith(f"{title}\n") for _, text in found)
    assert "".join(text.removeprefix(f"{title}\n") for _, text in found) == "The lease ends in May."
    (first,) = database.read_now(lambda connection: connection.execute(select(vectors.c.first_chunk)).scalars().all())
    assert [number for number, _ in found] == list(range(first, first + len(found)))


async def test_the_switch_puts_them_in_place_and_keeps_the_ids(database: Database) -> None:
    store = SqlNextVectors(database)
    await write(database, "a.txt", "One.")
    ids = database.read_now(lambda connection: connection.execute(select(vectors.c.document_id, vectors.c.first_chunk)).all())
    await filled(database, store)
    new = KeptEmbedder(NEW, "path/of/model", "query: ")
    assert await store.switch(OLD, new) == 1
    assert await store.kept() == new
    (row,) = database.read_now(lambda connection: connection.execute(select(vectors)).all())
    assert (row.embedder, row.dimension, len(row.vectors)) == (NEW, 7, 2 * 7 * row.rows)
    assert [(row.document_id, row.first_chunk)] == [tuple(each) for each in ids]
    versions = database.read_now(
        lambda connection: [connection.execute(select(table.c.settings_version)).scalar_one() for table in (documents, files)]
    )
    assert versions == [f"{NEW}/256/2"] * 2
    assert row_counts(database)["next_vectors"] == 0
    assert list(await SqlLibraryWriter(database, NEW).live_documents()) == [ids[0][0]]


async def test_a_model_that_was_given_up_is_forgotten(database: Database) -> None:
    store = SqlNextVectors(database)
    await write(database, "a.txt", "One.")
    await filled(database, store)
    await store.forget("another-model")
    assert row_counts(database)["next_vectors"] == 0
    assert await store.kept() is None


async def test_the_model_that_was_asked_for_last_is_noted_until_it_is_forgotten(database: Database) -> None:
    store = SqlNextVectors(database)
    assert await store.chosen() == ""
    await store.choose("small")
    await store.choose("good")
    assert await store.chosen() == "good"
    await store.keep(KeptEmbedder(OLD, OLD))
    await store.choose("")
    assert (await store.chosen(), await store.kept()) == ("", KeptEmbedder(OLD, OLD))
