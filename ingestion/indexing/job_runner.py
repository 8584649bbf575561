"""One indexing job from its beginning to its end: run, shown while it runs, and stored."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime

import anyio

from core.errors import VantageError
from core.ports import ClaimableJobStore, JobRecord
from ingestion.indexing.indexer import Indexer
from ingestion.indexing.job_types import IndexJob, make_request
from ingestion.indexing.run_progress import Progress, RunSummary, resumed_progress

_log = logging.getLogger(__name__)
_SAVES = 2.0  # seconds between two savings of a running job's progress
_LOOKS = 1.0  # between two looks whether the workers are done with the same files
Keep = Callable[[JobRecord], Awaitable[object]]


class JobRunner:
    """Runs the jobs of the process that queued them. `is_closing`: a run that stops was not cancelled by anybody, and goes on at the next start.
    `beside_workers`: workers in other processes are at other jobs of the library; a job that runs here is noted as `here`'s."""

    def __init__(self, indexer: Indexer, jobs: ClaimableJobStore, *, beside_workers: bool, here: str) -> None:
        self._indexer, self._jobs, self._beside_workers, self._here = indexer, jobs, beside_workers, here
        self.is_closing = False

    async def run(self, live: IndexJob) -> None:
        """Run a job to its end. Raises VantageError where its state cannot be stored."""
        await self._begin(live)
        try:
            summary = await run_job(self._indexer, live, self._jobs.save, _SAVES)
        except VantageError as error:
            await self.end(live, "failed", str(error))
        except Exception as error:  # noqa: BLE001  (a job must end in a state that says so; the cause is in the log)
            _log.exception("Job %s failed.", live.record.id)
            await self.end(live, "failed", describe_unexpected(error))
        else:
            await self._finish(live, summary)

    async def _begin(self, live: IndexJob) -> None:
        """Note that the job runs; where workers are, once none of them is at the same files."""
        while self._beside_workers and not live.cancelled.is_set():
            if (claimed := await self._jobs.claim(live.record, self._here)) is not None:
                live.record = claimed
                return
            await anyio.sleep(_LOOKS)
        live.record = replace(live.record, state="running", started_at=datetime.now(UTC))
        await self._jobs.save(live.record)

    async def _finish(self, live: IndexJob, summary: RunSummary) -> None:
        if summary.cancelled and self.is_closing:
            await self._jobs.save(replace(live.record, state="queued"))  # nobody cancelled it: the next start goes on
            live.ended.set()
            return
        await self.end(live, "cancelled" if summary.cancelled else "done", " ".join(summary.notes) or None)

    async def end(self, live: IndexJob, state: str, error: str | None = None) -> None:
        """Bring a job to its end in this state, and store it."""
        live.end(state, error)
        try:
            await self._jobs.save(live.record)
        finally:
            live.ended.set()


async def run_job(indexer: Indexer, live: IndexJob, keep: Keep, every: float) -> RunSummary:
    """Run a job; `live.record` shows how far it is, and `keep` stores that every so many seconds. Raises what ends the run."""
    failure: Exception | None = None
    try:
        async with anyio.create_task_group() as group:
            group.start_soon(_keep_periodically, live, keep, every)
            summary = await _index(indexer, live)
            group.cancel_scope.cancel()
    except* Exception as errors:  # noqa: BLE001  (raised again below, alone)
        failure = errors.exceptions[0]
    if failure is not None:
        raise failure
    return summary


async def _index(indexer: Indexer, live: IndexJob) -> RunSummary:
    before = Progress.from_dict(live.record.progress)  # of the process that was killed, where this one goes on with its job

    def report(progress: Progress) -> None:
        live.record = replace(live.record, progress=resumed_progress(before, progress).as_dict())

    summary = await indexer.index(make_request(live), progress=report, cancelled=live.cancelled)
    if not summary.cancelled:
        live.record = replace(live.record, progress=summary.progress.as_dict())
    return summary


async def _keep_periodically(live: IndexJob, keep: Keep, every: float) -> None:
    while True:
        await anyio.sleep(every)
        await keep(live.record)


def describe_unexpected(error: Exception) -> str:
    """Return what a person is told of an error that nobody foresaw."""
    return f"Indexing stopped at an unexpected error ({error!r}). Please report this."
