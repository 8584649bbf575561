"""The report of /health: the library's counts, every part, and what runs."""

from __future__ import annotations

import time
from functools import partial
from typing import Literal

from core.documents import DocumentState
from core.ownership import shared_library
from server.personal_library import recent_jobs
from server.request_identity import DEFAULT_TENANT, parse_key
from server.schemas import HealthOut, LibraryCounts, Part
from server.services import Services


async def prepare_reports(services: Services) -> None:
    """Make one for every tenant before the first request, so that there is one to tell whatever comes then."""
    tenants = {DEFAULT_TENANT, *(parse_key(text).tenant for text in services.settings.server.api_keys)}
    for tenant in sorted(tenants):
        await services.health.make_report(tenant, partial(make_report, services, tenant))


async def make_report(services: Services, library: str, *, thorough: bool = False) -> HealthOut:
    totals = await services.library.totals(library)
    parts = await services.parts(thorough=thorough)
    ready = services.ready()
    running = [job.id for job in await recent_jobs(services, library, 20) if job.state in {"queued", "running"}]
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
        features=services.preferences.features(shared_library(library), parts, totals.chunks),
    )


def _status(parts: list[Part], ready: bool) -> Literal["ok", "degraded", "starting"]:
    if not ready:
        return "starting"
    return "degraded" if any(part.state in {"degraded", "down"} for part in parts) else "ok"
