"""Concurrency tools of a run: a bound on what is on its way, a task group that an event stops, and one error out of many."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import anyio
import anyio.abc

from core.errors import VantageError


class ByteBudget:
    """A bound on the bytes that are on their way.

    A document takes at most three quarters: a large one does not stop the small ones, and no second one of its kind is beside it.
    """

    def __init__(self, size: int) -> None:
        self._all = self._free = size
        self._changed = anyio.Condition()

    async def reserve(self, weight: int) -> None:
        async with self._changed:
            while self._free < self._cost(weight):
                await self._changed.wait()
            self._free -= self._cost(weight)

    async def release(self, weight: int) -> None:
        async with self._changed:
            self._free += self._cost(weight)
            self._changed.notify_all()

    def _cost(self, weight: int) -> int:
        return min(weight, 3 * self._all // 4)


@asynccontextmanager
async def task_group_until(event: anyio.Event) -> AsyncIterator[anyio.abc.TaskGroup]:
    """Open a task group that ends early, without an error, when `event` is set."""
    async with anyio.create_task_group() as watch:

        async def stop(scope: anyio.CancelScope) -> None:
            await event.wait()
            scope.cancel()

        async with anyio.create_task_group() as group:
            watch.start_soon(stop, group.cancel_scope)
            yield group
        watch.cancel_scope.cancel()


def first_error(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """Return the error that ended a run: one of Vantage's own if there is one."""
    errors = list(_leaf_errors(group))
    return next((error for error in errors if isinstance(error, VantageError)), errors[0])


def _leaf_errors(group: BaseExceptionGroup[BaseException]) -> Iterator[BaseException]:
    for error in group.exceptions:
        if isinstance(error, BaseExceptionGroup):
            yield from _leaf_errors(error)
        else:
            yield error
