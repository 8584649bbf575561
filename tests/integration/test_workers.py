"""Several workers over one queue in PostgreSQL: who does what, what comes first, and what becomes of a job that fails or whose worker is gone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import anyio
import pytest

from core.errors import NotFound, Unavailable
from core.ports import IndexJobOptions, JobRecord
from ingestion.indexing.index_writer import IndexWriter
from ingestion.indexing.job_types import make_record
from ingestion.indexing.job_worker import JobWorker, RetryOptions
from ingestion.indexing.overlapping_runs import ActiveRuns
from storage.job_queue import QueueOptions
from storage.shared_lock import SharedLock
from storage.sql_jobs import SqlJobs
from tests.support.databases import new_document
from tests.support.job_desk import JobDesk, open_desk

pytestmark = pytest.mark.integration


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[JobDesk]:
    async with open_desk("postgres", tmp_path) as made:
        yield made


async def stored(desk: JobDesk, job: JobRecord) -> JobRecord:
    return await SqlJobs(desk.database).get(job.tenant, job.id)


def began(job: JobRecord) -> datetime:
    assert job.started_at is not None
    return job.started_at


def over(job: JobRecord) -> datetime:
    assert job.finished_at is not None
    return job.finished_at


async def test_an_upload_comes_before_what_waited_longer(desk: JobDesk) -> None:
    scans = [await desk.jobs.queue_run("t", str(desk.fill(name, 3))) for name in ("a", "b")]
    upload = await desk.jobs.queue_run("t", str(desk.fill("c", 3)), how=IndexJobOptions(kind="upload"))
    await desk.start_worker()
    ended = [await desk.finish(each) for each in (*scans, upload)]
    assert [each.path[-1] for each in sorted(ended, key=began)] == ["c", "a", "b"]


async def test_two_workers_do_two_folders_at_once_and_one_folder_one_after_the_other(desk: JobDesk) -> None:
    desk.embedder.delay = 0.03
    apart = [await desk.jobs.queue_run("t", str(desk.fill(name, 60))) for name in ("a", "b")]
    await desk.start_worker("w1")
    await desk.start_worker("w2")
    a, b = [await desk.finish(each) for each in apart]
    assert {a.worker, b.worker} == {"w1", "w2"}
    assert max(began(a), began(b)) < min(over(a), over(b))
    whole, part = [await desk.jobs.queue_run("t", path, how=IndexJobOptions(force=True)) for path in (str(desk.docs), a.path)]
    first, second = sorted([await desk.finish(whole), await desk.finish(part)], key=began)
    assert began(second) >= over(first)
    assert {first.state, second.state} == {"done"}
    assert len(await desk.stores.writer.live_documents()) == 120


async def test_a_worker_that_has_time_ends_its_job_before_it_stops(desk: JobDesk) -> None:
    desk.embedder.delay = 0.02
    jobs = [await desk.jobs.queue_run("t", str(desk.fill(name, 60))) for name in ("a", "b")]
    worker = await desk.start_worker("w1", QueueOptions(heartbeat=0.2, drain=60.0))
    assert worker is not None
    await desk.wait_until_running(jobs[0], files=0)
    desk.workers.clear()
    await worker.stop()
    assert [(await stored(desk, each)).state for each in jobs] == ["done", "queued"]
    assert len(await desk.paths()) == 60


async def test_what_is_away_is_waited_for_longer_each_time(desk: JobDesk) -> None:
    desk.embedder.failure = Unavailable("The model is away.")
    job = await desk.jobs.queue_run("t", str(desk.fill("a", 3)))
    await desk.start_worker()
    with anyio.fail_after(30):
        while (waiting := await stored(desk, job)).attempts < 2:  # noqa: ASYNC110  (it tells nobody)
            await anyio.sleep(0.05)
    assert "The model is away." in (waiting.error or "")
    desk.embedder.failure = None
    ended = await desk.finish(job)
    assert (ended.state, ended.error) == ("done", None)
    assert ended.attempts in {2, 3}


async def test_a_job_that_fails_again_and_again_is_given_up_and_says_so(desk: JobDesk) -> None:
    desk.embedder.failure = Unavailable("The model is away.")
    job = await desk.jobs.queue_run("t", str(desk.fill("a", 3)))
    await desk.start_worker()
    ended = await desk.finish(job)
    assert ended.state == "failed"
    assert ended.error == "Given up after 3 attempts. The model is away."
    assert [each.id for each in await desk.jobs.list_recent("t", 5)] == [job.id]
    desk.embedder.failure = None
    assert (await desk.finish(await desk.jobs.queue_run("t", job.path))).state == "done"


def test_the_wait_doubles_and_has_an_end() -> None:
    retry = RetryOptions(attempts=30, seconds=10)
    assert [retry.wait(attempts) for attempts in (1, 2, 3, 4, 29)] == [10, 20, 40, 80, 3600]


async def test_the_job_of_a_worker_that_is_gone_is_done_by_another(desk: JobDesk) -> None:
    job = await desk.jobs.queue_run("t", str(desk.fill("a", 5)))
    await hold_as_dead_worker(desk, job)
    await desk.start_worker("w1")
    ended = await desk.finish(job)
    assert (ended.state, ended.worker, ended.attempts) == ("done", "w1", 2)


async def test_a_job_that_kills_its_workers_is_given_up(desk: JobDesk) -> None:
    job = await desk.jobs.queue_run("t", str(desk.fill("a", 5)))
    await hold_as_dead_worker(desk, job, attempts=desk.retry.attempts)
    await desk.start_worker("w1")
    ended = await desk.finish(job)
    assert ended.state == "failed"
    assert "Given up after 3 attempts. The worker dead ended while it was at" in (ended.error or "")


async def test_what_was_cancelled_while_its_worker_died_is_not_done_again(desk: JobDesk) -> None:
    job = await desk.jobs.queue_run("t", str(desk.fill("a", 5)))
    await hold_as_dead_worker(desk, job)
    assert await desk.jobs.cancel("t", job.id)
    await desk.start_worker("w1")
    assert (await desk.finish(job)).state == "cancelled"
    assert await desk.paths() == set()


async def hold_as_dead_worker(desk: JobDesk, job: JobRecord, attempts: int = 1) -> None:
    """Leave a job as a worker does that is killed while it runs it."""
    assert desk.queue is not None
    manager, jobs = desk.queue._app.job_manager, SqlJobs(desk.database)
    fetched = await manager.fetch_job(None, await manager.register_worker())
    assert fetched is not None
    assert fetched.task_kwargs["job_id"] == job.id
    claimed = await jobs.claim(job, "dead")
    assert claimed is not None
    assert await jobs.update_claimed(replace(claimed, attempts=attempts)) is not None


async def test_a_worker_that_lost_its_job_stores_nothing_of_it(desk: JobDesk) -> None:
    desk.embedder.delay = 0.05
    job = await desk.jobs.queue_run("t", str(desk.fill("a", 200)))
    jobs = SqlJobs(desk.database)
    slow = JobWorker(desk.make_indexer(), jobs, "slow", desk.retry)
    working = asyncio.create_task(slow.work("t", job.id, anyio.Event()))
    await desk.wait_until_running(job)
    assert await slow.release("t", job.id) is not None  # as another worker does that takes it for dead
    assert (await jobs.claim(job, "other")) is not None
    assert await working is not None
    assert ((now := await stored(desk, job)).state, now.worker) == ("running", "other")


async def test_a_job_is_claimed_once_however_many_try(desk: JobDesk) -> None:
    job = make_record("t", str(desk.fill("a", 1)), "default", IndexJobOptions())
    inside = make_record("t", str(desk.docs / "a" / "000.txt"), "default", IndexJobOptions())
    jobs = SqlJobs(desk.database)
    await jobs.save(job)
    await jobs.save(inside)
    tries = await asyncio.gather(*(jobs.claim(each, f"w{number}") for number in range(5) for each in (job, inside)))
    assert len([each for each in tries if each is not None]) == 1


async def test_a_lock_is_held_by_one_and_goes_with_its_connection(desk: JobDesk) -> None:
    one, other = SharedLock(desk.url, 77), SharedLock(desk.url, 77)
    taken = asyncio.Event()

    async def take() -> None:
        async with other:
            taken.set()

    await one.__aenter__()
    waiting = asyncio.create_task(take())
    await asyncio.sleep(0.3)
    assert not taken.is_set()
    await one.close()  # as when the process ends
    await asyncio.wait_for(waiting, 10)
    await other.close()


async def test_a_document_that_was_deleted_by_another_process_does_not_come_back(desk: JobDesk) -> None:
    """What a worker had read before a person deleted it in the server."""
    await desk.start_worker()
    folder = desk.fill("a", 1)
    await desk.finish(await desk.jobs.queue_run("t", str(folder)))
    known = (await desk.stores.writer.known_files("t", str(folder)))[str(folder / "000.txt")]
    there = replace(desk.stores, is_shared=True)
    there.active_runs = ActiveRuns()  # another process's
    run = IndexWriter(there, "t")
    assert known.document_id is not None
    await desk.jobs.delete_document("t", known.document_id)
    again = replace(new_document(), stamp=known.stamp, root=str(folder), embedder="hash")
    with pytest.raises(NotFound, match="was removed from the library"):
        await run.write(again, None, known)
    assert await desk.stores.writer.live_documents() == {}


async def test_without_a_worker_jobs_wait_and_the_queue_says_how_many(desk: JobDesk) -> None:
    assert desk.queue is not None
    await desk.jobs.queue_run("t", str(desk.fill("a", 1)))
    counts = await desk.queue.counts()
    assert (counts.workers, counts.waiting) == (0, 1)
    await desk.start_worker()
    with anyio.fail_after(20):
        while (await desk.queue.counts()).waiting or not (await desk.queue.counts()).workers:  # noqa: ASYNC110  (it tells nobody)
            await anyio.sleep(0.05)


async def test_what_was_stored_and_not_queued_is_queued_at_the_next_start(desk: JobDesk) -> None:
    job = make_record("t", str(desk.fill("a", 2)), "default", IndexJobOptions())
    await SqlJobs(desk.database).save(job)  # and the server dies here
    await desk.close()
    await desk.open()
    await desk.start_worker()
    assert (await desk.finish(job)).state == "done"
    assert await desk.paths() == {"000.txt", "001.txt"}
