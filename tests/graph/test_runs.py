"""Runs: events in order, replay, several readers, cancel at every node, conversations, sessions, tenants, errors."""

from __future__ import annotations

import asyncio
import itertools
from typing import Any

import pytest
from langsmith import configure
from langsmith.utils import get_env_var, tracing_is_enabled

from core.errors import InvalidInput, NotFound, StorageFull, TooLarge, Unavailable
from core.runs import Event, Outcome, Trace
from core.search_schemas import SearchRequest
from orchestration import nodes
from orchestration.node_adapter import NodeRow
from orchestration.run_registry import Runs
from orchestration.zeus import Dependencies, Options, Zeus
from tests.support.models import ScriptedModel, ScriptedWriter
from tests.support.ports import FakeComposer, FakeRetriever, make_dependencies, sample_library
from tests.support.stores import MemoryConversations, MemoryTraces

QUESTION = "How much notice must the tenant give?"
BRIDGE = "First find the landlord of the Halden lease, then find the roof of the building"


def build(**changes: object) -> tuple[Runs, Dependencies]:
    deps = make_dependencies(**changes)  # type: ignore[arg-type] # fields by name
    return Runs(Zeus(deps)), deps


async def start(runs: Runs, query: str = QUESTION, tenant: str = "default", user: str = "ann", **fields: Any) -> str:
    return await runs.start(SearchRequest(query=query, **fields), tenant, user)


async def collect(runs: Runs, run_id: str, after: int = 0) -> list[Event]:
    return [event async for event in runs.events("default", run_id, after)]


async def saved(deps: Dependencies, run_id: str) -> Trace:
    return await deps.traces.get("default", run_id)


async def test_events_come_in_order_with_their_numbers() -> None:
    runs, _ = build()
    events = await collect(runs, await start(runs))
    assert [event.id for event in events] == list(range(1, len(events) + 1))
    kinds = [kind for kind, _ in itertools.groupby(event.kind for event in events)]
    assert kinds == ["run", "step", "token", "step", "sources", "answer", "done"]


async def test_the_stream_shows_the_steps_of_the_response() -> None:
    runs, _ = build()
    run_id = await start(runs)
    events = await collect(runs, run_id)
    response = (await runs.result("default", run_id)).model_dump(mode="json")
    ended = [event.data for event in events if event.kind == "step" and event.data["outcome"] != Outcome.RUNNING]
    begun = [event.data for event in events if event.kind == "step" and event.data["outcome"] == Outcome.RUNNING]
    assert ended == response["steps"]
    assert [each["id"] for each in begun] == [each["id"] for each in ended]
    assert next(event.data for event in events if event.kind == "answer") == response
    assert next(event.data for event in events if event.kind == "run")["run_id"] == run_id == response["trace_id"]


async def test_tokens_add_up_to_the_answer() -> None:
    runs, _ = build()
    events = await collect(runs, run_id := await start(runs))
    assert "".join(event.data["text"] for event in events if event.kind == "token") == (await runs.result("default", run_id)).answer


async def test_no_step_events_when_they_are_not_wanted() -> None:
    runs, _ = build()
    run_id = await start(runs, stream_status=False)
    assert "step" not in {event.kind for event in await collect(runs, run_id)}
    assert (await runs.result("default", run_id)).steps


async def test_readers_resume_and_do_not_disturb_each_other() -> None:
    runs, _ = build()
    run_id = await start(runs)
    first = runs.events("default", run_id)
    seen = [await anext(first) for _ in range(3)]
    await first.aclose()  # type: ignore[attr-defined] # the reader's connection breaks
    others = await asyncio.gather(collect(runs, run_id), collect(runs, run_id, after=seen[-1].id))
    assert others[0] == [*seen, *others[1]]
    assert await collect(runs, run_id, after=10_000) == []


async def test_a_run_is_forgotten_after_its_time() -> None:
    runs, deps = build(options=Options(keep_seconds=-1))
    run_id = await start(runs)
    await runs.result("default", run_id)
    await runs.result("default", await start(runs))
    with pytest.raises(NotFound):
        await runs.require_run("default", run_id)
    assert await saved(deps, run_id)


async def test_other_tenants_see_nothing() -> None:
    runs, deps = build()
    run_id = await start(runs)
    await runs.result("default", run_id)
    with pytest.raises(NotFound):
        await runs.result("other", run_id)
    with pytest.raises(NotFound):
        runs.events("other", run_id)
    with pytest.raises(NotFound):
        await runs.cancel("other", run_id)
    with pytest.raises(NotFound):
        await deps.traces.get("other", run_id)
    foreign = await runs.result("other", await start(runs, tenant="other"))
    assert (foreign.status, foreign.results) == ("not_found", [])


