"""The limit of a server's connections, and the choice of the one that is closed when it is reached."""

from __future__ import annotations

import resource
from dataclasses import dataclass
from enum import Enum, auto
from typing import Protocol

from core.errors import ConfigurationError

SURPLUS = 32  # connections beyond the limit that may still ask for /health, and are told to wait for all else
ACCEPTED_AT_ONCE = 32  # in one turn of the event loop, before any of them can be told to give way
# What a process has open beside connections: the library, its index, the models' files, pipes of workers, inotify, files that are sent.
_OWN_FILES = 128
_FEWEST = 16


class ClientConnection(Protocol):
    """A connection that can be asked to make room."""

    def shed(self) -> None:
        """Tell the client to try again, and close."""
        ...


class Admission(Enum):
    """The rights of a new connection: everything, ask for /health alone, or nothing."""

    SERVED = auto()
    HEALTH_ONLY = auto()
    NONE = auto()


@dataclass(frozen=True, slots=True)
class ConnectionTimes:
    """Seconds that a client may take; a body gets one more for each `body_bytes_per_second` that came."""

    head_seconds: float = 10.0
    body_seconds: float = 30.0
    body_bytes_per_second: int = 1024
    write_seconds: float = 60.0


class Connections:
    """All connections of a server. Those that wait for a request are known by age: the oldest gives way to a new one. So sockets that are opened
    and never used cannot keep anybody out, and while every place is taken by a request that is being answered `SURPLUS` more may ask for
    /health."""

    def __init__(self, most: int, times: ConnectionTimes) -> None:
        self.most, self.times = most, times
        self._open: set[ClientConnection] = set()
        self._waiting: dict[ClientConnection, None] = {}

    def __len__(self) -> int:
        return len(self._open)

    def admit(self, connection: ClientConnection) -> Admission:
        """Count a new connection, and have the one that has waited longest give way where there is no place left."""
        if len(self._open) >= self.most and self._waiting:
            oldest = next(iter(self._waiting))
            self.remove(oldest)
            oldest.shed()
        if len(self._open) >= self.most + SURPLUS:
            return Admission.NONE
        self._open.add(connection)
        return Admission.SERVED if len(self._open) <= self.most else Admission.HEALTH_ONLY

    def mark_waiting(self, connection: ClientConnection) -> None:
        """Mark that it has no request that is being read or answered."""
        if connection in self._open:
            self._waiting.setdefault(connection)

    def mark_working(self, connection: ClientConnection) -> None:
        """Mark that it has a request."""
        self._waiting.pop(connection, None)

    def remove(self, connection: ClientConnection) -> None:
        self._open.discard(connection)
        self._waiting.pop(connection, None)


def connection_limit(wanted: int) -> int:
    """Return how many connections there can be of the `wanted`, with the open files that the system allows this process (its own limit is raised as
    far as the system lets it).

    Raises:
        ConfigurationError: it allows too few to serve anybody.
    """
    needed = wanted + SURPLUS + 2 * ACCEPTED_AT_ONCE + _OWN_FILES
    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if allowed != resource.RLIM_INFINITY and allowed < needed:
        raised = needed if most == resource.RLIM_INFINITY else min(needed, most)
        resource.setrlimit(resource.RLIMIT_NOFILE, (raised, most))
        allowed = raised
    places = wanted if allowed == resource.RLIM_INFINITY else min(wanted, allowed - (needed - wanted))
    if places < _FEWEST:
        raise ConfigurationError(
            f"The system allows this process {allowed} open files, and {needed - wanted + _FEWEST} are the fewest that it can serve with. "
            "Raise the limit: `ulimit -n 1024`."
        )
    return places
