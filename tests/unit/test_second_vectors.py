"""Another encoder's vectors beside an index: they follow what is written, wait for what is not written yet, and are searched on their own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import anyio
import numpy as np
import pytest

from core.errors import InvalidInput, Unavailable
from core.ports import IndexedDocument
from core.search import Filters
from retrieval import second_vectors
from retrieval.embedded_index import EmbeddedIndex
from retrieval.second_vectors import DocumentMatrix, SecondVectors
from tests.support.indexes import DIMENSION, ORDINARY_ATTRIBUTES, document
from tests.support.second_vectors import (
    NO_FILTERS,
    WIDE_DIMENSION,
    MemoryWords,
    bare_index,
    iterate,
    iterate_vectors,
    make_library,
    query_for,
    second_vectors_of,
)

LEASE = document("lease", "The lease ends.", "Rent is due.", first_chunk=10)
PUMP = document("pump", "The pump needs oil.", first_chunk=20)
THEIRS = document("theirs", "The lease ends.", first_chunk=30, attributes=replace(ORDINARY_ATTRIBUTES, tenant="stranger"))
NEW_LEASE = document("lease", "The lease ends in May.", first_chunk=40, attributes=replace(ORDINARY_ATTRIBUTES, generation=2))


# ---------------------------------------------------------------------------------------------------------------------- following
async def test_they_are_filled_at_the_start_and_by_put(tmp_path: Path) -> None:
    index = await EmbeddedIndex.open(tmp_path, dimension=DIMENSION, document_weight=0.3, faiss_above=1_000)  # with real words
    await index.upsert([LEASE, PUMP])
    await index.commit()
    second = await SecondVectors.follow_index(lambda: index, WIDE_DIMENSION, 1_000, iterate_vectors(LEASE))
    assert [hit.chunk_id for hit in await second.search("default", query_for(LEASE, 1), NO_FILTERS, 5)] == [11, 10]
    assert await second.get("default", [20]) == {}
    await second.put_document("pump", 1, second_vectors_of(PUMP))
    assert (await second.search("default", query_for(PUMP), NO_FILTERS, 1))[0].score == pytest.approx(1.0, abs=2e-3)
    assert second.memory_bytes > 0
    await index.delete("default", ["lease"])
    await index.commit()
    assert set(await second.get("default", [10, 11, 20])) == {20}
    await index.close()


async def test_what_is_written_is_seen_at_the_commit() -> None:
    own = await make_library(LEASE, PUMP, filled=[LEASE, PUMP])
    await own.index.delete("default", ["pump"])
    await own.index.upsert([NEW_LEASE])
    assert await own.find_chunks(PUMP) == await own.find_chunks(PUMP, Filters(document_ids=["pump", "lease"]))
    assert set(await own.find_chunks(PUMP)) == {10, 11, 20}
    await own.index.commit()
    assert await own.find_chunks(PUMP) == []


async def test_a_document_that_is_only_renamed_keeps_its_vectors() -> None:
    own = await make_library(LEASE, PUMP, filled=[LEASE, PUMP])
    moved = document(
        "lease", "The lease ends.", "Rent is due.", first_chunk=10, attributes=replace(ORDINARY_ATTRIBUTES, paths=("/moved/a.md",), language="de")
    )
    await own.index.upsert([moved])
    assert await own.find_chunks(LEASE, Filters(path_prefix="/moved")) == []
    await own.index.commit()
    assert await own.has_vectors(LEASE)
    assert set(await own.find_chunks(LEASE, Filters(path_prefix="/moved", languages=["de"]))) == {10, 11}
    assert await own.find_chunks(LEASE, Filters(path_prefix="/library/lease.txt")) == []
    for place in ("/twice", "/thrice"):  # before one commit
        await own.index.upsert([replace(moved, paths=(f"{place}/a.md",))])
    await own.index.commit()
    assert set(await own.find_chunks(LEASE, Filters(path_prefix="/thrice"))) == {10, 11}


async def test_a_document_that_is_made_anew_has_none_until_they_are_put() -> None:
    own = await make_library(LEASE, PUMP, filled=[LEASE, PUMP])
    await own.upsert(NEW_LEASE)
    assert not await own.has_vectors(NEW_LEASE)
    assert await own.find_chunks(LEASE) == [20]
    await own.put(LEASE)  # those of the old generation come late
    assert await own.find_chunks(LEASE) == [20]
    await own.put(NEW_LEASE)
    assert await own.has_vectors(NEW_LEASE)
    assert set(await own.find_chunks(LEASE)) == {20, 40}
    newest = replace(NEW_LEASE, generation=3)
    await own.upsert(newest)
    await own.put(NEW_LEASE)  # as many rows as the newest has
    assert not await own.has_vectors(newest)


async def test_a_document_without_chunks_may_be_renamed_too() -> None:
    nothing = document("empty")
    own = await make_library(nothing, filled=[nothing])
    await own.upsert(document("empty", attributes=replace(ORDINARY_ATTRIBUTES, paths=("/moved/empty.txt",))))
    await own.index.delete("default", ["empty"])
    await own.index.commit()
    assert await own.second.search("default", query_for(PUMP), NO_FILTERS, 5) == ()


async def test_vectors_that_do_not_fit_are_not_taken() -> None:
    own = await make_library(LEASE)
    await own.second.put_document("lease", 1, second_vectors_of(PUMP))  # one row for two chunks
    assert not await own.has_vectors(LEASE)
    with pytest.raises(InvalidInput, match="document lease"):
        await own.second.put_document("lease", 1, np.zeros((2, WIDE_DIMENSION + 1), np.float16))
    await own.put(LEASE)
    assert await own.has_vectors(LEASE)


# ---------------------------------------------------------------------------------------------------------------- before the document
async def test_vectors_that_come_before_their_document_wait_for_it() -> None:
    """The library is written first and the index a little later: who fills from the library may be faster than the index."""
    own = await make_library(PUMP, filled=[PUMP])
    await own.put(LEASE)
    assert await own.second.get("default", [10, 11]) == {}
    await own.upsert(LEASE)
    assert await own.has_vectors(LEASE)
    await own.put(NEW_LEASE)
    assert await own.has_vectors(LEASE)  # as long as the index has the old one
    await own.upsert(replace(LEASE, paths=("/moved/a.md",)))
    assert await own.has_vectors(LEASE)
    await own.upsert(NEW_LEASE)
    assert await own.has_vectors(NEW_LEASE)
    assert own.second._early == {}
    await own.upsert(replace(NEW_LEASE, generation=3))
    assert not await own.has_vectors(NEW_LEASE)


async def test_of_two_that_wait_the_newer_ones_stay() -> None:
    own = await make_library(PUMP)
    await own.put(NEW_LEASE, LEASE)
    await own.upsert(LEASE)
    assert not await own.has_vectors(LEASE)
    await own.upsert(NEW_LEASE)
    assert await own.has_vectors(NEW_LEASE)


async def test_they_wait_through_a_failed_commit_and_a_rename_and_end_with_the_document() -> None:
    own = await make_library(PUMP)
    await own.put(LEASE)
    own.words.failing = True
    with pytest.raises(Unavailable):
        await own.upsert(LEASE)
    assert not await own.has_vectors(LEASE)
    await own.index.upsert([LEASE])
    await own.index.upsert([replace(LEASE, paths=("/moved/a.md",))])
    await own.index.commit()
    assert set(await own.find_chunks(LEASE, Filters(path_prefix="/moved"))) == {10, 11}
    await own.put(NEW_LEASE)
    await own.index.delete("default", ["lease"])
    await own.index.commit()
    await own.upsert(NEW_LEASE)
    assert not await own.has_vectors(NEW_LEASE)


async def test_those_of_the_start_wait_too() -> None:
    own = await make_library(PUMP, filled=[PUMP, LEASE])
    assert not await own.has_vectors(LEASE)
    await own.upsert(LEASE)
    assert await own.has_vectors(LEASE)


# ---------------------------------------------------------------------------------------------------------------------- failing
async def test_what_was_staged_is_dropped_when_the_words_cannot_be_committed() -> None:
    own = await make_library(LEASE, PUMP, filled=[LEASE, PUMP])
    await own.index.delete("default", ["pump"])
    await own.index.upsert([NEW_LEASE])
    own.words.failing = True
    with pytest.raises(Unavailable, match="full"):
        await own.index.commit()
    await own.index.commit()
    assert await own.has_vectors(LEASE)
    assert await own.has_vectors(PUMP)
    await own.upsert(NEW_LEASE)
    assert set(await own.find_chunks(PUMP)) == {20}


async def test_a_commit_that_fails_while_they_are_filled_loses_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second_vectors, "_TAKEN", 2)
    documents = [document(f"d{number}", "text", first_chunk=100 * number) for number in range(1, 6)]
    words = MemoryWords()
    index = bare_index(words)
    await index.upsert(documents)
    await index.commit()

    async def found() -> AsyncIterator[DocumentMatrix]:
        async for each in iterate_vectors(*documents):
            yield each
            words.failing = True
            with pytest.raises(Unavailable):
                await index.commit()

    second = await SecondVectors.follow_index(lambda: index, WIDE_DIMENSION, 1_000, found())
    assert set(await second.get("default", [100 * number for number in range(1, 6)])) == {100, 200, 300, 400, 500}


async def test_who_could_not_be_filled_does_not_follow() -> None:
    index = bare_index()

    async def broken() -> AsyncIterator[DocumentMatrix]:
        yield "lease", 1, second_vectors_of(LEASE)
        raise Unavailable("The database is gone.")

    with pytest.raises(Unavailable):
        await SecondVectors.follow_index(lambda: index, WIDE_DIMENSION, 1_000, broken())
    assert index.followers == []
    second = await SecondVectors.follow_index(lambda: index, WIDE_DIMENSION, 1_000, iterate_vectors())
    assert index.followers == [second]
    second.stop_following()
    assert index.followers == []


# ------------------------------------------------------------------------------------------------------------- another embedding model
async def test_with_another_embedding_model_they_follow_the_present_index() -> None:
    own = await make_library(LEASE, PUMP, filled=[LEASE])
    present = own.index
    second = await SecondVectors.follow_index(lambda: present, WIDE_DIMENSION, 1_000, iterate_vectors(LEASE))
    wide = np.eye(48, dtype=np.float16)
    new = await own.index.with_vectors(48, iterate(("lease", 1, wide[:2]), ("pump", 1, wide[2:3])))
    present = new
    assert set(await second.get("default", [10, 11])) == {10, 11}

    def of_48(found: IndexedDocument) -> IndexedDocument:
        return replace(found, chunks=tuple(replace(chunk, vector=wide[number]) for number, chunk in enumerate(found.chunks)))

    await new.upsert([of_48(NEW_LEASE)])
    await new.commit()
    assert await second.get("default", [10, 11]) == {}
    await second.put_document("lease", 2, second_vectors_of(NEW_LEASE))  # the old index has generation 1 still: it is not asked
    await second.put_document("pump", 1, second_vectors_of(PUMP))
    assert set(await second.get("default", [20, 40])) == {20, 40}
    assert own.index.filterable_document("lease") != new.filterable_document("lease")
    await new.delete("default", ["pump"])
    await new.commit()
    assert set(await second.get("default", [20, 40])) == {40}
    second.stop_following()
    assert new.followers == own.index.followers == [own.second]


# ---------------------------------------------------------------------------------------------------------------------- searching
@pytest.mark.parametrize("faiss_above", [0, 1_000_000])
async def test_filters_and_tenants_are_respected(faiss_above: int) -> None:
    german = document("german", "Der Vertrag.", first_chunk=50, attributes=replace(ORDINARY_ATTRIBUTES, language="de", paths=("/other/german.md",)))
    every = [LEASE, PUMP, german, THEIRS]
    own = await make_library(*every, filled=every, faiss_above=faiss_above)
    assert (await own.find_chunks(german))[0] == 50
    assert set(await own.find_chunks(german)) == {10, 11, 20, 50}
    assert await own.find_chunks(LEASE, Filters(languages=["de"])) == [50]
    assert await own.find_chunks(LEASE, Filters(path_prefix="/other")) == [50]
    assert await own.find_chunks(german, Filters(document_ids=["pump"])) == [20]
    assert await own.find_chunks(LEASE, tenant="stranger") == [30]
    assert await own.find_chunks(LEASE, tenant="nobody") == []
    assert set(await own.second.get("stranger", [10, 30])) == {30}
    await own.index.delete("stranger", ["lease"])
    await own.index.commit()
    assert await own.has_vectors(LEASE)
    assert len(await own.second.search("default", query_for(PUMP), NO_FILTERS, 2)) == 2


@pytest.mark.parametrize("faiss_above", [40, 1_000_000])
async def test_searches_and_writes_do_not_disturb_each_other(faiss_above: int) -> None:
    own = await make_library(LEASE, PUMP, THEIRS, filled=[LEASE, PUMP, THEIRS], faiss_above=faiss_above)
    seen: list[bool] = []

    async def read() -> None:
        for _ in range(40):
            hits = await own.second.search("default", query_for(PUMP), NO_FILTERS, 5)
            known = await own.second.get("default", [20, 30])
            seen.append(hits[0].chunk_id == 20 and set(known) == {20} and all(hit.chunk_id != 30 for hit in hits))

    async def write() -> None:
        for turn in range(8):
            noise = [document(f"n{turn}-{number}", "noise", first_chunk=1_000 + 100 * turn + number) for number in range(20)]
            await own.put(*noise[:10])
            await own.upsert(*noise)
            await own.put(*noise[10:])
            await own.index.upsert([replace(LEASE, paths=(f"/{turn}/lease.txt",))])
            await own.index.delete("default", [each.id for each in noise])

    async with anyio.create_task_group() as group:
        for _ in range(3):
            group.start_soon(read)
        group.start_soon(write)
    assert all(seen)
    assert len(seen) == 120
