"""What quotes a deleted document is found and loses its words, on every database; a person's history goes as a whole; the rest stays."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select, update

from core.errors import NotFound
from core.ports import FeedbackRecord, JobRecord, Turn
from core.runs import Outcome, Trace, TraceNode
from storage.database import Database
from storage.deletion_tables import deleted_documents, deleted_texts
from storage.deletions import IDS_KEPT_FOR, SqlDeletions
from storage.redaction import DELETED_TEXT
from storage.retention import SqlRetention
from storage.sql_conversations import SqlConversations
from storage.sql_feedback import SqlFeedback
from storage.sql_history import SqlHistory
from storage.sql_jobs import SqlJobs
from storage.sql_library_writer import SqlLibraryWriter
from storage.sql_traces import SqlTraces
from tests.support.databases import BACKENDS, DocumentSample, new_document, open_backend

T = "default"
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
LEASE = "The lease of Quay 7 ends on the last day of May. Maria Keller signs it."
QUOTE = "The lease of Quay 7 ends on the last day of May."


@pytest.fixture(params=BACKENDS)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    with open_backend(request.param, tmp_path) as found:
        yield found


def response(document_id: str, other: str = "other") -> dict[str, Any]:
    """An answer of two sentences: the first quotes the document, the second another one."""
    spot = {"generation": 1, "page": None, "start": 0, "end": len(QUOTE), "section": ["Term"]}
    sentences = [
        {"text": QUOTE, "citations": [1], "support": "quoted", "paragraph": 0, "highlight": [4, 9]},
        {"text": "Notice is three months.", "citations": [2], "support": "quoted", "paragraph": 0},
    ]
    return {
        "status": "success",
        "answer": f"{QUOTE} [1] Notice is three months. [2]",
        "answer_sentences": sentences,
        "lead": {"text": "the last day of May", "kind": "span", "citation": 1, "start": 28, "end": 47},
        "citations": [
            {"number": 1, "document_id": document_id, "filename": "lease.txt", "quote": QUOTE, **spot},
            {"number": 2, "document_id": other, "filename": "notice.txt", "quote": "Notice is three months.", **spot},
        ],
        "results": [{"id": document_id, "filename": "lease.txt", "title": "Lease of Quay 7", "passages": [{"content": LEASE}], "score": 0.9}],
        "suggested_followups": ["Who is Maria Keller?"],
    }


def run(trace_id: str, answer: dict[str, Any], *, talk: str | None = None, user_id: str = "ann", started: datetime = NOON) -> Trace:
    node = TraceNode(
        id="n1",
        node="document_search",
        agent="Zeus",
        action="Answering",
        details="Found: the last day of May",
        started_at=started,
        duration_ms=1.0,
        outcome=Outcome.OK,
        writes={"answer": {"text": f"{QUOTE[:30]}… (80 characters)"}, "count": 2},
    )
    return Trace(
        id=trace_id,
        tenant=T,
        user_id=user_id,
        conversation_id=talk,
        query="When does the lease end?",
        status="success",
        started_at=started,
        duration_ms=1.0,
        generated_by="extractive",
        routing_path="Zeus",
        request={"query": "When does the lease end?"},
        response=answer,
        nodes=[node],
        moves=[],
    )


async def indexed(database: Database, text: str = LEASE, path: str = "/docs/lease.txt") -> str:
    return (await SqlLibraryWriter(database).write_document(T, new_document(DocumentSample(path, text=text)))).document_id


async def erased(database: Database, document_id: str) -> int:
    """As `composition.eraser.Eraser` does; how many rows changed."""
    deletions = SqlDeletions(database)
    changed = await deletions.redact(T, await deletions.load_deleted([document_id]))
    await deletions.mark_erased(T, [document_id], [])
    return changed


def rows(database: Database, table: Any) -> int:
    return database.read_sync(lambda connection: int(connection.execute(select(func.count()).select_from(table)).scalar_one()))


async def test_a_deletion_is_listed_with_its_text_until_it_is_erased(database: Database) -> None:
    document_id = await indexed(database)
    await SqlLibraryWriter(database).delete_document(T, document_id)
    (listed,) = await SqlDeletions(database).list_pending()
    assert (listed.tenant, listed.document_id, [each.path for each in listed.files]) == (T, document_id, ["/docs/lease.txt"])
    gone = await SqlDeletions(database).load_deleted([document_id])
    assert gone.quotes.occur_in(f"It says: {QUOTE.upper()}")
    assert gone.names.occur_in("Who is Maria Keller?")
    assert not gone.quotes.occur_in("Notice is three months.")
    assert await erased(database, document_id) == 0
    assert await SqlDeletions(database).list_pending() == []
    assert (rows(database, deleted_texts), rows(database, deleted_documents)) == (0, 1)


async def test_ids_are_known_for_an_hour(database: Database) -> None:
    document_id, deletions = await indexed(database), SqlDeletions(database)
    await SqlLibraryWriter(database).remove_paths(T, ["/docs/lease.txt"])
    await erased(database, document_id)
    assert await deletions.expired_ids() == {}
    long_ago = datetime.now(UTC) - 2 * IDS_KEPT_FOR
    await database.write(lambda connection: connection.execute(update(deleted_documents).values(deleted_at=long_ago)))
    assert await deletions.expired_ids() == {T: [document_id]}
    await deletions.forget_ids([document_id])
    assert rows(database, deleted_documents) == 0


async def test_runs_and_conversations_lose_the_words_and_nothing_else(database: Database) -> None:
    document_id, talks = await indexed(database), SqlConversations(database)
    other = await indexed(database, "Notice is three months.", "/docs/notice.txt")
    talk = (await talks.create(T, "ann", "")).id
    answer = response(document_id, other)
    await talks.append_turn(T, talk, Turn("t1", "When does the lease end?", NOON, "run1", answer))
    await SqlTraces(database).save(run("run1", answer, talk=talk))
    await SqlTraces(database).save(run("run2", {"status": "success", "answer": "Hello."}))
    await SqlLibraryWriter(database).delete_document(T, document_id)
    assert await erased(database, document_id) == 2
    stored = await SqlTraces(database).get(T, "run1")
    (turn,) = (await talks.get(T, talk))[1]
    for left in (stored.response, turn.response):
        assert left["answer"] == f"{DELETED_TEXT} [1] Notice is three months. [2]"
        assert left["lead"] is None
        assert left["citations"][0] == {**answer["citations"][0], "quote": DELETED_TEXT, "section": []}
        assert left["citations"][1] == answer["citations"][1]
        assert left["results"][0] == {**answer["results"][0], "title": "lease.txt", "passages": [{"content": DELETED_TEXT}]}
        assert left["suggested_followups"] == []
    assert (stored.query, turn.query) == ("When does the lease end?", "When does the lease end?")
    assert stored.nodes[0].details == DELETED_TEXT
    assert stored.nodes[0].writes == {"answer": {"text": DELETED_TEXT}, "count": 2}
    assert (await SqlTraces(database).get(T, "run2")).nodes[0].details == "Found: the last day of May"  # of another conversation


async def test_a_run_that_was_at_work_is_stored_without_the_words(database: Database) -> None:
    document_id, talks = await indexed(database), SqlConversations(database)
    talk = (await talks.create(T, "ann", "")).id
    await SqlLibraryWriter(database).delete_document(T, document_id)
    await erased(database, document_id)
    await SqlTraces(database).save(run("run1", response(document_id), talk=talk))
    await talks.append_turn(T, talk, Turn("t1", "When?", NOON, "run1", response(document_id)))
    assert QUOTE not in str((await SqlTraces(database).get(T, "run1")).response)
    assert QUOTE not in str((await talks.get(T, talk))[1])


async def test_what_a_person_copied_goes_and_what_a_person_said_stays(database: Database) -> None:
    document_id, feedback = await indexed(database), SqlFeedback(database)
    await SqlTraces(database).save(run("run1", {"answer": ""}))
    own = FeedbackRecord("f1", T, "ann", "run1", "correction", None, None, None, "The lease ends in May.", NOON)
    await feedback.save(own)
    await feedback.save(replace(own, id="f2", correction=f"No: {QUOTE}"))
    await SqlLibraryWriter(database).delete_document(T, document_id)
    await erased(database, document_id)
    assert [each.correction for each in await feedback.of_trace(T, "run1")] == ["The lease ends in May.", DELETED_TEXT]


# ---------------------------------------------------------------------------------------------------------------- runs and history
async def test_a_run_goes_with_its_turn_and_its_feedback(database: Database) -> None:
    traces, talks, feedback = SqlTraces(database), SqlConversations(database), SqlFeedback(database)
    talk = (await talks.create(T, "ann", "")).id
    for number in ("1", "2"):
        await talks.append_turn(T, talk, Turn(f"t{number}", "When?", NOON, f"run{number}", {}))
        await traces.save(run(f"run{number}", {"answer": ""}, talk=talk))
    await feedback.save(FeedbackRecord("f1", T, "ann", "run1", "thumbs_up", None, None, None, None, NOON))
    with pytest.raises(NotFound):
        await traces.delete(T, "run1", user_id="bob")
    await traces.delete(T, "run1", user_id="ann")
    with pytest.raises(NotFound):
        await traces.get(T, "run1")
    assert await feedback.of_trace(T, "run1") == []
    assert [turn.id for turn in (await talks.get(T, talk))[1]] == ["t2"]


async def test_a_person_s_history_goes_and_nobody_else_s(database: Database) -> None:
    traces, talks, feedback = SqlTraces(database), SqlConversations(database), SqlFeedback(database)
    for person in ("ann", "bob"):
        talk = (await talks.create(T, person, "")).id
        await talks.append_turn(T, talk, Turn("t1", "When?", NOON, f"of {person}", {}))
        await traces.save(run(f"of {person}", {"answer": ""}, talk=talk, user_id=person))
        await feedback.save(FeedbackRecord(f"by {person}", T, person, f"of {person}", "thumbs_up", None, None, None, None, NOON))
    await traces.save(run("alone", {"answer": ""}))
    deleted = await SqlHistory(database).delete(T, "ann")
    assert (deleted.conversations, deleted.runs, deleted.feedback) == (1, 2, 1)
    assert await talks.list_conversations(T, "ann") == []
    assert len(await talks.list_conversations(T, "bob")) == 1
    assert [each.id for each in (await traces.list_recent(T, limit=9, cursor=None))[0]] == ["of bob"]
    assert len(await feedback.of_trace(T, "of bob")) == 1


# ---------------------------------------------------------------------------------------------------------------- retention
async def test_what_is_older_than_its_days_is_found(database: Database) -> None:
    kept, talks, jobs = SqlRetention(database), SqlConversations(database), SqlJobs(database)
    old, later = NOON - timedelta(days=9), NOON - timedelta(days=1)
    talk = (await talks.create(T, "ann", "")).id
    assert await kept.old_conversations(datetime.now(UTC) - timedelta(days=1)) == []
    assert await kept.old_conversations(datetime.now(UTC) + timedelta(days=1)) == [(T, talk)]
    for name, state, made in (("a", "done", old), ("b", "running", old), ("c", "done", later)):
        await jobs.save(JobRecord(name, T, "index", state, "/docs", made))
    assert await kept.prune_jobs(NOON - timedelta(days=5)) == 1
    with pytest.raises(NotFound):
        await jobs.get(T, "a")
    assert [each.id for each in await jobs.list_unfinished()] == ["b"]
    await SqlTraces(database).save(run("run1", {"answer": ""}))
    for name, made in (("f1", old), ("f2", later)):
        await SqlFeedback(database).save(FeedbackRecord(name, T, "ann", "run1", "thumbs_up", None, None, None, None, made))
    assert await kept.prune_feedback(NOON - timedelta(days=5)) == 1
    assert [each.id for each in await SqlFeedback(database).of_trace(T, "run1")] == ["f2"]
    await indexed(database)
    assert await kept.old_uploads("/docs", NOON) == [(T, "/docs/lease.txt")]
    assert await kept.old_uploads("/docs", datetime(2020, 1, 1, tzinfo=UTC)) == []
    assert await kept.old_uploads("/other", NOON) == []
