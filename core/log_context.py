"""What a line of the log belongs to: set once where a request, a run or a job begins, and read by whoever writes the lines."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class LogContext:
    """`person` is the person's name, which is for the writer of the lines alone: they hold its hash."""

    tenant: str = ""
    person: str = ""
    run_id: str = ""
    job_id: str = ""


_current: ContextVar[LogContext] = ContextVar("log_context", default=LogContext())  # noqa: B039 - it is frozen


def log_context() -> LogContext:
    return _current.get()


def set_log_context(tenant: str = "", person: str = "", run_id: str = "") -> None:
    """Say what the rest of this task, and tasks and threads that begin in it, belongs to."""
    _current.set(replace(_current.get(), tenant=tenant, person=person, run_id=run_id))


@contextmanager
def log_as_job(tenant: str, job_id: str) -> Iterator[None]:
    """Say the same of the block: a job of a task that does one after the other."""
    token = _current.set(LogContext(tenant=tenant, job_id=job_id))
    try:
        yield
    finally:
        _current.reset(token)
