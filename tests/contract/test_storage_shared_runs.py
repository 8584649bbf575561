"""The contract of runs that several servers share, on both databases."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.errors import NotFound, TooMany
from core.ports import SharedRun
from core.runs import Event
from storage.database import Database
from storage.deletions import record_deletions
from storage.sql_conversations import SqlConversations
from storage.sql_library_writer import SqlLibraryWriter
from storage.sql_shared_runs import SqlSharedRuns
from tests.support.databases import BACKENDS, DocumentSample, new_document, open_backend

THEN = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)


@pytest.fixture(params=BACKENDS)
async def database(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Database]:
    with open_backend(request.param, tmp_path) as opened:
        yield opened


@pytest.fixture
def store(database: Database) -> SqlSharedRuns:
    return SqlSharedRuns(database)


def shared(run_id: str, user_id: str = "ann", server: str = "a", tenant: str = "t") -> SharedRun:
    return SharedRun(run_id, tenant, user_id, server, THEN, "talk", details={"request": {"query": "Größe?"}, "choices": ["This?", "That?"]})


def events(*numbers: int) -> list[Event]:
    return [Event(id=number, kind="step", data={"number": number, "words": "Miete 🏠"}) for number in numbers]


DONE = Event(id=3, kind="done", data={"status": "success"})


async def test_a_run_is_read_as_it_was_stored_and_by_no_other_tenant_or_person(store: SqlSharedRuns) -> None:
    await store.begin(shared("r1"), 2)
    assert await store.get("t", "r1", "ann") == shared("r1")
    for tenant, run_id, person in (("other", "r1", None), ("t", "r1", "bob"), ("t", "r2", None)):
        with pytest.raises(NotFound):
            await store.get(tenant, run_id, person)


async def test_events_are_read_from_where_a_reader_stands_and_written_once(store: SqlSharedRuns) -> None:
    await store.begin(shared("r1"), 2)
    assert await store.append("r1", "a", events(1, 2)) == (True, "")
    assert await store.append("r1", "a", events(1, 2, 3)) == (True, "")  # the answer to the first was lost on the way
    assert await store.read_events("r1", 0) == (events(1, 2, 3), "running")
    assert await store.read_events("r1", 2) == (events(3), "running")
    with pytest.raises(NotFound):
        await store.read_events("r2", 0)


async def test_only_the_server_that_conducts_a_run_adds_to_it(store: SqlSharedRuns) -> None:
    await store.begin(shared("r1"), 2)
    for changed in (events(1), []):
        assert not (await store.append("r1", "b", changed)).is_ours
        assert not (await store.append("unknown", "a", changed)).is_ours
    assert not await store.settle(replace(shared("r1"), server="b", state="over"), events(1))
    assert await store.read_events("r1", 0) == ([], "running")


async def test_the_end_comes_with_the_last_events_and_nothing_comes_after(store: SqlSharedRuns) -> None:
    await store.begin(shared("r1"), 2)
    await store.append("r1", "a", events(1))
    assert await store.settle(replace(shared("r1"), state="over", document_ids=["d1"]), [*events(2), DONE])
    assert await store.read_events("r1", 0) == ([*events(1, 2), DONE], "over")
    assert not (await store.append("r1", "a", events(4))).is_ours
    assert not await store.settle(replace(shared("r1"), state="over"), events(4))
    assert (await store.get("t", "r1")).document_ids == ["d1"]
    assert await store.list_running() == []


async def test_a_run_that_waits_is_taken_by_one_server_with_its_checkpoint(store: SqlSharedRuns) -> None:
    await store.begin(shared("r1"), 2)
    assert await store.take("r1", "b", 2) is None  # it does not wait
    await store.settle(replace(shared("r1"), state="waiting"), events(1), b"\x00checkpoint")
    assert (await store.get("t", "r1")).choices == ["This?", "That?"]
    taken = await asyncio.gather(*(store.take("r1", name, 2) for name in ("b", "c", "d")))
    assert taken.count(None) == 2
    found = await store.get("t", "r1")
    assert (found.state, found.server, found.choices) == ("running", "bcd"[taken.index(b"\x00checkpoint")], None)
    assert (await store.append("r1", found.server, events(2))).is_ours
    assert await store.take("unknown", "b", 2) is None


async def test_a_person_has_so_many_on_all_servers_together_however_they_are_begun(store: SqlSharedRuns) -> None:
    begun = await asyncio.gather(*(store.begin(shared(f"r{n}", server=f"s{n}"), 2) for n in range(6)), return_exceptions=True)
    assert [type(each) for each in begun].count(TooMany) == 4
    await store.begin(shared("bobs", "bob"), 2)
    await store.begin(shared("elsewhere", tenant="u"), 2)
    mine = [run for run in await store.list_running() if (run.tenant, run.user_id) == ("t", "ann")]
    await store.settle(replace(mine[0], state="waiting"), [])
    await store.begin(shared("next"), 2)
    with pytest.raises(TooMany):
        await store.take(mine[0].id, "a", 2)
    assert (await store.get("t", mine[0].id)).state == "waiting"


async def test_a_wish_to_stop_reaches_who_conducts_the_run_and_a_persons_stays(store: SqlSharedRuns) -> None:
    await store.begin(shared("r1"), 2)
    await store.request_stop("r1", "unread")
    assert await store.append("r1", "a", []) == (True, "unread")
    await store.request_stop("r1", "person")
    await store.request_stop("r1", "unread")
    assert await store.append("r1", "a", events(1)) == (True, "person")
    await store.settle(replace(shared("r1"), state="waiting"), [])
    await store.request_stop("r1", "person")  # nothing to stop
    await store.take("r1", "b", 2)
    assert await store.append("r1", "b", []) == (True, "")


async def test_readers_are_counted_as_long_as_they_read(store: SqlSharedRuns) -> None:
    await store.begin(shared("r1"), 2)
    for _ in range(3):
        await store.mark_followed("r1")
    assert (await store.get("t", "r1")).follows == 3
    await store.mark_followed("unknown")


async def test_what_is_forgotten_is_gone_with_its_events_and_what_runs_stays(store: SqlSharedRuns) -> None:
    for run_id, person, documents in (("r1", "ann", ["d1"]), ("r2", "bob", ["d1", "d2"]), ("r3", "bob", []), ("r4", "eve", [])):
        await store.begin(shared(run_id, person), 9)
        await store.settle(replace(shared(run_id, person), state="over", document_ids=documents), events(1))
    await store.begin(shared("running", "bob"), 9)
    assert await store.forget("other", user_id="bob", document_ids=["d1"], run_id="r4") == []
    assert sorted(await store.forget("t", document_ids=["d2", "d9"])) == ["r2"]
    assert await store.forget("t", run_id="r4") == ["r4"]
    assert await store.forget("t", user_id="bob") == ["r3"]
    assert await store.forget("t") == []
    with pytest.raises(NotFound):
        await store.read_events("r2", 0)
    assert (await store.read_events("r1", 0))[1] == "over"
    assert [run.id for run in await store.list_running()] == ["running"]


async def test_runs_of_a_conversation_go_with_it(store: SqlSharedRuns, database: Database) -> None:
    conversations = SqlConversations(database)
    talks = [await conversations.create("t", "ann", "Talk") for _ in range(2)]
    for number, talk in enumerate(talks):
        run = replace(shared(f"r{number}"), conversation_id=talk.id)
        await store.begin(run, 9)
        await store.settle(replace(run, state="over"), events(1))
    await conversations.delete("t", talks[0].id)
    with pytest.raises(NotFound):
        await store.read_events("r0", 0)
    assert await store.read_events("r1", 0) == (events(1), "over")


async def test_events_that_quote_what_was_deleted_meanwhile_are_not_kept(store: SqlSharedRuns, database: Database) -> None:
    added = await SqlLibraryWriter(database, "test-embedder").write_document("t", new_document(DocumentSample()))
    await store.begin(shared("r1"), 2)
    await store.append("r1", "a", events(1))
    database.write_sync(lambda connection: record_deletions(connection, [added.document_id]))
    assert await store.settle(replace(shared("r1"), state="over", document_ids=[added.document_id]), [*events(2), DONE])
    assert await store.read_events("r1", 0) == ([DONE], "over")


async def test_what_ended_long_ago_is_removed(store: SqlSharedRuns) -> None:
    for run_id, state in (("over", "over"), ("waits", "waiting")):
        await store.begin(shared(run_id), 9)
        await store.settle(replace(shared(run_id), state=state), [])  # type: ignore[arg-type] # one of the states
    await store.begin(shared("runs"), 9)
    now = datetime.now(UTC)
    await store.prune(now - timedelta(minutes=1))
    assert (await store.get("t", "over")).state == "over"
    await store.prune(now + timedelta(minutes=1))
    assert [run.id for run in await store.list_running()] == ["runs"]
    for run_id in ("over", "waits"):
        with pytest.raises(NotFound):
            await store.get("t", run_id)


async def test_servers_are_counted_by_their_beats(store: SqlSharedRuns) -> None:
    assert await store.beat("a") == {"a": 0}
    await store.beat("b")
    assert await store.beat("a") == {"a": 1, "b": 0}
    await store.remove_server("b")
    assert await store.beat("a") == {"a": 2}
    assert await store.beat("b") == {"a": 2, "b": 0}
