"""Memories get the vectors of a coming embedding model beside those they are searched by, and go over to them in one step."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from core.ports import MemoryQuestion
from core.ports.reembedding import UnfilledMemory
from memory.memory_reembedding import MemoryReembedding
from storage.database import Database
from storage.pending_memory import SqlPendingMemory
from storage.pending_vectors import EmbedderRecord, SqlPendingVectors
from tests.support.databases import BACKENDS, open_backend, row_counts
from tests.support.embedding import OtherWordEmbedder, WordEmbedder
from tests.support.memory_world import MemoryWorld

RENT = "The yearly rent of the hall is 48,000 euros, due in May."
NOTICE = "The tenant gives six months of written notice before the end of the lease."


@pytest.fixture(params=BACKENDS)
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[MemoryWorld]:
    with open_backend(request.param, tmp_path) as database:
        yield MemoryWorld(database)


@pytest.fixture
def lite(tmp_path: Path) -> Iterator[MemoryWorld]:
    with open_backend("sqlite", tmp_path) as database:
        yield MemoryWorld(database)


async def fill(world: MemoryWorld, new: WordEmbedder) -> int:
    filling = MemoryReembedding(world.store, SqlPendingMemory(world.database), new)
    total = 0
    while done := await filling.fill_vectors(0.0):
        total += done
    return total


async def missing(database: Database, new: WordEmbedder) -> int:
    return await SqlPendingVectors(database).count_missing("words", new.name)


async def switch(world: MemoryWorld, new: WordEmbedder) -> None:
    """As the composition does it."""
    await SqlPendingVectors(world.database).switch_embedder("words", EmbedderRecord(new.name, new.name))
    await world.memory.exchange_embedder(new)()


async def offered(world: MemoryWorld, text: str) -> list[tuple[str, float]]:
    found = await world.memory.recall(MemoryQuestion("t", "ann", text))
    return [(each.item_id, each.score) for each in (*found.episodes, *found.notes)]


async def test_memories_are_filled_beside_and_searched_by_the_new_model_after_the_switch(world: MemoryWorld) -> None:
    first = await world.ask_question("What is the yearly rent of the hall?", RENT, conversation_id="c1")
    await world.ask_question("And the notice?", NOTICE, conversation_id="c1")
    await world.ask_question("Where is the crane?", "The crane stands at quay 4.", user_id="bob", tenant="t2")
    new = OtherWordEmbedder()
    before = await offered(world, "What is the yearly rent of the hall?")
    assert await missing(world.database, new) == 6
    assert (await fill(world, new), await missing(world.database, new)) == (2, 0)
    assert await offered(world, "What is the yearly rent of the hall?") == before  # nothing changes before the switch
    await switch(world, new)
    assert row_counts(world.database)["next_memory"] == 0
    kept = await world.store.person("t", "ann")
    rows = [each.memory_vector for each in kept.episodes] + [each.memory_vector for each in kept.notes]
    assert {(row.embedder, row.vector.shape) for row in rows} == {("other words", (48,))}
    assert (await offered(world, "What is the yearly rent of the hall?"))[0][0] == first
    again = await world.memory.consolidate("t", "ann")
    assert not any("embedded a memory again" in line for record in again for line in record.changes)


async def test_the_new_vectors_are_those_that_memory_itself_would_have_made(lite: MemoryWorld, tmp_path: Path) -> None:
    new = OtherWordEmbedder()
    (tmp_path / "fresh").mkdir()
    with open_backend("sqlite", tmp_path / "fresh") as database:
        fresh = MemoryWorld(database, embedder=new)
        for world in (lite, fresh):
            await world.ask_question("What is the yearly rent of the hall?", RENT, conversation_id="c1")
            await world.ask_question("And the notice?", NOTICE, conversation_id="c1")
            await world.ask_question("Where does the crane stand?", "The crane stands at quay 4.", conversation_id="c2")
        await fill(lite, new)
        await switch(lite, new)
        made = {each.episode.episode_id: each.memory_vector.vector for each in (await fresh.store.person("t", "ann")).episodes}
        for kept in (await lite.store.person("t", "ann")).episodes:
            np.testing.assert_allclose(kept.memory_vector.vector, made[kept.episode.episode_id], atol=2e-3)


async def test_what_changes_is_filled_again_and_what_is_forgotten_leaves_nothing(world: MemoryWorld) -> None:
    run = await world.ask_question("What is the yearly rent of the hall?", RENT)
    new = OtherWordEmbedder()
    await fill(world, new)
    (note,) = (await world.store.person("t", "ann")).notes
    await world.memory.edit_item("t", "ann", note.note.id, "The rent is 52,000 euros a year.")
    assert await missing(world.database, new) == 1
    assert await fill(world, new) == 1
    await world.memory.remove_item("t", "ann", run)
    await world.memory.forget("t", "ann")
    assert row_counts(world.database)["next_memory"] == 0


async def test_a_vector_of_words_that_changed_meanwhile_is_not_kept(lite: MemoryWorld) -> None:
    await world_with_note(lite)
    store = SqlPendingMemory(lite.database)
    (note,) = (await lite.store.person("t", "ann")).notes
    stale = UnfilledMemory("note", note.note.id, ("What it said before.", note.note.context), "x")
    vector: NDArray[np.float16] = np.ones(48, np.float16)
    await store.store_vectors(("t", "ann"), "other words", [(stale, vector)])
    assert row_counts(lite.database)["next_memory"] == 0
    right = UnfilledMemory("note", note.note.id, (note.note.content, note.note.context), "x")
    await store.store_vectors(("t", "bob"), "other words", [(right, vector)])  # not bob's
    assert row_counts(lite.database)["next_memory"] == 0
    await store.store_vectors(("t", "ann"), "other words", [(right, vector)])
    assert await store.list_filled("t", "ann", "other words") == {("note", note.note.id)}


async def world_with_note(world: MemoryWorld) -> None:
    await world.ask_question("What is the yearly rent of the hall?", RENT)


class Halting(OtherWordEmbedder):
    """Waits in the middle of embedding a question until it is let go."""

    def __init__(self, name: str, dimension: int) -> None:
        super().__init__(name, dimension)
        self.reached, self.go = asyncio.Event(), asyncio.Event()

    async def embed_query(self, text: str) -> NDArray[np.float32]:
        self.reached.set()
        await self.go.wait()
        return await super().embed_query(text)


async def test_a_look_at_memory_ends_by_the_model_it_began_with(tmp_path: Path) -> None:
    old, new = Halting("old", 32), OtherWordEmbedder()
    with open_backend("sqlite", tmp_path) as database:
        world = MemoryWorld(database, embedder=old)
        run = await world.ask_question("What is the yearly rent of the hall?", RENT)
        asked = asyncio.create_task(offered(world, "What is the yearly rent of the hall?"))
        await old.reached.wait()
        await fill(world, new)
        await SqlPendingVectors(database).switch_embedder("old", EmbedderRecord(new.name, new.name))
        settled = world.memory.exchange_embedder(new)
        await settled()
        assert (await offered(world, "What is the yearly rent of the hall?"))[0][0] == run  # by the new one, meanwhile
        old.go.set()
        assert (await asked)[0][0] == run


async def test_many_questions_and_changes_during_the_exchange_never_mix_two_spaces(lite: MemoryWorld) -> None:
    new = OtherWordEmbedder()
    for number in range(12):
        await lite.ask_question(f"Where does crane number {number} stand?", f"Crane number {number} stands at quay {number}.")

    async def asking(number: int) -> None:
        for turn in range(8):
            assert await offered(lite, f"Where does crane number {number} stand?")
            await lite.ask_question(f"What is crane {number} called in {turn}?", f"The crane {number} is called Halcyon {turn}.")

    async def exchanging() -> None:
        await fill(lite, new)
        await switch(lite, new)

    await asyncio.gather(exchanging(), *(asking(number) for number in range(6)))
    await lite.memory.consolidate("t", "ann")
    kept = await lite.store.person("t", "ann")
    assert {each.memory_vector.embedder for each in kept.episodes} | {each.memory_vector.embedder for each in kept.notes} == {"other words"}
