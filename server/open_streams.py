"""The count of open event streams, of each person and in all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from sse_starlette import EventSourceResponse
from starlette.types import Receive, Scope, Send

from core.errors import Overloaded, TooMany

Person = tuple[str, str]


class OpenStreams:
    """Counts streams from the moment that one is promised to its end."""

    def __init__(self, most: int, most_of_a_person: int) -> None:
        self._most, self._most_of_a_person = most, most_of_a_person
        self._open: Counter[Person] = Counter()

    def __len__(self) -> int:
        return self._open.total()

    def open_place(self, tenant: str, user_id: str) -> StreamPlace:
        """Return a place for one more stream, to be closed by the caller. Raises TooMany for the person, Overloaded for all."""
        person = (tenant, user_id)
        if self._open[person] >= self._most_of_a_person:
            raise TooMany(f"{self._most_of_a_person} streams of yours are open, as many as one person may have.")
        if len(self) >= self._most:
            raise Overloaded(f"{self._most} streams are open, as many as this server has.")
        self._open[person] += 1
        return StreamPlace(self, person)

    @contextmanager
    def hold_place(self, tenant: str, user_id: str) -> Iterator[StreamPlace]:
        """Open as `open` does; the place is given back where the stream could not begin."""
        taken = self.open_place(tenant, user_id)
        try:
            yield taken
        except BaseException:
            taken.close()
            raise

    def free_place(self, person: Person) -> None:
        self._open[person] -= 1
        if not self._open[person]:
            del self._open[person]


class StreamPlace:
    """One stream that counts until it is closed."""

    def __init__(self, streams: OpenStreams, person: Person) -> None:
        self._streams, self._person, self._closed = streams, person, False

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._streams.free_place(self._person)


class CountedStream(EventSourceResponse):
    """A stream that gives its place back when it ends, also where its reader went away before the first event."""

    place: StreamPlace

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self.place.close()
