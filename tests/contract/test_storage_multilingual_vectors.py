"""The multilingual encoder's vectors on every database: who gets them first, and that none outlives what it was made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from sqlalchemy import update

from core.ports import EncodedPassages
from core.ports.reembedding import UnfilledDocument
from ingestion.indexing.document_reembedding import DocumentReembedding
from storage.database import Database
from storage.document_vectors import SqlDocumentVectors, has_multilingual_vectors, multilingual_store
from storage.pending_vectors import SqlPendingVectors
from storage.schema import documents
from storage.sql_library_writer import SqlLibraryWriter
from tests.support.databases import BACKENDS, DocumentSample, new_document, open_backend, row_counts

T, ENCODER, WIDE = "default", "multilingual/1", 5


@pytest.fixture(params=BACKENDS)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    with open_backend(request.param, tmp_path) as found:
        yield found


async def write(database: Database, name: str, text: str, language: str = "en", tenant: str = T) -> str:
    sample = DocumentSample(path=f"/docs/{name}", text=text, language=language)
    return (await SqlLibraryWriter(database).write_document(tenant, new_document(sample))).document_id


def indexed_at(database: Database, document_id: str, when: datetime) -> None:
    change = update(documents).where(documents.c.id == document_id).values(indexed_at=when)
    database.write_sync(lambda connection: connection.execute(change))


async def waiting(store: SqlDocumentVectors) -> list[str]:
    return [each.document_id for each in await store.list_unfilled(50)]


def rows(count: int, value: float = 0.5) -> NDArray[np.float16]:
    return np.full((count, WIDE), value, np.float16)


async def fill(store: SqlDocumentVectors, *only: str) -> list[UnfilledDocument]:
    found = [each for each in await store.list_unfilled(50) if not only or each.document_id in only]
    for each in found:
        assert await store.store_vectors(each, rows(len(await store.texts(each))))
    return found


async def held(store: SqlDocumentVectors) -> dict[str, tuple[int, int]]:
    """document id -> (generation, rows)."""
    return {document_id: (generation, len(matrix)) async for document_id, generation, matrix in store.iterate_vectors()}


async def test_other_languages_come_first_and_then_the_newest(database: Database) -> None:
    names = {"a.txt": "en", "b.txt": "de", "c.txt": "", "d.txt": "ja", "e.txt": "en"}
    ids = {name: await write(database, name, f"Text of {name}.", language) for name, language in names.items()}
    for age, document_id in enumerate(ids.values()):
        indexed_at(database, document_id, datetime(2024, 1, 9, tzinfo=UTC) - timedelta(days=age))
    store = multilingual_store(database, ENCODER)
    assert await waiting(store) == [ids[name] for name in ("b.txt", "d.txt", "a.txt", "c.txt", "e.txt")]
    assert [each.document_id for each in await store.list_unfilled(2)] == [ids["b.txt"], ids["d.txt"]]
    await fill(store, ids["b.txt"], ids["a.txt"])
    assert await waiting(store) == [ids[name] for name in ("d.txt", "c.txt", "e.txt")]


async def test_each_tenant_is_counted_by_itself(database: Database) -> None:
    mine, theirs = await write(database, "a.txt", "One."), await write(database, "b.txt", "Zwei.", "de", "stranger")
    every, own, other = (multilingual_store(database, ENCODER, tenant) for tenant in ("", T, "stranger"))
    assert [await store.counts() for store in (every, own, other)] == [(0, 2), (0, 1), (0, 1)]
    assert (await waiting(own), await waiting(other)) == ([mine], [theirs])
    await fill(every, theirs)
    assert [await store.counts() for store in (every, own, other)] == [(1, 2), (0, 1), (1, 1)]
    assert [[each.document_id for each in await store.list_filled()] for store in (every, own, other)] == [[theirs], [], [theirs]]
    assert await multilingual_store(database, ENCODER, "nobody").counts() == (0, 0)
    assert await multilingual_store(database, "another/1").counts() == (0, 2)


async def test_vectors_of_a_changed_document_are_refused(database: Database) -> None:
    store = multilingual_store(database, ENCODER)
    await write(database, "a.txt", "One.")
    (before,) = await store.list_unfilled(5)
    await write(database, "a.txt", "Two.")
    assert await store.texts(before) == []
    assert await store.store_vectors(before, rows(1)) is False
    assert (await store.counts(), await held(store), row_counts(database)["multilingual_vectors"]) == ((0, 1), {}, 0)
    assert await store.store_vectors(UnfilledDocument("never-there", T, 1), rows(1)) is False
    (after,) = await fill(store)
    assert await held(store) == {after.document_id: (after.generation, 1)}


async def test_a_change_asks_for_them_again_and_they_go_with_their_document(database: Database) -> None:
    store = multilingual_store(database, ENCODER)
    first, second = await write(database, "a.txt", "One."), await write(database, "b.txt", "Zwei " * 30, "de")
    await fill(store)
    assert (await waiting(store), await store.counts()) == ([], (2, 2))
    await write(database, "a.txt", "One, changed.")
    assert (await waiting(store), await store.counts(), list(await held(store))) == ([first], (1, 2), [second])
    assert [each.document_id for each in await store.list_filled()] == [second]
    await fill(store)
    await SqlLibraryWriter(database).remove_paths(T, ["/docs/a.txt"])
    assert list(await held(store)) == [second]
    await SqlLibraryWriter(database).delete_document(T, second)
    assert (row_counts(database)["multilingual_vectors"], await store.counts()) == (0, (0, 0))


async def test_what_is_filled_comes_back_as_it_was_put(database: Database) -> None:
    store = multilingual_store(database, ENCODER)
    await write(database, "a.txt", "One " * 20)
    await write(database, "empty.txt", "")
    made: dict[str, NDArray[np.float16]] = {}
    for each in await store.list_unfilled(5):
        count = len(await store.texts(each))
        made[each.document_id] = np.random.default_rng(count).standard_normal((count, WIDE)).astype(np.float16)
        assert await store.store_vectors(each, made[each.document_id])
    assert sorted(len(matrix) for matrix in made.values()) == [0, 4]
    found = {document_id: matrix async for document_id, _, matrix in store.iterate_vectors()}
    assert found.keys() == made.keys()
    for document_id, matrix in made.items():
        np.testing.assert_array_equal(found[document_id], matrix)
        assert found[document_id].dtype == np.float16
    again = UnfilledDocument(next(iter(made)), T, 1)
    assert await store.store_vectors(again, rows(len(made[again.document_id]), 0.25))  # the last ones count
    assert row_counts(database)["multilingual_vectors"] == 2


async def test_another_encoders_vectors_are_forgotten(database: Database) -> None:
    old, new = multilingual_store(database, "old/1"), multilingual_store(database, ENCODER)
    first, second = await write(database, "a.txt", "One."), await write(database, "b.txt", "Two.")
    await fill(old)
    assert (await held(new), await new.counts()) == ({}, (0, 2))
    await fill(new, first)  # takes the place of the old one's
    assert list(await held(old)) == [second]
    await new.delete_other_embedders()
    assert (list(await held(new)), await held(old), row_counts(database)["multilingual_vectors"]) == ([first], {}, 1)


async def test_whether_any_were_made(database: Database) -> None:
    assert not await has_multilingual_vectors(database)
    await write(database, "a.txt", "One.")
    assert not await has_multilingual_vectors(database)
    await fill(multilingual_store(database, ENCODER))
    assert await has_multilingual_vectors(database)
    await SqlLibraryWriter(database).remove_paths(T, ["/docs/a.txt"])
    assert not await has_multilingual_vectors(database)


async def test_they_stand_beside_those_of_an_embedding_model_that_is_to_follow(database: Database) -> None:
    await write(database, "a.txt", "One.")
    store, following = multilingual_store(database, ENCODER), SqlPendingVectors(database).vectors_beside("test-embedder", "new-model")
    await fill(store)
    assert await following.counts() == (0, 1)
    await fill(following)
    await SqlPendingVectors(database).delete_other_embedders("another")
    assert (await store.counts(), await following.counts()) == ((1, 1), (0, 1))


async def test_filling_tells_of_what_was_stored_and_takes_a_document_that_changed_meanwhile_again(database: Database) -> None:
    ids = [await write(database, f"{number}.txt", f"Text {number} " * (1 + number * 30), "de") for number in range(3)]
    store = multilingual_store(database, ENCODER)
    shown: dict[str, int] = {}
    encoded: list[int] = []

    async def embed(texts: Sequence[str]) -> EncodedPassages:
        encoded.append(len(texts))
        if any("Text 2" in text for text in texts):
            await write(database, "2.txt", "It changed while it was encoded.", "de")
        return EncodedPassages(np.ones((len(texts), WIDE), np.float32))

    async def show(document: UnfilledDocument, matrix: NDArray[np.float16]) -> None:
        shown[document.document_id] = len(matrix)

    filling = DocumentReembedding(store, embed, WIDE, shown=show)
    assert await filling.fill(0.0) == 3
    assert max(encoded) == 8  # a long document in slices
    assert (set(shown), await filling.counts(), await waiting(store)) == ({ids[0], ids[1]}, (2, 3), [ids[2]])
    assert [await filling.fill(0.0) for _ in range(2)] == [1, 0]
    assert {document_id: count for document_id, (_, count) in (await held(store)).items()} == shown
    assert set(shown) == set(ids)
