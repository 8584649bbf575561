"""A library with a queue of indexing jobs for the contract suite: done by the process itself, or by workers over PostgreSQL."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import anyio
import pytest

from core.ports import JobRecord
from ingestion.indexing.index_jobs import IndexJobs
from ingestion.indexing.indexer import Indexer, IndexingOptions, Stores
from ingestion.indexing.job_worker import JobWorker, RetryOptions
from storage.database import Database, open_database
from storage.job_queue import PostgresQueue, QueueOptions
from storage.sql_jobs import SqlJobs
from storage.sql_library import SqlLibrary
from storage.sql_library_writer import SqlLibraryWriter
from tests.support.databases import postgres_database, shared_postgres
from tests.support.empty_library import open_library
from tests.support.ingestion import FileReader, HashEmbedder, MemoryIndex, MemoryTokens

QUEUES = (pytest.param("in_process", id="in_process"), pytest.param("postgres", id="postgres", marks=pytest.mark.integration))
RETRY = RetryOptions(attempts=3, seconds=0.2)
FAST = QueueOptions(heartbeat=0.2, drain=0.0)  # a worker that is stopped gives its job back at once


@dataclass
class RunningWorker:
    """A worker in the test's own process."""

    queue: PostgresQueue
    serving: asyncio.Task[None]
    stopping: asyncio.Event

    async def stop(self) -> None:
        """Stop it as SIGTERM does."""
        self.stopping.set()
        await self.serving
        await self.queue.close()


@dataclass
class JobDesk:
    """`url` "": the process does its jobs itself."""

    home: Path
    docs: Path
    database: Database
    stores: Stores
    embedder: HashEmbedder
    url: str
    reader: FileReader = field(default_factory=FileReader)
    queue: PostgresQueue | None = None
    workers: list[RunningWorker] = field(default_factory=list)
    retry: RetryOptions = RETRY
    jobs: IndexJobs = field(init=False)

    async def open(self) -> None:
        """Open the jobs as a server would."""
        if self.url:
            self.queue = PostgresQueue(self.url, FAST)
            await self.queue.open()
        self.jobs = IndexJobs(self.make_indexer(), self.stores, SqlJobs(self.database), self.home, self.queue)
        await self.jobs.open()

    async def close(self) -> None:
        await self.jobs.close()
        while self.workers:
            await self.workers.pop().stop()
        if self.queue is not None:
            await self.queue.close()

    async def start_worker(self, name: str = "w1", options: QueueOptions = FAST) -> RunningWorker | None:
        """Start a worker, where there are any."""
        if not self.url:
            return None
        queue = PostgresQueue(self.url, options)
        await queue.open()
        stopping, worker = asyncio.Event(), JobWorker(self.make_indexer(), SqlJobs(self.database), name, self.retry)
        started = RunningWorker(queue, asyncio.create_task(queue.serve(worker.work, worker.release, stopping)), stopping)
        self.workers.append(started)
        return started

    def make_indexer(self) -> Indexer:
        options = IndexingOptions(self.home, (".*",), commit_every_seconds=0.05, window=8, embed_batch=1)
        return Indexer(self.stores, self.reader, self.embedder, options)

    def put(self, name: str, text: str) -> Path:
        path = self.docs / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def fill(self, folder: str, files: int) -> Path:
        """Write files of one passage each."""
        for number in range(files):
            self.put(f"{folder}/{number:03}.txt", f"The common text of {folder} {number}. " + f"word{number} " * 60)
        return self.docs / folder

    async def finish(self, record: JobRecord, seconds: float = 60.0) -> JobRecord:
        """Return the job's last state."""
        with anyio.fail_after(seconds):
            return [each async for each in self.jobs.events(record.tenant, record.id)][-1]

    async def wait_until_running(self, record: JobRecord, files: int = 1) -> None:
        """Wait until the job has indexed so many files."""
        with anyio.fail_after(60):
            async for each in self.jobs.events(record.tenant, record.id):
                if each.state == "running" and each.progress["files_indexed"] >= files:
                    return
        raise AssertionError("it was over before")

    async def paths(self, tenant: str = "t") -> set[str]:
        """Return the names of all indexed files; every document has one."""
        found, _, _ = await self.stores.library.ledger(tenant, limit=100_000)
        return {Path(line.path).name for line in found if line.state.value == "indexed"}


@asynccontextmanager
async def open_desk(queue: str, folder: Path) -> AsyncIterator[JobDesk]:
    """An empty library over that queue, without a worker. Skips where PostgreSQL cannot be had."""
    home, docs = folder / "home", folder / "docs"
    home.mkdir()
    docs.mkdir()
    async with AsyncExitStack() as stack:
        url = stack.enter_context(postgres_database(shared_postgres())) if queue == "postgres" else ""
        database = open_database(home, url) if url else open_library(home)
        stack.push_async_callback(database.close)
        stores = Stores(SqlLibrary(database), SqlLibraryWriter(database), MemoryIndex(), MemoryTokens())
        desk = JobDesk(home, docs, database, stores, HashEmbedder(), url)
        await desk.open()
        stack.push_async_callback(desk.close)
        yield desk
