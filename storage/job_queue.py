"""The queue of indexing jobs in PostgreSQL, by procrastinate: which job a worker takes next, its heartbeat, and what becomes of a dead worker's job.

What a job is and how far it came is in the table `jobs`; here are its id and its place in the queue, in a schema of their own.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import anyio
import psycopg
from procrastinate import App, JobContext, PsycopgConnector
from procrastinate.exceptions import AlreadyEnqueued, ProcrastinateException
from procrastinate.jobs import Job, Status
from procrastinate.retry import BaseRetryStrategy, RetryDecision
from psycopg import sql

from core.background_tasks import cancel_task
from core.errors import Unavailable, VantageError
from core.ports import JobRecord
from storage.database import connection_arguments
from storage.shared_lock import SharedLock

_log = logging.getLogger(__name__)
_SCHEMA, _QUEUE, _TASK = "vantage_queue", "indexing", "index"
_LOCK = 0x56616E74617166  # of making the schema and of looking after dead workers' jobs
_PRIORITIES = {"upload": 10}  # a person waits for it; everything else has 0
_WAITING = {Status.TODO.value, Status.DOING.value}
_POLL_SECONDS = 1.0  # until a job is noticed that was to wait for some seconds; others are told at once
_SILENT_BEATS = 3.0
_PAUSE_SECONDS = 1.0  # after the database went away
_CONNECTIONS = 4

Work = Callable[[str, str, anyio.Event], Awaitable[float | None]]
Release = Callable[[str, str], Awaitable[float | None]]


@dataclass(frozen=True, slots=True)
class QueueOptions:
    """A worker says every `heartbeat` seconds that it lives; one that is stopped has `drain` seconds to end its job."""

    heartbeat: float = 10.0
    drain: float = 60.0


@dataclass(frozen=True, slots=True)
class QueueCounts:
    """Workers that live, and jobs that wait."""

    workers: int
    waiting: int


class PostgresQueue:
    """core.ports.JobQueue. `open` it first."""

    def __init__(self, url: str, options: QueueOptions = QueueOptions()) -> None:
        self._options, self._arguments = options, connection_arguments(url)
        self._lock = SharedLock(url, _LOCK)
        kept = {**self._arguments, "options": f"{self._arguments.get('options', '')} -c search_path={_SCHEMA}".strip()}
        self._app = App(connector=PsycopgConnector(kwargs=kept, min_size=1, max_size=_CONNECTIONS, timeout=10.0))
        self._task = self._app.task(name=_TASK, queue=_QUEUE, retry=_TryAgain(), pass_context=True)(self._do)
        self._work: Work | None = None

    async def open(self) -> None:
        """Connect, and make the tables where they are not there. Raises Unavailable."""
        logging.getLogger("procrastinate").setLevel(logging.WARNING)
        async with self._lock:
            with _translated():
                await self._make_schema()
                await self._app.open_async()
                if not await self._app.job_manager.check_connection_async():
                    await self._app.schema_manager.apply_schema_async()

    async def _make_schema(self) -> None:
        async with await psycopg.AsyncConnection.connect(**self._arguments, autocommit=True) as connection:
            await connection.execute(sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(sql.Identifier(_SCHEMA)))

    async def close(self) -> None:
        await self._app.close_async()
        await self._lock.close()

    async def put(self, job: JobRecord) -> None:
        with _translated():
            if any(each.status in _WAITING for each in await self._app.job_manager.list_jobs_async(queueing_lock=job.id)):
                return
            try:
                put = self._task.configure(queueing_lock=job.id, priority=_PRIORITIES.get(job.kind, 0))
                await put.defer_async(tenant=job.tenant, job_id=job.id)
            except AlreadyEnqueued:
                pass

    async def counts(self) -> QueueCounts:
        """Return who works and what waits. Raises Unavailable."""
        with _translated():
            silent = self._options.heartbeat * _SILENT_BEATS
            found = await self._app.connector.execute_query_one_async(
                "SELECT (SELECT count(*) FROM procrastinate_workers WHERE last_heartbeat > now() - make_interval(secs => %(silent)s)) AS workers,"
                " (SELECT count(*) FROM procrastinate_jobs WHERE status = 'todo') AS waiting",
                silent=silent,
            )
        return QueueCounts(found["workers"], found["waiting"])

    # ------------------------------------------------------------------------------------------------------------------ a worker's side
    async def serve(self, work: Work, release: Release, stopping: asyncio.Event) -> None:
        """Do jobs, one at a time, until `stopping` is set and the last one has ended or was given back. A database that is away is waited for."""
        self._work = work
        async with anyio.create_task_group() as group:
            group.start_soon(self._release_periodically, release)
            while not stopping.is_set():
                await self._serve_until(stopping)
            group.cancel_scope.cancel()

    async def _serve_until(self, stopping: asyncio.Event) -> None:
        serving = asyncio.create_task(
            self._app.run_worker_async(
                queues=[_QUEUE],
                concurrency=1,
                install_signal_handlers=False,
                shutdown_graceful_timeout=self._options.drain,
                fetch_job_polling_interval=_POLL_SECONDS,
                delete_jobs="successful",
                update_heartbeat_interval=self._options.heartbeat,
                stalled_worker_timeout=self._options.heartbeat * _SILENT_BEATS,
            )
        )
        waiting = asyncio.create_task(stopping.wait())
        await asyncio.wait({serving, waiting}, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        serving.cancel()
        [error] = await asyncio.gather(serving, return_exceptions=True)
        if not stopping.is_set():
            _log.warning("The queue was lost (%s); trying again.", error or "a connection ended")
            await asyncio.sleep(_PAUSE_SECONDS)

    async def _do(self, context: JobContext, *, tenant: str, job_id: str) -> None:
        """Do one job; procrastinate cancels this task when the worker has to stop."""
        if self._work is None:
            raise RuntimeError("no work was given")
        stop = anyio.Event()
        doing = asyncio.ensure_future(self._work(tenant, job_id, stop))
        beating = asyncio.create_task(self._beat(context.job.worker_id or 0))
        while not doing.done():
            try:
                await asyncio.wait({doing})
            except asyncio.CancelledError:
                stop.set()
        await cancel_task(beating)
        try:
            again = doing.result()
        except VantageError as error:  # the store of jobs is away: nobody knows yet what became of it
            _log.warning("Job %s: %s", job_id, error)
            again = _PAUSE_SECONDS
        if again is not None:
            raise _AgainError(again)

    async def _beat(self, worker_id: int) -> None:
        """Say that the worker lives: procrastinate's own heartbeat ends when a worker is asked to stop, however long its job still takes."""
        while True:
            await asyncio.sleep(self._options.heartbeat)
            try:
                with _translated():
                    await self._app.job_manager.update_heartbeat(worker_id)
            except Unavailable as error:
                _log.warning("The worker could not say that it lives: %s", error)

    async def _release_periodically(self, release: Release) -> None:
        while True:
            try:
                async with self._lock:
                    with _translated():
                        await self._release_stalled(release)
            except Unavailable as error:
                _log.warning("Dead workers were not looked for: %s", error)
            await asyncio.sleep(self._options.heartbeat)

    async def _release_stalled(self, release: Release) -> None:
        """Have the jobs of silent workers done again, or give them up. Call it with the lock: of two processes one would take the other's."""
        manager = self._app.job_manager
        for each in await manager.get_stalled_jobs(queue=_QUEUE, seconds_since_heartbeat=self._options.heartbeat * _SILENT_BEATS):
            again = await release(str(each.task_kwargs["tenant"]), str(each.task_kwargs["job_id"]))
            job_id = each.id or 0
            if again is None:
                await manager.finish_job_by_id_async(job_id, Status.FAILED, delete_job=False)
            else:
                await manager.retry_job_by_id_async(job_id, datetime.now(UTC) + timedelta(seconds=again))


class _AgainError(Exception):
    """A job is to be done again after so many seconds."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"again in {seconds:g} s")
        self.seconds = seconds


class _TryAgain(BaseRetryStrategy):
    def get_retry_decision(self, *, exception: BaseException, job: Job) -> RetryDecision | None:
        if not isinstance(exception, _AgainError):
            return None
        return RetryDecision(retry_at=datetime.now(UTC) + timedelta(seconds=exception.seconds))


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except (ProcrastinateException, psycopg.Error) as error:
        cause: Any = error.__cause__ or error
        raise Unavailable(f"The queue in PostgreSQL does not answer: {str(cause).strip()[:200]}") from error
