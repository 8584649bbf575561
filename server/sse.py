"""Events become server-sent events: every one with an id, a heartbeat, a lifetime cap, and resume by Last-Event-ID."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

from fastapi import Request
from sse_starlette import EventSourceResponse, ServerSentEvent

from core.errors import NotFound
from core.ports import JobRecord
from core.runs import Event
from orchestration.run_registry import Runs
from server.job_view import job_out
from server.open_streams import CountedStream, StreamPlace
from server.services import Services

# How long a run goes on with nobody listening: a reader that lost its connection has this long to resume.
RESUME_SECONDS = 20.0


def last_event_id(request: Request) -> int:
    """Return the id after which to go on; 0 (everything) where none or nonsense was sent."""
    sent = request.headers.get("last-event-id", "") or request.query_params.get("after", "")
    return int(sent) if sent.isascii() and sent.isdigit() and len(sent) < 10 else 0


def run_stream(services: Services, place: StreamPlace, tenant: str, run_id: str, after: int) -> EventSourceResponse:
    """Return the events of a run from `after` on. When the reader goes away and nobody returns in time, the run is cancelled."""
    server = services.settings.server
    return _counted_response(
        place,
        CountedStream(
            _cap_lifetime(_run_events(services.runs, tenant, run_id, after), server.stream_seconds),
            ping=server.heartbeat_seconds,
            headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
        ),
    )


def _counted_response(place: StreamPlace, stream: CountedStream) -> EventSourceResponse:
    stream.place = place
    return stream


async def _run_events(runs: Runs, tenant: str, run_id: str, after: int) -> AsyncIterator[ServerSentEvent]:
    try:
        async for event in runs.events(tenant, run_id, after):
            yield encode_event(event)
    except (asyncio.CancelledError, GeneratorExit):
        runs.stop_if_unread_for(tenant, run_id, RESUME_SECONDS)
        raise


def encode_event(event: Event) -> ServerSentEvent:
    return ServerSentEvent(id=str(event.id), event=event.kind, data=json.dumps(event.data, ensure_ascii=False, separators=(",", ":")))


def job_stream(services: Services, place: StreamPlace, records: AsyncIterator[JobRecord]) -> EventSourceResponse:
    """Return the states of a job as `job` events, then `done`."""
    server = services.settings.server
    stream = CountedStream(
        _cap_lifetime(_job_events(records), server.stream_seconds), ping=server.heartbeat_seconds, headers={"Cache-Control": "no-store"}
    )
    return _counted_response(place, stream)


async def _job_events(records: AsyncIterator[JobRecord]) -> AsyncIterator[ServerSentEvent]:
    number = 0
    try:
        async for record in records:
            number += 1
            yield ServerSentEvent(id=str(number), event="job", data=job_out(record).model_dump_json())
    except NotFound:
        return
    yield ServerSentEvent(id=str(number + 1), event="done", data="{}")


async def _cap_lifetime(events: AsyncIterator[ServerSentEvent], seconds: float) -> AsyncIterator[ServerSentEvent]:
    """End a stream that outlives the cap; the reader resumes with Last-Event-ID where it likes to go on."""
    deadline = asyncio.get_running_loop().time() + seconds
    async for event in events:
        yield event
        if asyncio.get_running_loop().time() > deadline:
            return
