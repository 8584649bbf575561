"""The queue of the library whose indexing jobs workers do, and what /health says of it."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from core.errors import ConfigurationError, VantageError
from server.schemas import Part
from settings import Settings

if TYPE_CHECKING:
    from storage.job_queue import PostgresQueue


async def open_queue(stack: AsyncExitStack, settings: Settings) -> PostgresQueue | None:
    """Return the queue that the settings name, closed with `stack`; None where this process does the jobs. Raises ConfigurationError, Unavailable."""
    workers = settings.workers
    if workers.queue == "in_process":
        return None
    try:
        from storage.job_queue import PostgresQueue, QueueOptions
    except ModuleNotFoundError as error:
        raise ConfigurationError(f"workers.queue is postgres, and {error.name} is not installed: pip install 'vantage[postgres]'.") from error
    queue = PostgresQueue(settings.storage.url, QueueOptions(workers.heartbeat_seconds, workers.drain_seconds))
    stack.push_async_callback(queue.close)
    await queue.open()
    return queue


async def workers_part(queue: PostgresQueue | None) -> Part:
    """Report the workers. Jobs that wait while there is none are said here, never silent."""
    if queue is None:
        return Part(name="workers", state="off", detail="workers.queue is in_process: this process does the indexing jobs")
    try:
        found = await queue.counts()
    except VantageError as error:
        return Part(name="workers", state="down", detail=str(error))
    detail = f"{found.workers} at work or ready, {found.waiting} jobs waiting"
    if found.workers:
        return Part(name="workers", state="ok", detail=detail)
    return Part(name="workers", state="degraded", detail=detail, advice="Nothing is indexed until a worker runs: start `vantage worker`.")
