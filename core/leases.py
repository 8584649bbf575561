"""`Leases`: a value that is exchanged while others use it. Whoever took it keeps what it took; the next one gets the new one."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(slots=True, eq=False)
class _Lease(Generic[T]):
    """A value and the number of its users. `unused` is set when nobody uses it, nor one from before it, and nobody can take it any more."""

    value: T
    holders: int = 0
    retired: bool = False
    unused: asyncio.Event = field(default_factory=asyncio.Event)
    earlier: _Lease[T] | None = None
    later: _Lease[T] | None = None

    def signal_if_unused(self) -> None:
        if not self.retired or self.holders or (self.earlier is not None and not self.earlier.unused.is_set()):
            return
        self.unused.set()
        later, self.later = self.later, None
        if later is not None:
            later.earlier = None  # nobody keeps a value that is not used any more
            later.signal_if_unused()


class Leases(Generic[T]):
    """The holder of the present value, for one event loop. Taking and exchanging are single steps of it: nobody ever sees half of an exchange."""

    def __init__(self, value: T) -> None:
        self._present = _Lease(value)

    @property
    def value(self) -> T:
        """The present value, for a moment's use."""
        return self._present.value

    @contextmanager
    def lease(self) -> Iterator[T]:
        """Yield the present value, which stays usable until the block is left."""
        leased = self._present
        leased.holders += 1
        try:
            yield leased.value
        finally:
            leased.holders -= 1
            leased.signal_if_unused()

    def exchange(self, value: T) -> asyncio.Event:
        """Put `value` in the place of the present one. The returned event is set when nobody uses what was before any more, nor what was before that:
        two values may share parts, which are closed when the event is set."""
        before, self._present = self._present, _Lease(value, earlier=self._present)
        before.retired, before.later = True, self._present
        before.signal_if_unused()
        return before.unused
