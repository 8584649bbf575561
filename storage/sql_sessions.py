"""Browsers that a key has let in, in the library's database. Only hashes come here (`server.session_cookies` makes them)."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, delete, insert, select

from core.ports import BrowserSession
from storage.database import Database
from storage.session_tables import browser_sessions


class SqlSessions:
    """core.ports.SessionStore over SQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def save(self, session: BrowserSession, created_at: datetime) -> None:
        """Keep it, and forget those that were over by then."""

        def work(connection: Connection) -> None:
            connection.execute(delete(browser_sessions).where(browser_sessions.c.expires_at <= created_at))
            values = {"id_hash": session.id_hash, "key_proof": session.key_proof, "created_at": created_at, "expires_at": session.expires_at}
            connection.execute(insert(browser_sessions).values(values))

        await self._database.write(work)

    async def find(self, id_hash: str) -> BrowserSession | None:
        columns = browser_sessions.c
        query = select(columns.id_hash, columns.key_proof, columns.expires_at).where(columns.id_hash == id_hash)
        row = await self._database.read(lambda connection: connection.execute(query).one_or_none())
        return BrowserSession(*row) if row is not None else None

    async def remove(self, id_hash: str) -> None:
        gone = delete(browser_sessions).where(browser_sessions.c.id_hash == id_hash)
        await self._database.write(lambda connection: connection.execute(gone))