async def test_nothing_is_traced_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    for switch in ("LANGSMITH_TRACING", "LANGSMITH_TRACING_V2", "LANGCHAIN_TRACING_V2"):
        monkeypatch.setenv(switch, "true")
    monkeypatch.delenv("LANGCHAIN_TRACING", raising=False)
    monkeypatch.setenv("LANGSMITH_API_KEY", "none")
    configure(enabled=None)  # another test may have opened a language model, which sets all to false
    get_env_var.cache_clear()  # type: ignore[attr-defined] # langsmith remembers the environment
    seen: list[object] = []

    class Watching(FakeComposer):
        async def compose(self, tenant: str, question: str, evidence: Any) -> Any:
            seen.append(tracing_is_enabled())
            return await super().compose(tenant, question, evidence)

    assert tracing_is_enabled()
    runs, _ = build(composer=Watching())
    await runs.result("default", await start(runs))
    get_env_var.cache_clear()  # type: ignore[attr-defined] # langsmith remembers the environment
    configure(enabled=False)
    assert seen == [False]


# ---------------------------------------------------------------------------------------------------------------- stopping
# What to ask to get to a node that the ordinary question passes by.
LEADS_TO: dict[str, dict[str, Any]] = {
    "attached_documents": {"attached_documents": ["notes"]},
    "hop": {"query": BRIDGE},
    "join_hops": {"query": BRIDGE},
    "correct": {"query": "Which zebras, lions and penguins live under the roof?"},
    "analyze": {"query": "Compare hotels and trains for journeys under four hours"},
    "summarize": {"query": "Summarise the travel policy"},
}
ANSWERING = ("document_search", "analyze", "summarize", "attached_documents")


@pytest.mark.parametrize("name", [row.name for row in nodes.ROWS if row.name not in ("general_answer", "clarify", "remember")])
async def test_cancel_at_every_node_keeps_what_was_found(name: str) -> None:
    reached = asyncio.Event()

    async def hang(state: Any) -> Any:
        reached.set()
        await asyncio.Event().wait()

    rows = tuple(_with(row, hang) if row.name == name else row for row in nodes.ROWS)
    deps = make_dependencies()
    runs = Runs(Zeus(deps, rows))
    run_id = await start(runs, **LEADS_TO.get(name, {}))
    async with asyncio.timeout(10):
        await reached.wait()
    assert await runs.cancel("default", run_id)
    response = await runs.result("default", run_id)
    trace = await saved(deps, run_id)
    done = {node.node for node in trace.nodes if node.outcome is Outcome.OK}
    assert response.status == "stopped"
    assert response.steps[-1].outcome is Outcome.CANCELLED
    assert bool(response.results) is bool(done & {"retrieve", *ANSWERING})
    assert bool(response.citations) is bool(done & set(ANSWERING))
    assert (trace.status, trace.nodes[-1].node, trace.nodes[-1].outcome) == ("stopped", name, Outcome.CANCELLED)
    assert [event.kind for event in await collect(runs, run_id)][-3:] == ["sources", "answer", "done"]
    assert not await runs.cancel("default", run_id)


def _with(row: NodeRow, node: Any) -> NodeRow:
    from dataclasses import replace

    return replace(row, bind=lambda *_: node)


async def test_cancel_stops_the_models_call_and_keeps_its_words() -> None:
    writer = ScriptedWriter(["The tenant must "], None)
    runs, deps = build(model=ScriptedModel(), writer=writer, options=Options(use_llm_fallback=False))
    run_id = await start(runs)
    async for event in runs.events("default", run_id):
        if event.kind == "token":
            break
    await runs.cancel("default", run_id)
    response = await runs.result("default", run_id)
    assert writer.closed
    assert (response.status, response.answer, response.citations, response.generated_by) == ("stopped", "The tenant must", [], "scripted")
    assert response.results
    assert response.response_message == "Stopped. 1 document had been found."
    assert (await saved(deps, run_id)).status == "stopped"


async def test_a_retriever_that_hangs_even_after_the_stop() -> None:
    runs, deps = build()
    assert isinstance(deps.retriever, FakeRetriever)
    deps.retriever.hang = "passages"
    run_id = await start(runs)
    async for event in runs.events("default", run_id):
        if event.kind == "step" and event.data["node"] == "document_search":
            break
    await runs.cancel("default", run_id)
    response = await runs.result("default", run_id)
    assert (response.status, response.results) == ("stopped", [])


async def test_nobody_reads_so_the_run_stops() -> None:
    composer = FakeComposer()
    composer.hang = True
    runs, _ = build(composer=composer)
    run_id = await start(runs)
    reader = runs.events("default", run_id)
    await anext(reader)
    runs.cancel_if_unread("default", run_id)
    await asyncio.sleep(0.01)
    await runs.require_run("default", run_id)
    await reader.aclose()  # type: ignore[attr-defined]
    runs.cancel_if_unread("default", run_id)
    assert (await runs.result("default", run_id)).status == "stopped"
    runs.cancel_if_unread("default", run_id)
    runs.cancel_if_unread("default", "unknown")


