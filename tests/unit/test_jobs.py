from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import pytest

from core.errors import InvalidInput, NotFound, PathNotAllowed, StorageFull
from core.ports import IndexJobOptions, JobRecord
from ingestion.indexing.index_jobs import IndexJobs
from ingestion.indexing.indexer import Indexer, IndexingOptions, Stores
from ingestion.indexing.run_progress import Progress
from storage.database import Database
from storage.sql_jobs import SqlJobs
from storage.sql_library import SqlLibrary
from storage.sql_library_writer import SqlLibraryWriter
from tests.support.empty_library import open_library
from tests.support.ingestion import FileReader, HashEmbedder, MemoryIndex, MemoryTokens


@dataclass
class Desk:
    home: Path
    docs: Path
    database: Database
    stores: Stores
    index: MemoryIndex
    tokens: MemoryTokens
    embedder: HashEmbedder
    jobs: IndexJobs

    def again(self) -> IndexJobs:
        """Jobs as the next process would have them."""
        indexer = Indexer(
            self.stores, FileReader(), self.embedder, IndexingOptions(self.home, (".*",), commit_every_seconds=0.05, window=8, embed_batch=1)
        )
        return IndexJobs(indexer, self.stores, SqlJobs(self.database), self.home)

    def put(self, name: str, text: str) -> Path:
        path = self.docs / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    home, docs = tmp_path / "home", tmp_path / "docs"
    home.mkdir()
    docs.mkdir()
    database = open_library(home)
    index, tokens, embedder = MemoryIndex(), MemoryTokens(), HashEmbedder()
    stores = Stores(SqlLibrary(database), SqlLibraryWriter(database), index, tokens)
    made = Desk(home, docs, database, stores, index, tokens, embedder, None)  # type: ignore[arg-type]  # filled on the next line
    made.jobs = made.again()
    await made.jobs.open()
    yield made
    await made.jobs.close()
    await database.close()


async def last(jobs: IndexJobs, record: JobRecord) -> JobRecord:
    return [each async for each in jobs.events(record.tenant, record.id)][-1]


async def test_a_job_runs_and_tells_how_it_ended(desk: Desk) -> None:
    for number in range(10):
        desk.put(f"{number}.txt", f"Text {number}.")
    started = await desk.jobs.queue_run("t", str(desk.docs))
    assert (started.state, started.kind, started.path) == ("queued", "index", str(desk.docs))
    ended = await last(desk.jobs, started)
    assert ended.state == "done"
    assert (ended.progress["files_indexed"], ended.progress["chunks"], ended.error) == (10, 10, None)
    assert ended.started_at is not None
    assert ended.finished_at is not None
    assert await SqlJobs(desk.database).get("t", started.id) == ended == await desk.jobs.get("t", started.id)
    assert await desk.jobs.list_recent("t", 5) == [ended]


async def test_a_job_of_another_tenant_is_unknown(desk: Desk) -> None:
    record = await desk.jobs.queue_run("t", str(desk.docs))
    with pytest.raises(NotFound):
        await desk.jobs.get("other", record.id)
    with pytest.raises(NotFound):
        await desk.jobs.cancel("other", record.id)
    with pytest.raises(NotFound):
        await last(desk.jobs, replace(record, tenant="other"))
    assert await desk.jobs.list_recent("other", 5) == []


