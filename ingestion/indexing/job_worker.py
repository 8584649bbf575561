"""A worker's part in an indexing job: it claims the job, runs it, and says whether it has to be done again."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace

import anyio

from core.errors import NotFound, Unavailable, VantageError
from core.log_context import log_as_job
from core.ports import ClaimableJobStore, JobRecord
from ingestion.indexing.indexer import Indexer
from ingestion.indexing.job_runner import describe_unexpected, run_job
from ingestion.indexing.job_types import IndexJob
from ingestion.indexing.run_progress import RunSummary

_log = logging.getLogger(__name__)
_SAVES = 0.5  # seconds between two savings of a running job's progress, and between two looks for a wish to stop it
_BUSY_SECONDS = 1.0  # until a job is tried again whose files another is at
_LONGEST_WAIT = 3600.0


@dataclass(frozen=True, slots=True)
class RetryOptions:
    """A job is begun `attempts` times; before the second time `seconds` pass, and twice as many before each one after it."""

    attempts: int
    seconds: float

    def wait(self, attempts: int) -> float:
        """Return the seconds after so many attempts."""
        return float(min(self.seconds * 2 ** (attempts - 1), _LONGEST_WAIT))


class JobWorker:
    """Does queued jobs in the name `worker`, which no other process has. Nothing is stored of a job that another worker took over."""

    def __init__(self, indexer: Indexer, jobs: ClaimableJobStore, worker: str, retry: RetryOptions) -> None:
        self._indexer, self._jobs, self._worker, self._retry = indexer, jobs, worker, retry

    async def work(self, tenant: str, job_id: str, stop: anyio.Event) -> float | None:
        """Do a job, or a part of it: `stop` ends the run within a batch. Return None once it is over, else after how many seconds to go on."""
        record = await self._find(tenant, job_id)
        if record is None or record.is_over:
            return None
        claimed = await self._jobs.claim(record, self._worker)
        if claimed is None:
            return _BUSY_SECONDS
        with log_as_job(tenant, job_id):
            return await self._do(IndexJob(claimed), stop)

    async def release(self, tenant: str, job_id: str) -> float | None:
        """Take a job from a worker that is dead. Return None where it is over or given up, else after how many seconds it is to be done again."""
        record = await self._find(tenant, job_id)
        if record is None or record.is_over:
            return None
        if record.state == "queued":
            return 0.0
        seen = str(record.progress.get("current", ""))
        return await self._retry_later(IndexJob(record), f"The worker {record.worker} ended while it was at {seen or record.path}.")

    async def _find(self, tenant: str, job_id: str) -> JobRecord | None:
        try:
            return await self._jobs.get(tenant, job_id)
        except NotFound:  # its folder was removed meanwhile
            return None

    async def _do(self, live: IndexJob, stop: anyio.Event) -> float | None:
        async def keep(record: JobRecord) -> None:
            stored = await self._jobs.update_claimed(record)
            if stored is None or stored.cancel_requested or stop.is_set():
                live.cancelled.set()

        try:
            summary = await run_job(self._indexer, live, keep, _SAVES)
        except Unavailable as error:  # a disk, a database or an engine that may be back soon
            return await self._retry_later(live, str(error))
        except VantageError as error:
            return await self._end(live, "failed", str(error))
        except Exception as error:  # noqa: BLE001  (a job must end in a state that says so; the cause is in the log)
            _log.exception("Job %s failed.", live.record.id)
            return await self._end(live, "failed", describe_unexpected(error))
        return await self._finish(live, summary)

    async def _finish(self, live: IndexJob, summary: RunSummary) -> float | None:
        if not summary.cancelled:
            return await self._end(live, "done", " ".join(summary.notes) or None)
        stored = await self._jobs.update_claimed(live.record)
        if stored is None:
            return _BUSY_SECONDS  # another worker has it: until that one is done
        if stored.cancel_requested:
            return await self._end(live, "cancelled")
        await self._jobs.update_claimed(
            replace(live.record, state="queued", attempts=live.record.attempts - 1)
        )  # nobody is to blame: the worker is stopped
        return 0.0

    async def _retry_later(self, live: IndexJob, reason: str) -> float | None:
        record, retry = live.record, self._retry
        if record.cancel_requested:
            return await self._end(live, "cancelled")
        if record.attempts >= retry.attempts:
            return await self._end(live, "failed", f"Given up after {record.attempts} attempts. {reason}")
        _log.warning("Job %s, attempt %d of %d: %s", record.id, record.attempts, retry.attempts, reason)
        error = f"Attempt {record.attempts} of {retry.attempts}: {reason}"
        if await self._jobs.update_claimed(replace(record, state="queued", error=error)) is None:
            return _BUSY_SECONDS
        return retry.wait(record.attempts)

    async def _end(self, live: IndexJob, state: str, error: str | None = None) -> float | None:
        live.end(state, error)
        return None if await self._jobs.update_claimed(live.record) is not None else _BUSY_SECONDS
