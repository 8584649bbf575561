"""Stored runs: the list and one whole."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from core.runs import Trace
from server.auth import Caller, Reach
from server.schemas import TraceLine, TraceList

router = APIRouter(prefix="/traces", tags=["traces"])


@router.get("")
async def list_traces(
    caller: Caller,
    services: Reach,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    cursor: Annotated[str | None, Query(max_length=400)] = None,
    conversation_id: Annotated[str | None, Query(max_length=200)] = None,
) -> TraceList:
    """The runs, newest first."""
    found, following = await services.traces.recent(caller.tenant, limit=limit, cursor=cursor, conversation_id=conversation_id)
    lines = [TraceLine.model_validate(trace.model_dump(include=set(TraceLine.model_fields))) for trace in found]
    return TraceList(traces=lines, next_cursor=following)


@router.get("/{trace_id}")
async def read_trace(trace_id: str, caller: Caller, services: Reach) -> Trace:
    """One run: its path, what every node read and wrote, and how each candidate moved."""
    return await services.traces.get(caller.tenant, trace_id)
