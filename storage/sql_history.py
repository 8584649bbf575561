"""A person's history as a whole: what somebody asked, and what was answered."""

from __future__ import annotations

from sqlalchemy import Connection, delete, or_, select

from core.ports import DeletedHistory
from storage.database import Database
from storage.schema import conversations, feedback, traces


class SqlHistory:
    """core.ports.History over SQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def delete(self, tenant: str, user_id: str) -> DeletedHistory:
        """Delete conversations (their turns go with them), the runs in them and all others of the person, and the feedback on these runs."""

        def work(connection: Connection) -> DeletedHistory:
            own = (conversations.c.tenant == tenant, conversations.c.user_id == user_id)
            of_talks = traces.c.conversation_id.in_(select(conversations.c.id).where(*own))
            runs = (traces.c.tenant == tenant, or_(traces.c.user_id == user_id, of_talks))
            on_runs = feedback.c.trace_id.in_(select(traces.c.id).where(*runs))
            said = connection.execute(delete(feedback).where(feedback.c.tenant == tenant, or_(feedback.c.user_id == user_id, on_runs))).rowcount
            asked = connection.execute(delete(traces).where(*runs)).rowcount
            talks = connection.execute(delete(conversations).where(*own)).rowcount
            return DeletedHistory(talks, asked, said)

        return await self._database.write(work)

    async def reclaim_space(self) -> None:
        await self._database.reclaim_space()
