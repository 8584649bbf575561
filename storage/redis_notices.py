"""Notices by Redis, where there is one; by another bus for as long as it does not answer."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

import anyio
from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from core.background_tasks import cancel_task
from core.ports import NoticeBus

_log = logging.getLogger(__name__)
_PATIENCE = 1.0  # seconds to connect, to wait for an answer, and before another try
_LOOKS = 5.0  # seconds without a notice after which the connection is tried


class RedisNotices:
    """core.ports.NoticeBus over pub/sub. `library` keeps those of several libraries apart. What `other` brings is received as well: a server whose
    Redis does not answer sends there, and this one may not have noticed yet."""

    def __init__(self, url: str, library: str, other: NoticeBus) -> None:
        """Raises ValueError for a URL that is none; nothing is connected before `open`."""
        self._redis: Redis = Redis.from_url(url, socket_connect_timeout=_PATIENCE, socket_timeout=_PATIENCE, retry=Retry(NoBackoff(), 0))
        self._channel, self._other = f"vantage:notices:{library}", other
        self._receivers: list[Callable[[str], None]] = []
        self._listening: asyncio.Task[None] | None = None
        self._is_heard = asyncio.Event()
        self._is_away = "it was not reached yet"
        other.subscribe(self._receive)

    @property
    def place(self) -> str:
        return f"Redis at {_address(self._redis)}" if not self._is_away else self._other.place

    @property
    def problem(self) -> str:
        if not self._is_away:
            return ""
        lost = f"Redis at {_address(self._redis)} does not answer ({self._is_away}). Notices go by {self._other.place} meanwhile."
        return f"{lost} {self._other.problem}".strip()

    async def open(self) -> None:
        """Begin to listen, and wait for it as long as a Redis takes that answers."""
        self._listening = asyncio.create_task(self._listen(), name="redis-notices")
        with anyio.move_on_after(_PATIENCE):
            await self._is_heard.wait()

    async def close(self) -> None:
        await cancel_task(self._listening)
        await self._redis.aclose()

    def subscribe(self, receive: Callable[[str], None]) -> None:
        self._receivers.append(receive)

    async def publish(self, notice: str) -> None:
        if not self._is_away:
            try:
                await self._redis.publish(self._channel, notice)
                return
            except (RedisError, OSError) as error:
                self._lose(error)
        await self._other.publish(notice)

    async def _listen(self) -> None:
        while True:
            try:
                async with self._redis.pubsub() as heard:
                    await heard.subscribe(self._channel)
                    await self._hear(heard)
            except (RedisError, OSError) as error:
                self._lose(error)
            await asyncio.sleep(_PATIENCE)

    async def _hear(self, heard: PubSub) -> None:
        """Receive notices until the connection is lost. Raises what ended it."""
        asked = False
        while True:
            message = await heard.get_message(timeout=_LOOKS)
            if message is None and asked:
                raise TimeoutError("no answer")
            asked = message is None
            if message is None:
                await heard.ping()
            elif message["type"] == "subscribe":
                self._find()
            elif message["type"] == "message":
                self._receive(message["data"].decode())

    def _find(self) -> None:
        if self._is_heard.is_set() and self._is_away:
            _log.warning("Redis answers again: notices go by it.")
        self._is_away = ""
        self._is_heard.set()

    def _lose(self, error: Exception) -> None:
        if not self._is_away:
            _log.warning("Redis does not answer (%s): notices go by %s.", error, self._other.place)
        self._is_away = type(error).__name__

    def _receive(self, notice: str) -> None:
        for receive in self._receivers:
            receive(notice)


def _address(client: Redis) -> str:
    """Return the address of a client, without user and password."""
    known = client.connection_pool.connection_kwargs
    return str(known["path"]) if "path" in known else f"{known.get('host', 'localhost')}:{known.get('port', 6379)}"