async def test_closing_stops_everything() -> None:
    composer = FakeComposer()
    composer.hang = True
    runs, _ = build(composer=composer)
    run_id = await start(runs)
    await asyncio.sleep(0)
    await runs.close()
    assert (await runs.result("default", run_id)).status == "stopped"


# ---------------------------------------------------------------------------------------------------------------- failing
async def test_a_failed_run_tells_and_is_stored() -> None:
    runs, deps = build()
    assert isinstance(deps.retriever, FakeRetriever)
    deps.retriever.fail["retrieve"] = Unavailable("The index is being rebuilt; ask again in a minute.")
    run_id = await start(runs)
    events = await collect(runs, run_id)
    assert [event.kind for event in events][-2:] == ["error", "done"]
    assert events[-2].data["detail"] == "The index is being rebuilt; ask again in a minute."
    assert (events[-2].data["code"], events[-1].data["status"]) == ("unavailable", "failed")
    trace = await saved(deps, run_id)
    assert (trace.status, trace.nodes[-1].outcome, trace.response) == ("failed", Outcome.FAILED, {})
    with pytest.raises(Unavailable):
        await runs.result("default", run_id)


async def test_a_bug_is_not_shown_to_the_person() -> None:
    runs, deps = build()
    assert isinstance(deps.retriever, FakeRetriever)
    deps.retriever.fail["retrieve"] = KeyError("secret")
    run_id = await start(runs)
    events = await collect(runs, run_id)
    assert "secret" not in str(events)
    assert events[-2].data["code"] == "internal"
    with pytest.raises(KeyError):
        await runs.result("default", run_id)


async def test_a_trace_that_cannot_be_stored_is_said() -> None:
    class Full(MemoryTraces):
        async def save(self, trace: Trace) -> None:
            raise StorageFull("No space is left on the disk.")

    runs, _ = build(traces=Full())
    response = await runs.result("default", await start(runs))
    assert response.status == "success"
    assert response.degraded[0].part == "trace"


@pytest.mark.parametrize(("query", "error"), [("", InvalidInput), ("  \n\x00\x07 ", InvalidInput), ("x" * 20_001, TooLarge)])
async def test_bad_questions_are_refused(query: str, error: type[Exception]) -> None:
    runs, _ = build()
    with pytest.raises(error):
        await start(runs, query)


async def test_control_characters_and_every_plane() -> None:
    runs, _ = build()
    response = await runs.result("default", await start(runs, "roof\x00 \u200b\U0001f3db\U000e0041\ufffd of the Halden building"))
    assert response.status == "success"


# ---------------------------------------------------------------------------------------------------------------- remembering
async def test_a_conversation_gains_the_turn_and_resolves_the_next() -> None:
    runs, deps = build()
    conversation = await deps.conversations.create("default", "ann", "")
    first = await runs.result("default", await start(runs, "What may hotels cost?", conversation_id=conversation.id))
    second = await runs.result("default", await start(runs, "and trains?", conversation_id=conversation.id))
    _, turns = await deps.conversations.get("default", conversation.id)
    assert [turn.query for turn in turns] == ["What may hotels cost?", "and trains?"]
    assert [turn.response for turn in turns] == [first.model_dump(mode="json"), second.model_dump(mode="json")]
    assert second.memory_used
    assert second.memory_used[0].used_for == "1 earlier turn: read as “What may hotels cost, trains?”."


async def test_an_unknown_conversation_is_refused_before_the_run() -> None:
    runs, deps = build()
    with pytest.raises(NotFound):
        await start(runs, conversation_id="nowhere")
    assert isinstance(deps.traces, MemoryTraces)
    assert deps.traces.saved == {}


async def test_a_conversation_deleted_meanwhile_is_said() -> None:
    class Vanishing(MemoryConversations):
        async def append_turn(self, tenant: str, conversation_id: str, turn: Any) -> None:
            raise NotFound("The conversation was deleted.")

    conversations = Vanishing()
    runs, _ = build(conversations=conversations)
    made = await conversations.create("default", "ann", "")
    response = await runs.result("default", await start(runs, conversation_id=made.id))
    assert response.degraded[0].part == "conversation"


async def test_a_session_is_its_persons_own() -> None:
    runs, _ = build(library=sample_library())
    await runs.result("default", await start(runs, "What may hotels cost?", session_id="s"))
    own = await runs.result("default", await start(runs, "and trains?", session_id="s"))
    foreign = await runs.result("default", await start(runs, "and trains?", user="bob", session_id="s"))
    assert own.memory_used
    assert own.memory_used[0].tier == "session"
    assert foreign.memory_used is None
