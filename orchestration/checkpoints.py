"""Checkpoints of runs that wait for an answer, and the types that may come back out of them: those of the state, and no others."""

from __future__ import annotations

from enum import Enum
from typing import Any, get_args, get_type_hints

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from pydantic import BaseModel

from orchestration.state import State


def make_checkpoints() -> InMemorySaver:
    """Return a saver in memory: a run waits for as long as runs are kept, and no longer than the process lives."""
    allowed: list[type | tuple[str, ...]] = list(collect_types(State))
    return InMemorySaver(serde=JsonPlusSerializer(allowed_msgpack_modules=allowed))


def collect_types(schema: Any, seen: set[type] | None = None) -> set[type]:
    """Return every model, enumeration and named tuple that values of `schema` can hold, at any depth."""
    found = set() if seen is None else seen
    for hint in get_type_hints(schema).values():
        _collect(hint, found)
    return found


def _collect(hint: Any, found: set[type]) -> None:
    for inner in get_args(hint):
        _collect(inner, found)
    if not isinstance(hint, type) or hint in found:
        return
    if issubclass(hint, Enum):
        found.add(hint)
    elif issubclass(hint, BaseModel) or hasattr(hint, "_fields"):
        found.add(hint)
        collect_types(hint, found)
