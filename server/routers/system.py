"""The state of the whole: /health, and /starters for an empty conversation."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from orchestration.starters import make_starters
from server.auth import COOKIE, Caller, Reach, known_caller
from server.health_report import report_of
from server.schemas import HealthOut, LiveOut, SessionRequest, Starter, StarterList

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
    """Let the page of this browser in: the key goes into a cookie that no script can read and no other site sends."""
    if services.settings.server.api_keys:
        known_caller(services, body.api_key)
        response.set_cookie(COOKIE, body.api_key, httponly=True, samesite="strict", secure=request.url.scheme == "https", max_age=90 * 86_400)


@router.delete("/session", status_code=204)
async def close_session(response: Response) -> None:
    """Forget the key in this browser."""
    response.delete_cookie(COOKIE, httponly=True, samesite="strict")


@router.get("/starters")
async def starters(caller: Caller, services: Reach) -> StarterList:
    """A question for each route that the index can answer, made from what is in it."""
    found = await make_starters(services.library, caller.library)
    return StarterList(starters=[Starter.model_validate(item.model_dump()) for item in found])
