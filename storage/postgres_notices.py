"""Notices by PostgreSQL's LISTEN and NOTIFY, which reach every server that has the library's database open."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

import anyio
import psycopg

from core.background_tasks import cancel_task
from storage.database import connection_arguments

_log = logging.getLogger(__name__)
_CHANNEL = "vantage_notices"
_PAUSE = 1.0  # seconds before another try
_LOOKS = 15.0  # seconds without a notice after which the connection is tried


class PostgresNotices:
    """core.ports.NoticeBus. `open` it first. One connection listens, another sends; each is made anew when it was lost."""

    def __init__(self, url: str) -> None:
        self._arguments = connection_arguments(url)
        self._receivers: list[Callable[[str], None]] = []
        self._sending: psycopg.AsyncConnection[Any] | None = None
        self._one_sender = anyio.Lock()
        self._listening: asyncio.Task[None] | None = None
        self._is_heard = asyncio.Event()
        self.problem = ""

    @property
    def place(self) -> str:
        return "PostgreSQL"

    async def open(self) -> None:
        """Begin to listen, and wait for it as long as the database takes to answer at all."""
        self._listening = asyncio.create_task(self._listen(), name="notices")
        with anyio.move_on_after(_PAUSE):
            await self._is_heard.wait()

    async def close(self) -> None:
        await cancel_task(self._listening)
        await self._disconnect()

    def subscribe(self, receive: Callable[[str], None]) -> None:
        self._receivers.append(receive)

    async def publish(self, notice: str) -> None:
        async with self._one_sender:
            for is_last in (False, True):  # a connection that died since the last notice is made anew at once
                try:
                    await self._send(notice)
                    return
                except psycopg.Error as error:
                    await self._disconnect()
                    if is_last:
                        _log.warning("A notice was not sent: %s", str(error).strip()[:200])

    async def _send(self, notice: str) -> None:
        if self._sending is None:
            self._sending = await psycopg.AsyncConnection.connect(**self._arguments, autocommit=True)
        await self._sending.execute("SELECT pg_notify(%s, %s)", (_CHANNEL, notice))

    async def _disconnect(self) -> None:
        sending, self._sending = self._sending, None
        if sending is not None:
            await sending.close()

    async def _listen(self) -> None:
        while True:
            try:
                async with await psycopg.AsyncConnection.connect(**self._arguments, autocommit=True) as connection:
                    await connection.execute(f"LISTEN {_CHANNEL}")
                    self.problem = ""
                    self._is_heard.set()
                    while True:
                        async for notice in connection.notifies(timeout=_LOOKS):
                            self._receive(notice.payload)
                        await connection.execute("SELECT 1")
            except psycopg.Error as error:
                self.problem = f"PostgreSQL does not send notices: {str(error).strip()[:200]}"
                _log.warning("%s", self.problem)
            await asyncio.sleep(_PAUSE)

    def _receive(self, notice: str) -> None:
        for receive in self._receivers:
            receive(notice)
