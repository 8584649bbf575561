"""Indexing runs as jobs that can be watched, cancelled and resumed: one at a time in a library, the others wait.

Changes that the watcher reports are indexed at once, beside a running job, so that a long run never keeps a fresh file waiting. Paths that changed
while a long run was at work are scanned again when it has ended: it may have stored what it had read before. When no job waits, whole folders are
compared with the library; such a comparison gives way to a job at once.

Where workers in other processes do the jobs (`core.ports.JobQueue`), a job with a password stays here: the password is stored nowhere.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import anyio
import anyio.to_thread

from core.errors import InvalidInput, NotFound, PathNotAllowed, VantageError
from core.log_context import log_as_job
from core.ports import (
    DEFAULT_INDEXING,
    DERIVED_JOBS,
    TREE_JOB,
    TYPING_JOB,
    ClaimableJobStore,
    IndexJobOptions,
    JobQueue,
    JobRecord,
    RemovalResult,
    Root,
)
from ingestion.indexing.index_writer import IndexWriter, Stores
from ingestion.indexing.indexer import DEFAULT_COLLECTION, Indexer, IndexingRequest
from ingestion.indexing.job_runner import JobRunner
from ingestion.indexing.job_types import FolderComparison, IndexJob, make_record
from ingestion.indexing.remote_jobs import HERE, RemoteJobs, stored_changes
from ingestion.indexing.root_owners import tenants_at
from ingestion.indexing.run_progress import JobActivity, Progress, RunSummary
from ingestion.scan.paths import is_within, printable_path, remove_uploads, resolve_indexable

_log = logging.getLogger(__name__)
_EVENTS = 0.25  # seconds between two events of a job
_MAX_FINISHED_JOBS = 200  # finished jobs that are remembered
_MAX_RESCANNED_PATHS = 20_000  # paths that are looked at once more; beyond these their folders are compared


class IndexJobs:
    """Queue of indexing jobs and folder comparisons. `open` it once in the running loop, `close` it at the end. Others' ids raise NotFound."""

    def __init__(
        self, indexer: Indexer, stores: Stores, jobs: ClaimableJobStore, home: Path, queue: JobQueue | None = None, *, here: str = HERE
    ) -> None:
        self._indexer, self._stores, self._jobs, self._home, self._here = indexer, stores, jobs, home, here
        self._remote = RemoteJobs(queue, jobs) if queue is not None else None
        self._runner = JobRunner(indexer, jobs, beside_workers=queue is not None, here=here)
        self._jobs_by_id: dict[str, IndexJob] = {}
        self._queue: deque[IndexJob] = deque()
        self._arrived = asyncio.Event()
        self._worker: asyncio.Task[None] | None = None
        self._closing = False
        self._comparisons: deque[FolderComparison] = deque()
        self._running_comparison: FolderComparison | None = None
        self._removal_lock = asyncio.Lock()  # held while a root is removed: no run may begin then
        self._long_run_lock = asyncio.Lock()  # held by the job or scan that is running
        self._change_runs: dict[anyio.Event, anyio.Event] = {}  # of each run for single changes: what stops it -> set when it is over
        self._busy_tenant: str | None = None  # the tenant of the long run
        self._paths_to_rescan: dict[str, set[str]] = {}

    async def open(self, *, resume: bool = True) -> None:
        """Start working; with `resume` first on the jobs that the last process left unfinished."""
        for record in await self._jobs.list_unfinished() if resume else []:
            if record.kind not in DERIVED_JOBS and (self._remote is None or record.worker == self._here):
                self._enqueue(replace(record, state="queued"))
        if self._remote is not None:
            await self._remote.open(self._interrupt_comparison, self._after_remote, resume=resume)
        self._worker = asyncio.create_task(self._serve_queue(), name="index-jobs")

    async def close(self) -> None:
        """Stop within a batch and wait for it. Unfinished jobs go on at the next start."""
        self._closing = self._runner.is_closing = True
        self._arrived.set()
        if self._remote is not None:
            await self._remote.close()
        for live in self._jobs_by_id.values():
            live.cancelled.set()
        if self._running_comparison is not None:
            self._running_comparison.stop.set()
        await self.stop_change_runs()
        if self._worker is not None:
            await self._worker
        for comparison in self._comparisons:
            comparison.done.cancel()

    async def queue_run(self, tenant: str, path: str, collection: str = DEFAULT_COLLECTION, *, how: IndexJobOptions = DEFAULT_INDEXING) -> JobRecord:
        """Queue an indexing run, or return the one that waits already for the same. Raises InvalidInput (no such path), PathNotAllowed (Vantage's
        own folder)."""
        resolved = await anyio.to_thread.run_sync(resolve_indexable, path, self._home)
        roots = await self._stores.writer.roots(tenant)
        if not await anyio.Path(resolved).exists() and not any(is_within(str(resolved), root.path) for root in roots):
            raise InvalidInput(f"{printable_path(path)} does not exist. Check the path, or whether its disk is connected.")
        record = make_record(tenant, str(resolved), collection, how)
        if self._remote is not None and not how.password:
            return await self._remote.submit(record)
        for live in self._queue:
            same = (live.record.path, live.record.request, live.password) == (record.path, record.request, how.password)
            if same and live.record.tenant == tenant:
                return live.record
        await self._jobs.save(record := record if self._remote is None else replace(record, worker=self._here))
        self._enqueue(record, how.password)
        return record

    async def index_changes(self, tenant: str, paths: Sequence[str], *, thorough: bool = False) -> RunSummary:
        """Index what changed at these paths now, beside whatever is running. Takes and raises what `Indexer.index_changes` does."""
        stop, over = anyio.Event(), anyio.Event()
        async with self._removal_lock:
            self._change_runs[stop] = over
        if self._closing:
            stop.set()
        try:
            self._rescan_later(tenant, paths)
            summary = await self._indexer.index_changes(tenant, paths, cancelled=stop, thorough=thorough)
            self._rescan_later(tenant, paths)
            self._queue_recognition(tenant, summary.waiting_paths)
            return summary
        finally:
            del self._change_runs[stop]
            over.set()

    @property
    def version(self) -> str:
        """Version of the index settings; documents of another version are read again in the background."""
        return self._indexer.version

    @property
    def is_job_running(self) -> bool:
        """True while a job that a person started is running: `pause_jobs` would wait for its end."""
        return self._long_run_lock.locked() and self._running_comparison is None

    @asynccontextmanager
    async def pause_jobs(self) -> AsyncIterator[None]:
        """Hold all indexing and removing inside; everything written before can be found. A person's job is waited for, background work gives way
        and goes on afterwards, and what comes meanwhile waits."""
        if self._running_comparison is not None:
            self._running_comparison.stop.set()
        async with self._long_run_lock, self._removal_lock:
            for over in list(self._change_runs.values()):
                await over.wait()
            yield

    async def stop_change_runs(self) -> None:
        """Stop the runs of `index_changes` within a batch and wait for them; what they wrote can be found."""
        for stop, over in list(self._change_runs.items()):
            stop.set()
            await over.wait()

    async def compare(self, tenant: str, path: str) -> RunSummary:
        """Compare a root with the library gently, when no job waits; a job interrupts it for a while. Raises as `Indexer.index`, and
        CancelledError where the root was removed meanwhile or this is closed."""
        for waiting in (*self._comparisons, *([self._running_comparison] if self._running_comparison else [])):
            if (waiting.tenant, waiting.path) == (tenant, path) and not waiting.is_dropped:
                return await asyncio.shield(waiting.done)
        comparison = FolderComparison(tenant, path, asyncio.get_running_loop().create_future())
        self._comparisons.append(comparison)
        self._arrived.set()
        return await asyncio.shield(comparison.done)

    async def get(self, tenant: str, job_id: str) -> JobRecord:
        """Return the job as it is now. Raises NotFound."""
        live = self._jobs_by_id.get(job_id)
        if live is not None and live.record.tenant == tenant:
            return live.record
        return await self._jobs.get(tenant, job_id)

    async def tenants_at(self, path: str) -> frozenset[str]:
        """Return the tenants that have this path, or are about to: a job that waits or runs counts (`root_owners.tenants_at`)."""
        return await tenants_at(self._stores, self._unfinished(), path)

    def activity(self, tenant: str) -> JobActivity:
        """Return how far the tenant's present run is, and the ids of the jobs that run or wait."""
        unfinished = [each for each in self._unfinished() if each.tenant == tenant]
        progress = next((Progress.from_dict(each.progress) for each in unfinished if each.state == "running"), None)
        if progress is None and self._running_comparison is not None and self._running_comparison.tenant == tenant:
            progress = self._running_comparison.progress
        return JobActivity(progress or Progress(), tuple(each.id for each in unfinished))

    def _unfinished(self) -> list[JobRecord]:
        here = [each.record for each in self._jobs_by_id.values() if not each.ended.is_set()]
        return here if self._remote is None else [*here, *self._remote.unfinished]

    async def list_recent(self, tenant: str, limit: int) -> list[JobRecord]:
        """Return this process's jobs, newest first; where workers do them, those of all."""
        if self._remote is not None:
            return await self._jobs.list_recent(tenant, limit)
        return [live.record for live in reversed(self._jobs_by_id.values()) if live.record.tenant == tenant][:limit]

    async def events(self, tenant: str, job_id: str) -> AsyncIterator[JobRecord]:
        """Yield the job each time it changed, at most four times a second, and always its last state. Raises NotFound."""
        last = await self.get(tenant, job_id)
        yield last
        live = self._jobs_by_id.get(job_id)
        if live is None and (self._remote is not None or last.kind in DERIVED_JOBS):
            async for record in stored_changes(self._jobs, last):
                yield record
        while live is not None and not live.ended.is_set():
            with anyio.move_on_after(_EVENTS):
                await live.ended.wait()
            if live.record != last:
                last = live.record
                yield last

    async def cancel(self, tenant: str, job_id: str) -> bool:
        """Stop a job; what it has indexed stays. Return False where it was over already. Raises NotFound."""
        stored = await self.get(tenant, job_id)
        live = self._jobs_by_id.get(job_id)
        if live is None and (self._remote is not None or stored.kind in (TREE_JOB, TYPING_JOB)):
            return await self._jobs.request_cancel(tenant, job_id)
        if live is None or live.ended.is_set():
            return False
        live.cancelled.set()
        if live in self._queue:
            self._queue.remove(live)
            await self._runner.end(live, "cancelled")
        return True

    async def retry(self, tenant: str, path: str, *, how: IndexJobOptions = DEFAULT_INDEXING) -> JobRecord:
        """Read one file of the ledger again, changed or not, or one member of an archive. Raises NotFound where the ledger has no such file."""
        for root in await self._stores.writer.roots(tenant):
            if is_within(path, root.path) and path in await self._stores.writer.known_files(tenant, root.path):
                return await self.reread(tenant, path, how=replace(how, force=True))
        raise NotFound(f"The ledger has no file {printable_path(path)[:200]!r}.")

    async def reread(self, tenant: str, path: str, *, how: IndexJobOptions = DEFAULT_INDEXING) -> JobRecord:
        """Queue a run over something in an indexed folder. Raises PathNotAllowed where a link leads out of the indexed folders."""
        resolved = str(await anyio.to_thread.run_sync(resolve_indexable, path, self._home))
        if not any(is_within(resolved, root.path) for root in await self._stores.writer.roots(tenant)):
            raise PathNotAllowed(f"{printable_path(path)} leads out of the indexed folders. Index the folder that it leads to.")
        return await self.queue_run(tenant, path, how=how)

    async def delete_document(self, tenant: str, document_id: str) -> RemovalResult:
        """Remove a document from library, index and token store, with what quotes it and the file that was uploaded for it. Raises NotFound."""
        async with self._removal_lock:
            books = IndexWriter(self._stores, tenant)
            removed = await books.delete_document(document_id)
            await books.flush()
        await self._stores.erase()  # raises where something of it is left
        return removed

    async def remove_root(self, tenant: str, path: str) -> RemovalResult:
        """Remove a folder with everything that only it holds, after stopping a run over it; uploaded files are deleted, for no one else has them.
        Raises NotFound."""
        if path not in {root.path for root in await self._stores.writer.roots(tenant)}:
            raise NotFound(f"{printable_path(path)[:200]!r} is no indexed folder. `vantage status` lists those that are.")
        for record in self._unfinished():
            if record.tenant == tenant and is_within(record.path, path) and await self.cancel(tenant, record.id):
                await self._wait_until_over(record)
        await self.stop_comparing(tenant, path)
        async with self._removal_lock:
            await self.stop_change_runs()
            books = IndexWriter(self._stores, tenant)
            removed = await books.remove_root(path)
            await books.flush()
        titled_otherwise = set(await books.paths_to_reread())
        self._compare_roots_of(tenant, titled_otherwise, await self._stores.writer.roots(tenant))
        await anyio.to_thread.run_sync(remove_uploads, self._home, path)
        await self._stores.erase()
        return removed

    async def stop_comparing(self, tenant: str, path: str) -> None:
        """Stop the comparisons of a root and wait for the running one; what it read stays."""
        for comparison in [each for each in self._comparisons if (each.tenant, each.path) == (tenant, path)]:
            self._comparisons.remove(comparison)
            comparison.done.cancel()
        if (
            (running := self._running_comparison) is not None
            and running.tenant == tenant
            and (is_within(running.path, path) or is_within(path, running.path))
        ):
            running.is_dropped = running.path == path
            running.stop.set()
            await running.idle.wait()

    async def _wait_until_over(self, record: JobRecord) -> None:
        if (live := self._jobs_by_id.get(record.id)) is not None:
            await live.ended.wait()
        elif self._remote is not None:
            await self._remote.wait_until_over(record)

    @property
    def _has_remote_jobs(self) -> bool:
        return self._remote is not None and bool(self._remote.unfinished)

    async def _after_remote(self, tenant: str) -> None:
        """Do what was left for the end of the tenant's jobs; what workers deleted may be quoted here."""
        self._arrived.set()
        await self._rescan_changed(tenant)
        await self._stores.erase()

    def _interrupt_comparison(self) -> None:
        if self._running_comparison is not None:
            self._running_comparison.stop.set()

    def _enqueue(self, record: JobRecord, password: str = "") -> None:
        live = IndexJob(record, password)
        self._jobs_by_id[record.id] = live
        self._queue.append(live)
        self._arrived.set()
        self._interrupt_comparison()
        over = [job_id for job_id, old in self._jobs_by_id.items() if old.ended.is_set()]
        for job_id in over[: max(0, len(over) - _MAX_FINISHED_JOBS)]:
            del self._jobs_by_id[job_id]

    async def _serve_queue(self) -> None:
        while not self._closing:
            if self._queue or (self._comparisons and not self._has_remote_jobs):
                async with self._long_run_lock:
                    await self._run_next()
            else:
                self._arrived.clear()
                await self._arrived.wait()

    async def _run_next(self) -> None:
        if self._closing:
            return
        if self._queue:
            await self._handle_job(self._queue.popleft())
        elif self._comparisons and not self._has_remote_jobs:
            await self._compare(self._comparisons.popleft())

    async def _handle_job(self, live: IndexJob) -> None:
        self._busy_tenant = live.record.tenant
        with log_as_job(live.record.tenant, live.record.id):
            try:
                await self._runner.run(live)
            except VantageError as error:  # the job's own state cannot be saved; the next start resumes it
                _log.warning("Job %s: %s", live.record.id, error)
                live.ended.set()
        self._busy_tenant = None
        await self._rescan_changed(live.record.tenant)

    async def _compare(self, comparison: FolderComparison) -> None:
        self._running_comparison, self._busy_tenant, over = comparison, comparison.tenant, comparison.idle
        request = IndexingRequest(comparison.tenant, Path(comparison.path), gentle=True)

        def report(progress: Progress) -> None:
            comparison.progress = progress

        try:
            summary = await self._indexer.index(request, progress=report, cancelled=comparison.stop)
        except Exception as error:  # noqa: BLE001  (passed on to the caller of the comparison)
            if not comparison.done.done():
                comparison.done.set_exception(error)
        else:
            if comparison.finish(summary):
                self._comparisons.appendleft(comparison)
        self._running_comparison = self._busy_tenant = None
        over.set()
        await self._rescan_changed(comparison.tenant)

    def _rescan_later(self, tenant: str, paths: Sequence[str]) -> None:
        """Remember to scan these paths again when the tenant's running job is over."""
        if self._busy_tenant == tenant or (self._remote is not None and self._remote.is_busy(tenant)):
            self._paths_to_rescan.setdefault(tenant, set()).update(paths)

    async def _rescan_changed(self, tenant: str) -> None:
        """Scan again what changed during the long run that has just ended."""
        paths = self._paths_to_rescan.pop(tenant, set())
        if not paths or self._closing:
            return
        try:
            if len(paths) <= _MAX_RESCANNED_PATHS:
                await self.index_changes(tenant, sorted(paths), thorough=True)
            else:
                self._compare_roots_of(tenant, paths, await self._stores.writer.roots(tenant))
        except VantageError as error:  # the next comparison makes it good
            _log.warning("What changed during a run could not be looked at again: %s", error)

    def _queue_recognition(self, tenant: str, paths: Sequence[str]) -> None:
        """Queue comparisons for files whose text recognition takes minutes: they run when no job waits."""
        known = {(each.tenant, each.path) for each in self._comparisons}
        self._queue_comparisons(tenant, [path for path in paths if (tenant, path) not in known])

    def _compare_roots_of(self, tenant: str, paths: set[str], roots: Sequence[Root]) -> None:
        self._queue_comparisons(tenant, [root.path for root in roots if any(is_within(path, root.path) for path in paths)])

    def _queue_comparisons(self, tenant: str, paths: Sequence[str]) -> None:
        loop = asyncio.get_running_loop()
        self._comparisons.extend(FolderComparison(tenant, path, loop.create_future()) for path in paths)
        self._arrived.set()
