"""What every tier keeps, recalls, changes and forgets, on every database."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.errors import InvalidInput, NotFound, StorageFull
from core.memory import Recollection
from core.ports import MemoryChange, MemoryQuestion
from tests.support.databases import BACKENDS, open_backend, row_counts
from tests.support.memory_world import MemoryWorld, make_options

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


# ---------------------------------------------------------------------------------------------------------------- keeping and recalling
async def test_a_run_is_kept_in_session_and_episodes_and_makes_a_note(world: MemoryWorld) -> None:
    run = await world.ask_question("What is the yearly rent of the hall?", RENT, session_id="s1")
    found = await recall(world, "What is the rent of the hall?", session_id="s1")
    assert found.turns == [("What is the yearly rent of the hall?", RENT)]
    assert found.turns_from == "session"
    assert [each.item_id for each in found.episodes] == [run]
    assert [each.text for each in found.notes] == [RENT]
    assert found.notes[0].document_ids == ["doc-a"]
    assert 0.5 <= found.episodes[0].score <= 1.0


async def test_memory_outlives_the_process(world: MemoryWorld) -> None:
    await world.ask_question("What is the yearly rent of the hall?", RENT)
    before = await recall(world, "What is the rent of the hall?")
    world.memory = world.open_again()
    assert await recall(world, "What is the rent of the hall?") == before


async def test_what_has_nothing_to_do_with_the_question_is_not_offered(world: MemoryWorld) -> None:
    await world.ask_question("What is the yearly rent of the hall?", RENT)
    found = await recall(world, "Which trains are booked in second class?")
    assert (found.episodes, found.notes) == ([], [])


async def test_at_most_three_of_each_are_offered_and_a_question_once(world: MemoryWorld) -> None:
    for number in range(6):
        await world.ask_question("What is the yearly rent of the hall?", RENT, cited=[f"d{number}"], results=[f"d{number}"])
        await world.ask_question(f"What is the yearly rent of the hall {number}?", f"The rent of Hall {number} is {number}00 euros.")
    found = await recall(world, "What is the yearly rent of the hall?")
    assert len(found.episodes) == len(found.notes) == 3
    assert len({each.text.split(" → ")[0] for each in found.episodes}) == 3


async def test_a_run_that_went_on_is_kept_once(world: MemoryWorld) -> None:
    await world.ask_question("Which lease?", "One of two.", session_id="s1", episode_id="same")
    await world.ask_question("Which lease?", NOTICE, session_id="s1", episode_id="same")
    assert (await recall(world, "x", session_id="s1")).turns == [("Which lease?", NOTICE)]
    assert (await world.memory.overview("t", "ann")).episodic.total == 1


@pytest.mark.parametrize("status", ["stopped", "clarification_needed"])
async def test_a_run_without_an_end_is_no_episode(lite: MemoryWorld, status: str) -> None:
    await lite.ask_question("What is the rent?", RENT, status=status)
    assert (await lite.memory.overview("t", "ann")).episodic.total == 0


@pytest.mark.parametrize(
    "changes",
    [
        {"confidence": 0.7},
        {"status": "not_found"},
        {"intent": "system_meta"},
        {"intent": "general_knowledge"},
        {"cited": []},
        {"from_memory": True},
    ],
)
async def test_only_a_confident_answer_of_the_documents_becomes_a_note(lite: MemoryWorld, changes: dict[str, Any]) -> None:
    await lite.ask_question("What is the rent?", RENT, **changes)
    assert (await lite.memory.overview("t", "ann")).notes.total == 0


async def test_an_answer_from_memory_is_not_stored_again(lite: MemoryWorld) -> None:
    await lite.ask_question("What did I ask you to remember?", RENT, from_memory=True)
    assert (await lite.memory.overview("t", "ann")).episodic.items[0].detail["response"] == ""


async def test_no_answer_becomes_a_note_before_somebody_praises_it(lite: MemoryWorld) -> None:
    world = replace(lite, options=make_options(from_answers=False))
    run = await world.ask_question("What is the rent?", RENT, confidence=0.95)
    await world.ask_question("Remember that my desk is 4.12", "", remember="my desk is 4.12")
    assert {each.text for each in (await world.memory.overview("t", "ann")).notes.items} == {"my desk is 4.12"}
    await world.give_feedback(run, "open_citation")
    assert (await world.memory.overview("t", "ann")).notes.total == 1
    await world.give_feedback(run, "thumbs_up")
    assert {each.text for each in (await world.memory.overview("t", "ann")).notes.items} == {"my desk is 4.12", RENT}


async def test_one_note_for_a_question_and_a_document_however_often_it_is_asked(lite: MemoryWorld) -> None:
    for _ in range(4):
        await lite.ask_question("What is the yearly rent?", RENT)
    assert (await lite.memory.overview("t", "ann")).notes.total == 1


async def test_what_a_person_asks_to_remember_is_a_note_that_changes(world: MemoryWorld) -> None:
    await world.ask_question("Remember that my desk is 4.12", remember="my desk is 4.12")
    await world.ask_question("Remember that my desk is 5.01", remember="my desk is 5.01")
    (item,) = (await world.memory.overview("t", "ann")).notes.items
    assert item.text == "my desk is 5.01"
    assert [(each["content"], each["reason"]) for each in item.detail["history"]] == [("my desk is 4.12", "4.12 became 5.01")]


async def test_memory_that_is_switched_off_keeps_the_session_alone(tmp_path: Path) -> None:
    with open_backend("sqlite", tmp_path) as database:
        world = MemoryWorld(database, make_options(enabled=False))
        run = await world.ask_question("What is the rent?", RENT, session_id="s1")
        await world.give_feedback(run, "click")
        found = await recall(world, "What is the rent?", session_id="s1")
        assert (len(found.turns), found.episodes, found.notes) == (1, [], [])
        assert row_counts(database)["observations"] == 0
        await world.memory.consolidate()
        assert row_counts(database)["episodes"] == 0


async def test_a_store_that_is_full_leaves_the_shelf_as_the_store_is(lite: MemoryWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    await lite.ask_question("What is the yearly rent of the hall?", RENT)
    real = lite.store.apply_change

    async def full(tenant: str, user_id: str, change: MemoryChange) -> None:
        if change.episodes:
            raise StorageFull("The disk is full.")
        await real(tenant, user_id, change)

    monkeypatch.setattr(lite.store, "apply_change", full)
    with pytest.raises(StorageFull):
        await lite.ask_question("How much notice does the tenant give?", NOTICE, session_id="s1")
    monkeypatch.undo()
    assert [each.item_id for each in (await recall(lite, "Yearly rent of the hall?")).episodes] == ["run-1"]
    # The session knows the turn: consolidation makes the episode good.
    (record,) = await lite.memory.consolidate("t", "ann")
    assert (record.episodes_made, record.sessions_read) == (1, 1)
    assert [each.item_id for each in (await recall(lite, "How much notice does the tenant give?")).episodes] == ["run-2"]


# ---------------------------------------------------------------------------------------------------------------- learning
async def test_feedback_becomes_observations_and_moves_the_weights(world: MemoryWorld) -> None:
    for number in range(30):
        run = await world.ask_question(f"Clause {number}?", f"Clause {number} says so.")
        await world.give_feedback(run, "click", result_id="doc-a")
    learned = (await recall(world, "Clause 3?")).preferences
    assert learned.optimal_weights is not None
    assert learned.optimal_weights["lexical"] > 0.5
    seen = (await world.memory.overview("t", "ann")).procedural
    assert seen.total == 30
    detail = seen.items[0].detail
    assert (detail["lexical_rank"], detail["dense_rank"], detail["reward"], detail["strategy"]) == (1, 9, 0.3, "semantic")


async def test_the_same_click_counts_once_and_the_later_thumb_wins(lite: MemoryWorld) -> None:
    run = await lite.ask_question("What is the rent?", RENT)
    for _ in range(3):
        await lite.give_feedback(run, "click", result_id="doc-a")
    await lite.give_feedback(run, "thumbs_up")
    await lite.give_feedback(run, "thumbs_down")
    kinds = [(each.detail["kind"], each.detail["reward"]) for each in (await lite.memory.overview("t", "ann")).procedural.items]
    assert kinds == [("thumbs_down", -1.0), ("click", 0.3)]


async def test_nothing_is_learned_of_an_unknown_run_a_result_that_was_none_or_another_persons_run(lite: MemoryWorld) -> None:
    run = await lite.ask_question("What is the rent?", RENT)
    await lite.give_feedback("no-such-run", "click")
    await lite.give_feedback(run, "click", result_id="elsewhere")
    await lite.give_feedback(run, "thumbs_up", user_id="ben")
    await lite.give_feedback(run, "thumbs_up", tenant="other")
    assert row_counts(lite.database)["observations"] == 0
    assert (await lite.memory.overview("t", "ben")).notes.total == 0


async def test_a_liked_answer_and_a_correction_are_notes_and_a_disliked_one_is_taken_back(lite: MemoryWorld) -> None:
    liked = await lite.ask_question("What is the rent?", RENT, confidence=0.5)
    await lite.give_feedback(liked, "thumbs_up")
    wrong = await lite.ask_question("How much notice?", NOTICE)
    await lite.give_feedback(wrong, "correction", correction="The tenant gives nine months of notice.")
    bad = await lite.ask_question("Which trains are booked?", "Second class trains are booked always.")
    await lite.give_feedback(bad, "thumbs_down")
    notes = {each.text: each.detail for each in (await lite.memory.overview("t", "ann")).notes.items}
    assert {text: detail["source"] for text, detail in notes.items()} == {
        RENT: "positive_feedback",
        "The tenant gives nine months of notice.": "correction",
    }
    assert notes["The tenant gives nine months of notice."]["history"][0]["content"] == NOTICE


# ---------------------------------------------------------------------------------------------------------------- seeing and changing
async def test_the_overview_has_a_section_for_each_tier_newest_first(world: MemoryWorld) -> None:
    for number in range(3):
        run = await world.ask_question(f"What is the rent of hall {number}?", f"The rent of Hall {number} is {number}9 euros.", session_id="s1")
        await world.give_feedback(run, "click")
    await world.memory.consolidate("t", "ann")
    seen = await world.memory.overview("t", "ann", limit=2)
    totals = [section.total for section in (seen.session, seen.episodic, seen.procedural, seen.notes)]
    assert totals == [3, 3, 3, 3]
    assert all(len(section.items) == 2 for section in (seen.session, seen.episodic, seen.procedural, seen.notes))
    assert [each.text for each in seen.episodic.items] == ["What is the rent of hall 2?", "What is the rent of hall 1?"]
    assert "rent" in seen.preferences.topics
    assert len({each.id for section in (seen.session, seen.episodic, seen.procedural, seen.profile, seen.notes) for each in section.items}) == sum(
        len(section.items) for section in (seen.session, seen.episodic, seen.procedural, seen.profile, seen.notes)
    )
    assert seen.consolidations[0].profile_changed
    empty = await world.memory.overview("t", "nobody")
    assert empty.episodic.total == empty.notes.total == 0


async def test_a_note_is_edited_with_its_history_and_found_by_its_new_words(world: MemoryWorld) -> None:
    await world.ask_question("Remember", remember="my desk is by the window")
    (item,) = (await world.memory.overview("t", "ann")).notes.items
    changed = await world.memory.edit_item("t", "ann", item.id, "  the parking space is\nnumber 9 ")
    assert changed.text == "the parking space is number 9"
    assert changed.detail["history"][0]["content"] == "my desk is by the window"
    found = await recall(world, "Which number is the parking space?")
    assert [each.item_id for each in found.notes] == [item.id]


async def test_only_notes_of_ones_own_are_edited(lite: MemoryWorld) -> None:
    run = await lite.ask_question("Remember", RENT, remember="my desk is by the window")
    note = (await lite.memory.overview("t", "ann")).notes.items[0].id
    with pytest.raises(InvalidInput, match="Only notes"):
        await lite.memory.edit_item("t", "ann", run, "other words")
    with pytest.raises(InvalidInput, match="needs words"):
        await lite.memory.edit_item("t", "ann", note, " \n ")
    for tenant, person, item in (("t", "ann", "nothing"), ("t", "ben", note), ("u", "ann", note)):
        with pytest.raises(NotFound):
            await lite.memory.edit_item(tenant, person, item, "words")
        with pytest.raises(NotFound):
            await lite.memory.remove_item(tenant, person, item)


async def test_single_items_are_removed_for_good(world: MemoryWorld) -> None:
    run = await world.ask_question("What is the rent?", RENT, session_id="s1")
    await world.give_feedback(run, "click")
    seen = await world.memory.overview("t", "ann")
    for section in (seen.procedural, seen.notes, seen.episodic):
        (item,) = section.items
        assert (await world.memory.remove_item("t", "ann", item.id)).text == item.text
    await world.memory.consolidate("t", "ann")
    after = await world.memory.overview("t", "ann")
    assert [section.total for section in (after.session, after.procedural, after.notes, after.episodic)] == [0, 0, 0, 0]


async def test_a_turn_is_removed_and_its_episode_stays(lite: MemoryWorld) -> None:
    run = await lite.ask_question("What is the rent?", RENT, session_id="s1")
    await lite.memory.remove_item("t", "ann", f"session:{run}")
    after = await lite.memory.overview("t", "ann")
    assert (after.session.total, after.episodic.total) == (0, 1)


async def test_a_topic_that_was_removed_is_not_learned_again_and_weights_go_with_what_taught_them(lite: MemoryWorld) -> None:
    for number in range(12):
        run = await lite.ask_question(f"What is the rent of crane {number}?", RENT)
        await lite.give_feedback(run, "open_citation", result_id="doc-a")
    await lite.memory.consolidate("t", "ann")
    before = {each.id for each in (await lite.memory.overview("t", "ann")).profile.items}
    assert {"profile:topic:rent", "profile:weights", "profile:document:doc-a"} <= before
    await lite.memory.remove_item("t", "ann", "profile:topic:rent")
    await lite.memory.consolidate("t", "ann")
    assert "rent" not in (await lite.memory.overview("t", "ann")).preferences.topics
    await lite.memory.remove_item("t", "ann", "profile:weights")
    after = await lite.memory.overview("t", "ann")
    assert (after.preferences.optimal_weights, after.procedural.total) == (None, 0)
    with pytest.raises(NotFound):
        await lite.memory.remove_item("t", "ann", "profile:weights")


# ---------------------------------------------------------------------------------------------------------------- consolidation
async def test_consolidating_twice_changes_nothing_more(world: MemoryWorld) -> None:
    for number in range(4):
        run = await world.ask_question(
            f"What is the rent of hall {number}?", f"The rent of Hall {number} is {number}9 euros.", session_id=f"s{number % 2}"
        )
        await world.give_feedback(run, "thumbs_up")
    (first,) = await world.memory.consolidate()
    assert first.changes
    before = await world.store.person("t", "ann")
    counts = row_counts(world.database)
    world.clock.pass_seconds(5)
    (second,) = await world.memory.consolidate()
    assert second.changes == []
    assert (second.episodes_made, second.profile_changed, second.notes_merged, second.notes_pruned) == (0, False, 0, 0)
    after = await world.store.person("t", "ann")
    assert [kept.episode for kept in after.episodes] == [kept.episode for kept in before.episodes]
    assert [kept.note for kept in after.notes] == [kept.note for kept in before.notes]
    assert (after.sessions, after.learned, row_counts(world.database)) == (before.sessions, before.learned, counts)


async def test_the_oldest_episodes_go_and_sessions_that_are_over_are_closed(tmp_path: Path) -> None:
    with open_backend("sqlite", tmp_path) as database:
        world = MemoryWorld(database, make_options(episodes_max=2))
        for number in range(5):
            await world.ask_question(f"Question {number}?", session_id="s1")
        await world.memory.consolidate()
        assert [each.id for each in (await world.memory.overview("t", "ann")).episodic.items] == ["run-5", "run-4"]
        world.clock.pass_seconds(4000)
        await world.memory.consolidate()
        assert row_counts(database)["memory_sessions"] == 0
        assert (await world.memory.consolidate())[0].changes == []


async def test_only_the_newest_observations_are_kept(lite: MemoryWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory.consolidation_service.OBSERVATIONS", 2)
    runs = [await lite.ask_question(f"Question {number}?", f"Answer {number} it is.") for number in range(4)]
    for run in runs:
        await lite.give_feedback(run, "click")
    (record,) = await lite.memory.consolidate()
    assert "removed an observation that has lost its weight (2 times)" in record.changes
    assert [each.detail["trace_id"] for each in (await lite.memory.overview("t", "ann")).procedural.items] == [runs[3], runs[2]]


async def test_people_beyond_the_room_are_put_away_and_read_again(lite: MemoryWorld) -> None:
    lite.memory._index_cache._most = 250
    for person in ("ann", "ben", "cleo", "dan"):
        await lite.ask_question("What is the yearly rent of the hall?", RENT, user_id=person)
    assert len(lite.memory._index_cache._indexes) == 2
    for person in ("ann", "ben", "cleo", "dan"):
        assert len((await recall(lite, "What is the rent of the hall?", person)).episodes) == 1


async def test_memories_of_another_embedder_are_embedded_again(lite: MemoryWorld) -> None:
    await lite.ask_question("What is the yearly rent of the hall?", RENT)
    lite.embedder.name = "other words"  # as after the setting was changed
    lite.memory = lite.open_again()
    (record,) = await lite.memory.consolidate()
    assert record.changes == ["embedded a memory again for the present model (2 times)"]
    kept = await lite.store.person("t", "ann")
    assert [each.memory_vector.embedder for each in kept.episodes] + [each.memory_vector.embedder for each in kept.notes] == ["other words"] * 2
    assert (await lite.memory.consolidate())[0].changes == []


async def test_the_hourly_task_runs_by_itself_and_stops_at_once(tmp_path: Path) -> None:
    with open_backend("sqlite", tmp_path) as database:
        world = MemoryWorld(database, make_options(episodes_max=1, consolidation_seconds=0.01))
        await world.ask_question("One?")
        await world.ask_question("Two?")
        world.memory.start()
        for _ in range(500):
            if row_counts(database)["episodes"] == 1:
                break
            await asyncio.sleep(0.01)
        assert row_counts(database)["episodes"] == 1
        await world.memory.close()
        await world.ask_question("Three?")
        await asyncio.sleep(0.05)
        assert row_counts(database)["episodes"] == 2
        await world.memory.close()