async def test_a_link_that_leads_out_brings_nothing_in_by_a_retry(desk: Desk, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.txt").write_text("The vault code.")
    desk.put("a.txt", "Text.")
    link = desk.docs / "link.txt"
    link.symlink_to(outside / "secret.txt")
    await last(desk.jobs, await desk.jobs.queue_run("t", str(desk.docs)))
    with pytest.raises(PathNotAllowed, match="Index the folder that it leads to"):
        await desk.jobs.retry("t", str(link))
    with pytest.raises(PathNotAllowed):
        await desk.jobs.reread("t", str(desk.docs / ".." / "outside"))
    with pytest.raises(PathNotAllowed):
        await desk.jobs.reread("other", str(desk.docs / "a.txt"))
    assert (await last(desk.jobs, await desk.jobs.retry("t", str(desk.docs / "a.txt")))).state == "done"
    assert [root.path for root in await desk.stores.library.roots("t")] == [str(desk.docs)]


async def test_jobs_run_one_after_the_other_and_equal_ones_are_one(desk: Desk) -> None:
    desk.embedder.delay = 0.02
    for number in range(20):
        desk.put(f"{number}.txt", f"Text {number}.")
    records = [await desk.jobs.queue_run("t", str(desk.docs)) for _ in range(3)]
    assert len({record.id for record in records}) <= 2
    other = await desk.jobs.queue_run("t", str(desk.docs / "0.txt"), how=IndexJobOptions(force=True))
    ended = [await last(desk.jobs, record) for record in [*records, other]]
    assert {record.state for record in ended} == {"done"}
    times = sorted({(record.started_at, record.finished_at) for record in ended if record.started_at and record.finished_at})
    assert all(before[1] <= after[0] for before, after in pairwise(times))


async def test_a_running_job_can_be_cancelled_and_keeps_what_is_done(desk: Desk) -> None:
    desk.embedder.delay = 0.3
    for number in range(60):
        desk.put(f"{number:02}.txt", f"Text {number}.")
    record = await desk.jobs.queue_run("t", str(desk.docs))
    waiting = await desk.jobs.queue_run("t", str(desk.docs / "00.txt"))
    assert await desk.jobs.cancel("t", waiting.id)
    assert (await desk.jobs.get("t", waiting.id)).state == "cancelled"
    async for state in desk.jobs.events("t", record.id):
        if state.progress["files_indexed"]:
            assert await desk.jobs.cancel("t", record.id) or state.state == "cancelled"
    ended = await desk.jobs.get("t", record.id)
    assert ended.state == "cancelled"
    assert 0 < ended.progress["files_indexed"] < 60
    assert len(desk.index.committed) == ended.progress["files_indexed"]
    assert not await desk.jobs.cancel("t", record.id)


async def test_a_job_that_was_interrupted_goes_on_in_the_next_process(desk: Desk) -> None:
    desk.embedder.delay = 0.3
    for number in range(60):
        desk.put(f"{number:02}.txt", f"Text {number}.")
    record = await desk.jobs.queue_run("t", str(desk.docs))
    async for state in desk.jobs.events("t", record.id):
        if state.progress["files_indexed"]:
            break
    await desk.jobs.close()
    assert (await SqlJobs(desk.database).get("t", record.id)).state == "queued"
    desk.jobs = desk.again()
    await desk.jobs.open()
    ended = await last(desk.jobs, record)
    assert ended.state == "done"
    assert ended.progress["files_indexed"] + ended.progress["files_unchanged"] == 60
    assert ended.progress["files_unchanged"] > 0


async def test_the_counts_of_an_interrupted_job_do_not_go_back(desk: Desk) -> None:
    for number in range(60):
        desk.put(f"{number:02}.txt", f"Text {number}.")
    job = await desk.jobs.queue_run("t", str(desk.docs), how=IndexJobOptions(requested_by="ann"))
    await desk.jobs.close()
    left = replace(
        job, state="running", progress={**Progress(files_total=55, files_done=40, files_indexed=40, chunks=44).as_dict(), "current": "39.txt"}
    )
    await SqlJobs(desk.database).save(left)  # as a process that was killed leaves it
    desk.embedder.delay = 0.1
    desk.jobs = desk.again()
    await desk.jobs.open()
    shown = [(state.progress["files_done"], state.progress["files_total"]) async for state in desk.jobs.events("t", job.id)]
    assert shown[0] == (40, 55)
    assert [done for done, _ in shown] == sorted(done for done, _ in shown)
    assert shown[-1] == (60, 60)
    assert (await desk.jobs.get("t", job.id)).request["by"] == "ann"


async def test_a_job_that_fails_says_why(desk: Desk) -> None:
    desk.put("a.txt", "Text.")
    desk.embedder.failure = StorageFull("No space left on the disk.")
    ended = await last(desk.jobs, await desk.jobs.queue_run("t", str(desk.docs)))
    assert (ended.state, ended.error) == ("failed", "No space left on the disk.")
    desk.embedder.failure = ZeroDivisionError("a mistake")
    ended = await last(desk.jobs, await desk.jobs.queue_run("t", str(desk.docs)))
    assert ended.state == "failed"
    assert "unexpected error" in (ended.error or "")
    desk.embedder.failure = None
    assert (await last(desk.jobs, await desk.jobs.queue_run("t", str(desk.docs)))).state == "done"


async def test_an_empty_disk_is_said_in_the_job(desk: Desk) -> None:
    path = desk.put("a.txt", "Text.")
    await last(desk.jobs, await desk.jobs.queue_run("t", str(desk.docs)))
    path.unlink()
    ended = await last(desk.jobs, await desk.jobs.queue_run("t", str(desk.docs)))
    assert ended.state == "done"
    assert "nothing was removed" in (ended.error or "")


async def test_paths_that_cannot_be_indexed_are_refused_at_once(desk: Desk) -> None:
    with pytest.raises(InvalidInput, match="does not exist"):
        await desk.jobs.queue_run("t", str(desk.docs / "missing"))
    with pytest.raises(PathNotAllowed):
        await desk.jobs.queue_run("t", str(desk.home))


async def test_one_line_of_the_ledger_can_be_tried_again(desk: Desk) -> None:
    path = desk.put("a.txt", "!malformed")
    desk.put("b.txt", "Fine.")
    for _ in range(4):
        await last(desk.jobs, await desk.jobs.queue_run("t", str(desk.docs)))
    ended = await last(desk.jobs, await desk.jobs.retry("t", str(path)))
    assert (ended.progress["files_total"], ended.progress["files_failed"]) == (1, 1)
    with pytest.raises(NotFound):
        await desk.jobs.retry("t", str(desk.docs / "missing.txt"))


async def test_a_deleted_document_is_gone_everywhere_and_stays_gone(desk: Desk) -> None:
    desk.put("a.txt", "Text.")
    desk.put("b.txt", "Other.")
    await last(desk.jobs, await desk.jobs.queue_run("t", str(desk.docs)))
    gone = next(each for each in desk.index.committed.values() if each.filename == "a.txt")
    removed = await desk.jobs.delete_document("t", gone.id)
    assert removed.documents == (gone.id,)
    assert gone.id not in desk.index.committed
    assert len(desk.tokens.rows) == 1
    await last(desk.jobs, await desk.jobs.queue_run("t", str(desk.docs)))
    assert [each.filename for each in desk.index.committed.values()] == ["b.txt"]
    with pytest.raises(NotFound):
        await desk.jobs.delete_document("t", gone.id)


async def test_removing_a_root_stops_its_job_and_leaves_nothing(desk: Desk) -> None:
    desk.embedder.delay = 0.3
    for number in range(60):
        desk.put(f"{number:02}.txt", f"Text {number}.")
    record = await desk.jobs.queue_run("t", str(desk.docs))
    async for state in desk.jobs.events("t", record.id):
        if state.progress["files_indexed"]:
            break
    await desk.jobs.remove_root("t", str(desk.docs))
    assert (await desk.jobs.get("t", record.id)).state == "cancelled"
    assert (desk.index.committed, desk.tokens.rows) == ({}, {})
    totals = await desk.stores.library.totals("t")
    assert (totals.documents, totals.files, totals.chunks) == (0, 0, 0)
    assert await desk.stores.library.roots("t") == []
    with pytest.raises(NotFound):
        await desk.jobs.remove_root("t", str(desk.docs))


async def test_events_of_a_finished_job_are_its_last_state(desk: Desk) -> None:
    record = await desk.jobs.queue_run("t", str(desk.docs))
    await last(desk.jobs, record)
    states = [each async for each in desk.jobs.events("t", record.id)]
    assert [each.state for each in states] == ["done"]


async def test_closing_waits_for_the_job(desk: Desk) -> None:
    desk.put("a.txt", "Text.")
    await desk.jobs.queue_run("t", str(desk.docs))
    await asyncio.sleep(0)
    await desk.jobs.close()
    assert [task for task in asyncio.all_tasks() if task.get_name() == "index-jobs"] == []
