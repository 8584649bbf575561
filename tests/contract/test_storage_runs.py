"""The promises of core.ports.Conversations, Traces, Feedback and Jobs, on every database."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.errors import InvalidInput, NotFound
from core.ports import FeedbackRecord, JobRecord, Turn
from core.runs import Outcome, Trace, TraceMove, TraceNode, TracePart, TraceView
from storage.database import Database, open_database
from storage.sql_conversations import SqlConversations
from storage.sql_feedback import SqlFeedback
from storage.sql_jobs import SqlJobs
from storage.sql_traces import SqlTraces
from tests.support.databases import BACKENDS, open_backend, row_counts

T = "default"
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture(params=BACKENDS)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    with open_backend(request.param, tmp_path) as found:
        yield found


def trace(number: int = 1, tenant: str = T, conversation_id: str | None = None, started_at: datetime | None = None) -> Trace:
    started = started_at or NOON + timedelta(minutes=number)
    node = TraceNode(
        id="n1", node="retrieve", agent="🔮 Proteus", action="Searching", details="", started_at=started, duration_ms=1.5, outcome=Outcome.OK
    )
    return Trace(
        id=f"run{number}",
        tenant=tenant,
        user_id="local",
        conversation_id=conversation_id,
        query=f"Question {number}?",
        status="success",
        started_at=started,
        duration_ms=12.25,
        generated_by="extractive",
        routing_path="Zeus → Athena",
        request={"query": f"Question {number}?", "filters": None},
        response={"answer": "Yes \x00 \ud800", "results": list(range(200))},
        nodes=[node],
        moves=[TraceMove(chunk_id=1, document_id="d", label="Lease", stages={"fusion": (1, 0.5)}, cited_as=1)],
        reports=[{"stage": "fusion"}],
        degraded=[{"part": "model", "reason": "down"}],
        tokens={"input": 3},
        prompts={"athena": "abc"},
    )


def turn(number: int = 1) -> Turn:
    return Turn(f"t{number}", f"Question {number}?", NOON + timedelta(minutes=number), f"run{number}", {"answer": f"Answer {number}", "steps": []})


def opinion(trace_id: str = "run1", tenant: str = T) -> FeedbackRecord:
    return FeedbackRecord(f"f-{trace_id}", tenant, "local", trace_id, "thumbs_down", "d1", 2, "wrong \x00", None, NOON)


# ---------------------------------------------------------------------------------------------------------------- conversations
async def test_a_conversation_keeps_its_turns_in_order(database: Database) -> None:
    conversations = SqlConversations(database)
    made = await conversations.create(T, "ada", "")
    for number in (1, 2, 3):
        await conversations.append_turn(T, made.id, turn(number))
    conversation, turns = await conversations.get(T, made.id)
    assert turns == [turn(1), turn(2), turn(3)]
    assert (conversation.turns, conversation.title) == (3, "Question 1?")
    assert (await conversations.rename(T, made.id, "Notice")).title == "Notice"


async def test_a_turn_is_there_from_the_question_on_and_is_interrupted_with_its_process(database: Database) -> None:
    conversations = SqlConversations(database)
    made = await conversations.create(T, "ada", "")
    asked = replace(turn(1), response={}, state="running", request={"attached_documents": ["d1"]})
    await conversations.append_turn(T, made.id, asked)
    assert (await conversations.get(T, made.id)) == (replace(made, title="Question 1?", turns=1, updated_at=(await known(conversations))), [asked])
    failed = replace(turn(2), response={}, state="failed", problem={"detail": "No \x00 index"})
    await conversations.append_turn(T, made.id, failed)
    await conversations.append_turn(T, made.id, turn(3))
    assert await conversations.interrupt_running() == 1
    assert await conversations.interrupt_running() == 0
    _, turns = await conversations.get(T, made.id)
    assert turns == [replace(asked, state="interrupted"), replace(failed, problem={"detail": "No � index"}), turn(3)]
    answered = replace(turn(4), id="t1", created_at=asked.created_at)
    await conversations.append_turn(T, made.id, answered)
    assert (await conversations.get(T, made.id))[1][0] == answered


async def known(conversations: SqlConversations) -> datetime:
    return (await conversations.list_conversations(T, None))[0].updated_at


async def test_a_turn_without_a_trace_is_deleted_by_its_run(database: Database) -> None:
    conversations, traces = SqlConversations(database), SqlTraces(database)
    made = await conversations.create(T, "ada", "")
    await conversations.append_turn(T, made.id, replace(turn(1), response={}, state="interrupted"))
    await conversations.append_turn(T, made.id, replace(turn(2), response={}, state="running"))
    for run, person in (("run1", "bob"), ("run2", "ada")):  # another person's, and one that is at work
        with pytest.raises(NotFound):
            await traces.delete(T, run, user_id=person)
    assert await traces.delete(T, "run1", user_id="ada") == "ada"
    assert [each.id for each in (await conversations.get(T, made.id))[1]] == ["t2"]


async def test_a_conversation_made_twice_is_one(database: Database) -> None:
    conversations = SqlConversations(database)
    first = await conversations.create(T, "ada", "Mine", "chosen")
    assert await conversations.create(T, "ada", "Again", "chosen") == first
    elsewhere = await conversations.create("other", "bob", "Theirs", "chosen")
    assert elsewhere.title == "Theirs"


async def test_the_overview_shows_the_last_used_first_and_only_ones_own(database: Database) -> None:
    conversations = SqlConversations(database)
    ids = [(await conversations.create(T, user, f"Talk {n}")).id for n, user in enumerate(("ada", "ada", "bob"))]
    later = replace(turn(), created_at=datetime.now(UTC) + timedelta(hours=1))
    await conversations.append_turn(T, ids[0], later)
    assert [each.id for each in await conversations.list_conversations(T, "ada")] == [ids[0], ids[1]]
    assert len(await conversations.list_conversations(T, None)) == 3
    assert await conversations.list_conversations("other", None) == []


async def test_deleting_a_conversation_takes_its_turns_traces_and_feedback(database: Database) -> None:
    conversations, traces, feedback = SqlConversations(database), SqlTraces(database), SqlFeedback(database)
    made = await conversations.create(T, "ada", "Talk")
    await traces.save(trace(1, conversation_id=made.id))
    await traces.save(trace(2))  # only a turn points to it
    await traces.save(trace(3))
    await traces.save(trace(2, tenant="other"))
    for number in (1, 2):
        await conversations.append_turn(T, made.id, turn(number))
    for run in ("run1", "run2", "run3"):
        await feedback.save(opinion(run))

    assert await conversations.delete(T, made.id) == 2
    counts = row_counts(database)
    assert (counts["conversations"], counts["turns"], counts["traces"], counts["feedback"]) == (0, 0, 2, 1)
    assert (await traces.get("other", "run2")).tenant == "other"


async def test_conversations_are_found_by_their_words(database: Database) -> None:
    conversations = SqlConversations(database)
    ids = []
    for number, (person, answer) in enumerate([("ada", "Die STRASSE ist 50% länger_."), ("ada", "Another road."), ("bob", "Die Straße ist lang.")]):
        ids.append((await conversations.create(T, person, "")).id)
        await conversations.append_turn(T, ids[-1], replace(turn(number), response={"answer": answer}))
    await conversations.append_turn(T, ids[1], replace(turn(7), query="A lost question about gravel?", response={}, state="interrupted"))

    async def found(text: str, person: str | None = "ada") -> list[str]:
        return [each.id for each in await conversations.list_conversations(T, person, text)]

    assert await found("straße LÄNGER") == [ids[0]]
    assert set(await found("strasse", None)) == {ids[0], ids[2]}
    assert await found("50% länger_") == [ids[0]]
    assert await found("a% d_e") == await found("road gravel") == []  # no wildcards; all words in one turn
    assert await found("gravel") == [ids[1]]
    await conversations.rename(T, ids[1], "Tarmac and paving")
    assert await found("paving tarmac") == [ids[1]]
    (hit,) = await conversations.list_conversations(T, "ada", "another")
    assert hit.excerpt == "Question 1? Another road."
    assert (await conversations.list_conversations(T, "ada", "paving"))[0].excerpt == ""


async def test_pinned_conversations_stand_in_front(database: Database) -> None:
    conversations = SqlConversations(database)
    first, second = [(await conversations.create(T, "ada", f"Talk {n}")).id for n in (1, 2)]
    await conversations.append_turn(T, second, replace(turn(), created_at=datetime.now(UTC) + timedelta(hours=1)))
    assert (await conversations.pin(T, first, True)).pinned
    assert [each.id for each in await conversations.list_conversations(T, "ada")] == [first, second]
    await conversations.pin(T, first, False, user_id="ada")
    assert [each.id for each in await conversations.list_conversations(T, "ada")] == [second, first]
    with pytest.raises(NotFound):
        await conversations.pin(T, first, True, user_id="bob")


async def test_a_branch_holds_what_stands_before_and_keeps_the_runs_that_it_shows(database: Database) -> None:
    conversations, traces = SqlConversations(database), SqlTraces(database)
    made = await conversations.create(T, "ada", "Talk")
    for number in (1, 2, 3):
        await traces.save(trace(number, conversation_id=made.id))
        await conversations.append_turn(T, made.id, turn(number))
    branch = await conversations.branch(T, made.id, "t3", user_id="ada")
    _, turns = await conversations.get(T, branch.id, user_id="ada")
    assert [(each.query, each.trace_id, each.response) for each in turns] == [(turn(n).query, f"run{n}", turn(n).response) for n in (1, 2)]
    assert {each.id for each in turns}.isdisjoint({"t1", "t2", "t3"})
    for person, before in (("bob", "t3"), ("ada", "nothing")):
        with pytest.raises(NotFound):
            await conversations.branch(T, made.id, before, user_id=person)
    assert await conversations.delete(T, made.id) == 3
    assert [each.id for each in (await traces.list_recent(T, limit=9, cursor=None, conversation_id=branch.id))[0]] == ["run2", "run1"]
    with pytest.raises(NotFound):
        await traces.get(T, "run3")
    assert await conversations.delete(T, branch.id) == 2
    counts = row_counts(database)
    assert (counts["traces"], counts["turns"], counts["conversations"]) == (0, 0, 0)


async def test_several_conversations_are_deleted_together_or_not_at_all(database: Database) -> None:
    conversations = SqlConversations(database)
    mine = [(await conversations.create(T, "ada", "Talk")).id for _ in range(2)]
    theirs = (await conversations.create(T, "bob", "Talk")).id
    await conversations.append_turn(T, mine[0], turn(1))
    with pytest.raises(NotFound):
        await conversations.delete_all(T, [*mine, theirs], user_id="ada")
    assert len(await conversations.list_conversations(T, "ada")) == 2
    assert await conversations.delete_all(T, [*mine, mine[0]], user_id="ada") == 1
    assert [each.id for each in await conversations.list_conversations(T, None)] == [theirs]


async def test_an_unknown_conversation_is_not_found(database: Database) -> None:
    conversations = SqlConversations(database)
    made = await conversations.create("other", "bob", "Theirs")
    for unknown in (made.id, "nothing", "\x00\udc80"):
        with pytest.raises(NotFound):
            await conversations.get(T, unknown)
        with pytest.raises(NotFound):
            await conversations.rename(T, unknown, "x")
        with pytest.raises(NotFound):
            await conversations.append_turn(T, unknown, turn())
        with pytest.raises(NotFound):
            await conversations.delete(T, unknown)
    assert (await conversations.get("other", made.id))[0].title == "Theirs"


async def test_another_person_s_conversation_is_as_unknown_as_none(database: Database) -> None:
    conversations = SqlConversations(database)
    made = await conversations.create(T, "ada", "Mine")
    with pytest.raises(NotFound):
        await conversations.get(T, made.id, user_id="bob")
    with pytest.raises(NotFound):
        await conversations.rename(T, made.id, "Taken", user_id="bob")
    with pytest.raises(NotFound):
        await conversations.delete(T, made.id, user_id="bob")
    assert (await conversations.get(T, made.id, user_id="ada"))[0].title == "Mine"
    assert (await conversations.rename(T, made.id, "Ours", user_id="ada")).title == "Ours"
    assert await conversations.delete(T, made.id, user_id="ada") == 0


async def test_a_long_question_makes_a_short_title(database: Database) -> None:
    conversations = SqlConversations(database)
    made = await conversations.create(T, "ada", "")
    await conversations.append_turn(T, made.id, replace(turn(), query="What  is\nthis about? " * 1000))
    title = (await conversations.get(T, made.id))[0].title
    assert len(title) <= 80
    assert title.startswith("What is this about?")
    assert title.endswith("…")


# ---------------------------------------------------------------------------------------------------------------- traces
async def test_a_trace_comes_back_whole(database: Database) -> None:
    traces = SqlTraces(database)
    saved = trace()
    await traces.save(saved)
    found = await traces.get(T, "run1")
    assert found == saved.model_copy(update={"response": {**saved.response, "answer": "Yes � �"}})
    await traces.save(saved.model_copy(update={"status": "stopped"}))
    assert (await traces.get(T, "run1")).status == "stopped"
    with pytest.raises(NotFound):
        await traces.get("other", "run1")


async def test_another_person_s_run_is_as_unknown_as_none(database: Database) -> None:
    traces = SqlTraces(database)
    await traces.save(trace(1))
    await traces.save(trace(2).model_copy(update={"user_id": "bob"}))
    with pytest.raises(NotFound):
        await traces.get(T, "run1", user_id="bob")
    assert (await traces.get(T, "run2", user_id="bob")).user_id == "bob"
    assert [each.id for each in (await traces.list_recent(T, limit=9, cursor=None, user_id="bob"))[0]] == ["run2"]
    assert len((await traces.list_recent(T, limit=9, cursor=None))[0]) == 2


async def test_recent_traces_are_pages_without_their_bulk(database: Database) -> None:
    traces = SqlTraces(database)
    for number in range(5):
        await traces.save(trace(number, conversation_id="c" if number % 2 else None, started_at=NOON))
    await traces.save(trace(9, tenant="other"))
    seen: list[Trace] = []
    cursor: str | None = None
    for _ in range(5):
        page, cursor = await traces.list_recent(T, limit=2, cursor=cursor)
        seen += page
        if cursor is None:
            break
    assert [each.id for each in seen] == ["run4", "run3", "run2", "run1", "run0"]
    assert all((each.nodes, each.moves, each.response) == ([], [], {}) for each in seen)
    assert seen[0].request == {"query": "Question 4?", "filters": None}
    assert [each.id for each in (await traces.list_recent(T, limit=9, cursor=None, conversation_id="c"))[0]] == ["run3", "run1"]


async def test_a_forged_cursor_breaks_nothing(database: Database) -> None:
    traces = SqlTraces(database)
    await traces.save(trace())
    for cursor in ("eA", "WyJhIiwgMV0", "WzFlOTksICJhIl0"):
        with pytest.raises(InvalidInput):
            await traces.list_recent(T, limit=2, cursor=cursor)
    far_future = "WzkyMjMzNzIwMzY4NTQ3NzU4MDcsICJhIl0"  # [9223372036854775807, "a"]
    assert len((await traces.list_recent(T, limit=2, cursor=far_future))[0]) == 1


async def test_traces_are_pruned_by_age_then_by_size(database: Database) -> None:
    traces = SqlTraces(database)
    for number in range(6):
        await traces.save(trace(number))
    assert await traces.prune(older_than=NOON + timedelta(minutes=2), keep_bytes=10**9) == 2
    held = database.read_sync(lambda connection: connection.exec_driver_sql("SELECT sum(bytes) FROM traces").scalar_one())
    assert await traces.prune(older_than=NOON, keep_bytes=int(held) * 55 // 100) == 2
    assert [each.id for each in (await traces.list_recent(T, limit=9, cursor=None))[0]] == ["run5", "run4"]
    assert await traces.prune(older_than=NOON, keep_bytes=0) == 2


# ---------------------------------------------------------------------------------------------------------------- feedback
async def test_feedback_needs_a_run_of_the_tenant(database: Database) -> None:
    feedback = SqlFeedback(database)
    await SqlTraces(database).save(trace())
    await feedback.save(opinion())
    assert await feedback.of_trace(T, "run1") == [replace(opinion(), reason="wrong �")]
    for record in (opinion("unknown"), opinion(tenant="other")):
        with pytest.raises(NotFound):
            await feedback.save(record)
    assert await feedback.of_trace("other", "run1") == []


# ---------------------------------------------------------------------------------------------------------------- jobs
def job(number: int, state: str = "queued", tenant: str = T) -> JobRecord:
    created = NOON + timedelta(minutes=number)
    return JobRecord(f"job{number}", tenant, "index", state, f"/docs/{number}\udc80", created, progress={"files_done": 2}, request={"force": True})


async def test_a_job_is_stored_and_brought_up_to_date(database: Database) -> None:
    jobs = SqlJobs(database)
    await jobs.save(job(1))
    assert await jobs.get(T, "job1") == job(1)
    done = replace(job(1, "done"), started_at=NOON, finished_at=NOON + timedelta(seconds=1), error="No \x00 space")
    await jobs.save(done)
    assert await jobs.get(T, "job1") == replace(done, error="No � space")
    with pytest.raises(NotFound):
        await jobs.get("other", "job1")


async def test_unfinished_jobs_are_found_after_a_restart(tmp_path: Path) -> None:
    first = open_database(tmp_path)
    for number, state in enumerate(("running", "done", "queued", "cancelled", "failed")):
        await SqlJobs(first).save(job(number, state, "a" if number else "b"))
    await first.close()
    again = open_database(tmp_path)
    assert [(each.id, each.tenant) for each in await SqlJobs(again).list_unfinished()] == [("job0", "b"), ("job2", "a")]
    await again.close()


async def test_looks_at_a_trace_stay_in_its_record(database: Database) -> None:
    traces = SqlTraces(database)
    for each in (trace(1), trace(2), trace(1, tenant="other")):
        await traces.save(each)
    parts: list[TracePart] = ["list", "list", "run", "run"]
    looks = [TraceView(user_id="eve", at=NOON + timedelta(hours=hour), part=part) for hour, part in enumerate(parts)]
    for look in looks:
        await traces.record_view(T, ["run1", "unknown"], look)
    kept = [looks[0], *looks[2:]]  # of the looks at the list one a day
    assert (await traces.get(T, "run1")).viewed_by == kept
    await traces.record_view(T, ["run1"], TraceView(user_id="eve", at=NOON + timedelta(days=1), part="list"))
    await traces.save(trace(1))  # the run went on
    assert [look.part for look in (await traces.get(T, "run1")).viewed_by] == ["list", "run", "run", "list"]
    assert (await traces.get(T, "run2")).viewed_by == (await traces.get("other", "run1")).viewed_by == []
    listed, _ = await traces.list_recent(T, limit=5, cursor=None)
    assert [len(each.viewed_by) for each in listed] == [0, 4]
