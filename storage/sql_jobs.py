"""Jobs that outlive the process: what was asked for, how far it came."""

from __future__ import annotations

from dataclasses import asdict

from sqlalchemy import Connection, insert, select, update

from core.errors import NotFound
from core.ports import JobRecord
from storage.database import Database
from storage.schema import jobs

UNFINISHED = ("queued", "running")


class SqlJobs:
    """core.ports.Jobs over SQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def save(self, job: JobRecord) -> None:
        """Insert the job, or bring the stored one to this state."""

        def work(connection: Connection) -> None:
            values = asdict(job)
            if not connection.execute(update(jobs).where(jobs.c.tenant == job.tenant, jobs.c.id == job.id).values(values)).rowcount:
                connection.execute(insert(jobs).values(values))

        await self._database.write(work)

    async def get(self, tenant: str, job_id: str) -> JobRecord:
        """Return a job. Raises NotFound."""
        query = select(jobs).where(jobs.c.tenant == tenant, jobs.c.id == job_id)
        row = await self._database.read(lambda connection: connection.execute(query).one_or_none())
        if row is None:
            raise NotFound(f"There is no job {job_id[:80]!r}.")
        return JobRecord(**row._mapping)

    async def list_unfinished(self) -> list[JobRecord]:
        """Return the jobs of all tenants that are queued or running: after a start, those that the last process left. Oldest first."""
        query = select(jobs).where(jobs.c.state.in_(UNFINISHED)).order_by(jobs.c.created_at, jobs.c.id)
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return [JobRecord(**row._mapping) for row in rows]
