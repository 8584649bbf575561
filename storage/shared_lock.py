"""A lock that at most one task holds, of all processes that have the same PostgreSQL database. It goes with the process, however that ends."""

from __future__ import annotations

import logging
from typing import Any

import anyio
import psycopg

from core.errors import Unavailable
from storage.database import connection_arguments

_log = logging.getLogger(__name__)


class SharedLock:
    """`key` is any number that nothing else in the database uses for an advisory lock. A connection is kept for it, made when it is first taken."""

    def __init__(self, url: str, key: int) -> None:
        self._arguments, self._key = connection_arguments(url), key
        self._tasks = anyio.Lock()
        self._connection: psycopg.AsyncConnection[Any] | None = None

    async def __aenter__(self) -> None:
        """Wait for the lock. Raises Unavailable where the database does not answer."""
        await self._tasks.acquire()
        try:
            await self._lock()
        except psycopg.Error as error:
            await self._give_up()
            raise Unavailable(f"PostgreSQL does not answer: {str(error).strip()[:200]}") from error
        except BaseException:
            await self._give_up()
            raise

    async def __aexit__(self, *_: object) -> None:
        with anyio.CancelScope(shield=True):
            try:
                await self._execute("SELECT pg_advisory_unlock(%s)")
            except psycopg.Error as error:  # the lock went with its connection; what was done under it has succeeded or failed by itself
                _log.warning("The connection of a lock was lost: %s", str(error).strip()[:200])
                await self._disconnect()
            finally:
                self._tasks.release()

    async def check(self) -> None:
        """Check, while it is held, that it was not lost with its connection. Raises Unavailable."""
        try:
            await self._execute("SELECT %s")
        except psycopg.Error as error:
            raise Unavailable(f"PostgreSQL does not answer: {str(error).strip()[:200]}") from error

    async def close(self) -> None:
        """Close the connection, and with it give back the lock."""
        await self._disconnect()

    async def _lock(self) -> None:
        if self._connection is not None and self._connection.broken:
            await self._disconnect()
        if self._connection is None:
            self._connection = await psycopg.AsyncConnection.connect(**self._arguments, autocommit=True)
        try:
            await self._execute("SELECT pg_advisory_lock(%s)")
        except psycopg.OperationalError:  # the server was started anew since the lock was last held
            if not self._connection.broken:
                raise
            await self._disconnect()
            self._connection = await psycopg.AsyncConnection.connect(**self._arguments, autocommit=True)
            await self._execute("SELECT pg_advisory_lock(%s)")

    async def _execute(self, statement: Any) -> None:
        if self._connection is not None:
            await self._connection.execute(statement, (self._key,))

    async def _give_up(self) -> None:
        with anyio.CancelScope(shield=True):
            await self._disconnect()
        self._tasks.release()

    async def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()
