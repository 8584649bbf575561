"""The session tier in this process: a sliding window of turns for each session, gone after its time to live."""

from __future__ import annotations

import copy
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class _Window:
    entries: deque[dict[str, Any]]
    expires_at: float = field(default=0.0)


class InProcessSessionMemory:
    """core.ports.SessionMemory without a server.

    `window_size` turns are kept per session, oldest dropped first; a session is forgotten `ttl_seconds` after its last turn; at most
    `max_sessions` are kept, the one not used for longest goes first. `clock` gives seconds (monotonic).
    """

    def __init__(
        self, window_size: int = 10, ttl_seconds: float = 3600.0, *, max_sessions: int = 10_000, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._size, self._ttl, self._most, self._clock = window_size, ttl_seconds, max_sessions, clock
        self._windows: OrderedDict[tuple[str, str], _Window] = OrderedDict()

    async def remember(self, tenant: str, session_id: str, entry: dict[str, Any]) -> None:
        """Append a turn; the session lives on for its whole time."""
        window = self._live_window(tenant, session_id) or _Window(deque(maxlen=self._size))
        window.entries.append(copy.deepcopy(entry))
        window.expires_at = self._clock() + self._ttl
        self._windows[(tenant, session_id)] = window
        self._windows.move_to_end((tenant, session_id))
        self._prune()

    async def recall(self, tenant: str, session_id: str) -> list[dict[str, Any]]:
        """Return the turns of the session, oldest first; [] for one that is unknown or has expired."""
        window = self._live_window(tenant, session_id)
        return copy.deepcopy(list(window.entries)) if window else []

    async def forget(self, tenant: str, session_id: str) -> int:
        """Remove the session; how many turns it had."""
        window = self._live_window(tenant, session_id)
        self._windows.pop((tenant, session_id), None)
        return len(window.entries) if window else 0

    def _live_window(self, tenant: str, session_id: str) -> _Window | None:
        window = self._windows.get((tenant, session_id))
        if window is not None and window.expires_at <= self._clock():
            del self._windows[(tenant, session_id)]
            return None
        return window

    def _prune(self) -> None:
        """Drop what has expired from the front (the order is that of the last turn, so of expiry), then what is too much."""
        now = self._clock()
        while self._windows:
            _, oldest = next(iter(self._windows.items()))
            if oldest.expires_at > now and len(self._windows) <= self._most:
                return
            self._windows.popitem(last=False)
