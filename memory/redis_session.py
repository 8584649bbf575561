"""The session tier in Redis, shared by several servers: a list of turns for each session, which Redis itself lets go after its time."""

from __future__ import annotations

import json
from typing import Any, Final

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from core.errors import ConfigurationError, Unavailable

_PATIENCE: Final = 1.0  # seconds to connect and to wait for an answer: a question must not hang on its memory
_PREFIX: Final = "vantage:session"


class RedisSessionMemory:
    """core.ports.SessionMemory in Redis.

    `window_size` turns are kept for each session, oldest dropped first; Redis forgets a session `ttl_seconds` after its last turn, so that what is
    kept is bounded by the turns of that time. Appending, cutting and the new life time are one transaction: two servers that write to a session
    at the same time lose nothing. Every method raises Unavailable, saying what to do, where Redis does not answer.
    """

    def __init__(self, url: str, window_size: int = 10, ttl_seconds: float = 3600.0, *, prefix: str = _PREFIX) -> None:
        """Connect lazily to `url`: redis://, rediss:// or unix://. Raises ConfigurationError for another; nothing is connected before the first
        call.
        """
        try:
            self._redis: Redis = Redis.from_url(
                url,
                socket_connect_timeout=_PATIENCE,
                socket_timeout=_PATIENCE,
                retry=Retry(NoBackoff(), 1),  # a connection that died between two calls is made anew at once
                health_check_interval=30,
            )
        except ValueError as error:
            raise ConfigurationError(
                f"memory.session.redis_url cannot be used: {error}. Write it as redis://[:password@]host:6379/0 or unix:///path."
            ) from error
        self._size, self._ttl_ms, self._prefix = window_size, max(1, round(ttl_seconds * 1000)), prefix
        self.place = server_address(self._redis)

    async def remember(self, tenant: str, session_id: str, entry: dict[str, Any]) -> None:
        """Append a turn; the session lives on for its whole time."""
        key, line = self._key(tenant, session_id), json.dumps(entry)
        try:
            async with self._redis.pipeline(transaction=True) as steps:
                steps.rpush(key, line)
                steps.ltrim(key, -self._size, -1)
                steps.pexpire(key, self._ttl_ms)
                await steps.execute()
        except (RedisError, OSError) as error:
            raise self._unavailable(error) from error

    async def recall(self, tenant: str, session_id: str) -> list[dict[str, Any]]:
        """Return the turns of the session, oldest first; [] for one that is unknown or has expired."""
        try:
            lines = await self._redis.lrange(self._key(tenant, session_id), 0, -1)
        except (RedisError, OSError) as error:
            raise self._unavailable(error) from error
        return [entry for line in lines if isinstance(entry := _parse_entry(line), dict)]

    async def forget(self, tenant: str, session_id: str) -> int:
        """Remove the session; how many turns it had."""
        key = self._key(tenant, session_id)
        try:
            async with self._redis.pipeline(transaction=True) as steps:
                steps.llen(key)
                steps.delete(key)
                turns, _ = await steps.execute()
        except (RedisError, OSError) as error:
            raise self._unavailable(error) from error
        return int(turns)

    async def check_connection(self) -> None:
        """Check that Redis answers. Raises Unavailable."""
        try:
            await self._redis.ping()
        except (RedisError, OSError) as error:
            raise self._unavailable(error) from error

    async def close(self) -> None:
        await self._redis.aclose()

    def _key(self, tenant: str, session_id: str) -> bytes:
        """Return the session's key. The tenant's length stands before it, so that no tenant and session can be read as another tenant's."""
        return f"{self._prefix}:{len(tenant)}:{tenant}:{session_id}".encode("utf-8", "surrogatepass")

    def _unavailable(self, error: Exception) -> Unavailable:
        reason = type(error).__name__
        return Unavailable(
            f"The session memory, Redis at {self.place}, does not answer ({reason}). Start it or mend memory.session.redis_url; "
            "with memory.session.backend: process this server keeps sessions itself."
        )


def server_address(client: Redis) -> str:
    """Return the address that a client connects to, without user and password."""
    known = client.connection_pool.connection_kwargs
    return str(known["path"]) if "path" in known else f"{known.get('host', 'localhost')}:{known.get('port', 6379)}/{known.get('db') or 0}"


def _parse_entry(line: bytes | str) -> Any:
    """Parse a stored entry; None for a value that something else wrote under the key."""
    try:
        return json.loads(line)
    except ValueError:
        return None
