"""Feedback on runs, stored to be learned from."""

from __future__ import annotations

from dataclasses import asdict

from sqlalchemy import Connection, insert, select

from core.errors import NotFound
from core.ports import FeedbackRecord
from storage.database import Database
from storage.schema import feedback, traces


class SqlFeedback:
    """core.ports.Feedback over SQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def save(self, record: FeedbackRecord) -> None:
        """Save the feedback. Raises NotFound where the trace is unknown to the tenant."""

        def work(connection: Connection) -> None:
            known = select(traces.c.id).where(traces.c.tenant == record.tenant, traces.c.id == record.trace_id)
            if connection.execute(known).one_or_none() is None:
                raise NotFound(f"There is no run {record.trace_id[:80]!r} to give feedback on. It may have been removed with its conversation.")
            connection.execute(insert(feedback).values(asdict(record)))

        await self._database.write(work)

    async def of_trace(self, tenant: str, trace_id: str) -> list[FeedbackRecord]:
        """Return the feedback on a run, oldest first."""
        query = select(feedback).where(feedback.c.tenant == tenant, feedback.c.trace_id == trace_id)
        ordered = query.order_by(feedback.c.created_at, feedback.c.id)
        rows = await self._database.read(lambda connection: connection.execute(ordered).all())
        return [FeedbackRecord(**row._mapping) for row in rows]
