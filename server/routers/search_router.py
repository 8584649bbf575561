"""Asking: POST /search, POST /search/stream, the runs behind them, and feedback."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime

from fastapi import APIRouter, Request
from sse_starlette import EventSourceResponse

from core.ports import FeedbackRecord
from core.search_schemas import RunAnswer, SearchRequest, SearchResponse
from server.auth import AppServices, Caller
from server.schemas import CancelOut, FeedbackOut, FeedbackRequest, RunAccepted
from server.services import Services
from server.sse import last_event_id, run_stream

router = APIRouter(tags=["ask"])


def complete_request(body: SearchRequest, services: Services) -> SearchRequest:
    """The request with the settings' number of documents where it names none."""
    return body if "top_k" in body.model_fields_set else body.model_copy(update={"top_k": services.settings.search.rerank_top_k})


@router.post("/search")
async def search(body: SearchRequest, caller: Caller, services: AppServices) -> SearchResponse:
    """Answer a question in one piece."""
    asked = complete_request(body, services)
    run_id = await services.runs.start(asked, caller.tenant, caller.person(body.user_id), owner=caller.owner)
    return await services.runs.result(caller.tenant, run_id)


@router.post("/search/stream", response_class=EventSourceResponse, responses={200: {"content": {"text/event-stream": {}}}})
async def search_stream(body: SearchRequest, caller: Caller, services: AppServices) -> EventSourceResponse:
    """Answer a question as server-sent events: run, step, token, sources, answer, error, done."""
    person = caller.person(body.user_id)
    asked = complete_request(body, services)
    with services.streams.hold_place(caller.tenant, person) as place:
        run_id = await services.runs.start(asked, caller.tenant, person, owner=caller.owner)
        return run_stream(services, place, caller.tenant, run_id, 0)


@router.get("/runs/{run_id}/events", response_class=EventSourceResponse, responses={200: {"content": {"text/event-stream": {}}}})
async def run_events(run_id: str, request: Request, caller: Caller, services: AppServices) -> EventSourceResponse:
    """Go on reading a run after Last-Event-ID."""
    await services.runs.require_run(caller.tenant, run_id, caller.owner)
    with services.streams.hold_place(caller.tenant, caller.user_id) as place:
        return run_stream(services, place, caller.tenant, run_id, last_event_id(request))


@router.post("/runs/{run_id}/cancel")
async def cancel_run(run_id: str, caller: Caller, services: AppServices) -> CancelOut:
    """Stop a run: the graph and the model call end, what was found is kept."""
    stopping = await services.runs.cancel(caller.tenant, run_id, caller.owner)
    return CancelOut(id=run_id, state="cancelling" if stopping else "already_over")


@router.post("/runs/{run_id}/answer")
async def answer_run(run_id: str, body: RunAnswer, caller: Caller, services: AppServices) -> SearchResponse | RunAccepted:
    """Answer what Socrates asked back: a choice, words, or skip. The run goes on where it stopped."""
    await services.runs.answer(caller.tenant, run_id, body, caller.owner)
    if not body.wait:
        return RunAccepted(run_id=run_id)
    return await services.runs.result(caller.tenant, run_id)


@router.post("/feedback")
async def feedback(body: FeedbackRequest, caller: Caller, services: AppServices) -> FeedbackOut:
    """Store a click, a thumb, a correction about an answer, and learn from it for the person who asked."""
    asked_by = (await services.traces.get(caller.tenant, body.trace_id, user_id=caller.owner)).user_id
    record = FeedbackRecord(
        id=uuid.uuid4().hex,
        tenant=caller.tenant,
        user_id=caller.person(asked_by),
        trace_id=body.trace_id,
        kind=body.kind,
        result_id=body.result_id,
        rank=body.rank,
        reason=body.reason,
        correction=body.correction,
        created_at=datetime.now(UTC),
    )
    await services.feedback.save(record)
    await services.memory.learn_from_feedback(record)
    return FeedbackOut(id=record.id, stored=True)
