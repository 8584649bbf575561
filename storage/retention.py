"""Removal of what is older than its kind is to be kept."""

from __future__ import annotations

from datetime import datetime
from pathlib import PurePath

from sqlalchemy import Connection, delete, select

from core.ports.stored_records import UNFINISHED
from storage.database import Database
from storage.row_mapping import file_time
from storage.schema import conversations, feedback, files, jobs


class SqlRetention:
    """Every method looks at all tenants."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def old_conversations(self, before: datetime) -> list[tuple[str, str]]:
        """Return (tenant, id) of those that were last used before."""
        query = select(conversations.c.tenant, conversations.c.id).where(conversations.c.updated_at < before)
        return [(row.tenant, row.id) for row in await self._database.read(lambda connection: connection.execute(query).all())]

    async def old_uploads(self, folder: str, before: datetime) -> list[tuple[str, str]]:
        """Return (tenant, path) of the files in this folder that were saved before."""
        query = select(files.c.tenant, files.c.path, files.c.mtime_ns).where(files.c.container == "")
        inside = query.where(files.c.path.startswith(f"{folder}/", autoescape=True))
        rows = await self._database.read(lambda connection: connection.execute(inside).all())
        saved = [(row, file_time(row.mtime_ns)) for row in rows if PurePath(row.path).is_relative_to(folder)]
        return [(row.tenant, row.path) for row, time in saved if time is not None and time < before]

    async def prune_feedback(self, before: datetime) -> int:
        """Remove them; return how many."""
        gone = delete(feedback).where(feedback.c.created_at < before)
        return await self._database.write(lambda connection: connection.execute(gone).rowcount)

    async def prune_jobs(self, before: datetime) -> int:
        """Remove jobs that are over; return how many."""

        def work(connection: Connection) -> int:
            over = (jobs.c.state.not_in(UNFINISHED), jobs.c.created_at < before)
            return connection.execute(delete(jobs).where(*over)).rowcount

        return await self._database.write(work)

    async def reclaim_space(self) -> None:
        await self._database.reclaim_space()
