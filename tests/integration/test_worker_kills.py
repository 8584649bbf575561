"""Workers that are killed at random moments, and a PostgreSQL that is started anew: nothing is lost, and nothing is there twice.

VANTAGE_SOAK_KILLS kills more of them (20 for `make soak`).
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import anyio
import anyio.to_thread
import pytest

from core.ports import JobRecord
from ingestion.indexing.index_jobs import IndexJobs
from storage.sql_jobs import SqlJobs
from tests.support.databases import OwnPostgres, postgres_database, shared_postgres
from tests.support.indexing_child import index_folder, open_library
from tests.support.ingestion import HashEmbedder
from tests.support.opensearch_server import NoOpenSearchError, options_of, request, shared_server
from tests.support.snapshots import Snapshot, assert_in_step, snapshot
from tests.support.warm_start import Reporting, start_reporting
from tests.support.worker_child import Place, SharedParts, open_shared

pytestmark = pytest.mark.integration
TENANT = "t"
KILLS = int(os.environ.get("VANTAGE_SOAK_KILLS", "4"))
FILES = 40
FOLDERS = ("a", "b")


@pytest.fixture
def opensearch() -> str:
    try:
        return shared_server()
    except NoOpenSearchError as missing:
        pytest.skip(str(missing))


@contextmanager
def make_place(tmp_path: Path, url: str, opensearch: str) -> Iterator[Place]:
    """A home, and indices of its own."""
    home, name = tmp_path / "home", f"workers-{os.getpid()}"
    home.mkdir()
    try:
        yield Place(home, url, opensearch, name)
    finally:
        request(options_of(opensearch, name), "DELETE", f"/{name}-*")


@pytest.fixture
def place(tmp_path: Path, opensearch: str) -> Iterator[Place]:
    with postgres_database(shared_postgres()) as url, make_place(tmp_path, url, opensearch) as made:
        yield made


@pytest.fixture
def postgres() -> Iterator[OwnPostgres]:
    """A server of the test alone: it is ended while others are at work."""
    shared_postgres()  # skips where there is none
    folder = Path(tempfile.mkdtemp(prefix="vantage-pg-", dir="/tmp"))
    server = OwnPostgres(folder)
    try:
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


@dataclass
class Server:
    """What a server has: the library and the jobs, which it does none of."""

    parts: SharedParts
    jobs: IndexJobs

    async def finish(self, job: JobRecord) -> JobRecord:
        with anyio.fail_after(120):
            return [each async for each in self.jobs.events(TENANT, job.id)][-1]

    async def state(self) -> tuple[Snapshot, int]:
        """Return what the library holds, once it was checked that the index holds the same, found by whom never wrote a line of it."""
        with anyio.fail_after(30):
            while await self.parts.index.generations() != await self._live():  # noqa: ASYNC110  (it tells nobody)
                await anyio.sleep(0.1)
        chunks = await assert_in_step(TENANT, self.parts.writer, self.parts.index, [])
        return await snapshot(TENANT, self.parts.stores.library, self.parts.writer), chunks

    async def _live(self) -> dict[str, int]:
        return {each: generation for each, (_, generation) in (await self.parts.writer.live_documents()).items()}


@asynccontextmanager
async def open_server(place: Place) -> AsyncIterator[Server]:
    async with open_shared(place) as parts:
        jobs = IndexJobs(parts.indexer, parts.stores, SqlJobs(parts.database), place.home, parts.queue)
        await jobs.open()
        try:
            yield Server(parts, jobs)
        finally:
            await jobs.close()


async def start_worker(place: Place) -> Reporting:
    started = start_reporting("tests.support.worker_child", str(place.home), place.url, place.opensearch, place.index_name)
    assert await anyio.to_thread.run_sync(started.output.readline) == "ready\n"
    return started


async def end_worker(started: Reporting, sig: int) -> int:
    started.process.send_signal(sig)
    code, _ = await anyio.to_thread.run_sync(started.finish)
    return code


def write_files(folder: Path, round_number: int, chance: random.Random) -> None:
    """First all files; later rounds change, move, copy and remove some."""
    folder.mkdir(parents=True, exist_ok=True)
    if round_number == 0:
        for number in range(FILES):
            (folder / f"{number:03}.txt").write_text(text_of(folder.name, number, 0, chance))
        return
    present = sorted(folder.iterdir())
    changed, moved, copied, removed = (chance.sample(present, 8), *[[path] for path in chance.sample(present, 3)])
    for path in changed:
        path.write_text(text_of(folder.name, int(path.name[:3]), round_number, chance))
    for path in moved:
        path.rename(folder / f"{path.stem}m.txt")
    for path in copied:
        if path.exists():
            (folder / f"{path.stem}-copy{round_number}.txt").write_bytes(path.read_bytes())
    for path in removed:
        path.unlink(missing_ok=True)


def text_of(folder: str, number: int, version: int, chance: random.Random) -> str:
    parts = chance.choice([1, 1, 2, 4])
    return "\n\n".join(
        f"# Part {part}\n\nThe common text of {folder} {number} in version {version}. " + f"word{number} " * 60 for part in range(parts)
    )


async def test_killed_workers_lose_nothing_and_leave_nothing_twice(place: Place, tmp_path: Path) -> None:
    chance, docs = random.Random(os.environ.get("VANTAGE_TEST_SEED", "11")), tmp_path / "docs"
    workers = [await start_worker(place) for _ in range(2)]
    hits = 0
    async with open_server(place) as server:
        for number in range(KILLS):
            for name in FOLDERS:
                write_files(docs / name, number, chance)
            jobs = [await server.jobs.queue_run(TENANT, str(docs / name)) for name in FOLDERS]
            await anyio.sleep(chance.uniform(0.1, 2.0))
            victim = workers.pop(chance.randrange(2))
            hits += await end_worker(victim, signal.SIGKILL) == -signal.SIGKILL
            workers.append(await start_worker(place))
            assert [(await server.finish(job)).state for job in jobs] == ["done"] * len(jobs)
            await server.state()
        have, chunks = await server.state()
    assert hits == KILLS
    for each in workers:
        assert await end_worker(each, signal.SIGTERM) == 0
    await assert_as_in_one_go(have, chunks, docs, tmp_path / "fresh")
    await assert_nothing_is_left_over(place, chunks)


async def assert_as_in_one_go(have: Snapshot, chunks: int, docs: Path, fresh: Path) -> None:
    """The library is the one that is made when nobody is killed."""
    for name in FOLDERS:
        await index_folder(fresh, docs / name, HashEmbedder())
    opened = await open_library(fresh, HashEmbedder())
    try:
        want = await snapshot(TENANT, opened.stores.library, opened.writer)
        assert have.documents == want.documents
        assert have.ledger == want.ledger
        assert chunks == await assert_in_step(TENANT, opened.writer, opened.index, [])
    finally:
        await opened.close()


async def assert_nothing_is_left_over(place: Place, chunks: int) -> None:
    """After the next start OpenSearch itself holds each passage once and nothing else, whatever the killed ones had begun."""
    async with open_server(place) as server:
        documents = len(await server.parts.writer.live_documents())
        reached = options_of(place.opensearch, place.index_name)
        for kind in ("words", "vectors"):
            assert request(reached, "GET", f"/{place.index_name}-{kind}/_count")["count"] == chunks + documents


async def test_a_postgresql_that_is_started_anew_costs_nothing(postgres: OwnPostgres, tmp_path: Path, opensearch: str) -> None:
    chance, docs = random.Random(5), tmp_path / "docs"
    with make_place(tmp_path, postgres.url, opensearch) as place:
        worker = await start_worker(place)
        async with open_server(place) as server, AsyncExitStack() as stack:
            stack.callback(worker.process.kill)  # where something fails: nobody waits for it afterwards
            for name in FOLDERS:
                write_files(docs / name, 0, chance)
            jobs = [await server.jobs.queue_run(TENANT, str(docs / name)) for name in FOLDERS]
            with anyio.fail_after(60):
                while len(await server.parts.writer.live_documents()) < 5:  # noqa: ASYNC110  (it tells nobody)
                    await anyio.sleep(0.05)
            await anyio.to_thread.run_sync(postgres.stop)
            await anyio.sleep(2)
            await anyio.to_thread.run_sync(postgres.start)
            assert [(await server.finish(job)).state for job in jobs] == ["done"] * len(jobs)
            have, chunks = await server.state()
            assert await end_worker(worker, signal.SIGTERM) == 0
        await assert_as_in_one_go(have, chunks, docs, tmp_path / "fresh")
        await assert_nothing_is_left_over(place, chunks)
