"""The state of the whole: /health, and /starters for an empty conversation."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from orchestration.starters import make_starters
from server.auth import Caller, Reach, known_caller, sent_key
from server.health_report import report_of
from server.schemas import HealthOut, LiveOut, SessionOut, SessionRequest, Starter, StarterList
from server.sessions import drop_cookie, session_of, set_cookie

router = APIRouter(tags=["system"])


@router.get("/health")
async def health(caller: Caller, services: Reach, *, thorough: bool = False) -> HealthOut:
    """Liveness, readiness and every part: what is degraded and what helps, within a second; where the parts are busy, what they said last.
    `thorough` has the store check the whole of itself, and waits for it."""
    if thorough:
        return await report_of(services, caller.library, thorough=True)
    return await services.health.of(caller.library, lambda: report_of(services, caller.library))


@router.get("/live")
async def live() -> LiveOut:
    """That the server runs, and nothing else: a sign of life for whoever has no key."""
    return LiveOut()


@router.get("/openapi.json", include_in_schema=False)
async def schema(_: Caller, request: Request) -> dict[str, Any]:
    """The schema of this API. What FastAPI would serve by itself asks for no key."""
    described: dict[str, Any] = request.app.openapi()
    return described


@router.post("/session", status_code=204)
async def open_session(body: SessionRequest, request: Request, response: Response, services: Reach) -> None:
    """Let the page of this browser in with a key: a random id goes into a cookie that no script can read and no other site sends."""
    if services.settings.server.api_keys:
        known_caller(request, services, body.api_key)
        await services.sessions.close(session_of(request))
        set_cookie(request, response, await services.sessions.open(body.api_key), services.sessions.seconds)


@router.get("/session")
async def read_session(caller: Caller, request: Request) -> SessionOut:
    """Who asks, and whether this browser is signed in."""
    return SessionOut(signed_in=caller.keyed and not sent_key(request), tenant=caller.tenant, user_id=caller.user_id, role=caller.role)


@router.delete("/session", status_code=204)
async def close_session(request: Request, response: Response, services: Reach) -> None:
    """Sign this browser out: its session is over, whoever still has its id."""
    await services.sessions.close(session_of(request))
    drop_cookie(request, response)


@router.get("/starters")
async def starters(caller: Caller, services: Reach) -> StarterList:
    """A question for each route that the index can answer, made from what is in it."""
    found = await make_starters(services.library, caller.library)
    return StarterList(starters=[Starter.model_validate(item.model_dump()) for item in found])
