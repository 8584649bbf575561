"""Socrates: a run that asks back waits, and goes on where it stopped when it is answered, in words, by a choice, or skipped."""

from __future__ import annotations

import pytest

from core.errors import Conflict, InvalidInput, NotFound
from core.search_schemas import RunAnswer, SearchRequest
from orchestration.run_registry import Runs
from orchestration.zeus import Dependencies, Zeus
from tests.support.ports import FakeLibrary, make_dependencies, make_document


def build() -> tuple[Runs, Dependencies]:
    deps = make_dependencies()
    return Runs(Zeus(deps)), deps


async def asked_back(runs: Runs, **fields: str) -> str:
    run_id = await runs.start(SearchRequest(query="it?", **fields), "default", "ann")  # type: ignore[arg-type] # fields by name
    response = await runs.result("default", run_id)
    assert response.status == "clarification_needed"
    assert response.clarification_of == run_id == response.trace_id
    assert response.clarification_questions
    return run_id


async def test_a_choice_is_asked_in_the_same_run(caplog: pytest.LogCaptureFixture) -> None:
    runs, deps = build()
    run_id = await asked_back(runs)
    question = (await runs.result("default", run_id)).clarification_questions
    assert question
    await runs.answer("default", run_id, RunAnswer(choice=0))
    response = await runs.result("default", run_id)
    assert response.trace_id == run_id
    assert response.status == "success"
    assert response.clarification_questions is None
    trace = await deps.traces.get("default", run_id)
    assert [node.node for node in trace.nodes].count("clarify") == 2
    assert trace.nodes[-1].node == "remember"
    assert trace.status == "success"
    assert not [record for record in caplog.records if "unregistered" in record.message]
    assert question[0] in next(node.details for node in reversed(trace.nodes) if node.node == "clarify")


@pytest.mark.parametrize(
    ("given", "status"),
    [
        (RunAnswer(text="How much notice must the tenant give?"), "success"),
        (RunAnswer(text="notice"), "success"),
        (RunAnswer(skip=True), "not_found"),
        (RunAnswer(text="it?"), "not_found"),
    ],
)
async def test_words_and_skip(given: RunAnswer, status: str) -> None:
    runs, _ = build()
    run_id = await asked_back(runs)
    await runs.answer("default", run_id, given)
    assert (await runs.result("default", run_id)).status == status


async def test_the_stream_goes_on_after_the_answer() -> None:
    runs, _ = build()
    run_id = await asked_back(runs)
    before = [event async for event in runs.events("default", run_id)]
    assert [event.kind for event in before][-2:] == ["answer", "done"]
    assert before[-1].data["status"] == "clarification_needed"
    await runs.answer("default", run_id, RunAnswer(choice=0, wait=False))
    after = [event async for event in runs.events("default", run_id, before[-1].id)]
    assert after[0].id == before[-1].id + 1
    assert after[-1].kind == "done"
    assert after[-1].data["status"] == "success"
    steps = [event.data["id"] for event in [*before, *after] if event.kind == "step" and event.data["outcome"] != "running"]
    assert len(steps) == len(set(steps))


async def test_bad_answers_change_nothing() -> None:
    runs, _ = build()
    run_id = await asked_back(runs)
    for given in (RunAnswer(choice=40), RunAnswer(), RunAnswer(text="   ")):
        with pytest.raises(InvalidInput):
            await runs.answer("default", run_id, given)
    with pytest.raises(NotFound):
        await runs.answer("other", run_id, RunAnswer(skip=True))
    await runs.answer("default", run_id, RunAnswer(skip=True))
    await runs.result("default", run_id)
    with pytest.raises(Conflict):
        await runs.answer("default", run_id, RunAnswer(skip=True))


async def test_the_conversation_has_one_turn_of_it() -> None:
    runs, deps = build()
    made = await deps.conversations.create("default", "ann", "")
    run_id = await asked_back(runs, conversation_id=made.id)
    await runs.answer("default", run_id, RunAnswer(choice=0))
    response = await runs.result("default", run_id)
    _, turns = await deps.conversations.get("default", made.id)
    assert [turn.response["status"] for turn in turns] == [response.status]


async def test_a_waiting_run_can_be_given_up() -> None:
    runs, _ = build()
    run_id = await asked_back(runs)
    assert not await runs.cancel("default", run_id)
    assert (await runs.result("default", run_id)).status == "clarification_needed"


async def test_an_empty_library_has_nothing_to_choose_from() -> None:
    runs = Runs(Zeus(make_dependencies(FakeLibrary([]))))
    run_id = await runs.start(SearchRequest(query="it?"), "default", "ann")
    response = await runs.result("default", run_id)
    assert response.status == "clarification_needed"
    assert response.clarification_of is None
    with pytest.raises(Conflict):
        await runs.answer("default", run_id, RunAnswer(skip=True))


async def test_a_choice_that_stands_for_a_document_is_asked_of_it_alone() -> None:
    offers = [
        make_document(name, f"/library/Quote {name}.txt", f"Offer {number}", [("Prices", f"The total price is £{amount}.")])
        for number, (name, amount) in enumerate((("Kestrel", "82,720"), ("Norland", "71,580")))
    ]
    library = FakeLibrary([(document.model_copy(update={"doc_type": "quote"}), content) for document, content in offers])
    runs = Runs(Zeus(make_dependencies(library)))
    run_id = await runs.start(SearchRequest(query="What is the price?"), "default", "ann")
    response = await runs.result("default", run_id)
    assert response.status == "clarification_needed"
    assert response.clarification_questions == ["What is the price of “Quote Kestrel”?", "What is the price of “Quote Norland”?"]
    await runs.answer("default", run_id, RunAnswer(choice=1))
    response = await runs.result("default", run_id)
    assert {result.filename for result in response.results} == {"Quote Norland.txt"}
