"""`Leases`: a value that is exchanged while others use it. Whoever took it keeps what it took; the next one gets the new one."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(slots=True, eq=False)
class _Leased(Generic[T]):
    """A value and how many hold it. `unused` is set when nobody holds it and nobody can take it any more."""

    value: T
    holders: int = 0
    retired: bool = False
    unused: asyncio.Event = field(default_factory=asyncio.Event)

    def check(self) -> None:
        if self.retired and not self.holders:
            self.unused.set()


class Leases(Generic[T]):
    """For one event loop. Taking and exchanging are single steps of it: nobody ever sees half of an exchange."""

    def __init__(self, value: T) -> None:
        self._present = _Leased(value)

    @property
    def value(self) -> T:
        """The present one, for a moment's use."""
        return self._present.value

    @contextmanager
    def held(self) -> Iterator[T]:
        """The present one, which stays usable until the block is left."""
        leased = self._present
        leased.holders += 1
        try:
            yield leased.value
        finally:
            leased.holders -= 1
            leased.check()

    def exchange(self, value: T) -> asyncio.Event:
        """From now on `value` is taken. The event is set when the last one that holds what was before has given it back."""
        before, self._present = self._present, _Leased(value)
        before.retired = True
        before.check()
        return before.unused
