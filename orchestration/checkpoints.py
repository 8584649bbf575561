"""Checkpoints of runs that wait for an answer, and the types that may come back out of them: those of the state, and no others.

They are in memory; where several servers share the runs, that of a run which waits is packed and lies in its row (`core.ports.SharedRunStore`).
"""

from __future__ import annotations

from enum import Enum
from functools import cache
from typing import Any, get_args, get_type_hints

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from pydantic import BaseModel

from orchestration.state import State


def make_checkpoints() -> InMemorySaver:
    """Return a saver in memory: a run waits for as long as runs are kept."""
    allowed: list[type | tuple[str, ...]] = list(state_types())
    return InMemorySaver(serde=JsonPlusSerializer(allowed_msgpack_modules=allowed))


@cache
def state_types() -> frozenset[type]:
    """Return every model, enumeration and named tuple that a state can hold; the hints of all of them are read once."""
    return frozenset(collect_types(State))


def pack_checkpoint(saver: InMemorySaver, run_id: str) -> bytes:
    """Return the last checkpoint of a run, for a saver of another process."""
    found = saver.get_tuple(_thread(run_id))
    if found is None:
        return b""
    return saver.serde.dumps_typed((found.checkpoint, found.metadata, found.pending_writes))[1]


def unpack_checkpoint(saver: InMemorySaver, run_id: str, packed: bytes) -> dict[str, Any]:
    """Give a saver the checkpoint that another packed, and return the values of its channels."""
    checkpoint, metadata, pending = saver.serde.loads_typed(("msgpack", packed))
    place = {"configurable": {**_thread(run_id)["configurable"], "checkpoint_ns": ""}}
    values = dict(checkpoint["channel_values"])
    stored = saver.put(place, checkpoint, metadata, checkpoint["channel_versions"])  # type: ignore[arg-type] # a RunnableConfig
    for task in dict.fromkeys(task for task, _, _ in pending):
        saver.put_writes(stored, [(channel, value) for owner, channel, value in pending if owner == task], task)
    return values


def _thread(run_id: str) -> RunnableConfig:
    return {"configurable": {"thread_id": run_id}}


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
