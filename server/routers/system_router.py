"""The state of the whole: /health, and /starters for an empty conversation."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from orchestration.starter_questions import make_starters
from server.auth import AppServices, Caller, identify_key, key_in_headers
from server.health_report import make_report
from server.schemas import HealthOut, LiveOut, SessionOut, SessionRequest, Starter, StarterList
from server.session_cookies import delete_cookie, session_in_cookie, set_cookie

router = APIRouter(tags=["system"])


@router.get("/health")
async def health(caller: Caller, services: AppServices, *, thorough: bool = False) -> HealthOut:
    """Liveness, readiness and every part: what is degraded and what helps, within a second; where the parts are busy, what they said last.
    `thorough` has the store check the whole of itself, and waits for it."""
    if thorough:
        return await make_report(services, caller.library, thorough=True)
    return await services.health.latest(caller.library, lambda: make_report(services, caller.library))


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
async def open_session(body: SessionRequest, request: Request, response: Response, services: AppServices) -> None:
    """Let the page of this browser in with a key: a random id goes into a cookie that no script can read and no other site sends."""
    if services.settings.server.api_keys:
        identify_key(request, services, body.api_key)
        await services.sessions.close(session_in_cookie(request))
        set_cookie(request, response, await services.sessions.open(body.api_key), services.sessions.lifetime_seconds)


@router.get("/session")
async def read_session(caller: Caller, request: Request) -> SessionOut:
    """Return who asks, and whether this browser is signed in."""
    return SessionOut(signed_in=caller.has_key and not key_in_headers(request), tenant=caller.tenant, user_id=caller.user_id, role=caller.role)


@router.delete("/session", status_code=204)
async def close_session(request: Request, response: Response, services: AppServices) -> None:
    """Sign this browser out: its session is over, whoever still has its id."""
    await services.sessions.close(session_in_cookie(request))
    delete_cookie(request, response)


@router.get("/starters")
async def starters(caller: Caller, services: AppServices) -> StarterList:
    """A question for each route that the index can answer, made from what is in it."""
    found = await make_starters(services.library, caller.library)
    return StarterList(starters=[Starter.model_validate(item.model_dump()) for item in found])
