"""A long run never keeps a fresh file waiting, and what both touched is right in the end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from core.errors import NotFound
from ingestion.indexing.index_jobs import IndexJobs
from storage.sql_jobs import SqlJobs
from storage.sql_library_writer import SqlLibraryWriter
from tests.support.indexing_bench import Bench, bench, write_file
from tests.unit.test_watch_follow import ids, indexer

__all__ = ["bench"]


@pytest.fixture
async def jobs(bench: Bench) -> AsyncIterator[IndexJobs]:
    one = indexer(bench)
    made = IndexJobs(one, one._stores, SqlJobs(bench.database), bench.home)
    await made.open()
    yield made
    await made.close()


async def over(jobs: IndexJobs, job_id: str) -> str:
    return [each async for each in jobs.events("t", job_id)][-1].state


async def begun(jobs: IndexJobs, job_id: str) -> None:
    async for state in jobs.events("t", job_id):
        if state.progress["files_indexed"]:
            return


async def compared_a_little(jobs: IndexJobs) -> None:
    while not jobs.activity("t").progress.files_indexed:  # noqa: ASYNC110  (it tells nobody)
        await asyncio.sleep(0.01)


def many(bench: Bench, count: int = 60) -> list[Path]:
    return [write_file(bench.docs / f"{number:02}.txt", f"Text {number}.") for number in range(count)]


async def test_a_fresh_file_is_taken_in_while_a_long_run_is_at_work(bench: Bench, jobs: IndexJobs) -> None:
    bench.embedder.delay = 0.1
    many(bench)
    job = await jobs.queue_run("t", str(bench.docs))
    await begun(jobs, job.id)
    fresh = write_file(bench.docs / "zz" / "fresh.txt", "Fresh.")
    summary = await jobs.index_changes("t", [str(fresh)])
    assert [change.path for change in summary.changes] == [str(fresh)]
    assert (await jobs.get("t", job.id)).state == "running"
    assert jobs.activity("t").jobs == (job.id,)
    assert await over(jobs, job.id) == "done"
    assert len(await ids(bench)) == 61
    await bench.check()


async def test_what_changes_while_a_long_run_reads_it_is_right_in_the_end(bench: Bench, jobs: IndexJobs) -> None:
    bench.embedder.delay = 0.05
    paths = many(bench)
    job = await jobs.queue_run("t", str(bench.docs))
    await begun(jobs, job.id)
    for number, path in enumerate(paths):
        match number % 3:
            case 0:
                path.write_text(f"Changed {number}.")
            case 1:
                path.rename(path.with_name(f"moved {path.name}"))
            case _:
                path.unlink()
    await jobs.index_changes("t", [str(path) for path in (*paths, *bench.docs.iterdir())])
    assert await over(jobs, job.id) == "done"
    await jobs.compare("t", str(bench.docs))  # waits for what is looked at again
    want = {path.name: path.read_text() for path in bench.docs.iterdir()}
    assert {Path(path).name: made.chunks[0].text for made in bench.index.committed.values() for path in made.paths} == want
    assert set(await ids(bench)) == set(want)
    await bench.check()


async def test_a_job_interrupts_a_comparison_which_goes_on_afterwards(bench: Bench, jobs: IndexJobs) -> None:
    many(bench)
    await SqlLibraryWriter(bench.database).add_root("t", str(bench.docs), "default")
    other = write_file(bench.home.parent / "other" / "a.txt", "Other.")
    bench.embedder.delay = 0.05
    comparison = asyncio.create_task(jobs.compare("t", str(bench.docs)))
    twin = asyncio.create_task(jobs.compare("t", str(bench.docs)))
    await compared_a_little(jobs)
    job = await jobs.queue_run("t", str(other.parent))
    assert await over(jobs, job.id) == "done"
    assert not comparison.done()
    summary = await comparison
    assert await twin == summary
    assert summary.progress.files_indexed + summary.progress.files_unchanged == 60
    assert summary.progress.files_unchanged > 0
    await bench.check()


async def test_removing_a_root_ends_all_that_is_at_work_in_it(bench: Bench, jobs: IndexJobs) -> None:
    bench.embedder.delay = 0.2
    paths = many(bench)
    await SqlLibraryWriter(bench.database).add_root("t", str(bench.docs), "default")
    comparison = asyncio.create_task(jobs.compare("t", str(bench.docs)))
    await compared_a_little(jobs)
    fresh = asyncio.create_task(jobs.index_changes("t", [str(path) for path in paths]))
    await asyncio.sleep(0.05)
    await jobs.remove_root("t", str(bench.docs))
    await fresh
    with pytest.raises(asyncio.CancelledError):
        await comparison
    assert (bench.index.committed, bench.tokens.rows, await ids(bench)) == ({}, {}, {})
    assert (await jobs.index_changes("t", [str(paths[0])])).changes == ()
    with pytest.raises(NotFound):
        await jobs.remove_root("t", str(bench.docs))


async def test_what_follows_at_once_is_one_document_for_one_content(bench: Bench, jobs: IndexJobs) -> None:
    write_file(bench.docs / "keep.txt", "Kept.")
    await over(jobs, (await jobs.queue_run("t", str(bench.docs))).id)
    bench.embedder.delay = 0.05
    copies = [write_file(bench.docs / f"copy{number}.txt", "The very same.") for number in range(4)]
    await asyncio.gather(*(jobs.index_changes("t", [str(path)]) for path in copies))
    found = await ids(bench)
    assert len({found[path.name] for path in copies}) == 1
    await bench.check()
