"""The turn of a question: stored before it runs, and with what became of it."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any, cast

import pytest

from core.errors import Conflict, InvalidInput, NotFound, StorageFull, Unavailable
from core.ports import Turn
from core.runs import Event
from core.search_schemas import SearchRequest
from orchestration.dependencies import Dependencies
from orchestration.run_registry import Runs
from orchestration.zeus import Zeus
from tests.support.ports import FakeComposer, FakeRetriever, make_dependencies
from tests.support.stores import MemoryConversations

QUESTION = "How much notice must the tenant give?"


async def build(**changes: object) -> tuple[Runs, Dependencies, str]:
    deps = make_dependencies(**changes)  # type: ignore[arg-type] # fields by name
    talk = await deps.conversations.create("default", "ann", "")
    return Runs(Zeus(deps)), deps, talk.id


async def ask(runs: Runs, talk: str, query: str = QUESTION, **fields: Any) -> str:
    return await runs.start(SearchRequest(query=query, conversation_id=talk, **fields), "default", "ann")


async def turns_of(deps: Dependencies, talk: str) -> list[Turn]:
    return list((await deps.conversations.get("default", talk))[1])


async def begun(runs: Runs, run_id: str) -> None:
    """Until the stream tells that the question runs."""
    async with aclosing(cast("AsyncGenerator[Event, None]", runs.events("default", run_id))) as events:
        assert (await anext(events)).kind == "run"


async def hanging() -> tuple[Runs, Dependencies, str, FakeComposer]:
    composer = FakeComposer()
    composer.hang = True
    return *(await build(composer=composer)), composer


async def test_it_is_stored_when_the_question_begins_with_what_was_asked() -> None:
    runs, deps, talk, _ = await hanging()
    run_id = await ask(runs, talk, attached_documents=None, filters={"path_prefix": "/library"}, mode="recall")
    await begun(runs, run_id)
    (turn,) = await turns_of(deps, talk)
    assert (turn.query, turn.state, turn.trace_id, turn.response) == (QUESTION, "running", run_id, {})
    assert turn.request == {"filters": {"path_prefix": "/library"}, "mode": "recall"}
    await runs.close()


async def test_a_person_s_stop_is_an_answer_and_any_other_an_interruption() -> None:
    runs, deps, talk, _ = await hanging()
    stopped, unread = await ask(runs, talk), await ask(runs, talk)
    await begun(runs, stopped)
    await begun(runs, unread)
    assert await runs.cancel("default", stopped)
    runs.cancel_if_unread("default", unread)
    for run_id in (stopped, unread):
        assert (await runs.result("default", run_id)).status == "stopped"
    at_work = await ask(runs, talk)
    await begun(runs, at_work)
    await runs.close()  # the server is shut down
    assert [turn.state for turn in await turns_of(deps, talk)] == ["answered", "interrupted", "interrupted"]


async def test_a_question_that_fails_keeps_its_turn_with_the_reason() -> None:
    runs, deps, talk = await build()
    assert isinstance(deps.retriever, FakeRetriever)
    deps.retriever.fail["retrieve"] = Unavailable("The index is away.")
    run_id = await ask(runs, talk)
    with pytest.raises(Unavailable):
        await runs.result("default", run_id)
    (turn,) = await turns_of(deps, talk)
    assert (turn.state, turn.response, turn.problem["detail"]) == ("failed", {}, "The index is away.")


async def test_asked_again_it_takes_its_old_place() -> None:
    runs, deps, talk = await build()
    assert isinstance(deps.retriever, FakeRetriever)
    deps.retriever.fail["retrieve"] = Unavailable("The index is away.")
    failed = await ask(runs, talk)
    with pytest.raises(Unavailable):
        await runs.result("default", failed)
    deps.retriever.fail.clear()
    await runs.result("default", await ask(runs, talk, "Who pays for the roof?"))
    before = await turns_of(deps, talk)
    again = await ask(runs, talk, replaces=failed)
    response = await runs.result("default", again)
    turns = await turns_of(deps, talk)
    assert [(turn.id, turn.created_at, turn.state) for turn in turns] == [(turn.id, turn.created_at, "answered") for turn in before]
    assert (turns[0].trace_id, turns[0].response, turns[0].problem) == (again, response.model_dump(mode="json"), {})
    assert turns[1] == before[1]
    assert not response.memory_used  # what was asked behind it is none of its past


async def test_an_answer_stays_until_there_is_another_one() -> None:
    runs, deps, talk, composer = await hanging()
    composer.hang = False
    first = await ask(runs, talk)
    await runs.result("default", first)
    kept = await turns_of(deps, talk)
    composer.hang = True
    again = await ask(runs, talk, replaces=first)
    await begun(runs, again)
    assert await turns_of(deps, talk) == kept
    with pytest.raises(NotFound):
        await ask(runs, talk, replaces=again)
    await runs.cancel("default", again)
    await runs.result("default", again)
    assert [(turn.id, turn.trace_id) for turn in await turns_of(deps, talk)] == [(kept[0].id, again)]


async def test_what_cannot_be_replaced_is_said() -> None:
    runs, deps, talk, _ = await hanging()
    at_work = await ask(runs, talk)
    await begun(runs, at_work)
    with pytest.raises(Conflict, match="being answered"):
        await ask(runs, talk, replaces=at_work)
    with pytest.raises(NotFound, match="not in this conversation"):
        await ask(runs, talk, replaces="nothing")
    with pytest.raises(InvalidInput, match="conversation_id"):
        await runs.start(SearchRequest(query=QUESTION, replaces=at_work), "default", "ann")
    assert len(await turns_of(deps, talk)) == 1
    await runs.close()


async def test_a_question_without_an_answer_is_no_past() -> None:
    runs, deps, talk = await build()
    lost = Turn("t0", "What may hotels cost?", deps.now(), "gone", {}, "interrupted")
    await deps.conversations.append_turn("default", talk, lost)
    response = await runs.result("default", await ask(runs, talk, "and trains?"))
    assert not response.memory_used
    assert [turn.state for turn in await turns_of(deps, talk)] == ["interrupted", "answered"]


async def test_stopping_what_runs_in_a_conversation_leaves_the_others_alone() -> None:
    runs, deps, talk, _ = await hanging()
    other = await deps.conversations.create("default", "ann", "")
    first, second = await ask(runs, talk), await ask(runs, other.id)
    await begun(runs, first)
    await begun(runs, second)
    await runs.stop_runs("default", conversation_id=talk)
    assert (await runs.result("default", first)).status == "stopped"
    assert [turn.state for turn in await turns_of(deps, other.id)] == ["running"]
    await runs.close()


async def test_a_full_disk_costs_the_turn_and_not_the_answer() -> None:
    class Full(MemoryConversations):
        async def append_turn(self, tenant: str, conversation_id: str, turn: Turn) -> None:
            raise StorageFull("The disk is full.")

    runs, _, talk = await build(conversations=Full())
    response = await runs.result("default", await ask(runs, talk))
    assert response.answer
    assert [each.part for each in response.degraded] == ["conversation"]
