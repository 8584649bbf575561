"""An administrator's views of other people's runs: each is written into the record of the run before it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from core.runs import Trace, TracePart, TraceView
from server.request_identity import Identity
from server.services import Services


async def record_views(caller: Identity, services: Services, found: Sequence[Trace], part: TracePart) -> None:
    """Record that the caller sees `part` of those of these runs that are another person's; nothing for a person's own."""
    others = [trace.id for trace in found if trace.user_id != caller.user_id]
    if caller.role == "admin" and others:
        await services.traces.record_view(caller.tenant, others, TraceView(user_id=caller.user_id, at=datetime.now(UTC), part=part))


async def read_trace_as(caller: Identity, services: Services, trace_id: str, part: TracePart) -> Trace:
    """Return the run as the caller may read it, with this view in its record. Raises NotFound."""
    found = await services.traces.get(caller.tenant, trace_id, user_id=caller.trace_reader)
    if caller.role != "admin" or found.user_id == caller.user_id:
        return found
    await record_views(caller, services, [found], part)
    return await services.traces.get(caller.tenant, trace_id, user_id=caller.trace_reader)
