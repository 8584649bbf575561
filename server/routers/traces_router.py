"""Stored runs: the list and one whole."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from core.run_inspection import EventList, ExplainRequest, FileExplanation, ReplayRequest, TraceComparison, TraceLine, ZeusGraphOut
from core.runs import Trace
from core.search_schemas import SearchResponse
from server.auth import AppServices, Caller
from server.schemas import TraceList
from server.trace_views import read_trace_as, record_views

router = APIRouter(prefix="/traces", tags=["traces"])
explain_router = APIRouter(tags=["traces"])
TraceIdQuery = Annotated[str, Query(min_length=1, max_length=200)]


@router.get("")
async def list_traces(
    caller: Caller,
    services: AppServices,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    cursor: Annotated[str | None, Query(max_length=400)] = None,
    conversation_id: Annotated[str | None, Query(max_length=200)] = None,
) -> TraceList:
    """The runs, newest first: the caller's, and for an administrator everybody's of the tenant, which their records say."""
    found, following = await services.traces.list_recent(
        caller.tenant, limit=limit, cursor=cursor, conversation_id=conversation_id, user_id=caller.trace_reader
    )
    await record_views(caller, services, found, "list")
    lines = [TraceLine.model_validate(trace.model_dump(include=set(TraceLine.model_fields))) for trace in found]
    return TraceList(traces=lines, next_cursor=following)


@router.get("/graph")
async def read_graph(_: Caller, services: AppServices) -> ZeusGraphOut:
    """Zeus as he is compiled, with Daedalus's sub-graph: what the page draws, and lights the way of a run in."""
    return services.inspector.graph()


@router.get("/compare")
async def compare_traces(left: TraceIdQuery, right: TraceIdQuery, caller: Caller, services: AppServices) -> TraceComparison:
    """Two runs side by side: results, steps, and the differences in sentences."""
    for each in dict.fromkeys((left, right)):
        await read_trace_as(caller, services, each, "comparison")
    return await services.inspector.compare(caller.tenant, left, right, caller.trace_reader)


@router.get("/{trace_id}")
async def read_trace(trace_id: str, caller: Caller, services: AppServices) -> Trace:
    """One run: its path, what every node read and wrote, and how each candidate moved."""
    return await read_trace_as(caller, services, trace_id, "run")


@router.delete("/{trace_id}", status_code=204)
async def delete_trace(trace_id: str, caller: Caller, services: AppServices) -> None:
    """Remove a run: what was asked and answered, its turn in a conversation, the feedback on it, and what memory made of it by itself."""
    owner = await services.traces.delete(caller.tenant, trace_id, user_id=caller.owner)
    await services.runs.forget_runs(caller.tenant, run_id=trace_id)
    await services.memory.forget_run(caller.tenant, owner, trace_id)
    await services.history.reclaim_space()


@router.get("/{trace_id}/events")
async def read_events(trace_id: str, caller: Caller, services: AppServices) -> EventList:
    """The events of a stored run as its stream sent them."""
    await read_trace_as(caller, services, trace_id, "events")
    return await services.inspector.events(caller.tenant, trace_id, caller.trace_reader)


@router.post("/{trace_id}/replay")
async def replay_trace(trace_id: str, body: ReplayRequest, caller: Caller, services: AppServices) -> SearchResponse:
    """Ask the same once more without some stages. The new run is a trace of its own that names this one."""
    return await services.inspector.replay(caller.tenant, trace_id, list(body.without), caller.owner)


@explain_router.post("/explain")
async def explain_file(body: ExplainRequest, caller: Caller, services: AppServices) -> FileExplanation:
    """Explain why a file is where it is in a run's results, or at which stage it was dropped and with which score."""
    return await services.inspector.explain(caller.tenant, body.trace_id, body.document, caller.owner)
