"""A pass that reads everything again can be stopped, and goes on later where it was; indexing pauses for who needs it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from ingestion.indexing.index_jobs import IndexJobs
from storage.sql_jobs import SqlJobs
from tests.support.indexing_bench import Bench, bench
from tests.unit.test_watch_follow import indexer
from tests.unit.test_watch_lanes import begun, compared_a_little, many, over

__all__ = ["bench"]


@pytest.fixture
async def jobs(bench: Bench) -> AsyncIterator[IndexJobs]:
    many(bench)
    await bench.run()
    bench.embedder.delay, bench.version = 0.05, "2"
    one = indexer(bench)
    made = IndexJobs(one, one._stores, SqlJobs(bench.database), bench.home)
    await made.open()
    yield made
    await made.close()


async def test_it_is_stopped_with_its_folder_and_what_it_read_stays(bench: Bench, jobs: IndexJobs) -> None:
    waiting = asyncio.create_task(jobs.compare("t", str(bench.docs)))
    await compared_a_little(jobs)
    await jobs.stop_comparing("t", str(bench.docs))
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert not jobs.is_job_running
    assert len(await bench.index.generations()) == 60
    summary = await jobs.compare("t", str(bench.docs))
    assert 0 < summary.progress.files_indexed < 60
    assert summary.progress.files_indexed + summary.progress.files_unchanged == 60


async def test_a_pause_makes_a_comparison_give_way_and_go_on(bench: Bench, jobs: IndexJobs) -> None:
    waiting = asyncio.create_task(jobs.compare("t", str(bench.docs)))
    await compared_a_little(jobs)
    async with jobs.pause_jobs():
        read = len(bench.reader.read)
        assert not waiting.done()
        await asyncio.sleep(0.1)
        assert len(bench.reader.read) == read  # nothing is read inside
    assert not (await waiting).cancelled
    assert len(await bench.index.generations()) == 60


async def test_a_pause_waits_for_a_job_and_keeps_a_deletion_waiting(bench: Bench, jobs: IndexJobs) -> None:
    job = await jobs.queue_run("t", str(bench.docs))
    await begun(jobs, job.id)
    assert jobs.is_job_running
    async with jobs.pause_jobs():
        assert (await jobs.get("t", job.id)).state == "done"
        document = next(iter(bench.index.committed))
        deleting = asyncio.create_task(jobs.delete_document("t", document))
        await asyncio.sleep(0.05)
        assert not deleting.done()
        assert document in bench.index.committed
    await deleting
    assert document not in bench.index.committed
    assert await over(jobs, job.id) == "done"
