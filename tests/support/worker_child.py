"""A worker to be killed: real PostgreSQL, real OpenSearch, a cheap embedder.

    python -m tests.support.worker_child HOME URL OPENSEARCH_URL INDEX_NAME

It prints "ready" and works until SIGTERM.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from composition.library_locks import LibraryLocks, library_locks
from core.ports import SearchIndex
from ingestion.indexing.index_writer import Stores
from ingestion.indexing.indexer import Indexer, IndexingOptions
from ingestion.indexing.job_worker import JobWorker, RetryOptions
from ingestion.indexing.reconciliation import reconcile_at_start
from retrieval.search_engines import SEARCH_ENGINES, IndexOptions
from settings import load_settings
from storage.database import Database, open_database
from storage.job_queue import PostgresQueue, QueueOptions
from storage.sql_jobs import SqlJobs
from storage.sql_library import SqlLibrary
from storage.sql_library_writer import SqlLibraryWriter
from tests.support.ingestion import FileReader, HashEmbedder
from tests.support.opensearch_server import options_of

BEATS = QueueOptions(heartbeat=0.3, drain=0.0)
RETRY = RetryOptions(attempts=100, seconds=0.1)


@dataclass(frozen=True)
class Place:
    """Where the parts of the library are."""

    home: Path
    url: str
    opensearch: str
    index_name: str


@dataclass(frozen=True)
class SharedParts:
    database: Database
    stores: Stores
    index: SearchIndex
    writer: SqlLibraryWriter
    queue: PostgresQueue
    indexer: Indexer


@asynccontextmanager
async def open_shared(place: Place, delay: float = 0.004) -> AsyncIterator[SharedParts]:
    """Open the library as a server or worker does that shares it with others."""
    environment = {"VANTAGE_HOME": str(place.home), "VANTAGE_WORKERS__QUEUE": "postgres", "VANTAGE_STORAGE__URL": place.url}
    settings = load_settings(environ={**environment, "VANTAGE_SEARCH__ENGINE": "opensearch"}, folder=place.home)
    embedder = HashEmbedder(delay)
    async with AsyncExitStack() as stack:
        database = open_database(place.home, place.url)
        stack.push_async_callback(database.close)
        writer = SqlLibraryWriter(database, embedder.name)
        locks = library_locks(settings, database, writer)
        assert locks is not None
        index = await open_index(place, embedder.dimension, locks, writer)
        stores = Stores(SqlLibrary(database), writer, index)
        locks.guard(stores)
        stack.push_async_callback(index.close)
        stack.push_async_callback(locks.close)
        queue = PostgresQueue(place.url, BEATS)
        await queue.open()
        stack.push_async_callback(queue.close)
        options = IndexingOptions(place.home, (), commit_every_seconds=0.2, window=32, embed_batch=1)
        yield SharedParts(database, stores, index, writer, queue, Indexer(stores, FileReader(), embedder, options))


async def open_index(place: Place, dimension: int, locks: LibraryLocks, writer: SqlLibraryWriter) -> SearchIndex:
    async with locks.hold_index():
        reached = options_of(place.opensearch, place.index_name)
        index = await SEARCH_ENGINES["opensearch"](IndexOptions(place.home / "index", dimension, 0.3, 10**6, reached))
        await reconcile_at_start(writer, index)
        locks.use_index(index)
    return index


async def work(place: Place) -> None:
    stopping = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopping.set)
    async with open_shared(place) as parts:
        worker = JobWorker(parts.indexer, SqlJobs(parts.database), f"child:{os.getpid()}", RETRY)
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        await parts.queue.serve(worker.work, worker.release, stopping)


def main() -> None:
    home, url, opensearch, index_name = sys.argv[1:]
    asyncio.run(work(Place(Path(home), url, opensearch, index_name)))


if __name__ == "__main__":
    main()
