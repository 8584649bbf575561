"""Vectors of a new model on every database: filled beside the old ones, dropped with their document, put in their place in one step."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import select

from core.ports.reembedding import UnfilledDocument
from storage.database import Database
from storage.pending_vectors import EmbedderRecord, SqlPendingVectors
from storage.schema import documents, files, vectors
from storage.sql_library_writer import SqlLibraryWriter
from tests.support.databases import BACKENDS, DocumentSample, new_document, open_backend, row_counts

T, OLD, NEW = "default", "test-embedder", "new-model"


@pytest.fixture(params=BACKENDS)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    with open_backend(request.param, tmp_path) as found:
        yield found


async def write(database: Database, name: str, text: str) -> str:
    sample = DocumentSample(path=f"/docs/{name}", text=text, settings_version=f"{OLD}/256/2")
    return (await SqlLibraryWriter(database, OLD).write_document(T, new_document(sample))).document_id


async def filled(database: Database, store: SqlPendingVectors) -> list[UnfilledDocument]:
    """Fill what is waiting with vectors of seven numbers."""
    waiting = await store.vectors_beside(OLD, NEW).list_unfilled(10)
    for document in waiting:
        rows = len(await store.vectors_beside(OLD, NEW).texts(document))
        await store.vectors_beside(OLD, NEW).store_vectors(document, np.full((rows, 7), 0.5, np.float16))
    return list(waiting)


async def test_every_document_is_filled_once_and_again_when_it_changes(database: Database) -> None:
    store = SqlPendingVectors(database)
    first, second = await write(database, "a.txt", "One."), await write(database, "b.txt", "Two " * 30)
    assert {each.document_id for each in await filled(database, store)} == {first, second}
    assert (await store.vectors_beside(OLD, NEW).list_unfilled(10), await store.vectors_beside(OLD, NEW).counts()) == ([], (2, 2))
    await write(database, "a.txt", "One, changed.")
    assert await store.vectors_beside(OLD, NEW).counts() == (1, 2)
    assert [each.document_id for each in await filled(database, store)] == [first]
    await SqlLibraryWriter(database).remove_paths(T, ["/docs/a.txt"])
    assert row_counts(database)["next_vectors"] == 1


async def test_vectors_of_a_generation_that_is_over_are_not_kept(database: Database) -> None:
    store = SqlPendingVectors(database)
    await write(database, "a.txt", "One.")
    (before,) = await store.vectors_beside(OLD, NEW).list_unfilled(10)
    await write(database, "a.txt", "Two.")
    assert await store.vectors_beside(OLD, NEW).texts(before) == []
    await store.vectors_beside(OLD, NEW).store_vectors(before, np.zeros((1, 7), np.float16))
    assert await store.vectors_beside(OLD, NEW).counts() == (0, 1)


async def test_what_the_model_reads_is_the_heading_line_and_the_text(database: Database) -> None:
    store = SqlPendingVectors(database)
    await write(database, "a.txt", "The lease ends in May.")
    (waiting,) = await store.vectors_beside(OLD, NEW).list_unfilled(10)
    title = DocumentSample().title
    found = await store.vectors_beside(OLD, NEW).texts(waiting)
    assert all(text.startswith(f"{title}\n") for _, text in found)
    assert "".join(text.removeprefix(f"{title}\n") for _, text in found) == "The lease ends in May."
    (first,) = database.read_sync(lambda connection: connection.execute(select(vectors.c.first_chunk)).scalars().all())
    assert [number for number, _ in found] == list(range(first, first + len(found)))


async def test_the_switch_puts_them_in_place_and_keeps_the_ids(database: Database) -> None:
    store = SqlPendingVectors(database)
    await write(database, "a.txt", "One.")
    ids = database.read_sync(lambda connection: connection.execute(select(vectors.c.document_id, vectors.c.first_chunk)).all())
    await filled(database, store)
    new = EmbedderRecord(NEW, "path/of/model", "query: ")
    assert await store.switch_embedder(OLD, new) == 1
    assert await store.load_embedder() == new
    (row,) = database.read_sync(lambda connection: connection.execute(select(vectors)).all())
    assert (row.embedder, row.dimension, len(row.vectors)) == (NEW, 7, 2 * 7 * row.rows)
    assert [(row.document_id, row.first_chunk)] == [tuple(each) for each in ids]
    versions = database.read_sync(
        lambda connection: [connection.execute(select(table.c.settings_version)).scalar_one() for table in (documents, files)]
    )
    assert versions == [f"{NEW}/256/2"] * 2
    assert row_counts(database)["next_vectors"] == 0
    assert list(await SqlLibraryWriter(database, NEW).live_documents()) == [ids[0][0]]


async def test_a_model_that_was_given_up_is_forgotten(database: Database) -> None:
    store = SqlPendingVectors(database)
    await write(database, "a.txt", "One.")
    await filled(database, store)
    await store.delete_other_embedders("another-model")
    assert row_counts(database)["next_vectors"] == 0
    assert await store.load_embedder() is None


async def test_the_model_that_was_asked_for_last_is_noted_until_it_is_forgotten(database: Database) -> None:
    store = SqlPendingVectors(database)
    assert await store.load_choice() == ""
    await store.save_choice("small")
    await store.save_choice("good")
    assert await store.load_choice() == "good"
    await store.save_embedder(EmbedderRecord(OLD, OLD))
    await store.save_choice("")
    assert (await store.load_choice(), await store.load_embedder()) == ("", EmbedderRecord(OLD, OLD))
