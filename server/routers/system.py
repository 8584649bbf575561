"""The state of the whole: /health, and /starters for an empty conversation."""

from __future__ import annotations

import time
from typing import Literal

from fastapi import APIRouter, Request, Response

from core.documents import DocumentState
from orchestration.starters import make_starters
from server.auth import COOKIE, Caller, Reach, known_caller
from server.personal import recent_jobs
from server.schemas import HealthOut, LibraryCounts, Part, SessionRequest, Starter, StarterList

router = APIRouter(tags=["system"])


@router.get("/health")
async def health(caller: Caller, services: Reach, *, thorough: bool = False) -> HealthOut:
    """Liveness, readiness and every part: what is degraded and what helps. `thorough` has the store check the whole of itself."""
    totals = await services.library.totals(caller.library)
    parts = await services.parts(thorough=thorough)
    ready = services.ready()
    running = [job.id for job in await recent_jobs(services, caller.library, 20) if job.state in {"queued", "running"}]
    return HealthOut(
        status=_status(parts, ready),
        live=True,
        ready=ready,
        version=services.version,
        uptime_seconds=round(time.time() - services.started_at, 3),
        parts=parts,
        library=LibraryCounts(
            documents=totals.documents,
            files=sum(totals.by_state.get(state, 0) for state in DocumentState),
            chunks=totals.chunks,
            vectors=totals.vectors,
            bytes_on_disk=totals.bytes_on_disk,
        ),
        jobs_running=running,
    )


def _status(parts: list[Part], ready: bool) -> Literal["ok", "degraded", "starting"]:
    if not ready:
        return "starting"
    return "degraded" if any(part.state in {"degraded", "down"} for part in parts) else "ok"


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
