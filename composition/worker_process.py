"""A worker: a process that does indexing jobs of a library which an API process serves."""

from __future__ import annotations

import asyncio
import os
import socket
import uuid
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import anyio.to_thread

from composition.active_search import open_active_search
from composition.image_describer import make_describer
from composition.ingestion_services import IngestionInputs, make_indexer, open_readers
from composition.json_logs import write_json_logs
from composition.model_factories import make_embedder
from composition.shared_servers import without_tokens
from composition.worker_queue import open_queue
from core.errors import ConfigurationError
from ingestion.indexing.job_worker import JobWorker, RetryOptions
from ingestion.workers.malloc_tuning import tune_malloc
from settings import Settings
from storage.database import open_database
from storage.home import Home
from storage.sql_jobs import SqlJobs

if TYPE_CHECKING:
    from storage.job_queue import PostgresQueue


@dataclass(frozen=True, slots=True)
class QueueWorker:
    """`name` is what its jobs note; no other process ever has it."""

    name: str
    place: str
    queue: PostgresQueue
    jobs: JobWorker

    async def serve(self, stopping: asyncio.Event) -> None:
        """Do jobs until `stopping` is set; then end the job that runs, or give it back."""
        await self.queue.serve(self.jobs.work, self.jobs.release, stopping)


@asynccontextmanager
async def open_worker(settings: Settings) -> AsyncIterator[QueueWorker]:
    """Open what indexing needs, and nothing that answers questions. Raises ConfigurationError where the settings have no place for workers."""
    _check(settings)
    settings = without_tokens(settings)
    async with AsyncExitStack() as stack:
        tune_malloc()
        home = Home(settings.home)
        if settings.server.log_format == "json":
            write_json_logs(home)
        home.create()
        database = await anyio.to_thread.run_sync(open_database, home.path, settings.storage.url)
        stack.push_async_callback(database.close)
        queue = await open_queue(stack, settings)
        if queue is None:
            raise ConfigurationError(_NO_QUEUE)
        serving = await open_active_search(settings, home, database, make_embedder)
        stack.push_async_callback(serving.close)
        parts = IngestionInputs(home, database, serving, make_describer(stack, settings))
        indexer = make_indexer(settings, parts, open_readers(stack, settings))
        name = f"{socket.gethostname()}:{os.getpid()}:{uuid.uuid4().hex[:8]}"
        retry = RetryOptions(settings.workers.attempts, settings.workers.retry_seconds)
        yield QueueWorker(name, database.location, queue, JobWorker(indexer, SqlJobs(database), name, retry))


_NO_QUEUE = (
    "A worker takes jobs from a queue, and workers.queue is in_process: the server does them itself. For workers set workers.queue to postgres, "
    "storage.url to a PostgreSQL database and search.engine to opensearch, for the server as well."
)


def _check(settings: Settings) -> None:
    """Check that there can be workers; the settings have checked what workers.queue asks for. Raises ConfigurationError."""
    if settings.workers.queue == "in_process":
        raise ConfigurationError(_NO_QUEUE)
