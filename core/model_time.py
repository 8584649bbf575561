"""The time that language models have in one run: every call that the run makes, in whatever task, ends with it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_ends: ContextVar[float | None] = ContextVar("model_time", default=None)  # on the monotonic clock; None: no limit, as while indexing


@contextmanager
def limit_model_time(seconds: float) -> Iterator[None]:
    """Limit models: within the block, and in tasks that begin there, models have `seconds` in all; never more than a block around this one left."""
    ends = time.monotonic() + seconds
    around = _ends.get()
    token = _ends.set(ends if around is None else min(ends, around))
    try:
        yield
    finally:
        _ends.reset(token)


@contextmanager
def limit_model_share(share: float) -> Iterator[None]:
    """Limit models to a share: within the block models have this part (0..1) of what is left; without a limit around it there is none."""
    left = model_seconds_left()
    if left is None:
        yield
        return
    with limit_model_time(share * left):
        yield


def model_seconds_left() -> float | None:
    """Return the seconds that models have left, 0 where none are; None where there is no limit."""
    ends = _ends.get()
    return None if ends is None else max(0.0, ends - time.monotonic())
