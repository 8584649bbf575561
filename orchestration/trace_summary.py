"""Values made small for the trace: scalars as they are, texts cut, lists as counts with the first ids. Nothing large is copied at a step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel

_TEXT = 160
_IDS = 10
_ID_FIELDS = ("chunk_id", "anchor", "id", "document_id", "number")


def summarize_value(value: Any, depth: int = 2) -> Any:
    """Return the value, JSON-able and small."""
    match value:
        case None | bool() | int():
            return value
        case float():
            return round(value, 4)
        case str():
            return value if len(value) <= _TEXT else f"{value[:_TEXT]}… ({len(value)} characters)"
        case BaseModel():
            return _fields(value.__dict__, depth)
        case Mapping():
            return _fields(value, depth)
        case tuple() if hasattr(value, "_asdict"):
            return _fields(value._asdict(), depth)
        case Sequence():
            return _sequence(value, depth)
        case _:
            return str(value)


def _fields(values: Mapping[str, Any], depth: int) -> Any:
    if depth == 0:
        return {"fields": len(values)}
    return {str(name): summarize_value(value, depth - 1) for name, value in values.items() if value not in (None, "", [], {}, ())}


def _sequence(values: Sequence[Any], depth: int) -> Any:
    if len(values) <= 5 and all(isinstance(value, str | int | float) for value in values):
        return [summarize_value(value, depth) for value in values]
    ids = [identifier for value in values[:_IDS] if (identifier := _identifier(value)) is not None]
    return {"count": len(values), "first": ids} if ids else {"count": len(values)}


def _identifier(value: Any) -> Any:
    if not isinstance(value, BaseModel):
        return None
    fields = type(value).model_fields
    return next((getattr(value, name) for name in _ID_FIELDS if name in fields), None)
