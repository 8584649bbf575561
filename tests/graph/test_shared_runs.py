"""Runs of two servers over one library: what begins at one is read, stopped and answered at the other, and one that dies leaves nobody waiting."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from core.errors import Conflict, InvalidInput, NotFound, TooMany, Unavailable
from core.runs import Event
from core.search_schemas import RunAnswer, SearchRequest
from orchestration.dependencies import Dependencies, Options
from orchestration.run_registry import Runs
from orchestration.run_sharing import SharedRuns, SharedStores
from orchestration.zeus import Zeus
from storage.in_process_notices import InProcessNotices
from storage.sql_shared_runs import SqlSharedRuns
from tests.support.empty_library import open_library
from tests.support.ports import FakeComposer, make_dependencies

QUESTION = "How much notice must the tenant give?"
BEAT = 0.2  # a busy machine may hold all of a test up for longer than a tenth


@dataclass
class Server:
    """One of the servers. `deps` have the conversations and traces that both share."""

    name: str
    runs: Runs
    shared: SharedRuns
    deps: Dependencies
    composer: FakeComposer

    async def ask(self, query: str = QUESTION, user: str = "ann", **fields: Any) -> str:
        return await self.runs.start(SearchRequest(query=query, **fields), "default", user)

    async def events(self, run_id: str, after: int = 0) -> list[Event]:
        return [event async for event in self.runs.events("default", run_id, after)]

    def die(self) -> None:
        """Be to the other server as a process that was killed: nothing comes from it any more."""
        store, looking = self.shared._runs, self.shared._looking
        assert isinstance(store, Dying)
        assert looking is not None
        store.is_away = True
        looking.cancel()


class Dying(SqlSharedRuns):
    """A store that takes nothing of a run while `is_away`."""

    is_away = False

    async def append(self, run_id: str, server: str, events: Any) -> Any:
        if self.is_away:
            raise Unavailable("The store is away.")
        return await super().append(run_id, server, events)

    async def settle(self, run: Any, events: Any, checkpoint: bytes = b"") -> bool:
        if self.is_away:
            raise Unavailable("The store is away.")
        return await super().settle(run, events, checkpoint)


@pytest.fixture
async def servers(tmp_path: Path) -> AsyncIterator[tuple[Server, Server]]:
    database, bus = open_library(tmp_path), InProcessNotices()
    common = make_dependencies(options=replace(Options(), max_questions_per_person=3))
    made = [await open_server(name, Dying(database), bus.connect(), common) for name in ("a", "b")]
    yield made[0], made[1]
    for server in made:
        await server.runs.close()
    database.close_sync()


async def open_server(name: str, store: SqlSharedRuns, bus: InProcessNotices, common: Dependencies) -> Server:
    deps = replace(common, composer=(composer := FakeComposer()))
    shared = SharedRuns(name, SharedStores(store, deps.conversations, deps.traces), bus, BEAT)
    await shared.open()
    return Server(name, Runs(Zeus(deps), shared=shared), shared, deps, composer)


async def until(holds: Callable[[], Awaitable[bool]], seconds: float = 10.0) -> None:
    with anyio.fail_after(seconds):
        while not await holds():  # noqa: ASYNC110  (it tells nobody)
            await anyio.sleep(0.02)


async def state_of(server: Server, run_id: str) -> str:
    return (await server.shared.find("default", run_id)).state


async def test_the_other_server_streams_the_same_events_from_wherever_a_reader_stands(servers: tuple[Server, Server]) -> None:
    a, b = servers
    run_id = await a.ask()
    await b.runs.require_run("default", run_id, "ann")
    streamed = await b.events(run_id)
    own = await a.events(run_id)
    assert streamed == own
    assert streamed[-1].data["status"] == "success"
    assert await b.events(run_id, 4) == own[4:]  # after its end, too
    assert await state_of(b, run_id) == "over"


async def test_events_come_while_the_run_goes_on(servers: tuple[Server, Server]) -> None:
    a, b = servers
    a.composer.hang = True
    run_id = await a.ask()
    async for event in b.runs.events("default", run_id):
        if event.kind == "step" and event.data["node"] == "retrieve":
            break
    assert await state_of(b, run_id) == "running"


async def test_others_see_nothing_at_any_server(servers: tuple[Server, Server]) -> None:
    a, b = servers
    run_id = await a.ask()
    for tenant, person in (("other", None), ("default", "bob")):
        with pytest.raises(NotFound):
            await b.runs.require_run(tenant, run_id, person)
        with pytest.raises(NotFound):
            await b.runs.cancel(tenant, run_id, person)
        with pytest.raises(NotFound):
            await b.runs.answer(tenant, run_id, RunAnswer(skip=True), person)
    with pytest.raises(NotFound):
        _ = [event async for event in b.runs.events("other", run_id)]


async def test_stop_at_one_server_stops_it_at_the_other_and_the_trace_says_so(servers: tuple[Server, Server]) -> None:
    a, b = servers
    a.composer.hang = True
    talk = await a.deps.conversations.create("default", "ann", "")
    run_id = await a.ask(conversation_id=talk.id)
    with anyio.fail_after(10):
        async for event in b.runs.events("default", run_id):
            if event.kind == "step" and (event.data["node"], event.data["outcome"]) == ("document_search", "running"):
                assert await b.runs.cancel("default", run_id, "ann")
    assert (await a.runs.result("default", run_id)).status == "stopped"
    trace = await b.deps.traces.get("default", run_id)
    assert (trace.status, trace.nodes[-1].node, trace.nodes[-1].outcome) == ("stopped", "document_search", "cancelled")
    (turn,) = (await b.deps.conversations.get("default", talk.id))[1]
    assert (turn.state, turn.response["status"]) == ("answered", "stopped")  # as a person wished
    assert not await b.runs.cancel("default", run_id)  # it is over


async def test_a_question_back_is_answered_at_the_other_server(servers: tuple[Server, Server]) -> None:
    a, b = servers
    talk = await a.deps.conversations.create("default", "ann", "")
    run_id = await a.ask("it?", conversation_id=talk.id)
    before = await a.events(run_id)
    assert before[-1].data["status"] == "clarification_needed"
    with pytest.raises(InvalidInput):
        await b.runs.answer("default", run_id, RunAnswer(choice=40))
    await b.runs.answer("default", run_id, RunAnswer(choice=0))
    response = await b.runs.result("default", run_id)
    assert (response.trace_id, response.status) == (run_id, "success")
    after = await a.events(run_id, before[-1].id)  # a reader at the first server goes on there
    assert (after[0].id, after[-1].data["status"]) == (before[-1].id + 1, "success")
    trace = await a.deps.traces.get("default", run_id)
    assert [node.node for node in trace.nodes].count("clarify") == 2
    assert trace.nodes[-1].node == "remember"
    steps = [step.id for step in response.steps]
    assert len(steps) == len(set(steps))
    (turn,) = (await a.deps.conversations.get("default", talk.id))[1]
    assert turn.response["status"] == "success"
    for server in servers:
        with pytest.raises(Conflict):
            await server.runs.answer("default", run_id, RunAnswer(skip=True))


async def test_both_answering_at_once_go_on_once(servers: tuple[Server, Server]) -> None:
    a, b = servers
    run_id = await a.ask("it?")
    await a.events(run_id)
    given = [server.runs.answer("default", run_id, RunAnswer(choice=0)) for server in (a, b)]
    ended = await asyncio.gather(*given, return_exceptions=True)
    assert sorted(type(each).__name__ for each in ended) == ["Conflict", "NoneType"]
    assert (await a.events(run_id))[-1].data["status"] == "success"


async def test_what_waits_outlives_its_server(servers: tuple[Server, Server]) -> None:
    a, b = servers
    run_id = await a.ask("it?")
    await a.events(run_id)
    await a.runs.close()
    await b.runs.answer("default", run_id, RunAnswer(choice=0))
    assert (await b.runs.result("default", run_id)).status == "success"


async def test_a_server_that_dies_leaves_nobody_waiting_and_its_question_is_interrupted(servers: tuple[Server, Server]) -> None:
    a, b = servers
    a.composer.hang = True
    talk = await a.deps.conversations.create("default", "ann", "")
    run_id = await a.ask(conversation_id=talk.id)
    reading = asyncio.create_task(b.events(run_id))
    await until(lambda: is_at(b, run_id, "document_search"))
    a.die()
    with anyio.fail_after(10):
        events = await reading
    assert [event.kind for event in events[-2:]] == ["error", "done"]
    assert "is gone" in events[-2].data["detail"]
    assert [event.id for event in events[:-2]] == list(range(1, len(events) - 1))
    assert events[-2].id > len(events) + 1000  # behind all that its own readers may have seen
    (turn,) = (await b.deps.conversations.get("default", talk.id))[1]
    assert (turn.state, turn.query) == ("interrupted", QUESTION)
    assert "is gone" in turn.problem["detail"]
    trace = await b.deps.traces.get("default", run_id)
    assert trace.status == "failed"
    assert "is gone" in trace.degraded[0]["reason"]
    response = await b.runs.result("default", await b.ask("And when must it arrive?", conversation_id=talk.id))
    assert response.status in ("success", "not_found")


async def is_at(server: Server, run_id: str, node: str) -> bool:
    events, _ = await server.shared._runs.read_events(run_id, 0)
    return any(event.kind == "step" and event.data["node"] == node for event in events)


async def test_an_answer_that_was_stored_before_its_server_died_stays(servers: tuple[Server, Server]) -> None:
    a, b = servers
    talk = await a.deps.conversations.create("default", "ann", "")
    a_store = a.shared._runs
    assert isinstance(a_store, Dying)
    a_store.is_away = True  # the answer and the trace are stored, the run's end is not
    run_id = await a.ask(conversation_id=talk.id)
    await a.runs.result("default", run_id)
    a.die()
    await until(lambda: is_over(b, run_id))
    (turn,) = (await b.deps.conversations.get("default", talk.id))[1]
    assert (turn.state, turn.response["status"]) == ("answered", "success")
    assert (await b.deps.traces.get("default", run_id)).status == "success"


async def is_over(server: Server, run_id: str) -> bool:
    return await state_of(server, run_id) == "over"


async def test_a_server_that_was_taken_for_dead_stops_its_run(servers: tuple[Server, Server]) -> None:
    a, b = servers
    a.composer.hang = True
    run_id = await a.ask()
    assert a.shared._looking is not None
    a.shared._looking.cancel()  # it lives, and says so no more
    assert [event.kind for event in await b.events(run_id)][-2:] == ["error", "done"]
    with anyio.fail_after(10):
        assert (await a.runs.result("default", run_id)).status == "stopped"


async def test_a_store_that_was_away_gets_the_events_later_and_nobody_is_taken_for_dead(servers: tuple[Server, Server]) -> None:
    a, b = servers
    a_store = a.shared._runs
    assert isinstance(a_store, Dying)
    a_store.is_away = True
    run_id = await a.ask()
    assert (await a.runs.result("default", run_id)).status == "success"
    assert await state_of(b, run_id) == "running"
    a_store.is_away = False
    with anyio.fail_after(10):
        assert await b.events(run_id) == await a.events(run_id)


async def test_a_person_has_so_many_questions_on_both_servers_together(servers: tuple[Server, Server]) -> None:
    a, b = servers
    a.composer.hang = b.composer.hang = True
    begun = [await server.ask() for server in (a, b, a)]
    with pytest.raises(TooMany):
        await b.ask()
    await b.ask(user="bob")
    await b.runs.cancel("default", begun[0])
    await until(lambda: is_over(b, begun[0]))
    await b.ask()


async def test_a_run_that_nobody_reads_at_any_server_stops(servers: tuple[Server, Server]) -> None:
    a, b = servers
    a.composer.hang = True
    run_id = await a.ask()
    a.runs.stop_if_unread_for("default", run_id, 1.5)
    reading = asyncio.create_task(b.events(run_id))  # it came back at the other server
    await asyncio.sleep(2.0)
    assert await state_of(b, run_id) == "running"
    reading.cancel()
    b.runs.stop_if_unread_for("default", run_id, 0.3)
    await until(lambda: is_over(b, run_id))
    assert (await a.runs.result("default", run_id)).status == "stopped"
    b.runs.stop_if_unread_for("default", "unknown", 0.0)


async def test_deleting_a_conversation_at_one_server_stops_what_runs_in_it_at_the_other(servers: tuple[Server, Server]) -> None:
    a, b = servers
    a.composer.hang = True
    talk = await a.deps.conversations.create("default", "ann", "")
    inside, outside = await a.ask(conversation_id=talk.id), await a.ask()
    with anyio.fail_after(30):
        await b.runs.stop_runs("default", conversation_id=talk.id)
    assert (await state_of(b, inside), await state_of(b, outside)) == ("over", "running")


async def test_what_is_forgotten_at_one_server_is_forgotten_at_the_other(servers: tuple[Server, Server]) -> None:
    a, b = servers
    quoting, waiting, kept = await a.ask(), await a.ask("it?"), await a.ask(user="bob")
    documents = {each.document_id for each in (await a.runs.result("default", quoting)).citations}
    for run_id in (waiting, kept):
        await a.events(run_id)
    await b.runs.forget_runs("default", user_id="ann", document_ids=[])
    for run_id in (quoting, waiting):
        for server in servers:
            with pytest.raises(NotFound):
                await server.runs.require_run("default", run_id)
    await a.runs.require_run("default", kept)
    await b.runs.forget_runs("default", document_ids=documents)
    with pytest.raises(NotFound):
        await a.runs.require_run("default", kept)


async def test_a_server_that_closes_signs_off(servers: tuple[Server, Server]) -> None:
    a, b = servers
    await until(lambda: counts(a, 2))
    await a.runs.close()
    await until(lambda: counts(b, 1))


async def counts(server: Server, number: int) -> bool:
    return server.shared.servers == number
