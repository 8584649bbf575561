"""Jobs that outlive the process: what was asked for, how far it came, and who is at it."""

from __future__ import annotations

from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import PurePath
from typing import Any

from sqlalchemy import Connection, Row, insert, select, update

from core.errors import NotFound
from core.ports import JobRecord
from core.ports.stored_records import UNFINISHED
from storage.database import Database
from storage.schema import jobs


class SqlJobs:
    """core.ports.Jobs over SQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def save(self, job: JobRecord) -> None:
        """Insert the job, or bring the stored one to this state."""

        def work(connection: Connection) -> None:
            if not _update(connection, job):
                connection.execute(insert(jobs).values(_values(job)))

        await self._database.write(work)

    async def get(self, tenant: str, job_id: str) -> JobRecord:
        """Return a job. Raises NotFound."""
        return await self._database.read(lambda connection: _find(connection, tenant, job_id))

    async def list_unfinished(self) -> list[JobRecord]:
        """Return the jobs of all tenants that are queued or running: after a start, those that the last process left. Oldest first."""
        query = select(jobs).where(jobs.c.state.in_(UNFINISHED)).order_by(jobs.c.created_at, jobs.c.id)
        return await self._database.read(lambda connection: [_record(row) for row in connection.execute(query)])

    async def list_recent(self, tenant: str, limit: int) -> list[JobRecord]:
        query = select(jobs).where(jobs.c.tenant == tenant).order_by(jobs.c.created_at.desc(), jobs.c.id).limit(limit)
        return await self._database.read(lambda connection: [_record(row) for row in connection.execute(query)])

    async def claim(self, job: JobRecord, worker: str) -> JobRecord | None:
        """Note that this worker runs a job now. Writers of all processes take turns, so that of two jobs one sees the other."""

        def work(connection: Connection) -> JobRecord | None:
            stored = _find(connection, job.tenant, job.id)
            if stored.is_over or (stored.state == "running" and stored.worker != worker):
                return None
            others = (jobs.c.tenant == job.tenant, jobs.c.state == "running", jobs.c.id != job.id)
            if any(_overlap(path, stored.path) for path in connection.execute(select(jobs.c.path).where(*others)).scalars()):
                return None
            claimed = replace(stored, state="running", worker=worker, attempts=stored.attempts + 1, started_at=datetime.now(UTC))
            _update(connection, claimed)
            return claimed

        return await self._database.write(work)

    async def update_claimed(self, job: JobRecord) -> JobRecord | None:
        def work(connection: Connection) -> JobRecord | None:
            stored = _find(connection, job.tenant, job.id)
            if (stored.state, stored.worker) != ("running", job.worker):
                return None
            kept = replace(job, cancel_requested=stored.cancel_requested)
            _update(connection, kept)
            return kept

        return await self._database.write(work)

    async def request_cancel(self, tenant: str, job_id: str) -> bool:
        def work(connection: Connection) -> bool:
            stored = _find(connection, tenant, job_id)
            if stored.state == "queued":
                stored = replace(stored, state="cancelled", finished_at=datetime.now(UTC))
            elif stored.is_over:
                return False
            _update(connection, replace(stored, cancel_requested=True))
            return True

        return await self._database.write(work)


def _find(connection: Connection, tenant: str, job_id: str) -> JobRecord:
    row = connection.execute(select(jobs).where(jobs.c.tenant == tenant, jobs.c.id == job_id)).one_or_none()
    if row is None:
        raise NotFound(f"There is no job {job_id[:80]!r}.")
    return _record(row)


def _update(connection: Connection, job: JobRecord) -> int:
    """Store the job where it is there already; return whether it is."""
    return connection.execute(update(jobs).where(jobs.c.tenant == job.tenant, jobs.c.id == job.id).values(_values(job))).rowcount


def _record(row: Row[Any]) -> JobRecord:
    return JobRecord(**{**row._mapping, "cancel_requested": bool(row.cancel_requested)})


def _values(job: JobRecord) -> dict[str, Any]:
    return {**asdict(job), "cancel_requested": int(job.cancel_requested)}


def _overlap(one: str, other: str) -> bool:
    """Return whether one path is the other, or lies in it."""
    return PurePath(one).is_relative_to(other) or PurePath(other).is_relative_to(one)
