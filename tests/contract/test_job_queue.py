"""Indexing jobs as whoever asks for them sees them: the same whether the process does them itself or workers do."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import pytest

from core.errors import NotFound
from core.ports import IndexJobOptions
from storage.sql_jobs import SqlJobs
from tests.support.job_desk import QUEUES, JobDesk, open_desk


@pytest.fixture(params=QUEUES)
async def desk(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[JobDesk]:
    async with open_desk(request.param, tmp_path) as made:
        yield made


async def test_a_job_is_done_and_stored(desk: JobDesk) -> None:
    await desk.start_worker()
    job = await desk.jobs.queue_run("t", str(desk.fill("a", 10)))
    ended = await desk.finish(job)
    assert (ended.state, ended.error, ended.progress["files_indexed"]) == ("done", None, 10)
    assert ended.started_at is not None
    assert ended.finished_at is not None
    assert ended.finished_at >= ended.started_at >= job.created_at
    assert await SqlJobs(desk.database).get("t", job.id) == ended == await desk.jobs.get("t", job.id)
    assert await desk.jobs.list_recent("t", 5) == [ended]
    assert len(await desk.paths()) == 10


async def test_the_same_wish_waits_once(desk: JobDesk) -> None:
    desk.embedder.delay = 0.02
    folder = desk.fill("a", 60)
    first = await desk.jobs.queue_run("t", str(folder))
    await desk.start_worker()
    await desk.wait_until_running(first)
    second, third = await desk.jobs.queue_run("t", str(folder)), await desk.jobs.queue_run("t", str(folder))
    other = await desk.jobs.queue_run("t", str(folder / "000.txt"), how=IndexJobOptions(force=True))
    assert second.id == third.id
    assert len({first.id, second.id, other.id}) == 3
    ended = [await desk.finish(each) for each in (first, second, other)]
    assert [each.state for each in ended] == ["done"] * 3
    assert [each.progress["files_indexed"] for each in ended] == [60, 0, 1]


async def test_a_job_that_waits_can_be_cancelled_and_is_never_done(desk: JobDesk) -> None:
    desk.embedder.delay = 0.02
    running, waiting = await desk.jobs.queue_run("t", str(desk.fill("a", 20))), await desk.jobs.queue_run("t", str(desk.fill("b", 2)))
    assert await desk.jobs.cancel("t", waiting.id)
    assert (await desk.jobs.get("t", waiting.id)).state == "cancelled"
    await desk.start_worker()
    assert (await desk.finish(running)).state == "done"
    assert len(await desk.paths()) == 20
    assert not await desk.jobs.cancel("t", waiting.id)


async def test_a_job_that_runs_can_be_cancelled_and_what_it_did_stays(desk: JobDesk) -> None:
    desk.embedder.delay = 0.05
    job = await desk.jobs.queue_run("t", str(desk.fill("a", 200)))
    await desk.start_worker()
    await desk.wait_until_running(job)
    assert await desk.jobs.cancel("t", job.id)
    ended = await desk.finish(job)
    assert ended.state == "cancelled"
    assert 0 < len(await desk.paths()) < 200
    assert not await desk.jobs.cancel("t", job.id)


async def test_a_job_that_cannot_be_done_says_why(desk: JobDesk) -> None:
    path = desk.put("a/one.txt", "Something.")
    job = await desk.jobs.queue_run("t", str(path))
    path.unlink()
    await desk.start_worker()
    ended = await desk.finish(job)
    assert ended.state == "failed"
    assert "does not exist" in (ended.error or "")


async def test_another_tenants_job_is_not_there(desk: JobDesk) -> None:
    job = await desk.jobs.queue_run("t", str(desk.fill("a", 1)))
    with pytest.raises(NotFound):
        await desk.jobs.get("other", job.id)
    with pytest.raises(NotFound):
        await desk.jobs.cancel("other", job.id)
    assert await desk.jobs.list_recent("other", 5) == []


async def test_what_waits_is_shown(desk: JobDesk) -> None:
    desk.embedder.delay = 0.05
    folder = desk.fill("a", 100)
    job = await desk.jobs.queue_run("t", str(folder))
    assert desk.jobs.activity("t").jobs == (job.id,)
    assert await desk.jobs.tenants_at(str(folder / "000.txt")) == {"t"}
    assert desk.jobs.activity("other").jobs == ()
    await desk.start_worker()
    await desk.wait_until_running(job)
    with anyio.fail_after(20):
        while not desk.jobs.activity("t").progress.files_done:  # noqa: ASYNC110  (it tells nobody)
            await anyio.sleep(0.1)


async def test_a_job_that_was_stopped_goes_on(desk: JobDesk) -> None:
    desk.embedder.delay = 0.02
    job = await desk.jobs.queue_run("t", str(desk.fill("a", 200)))
    await desk.start_worker()
    await desk.wait_until_running(job)
    await desk.close()
    left = await SqlJobs(desk.database).get("t", job.id)
    assert (left.state, left.finished_at) == ("queued", None)
    assert 0 < len(await desk.paths()) < 200
    await desk.open()
    await desk.start_worker("w2")
    ended = await desk.finish(job)
    assert (ended.state, ended.progress["files_done"]) == ("done", 200)
    assert ended.progress["files_unchanged"] > 0
    assert len(await desk.paths()) == 200


async def test_a_folder_that_is_removed_stops_its_job(desk: JobDesk) -> None:
    desk.embedder.delay = 0.05
    folder = desk.fill("a", 200)
    job = await desk.jobs.queue_run("t", str(folder))
    await desk.start_worker()
    await desk.wait_until_running(job)
    with anyio.fail_after(30):
        await desk.jobs.remove_root("t", str(folder))
    assert await desk.paths() == set()
    assert await desk.stores.writer.roots("t") == []


async def test_a_job_with_a_password_is_done_and_the_password_stored_nowhere(desk: JobDesk) -> None:
    await desk.start_worker()
    job = await desk.jobs.queue_run("t", str(desk.fill("a", 3)), how=IndexJobOptions(password="hush-hush"))
    assert (await desk.finish(job)).state == "done"
    assert "hush-hush" not in repr(await SqlJobs(desk.database).get("t", job.id))


async def test_what_changes_during_a_job_is_looked_at_again(desk: JobDesk) -> None:
    desk.embedder.delay = 0.03
    folder = desk.fill("a", 60)
    job = await desk.jobs.queue_run("t", str(folder))
    await desk.start_worker()
    await desk.wait_until_running(job)
    changed = desk.put("a/000.txt", "Written while the job ran.")
    await desk.jobs.index_changes("t", [str(changed)])
    assert (await desk.finish(job)).state == "done"
    with anyio.fail_after(20):
        while not await _says(desk, "Written while the job ran."):  # noqa: ASYNC110  (it tells nobody)
            await anyio.sleep(0.1)


async def _says(desk: JobDesk, text: str) -> bool:
    live = await desk.stores.writer.live_documents()
    made = await desk.stores.writer.indexed_documents("t", list(live))
    return any(text in piece.text for each in made for piece in each.chunks)
