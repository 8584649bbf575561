"""What forgetting takes from every tier, on every database, and that odd input is kept and forgotten like any other."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from core.memory import Recollection
from core.ports import EncodedPassages, MemoryQuestion, RunMemory
from retrieval.embedders.openvino_embedder import PROMPT_PASSAGES
from tests.support.databases import BACKENDS, open_backend, row_counts
from tests.support.embedding import WordEmbedder
from tests.support.memory_world import MemoryWorld, count_rows_holding, episode

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


async def recall(world: MemoryWorld, text: str, user_id: str = "ann", tenant: str = "t", session_id: str | None = None) -> Recollection:
    return await world.memory.recall(MemoryQuestion(tenant, user_id, text, session_id))


async def test_forgetting_a_person_leaves_nothing_and_says_what_went(world: MemoryWorld) -> None:
    run = await world.ask_question("What is the rent?", RENT, session_id="s1", user_id="ann-to-forget")
    await world.give_feedback(run, "click", user_id="ann-to-forget")
    await world.ask_question("What is the rent?", RENT, session_id="s1", user_id="ben")
    await world.memory.consolidate()
    gone = await world.memory.forget("t", "ann-to-forget")
    assert gone.removed == {"session": 1, "episodic": 1, "procedural": 1, "notes": 1}
    assert {item.tier for item in gone.items} == {"session", "episodic", "procedural", "notes"}
    assert count_rows_holding(world.database, "ann-to-forget") == {}
    found = await recall(world, "What is the rent?", "ann-to-forget", session_id="s1")
    assert found == Recollection()
    assert len((await recall(world, "What is the rent?", "ben", session_id="s1")).episodes) == 1
    assert (await world.memory.forget("t", "ann-to-forget")).removed == {}


async def test_forgetting_a_session_takes_its_words_and_lets_a_note_fall_back(world: MemoryWorld) -> None:
    await world.ask_question("Remember", remember="my desk is 4.12", session_id="first")
    run = await world.ask_question("Remember", remember="my desk is 5.01", session_id="second-session")
    await world.ask_question("What is the rent?", RENT, session_id="second-session")
    gone = await world.memory.forget("t", "ann", session_id="second-session")
    assert gone.removed == {"session": 2, "episodic": 2, "notes": 1}
    (note,) = (await world.memory.overview("t", "ann")).notes.items
    assert (note.text, note.detail["history"], note.detail["session_id"]) == ("my desk is 4.12", [], "first")
    assert count_rows_holding(world.database, "second-session") == count_rows_holding(world.database, run) == {}
    found = await recall(world, "Where is my desk 4.12?")
    assert [each.text for each in found.notes] == ["my desk is 4.12"]


class CountingEmbedder(WordEmbedder):
    """Notes how many texts each call has."""

    def __init__(self) -> None:
        super().__init__()
        self.sizes = list[int]()

    async def embed_passages(self, texts: Sequence[str], *, with_tokens: bool = False) -> EncodedPassages:
        self.sizes.append(len(texts))
        return await super().embed_passages(texts, with_tokens=with_tokens)


async def test_what_a_removed_document_leaves_of_many_runs_is_embedded_a_handful_at_a_time(tmp_path: Path) -> None:
    with open_backend("sqlite", tmp_path) as database:
        world = MemoryWorld(database, embedder=(embedder := CountingEmbedder()))
        for number in range(20):
            await world.ask_question(f"Roof or rent {number}?", "Both of them count.", cited=["doc-x", "doc-y"], results=["doc-x", "doc-y"])
        embedder.sizes.clear()
        await world.memory.forget_documents("t", ["doc-x"])
        assert sum(embedder.sizes) >= 20
        assert max(embedder.sizes) <= PROMPT_PASSAGES  # more take a second network
        kept = (await world.store.person("t", "ann")).episodes
        assert [each.memory_vector.embedder for each in kept] == [embedder.name] * 20
        assert len((await recall(world, "Roof or rent 7?")).episodes) > 0


async def test_forgetting_a_document_takes_what_rests_on_it_alone_from_everybody(world: MemoryWorld) -> None:
    for person in ("ann", "ben"):
        run = await world.ask_question("What is the rent?", RENT, session_id="s", user_id=person, cited=["doc-x"], results=["doc-x", "doc-y"])
        await world.give_feedback(run, "click", user_id=person, result_id="doc-x")
        await world.ask_question(
            "Roof or rent?", "Both of them count.", session_id="s", user_id=person, cited=["doc-y", "doc-x"], results=["doc-x", "doc-y"]
        )
    await world.ask_question("What is the rent?", RENT, session_id="s", user_id="ann", tenant="other", cited=["doc-x"], results=["doc-x"])
    removed = await world.memory.forget_documents("t", ["doc-x"])
    assert removed == 2 * 4  # a turn, an episode, an observation, a note
    seen = await world.memory.overview("t", "ann")
    assert [each.text for each in seen.episodic.items] == ["Roof or rent?"]
    assert seen.episodic.items[0].detail["response"] == ""
    assert (seen.session.items[0].detail["results"], seen.session.items[0].detail["answer"]) == (["doc-y"], "")
    assert seen.preferences.frequently_accessed == []
    assert set(count_rows_holding(world.database, "doc-x")) == {"episodes", "notes"}  # of the other tenant
    assert (await world.memory.overview("other", "ann")).notes.total == 1
    assert await world.memory.forget_documents("t", ["doc-x", "doc-z"]) == 0
    assert await world.memory.forget_documents("t", []) == 0


async def test_a_note_that_two_documents_told_stays_with_the_one_that_is_left(lite: MemoryWorld) -> None:
    await lite.ask_question("What is the rent?", "The rent is 900 euros.", cited=["doc-x"], results=["doc-x"])
    await lite.ask_question("What is the rent?", "The rent is 950 euros.", cited=["doc-y"], results=["doc-y"])
    await lite.memory.forget_documents("t", ["doc-y"])
    (note,) = (await lite.memory.overview("t", "ann")).notes.items
    assert (note.text, note.detail["document_ids"]) == ("The rent is 900 euros.", ["doc-x"])
    assert count_rows_holding(lite.database, "doc-y") == {}


async def test_forgetting_a_note_takes_the_links_to_it(lite: MemoryWorld) -> None:
    await lite.ask_question("Remember", remember="the hall of the quay has a roof of slate")
    await lite.ask_question("Remember", remember="the hall of the quay has a roof of copper")
    first, second = (await lite.memory.overview("t", "ann")).notes.items
    assert second.detail["links"] == [first.id]
    await lite.memory.remove_item("t", "ann", first.id)
    assert count_rows_holding(lite.database, first.id) == {}


async def test_deleting_a_conversation_keeps_what_a_person_asked_to_keep(world: MemoryWorld) -> None:
    await world.ask_question("What is the rent?", RENT, conversation_id="talk-1", session_id="s")
    await world.ask_question("Remember", remember="my desk is by the window", conversation_id="talk-1", session_id="s")
    await world.ask_question("How much notice?", NOTICE, conversation_id="talk-2", session_id="s")
    assert await world.memory.forget_conversation("t", "talk-1") == 2 + 2 + 1  # turns, episodes, and the note that was made by itself
    seen = await world.memory.overview("t", "ann")
    assert {each.text for each in seen.notes.items} == {"my desk is by the window", NOTICE}
    assert [each.text for each in seen.episodic.items] == ["How much notice?"]
    assert count_rows_holding(world.database, "talk-1") == {}
    assert await world.memory.forget_conversation("t", "no such talk") == 0


# ---------------------------------------------------------------------------------------------------------------- hostile input
async def test_odd_and_huge_words_are_kept(world: MemoryWorld) -> None:
    odd = "Räuber \x00 \ud800 \u202e🦉 %_' \\" + "x" * 30_000
    await world.ask_question(odd, odd, session_id=odd[:200], user_id="a\x00nn", remember=odd)
    found = await recall(world, odd, "a\x00nn", session_id=odd[:200])
    assert len(found.turns) == 1
    await world.memory.consolidate()
    assert (await world.memory.forget("t", "a\x00nn")).removed["session"] == 1
    assert row_counts(world.database)["episodes"] == row_counts(world.database)["notes"] == 0


async def test_many_at_once_lose_nothing(lite: MemoryWorld) -> None:
    runs = [
        RunMemory("t", episode(f"Question {number}?", f"Answer {number} is here.", episode_id=f"r{number}", session_id="s")) for number in range(20)
    ]
    await asyncio.gather(*(lite.memory.keep_run(run) for run in runs), *(recall(lite, f"Question {number}?") for number in range(10)))
    assert (await lite.memory.overview("t", "ann")).episodic.total == 20
    lite.memory = lite.open_again()
    assert len((await recall(lite, "Question 7?", session_id="s")).turns) == 10
