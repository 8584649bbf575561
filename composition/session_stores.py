"""The store of sessions that the settings name."""

from __future__ import annotations

from contextlib import AsyncExitStack

from core.ports import SessionMemory
from memory.in_process_session import InProcessSessionMemory
from settings import Settings


def open_sessions(stack: AsyncExitStack, settings: Settings) -> SessionMemory:
    """Return the session store that the settings name."""
    chosen = settings.memory.session
    if chosen.backend == "process" or (chosen.backend == "auto" and not chosen.redis_url):
        return InProcessSessionMemory(chosen.window_size, chosen.ttl_seconds)
    from memory.redis_session import RedisSessionMemory

    shared = RedisSessionMemory(chosen.redis_url, chosen.window_size, chosen.ttl_seconds)
    stack.push_async_callback(shared.close)
    return shared
