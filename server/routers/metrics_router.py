"""What a server counts, for Prometheus."""

from __future__ import annotations

from fastapi import APIRouter, Response
from fastapi.responses import PlainTextResponse

from core.errors import Forbidden, NotFound
from server.auth import AppServices, Caller

router = APIRouter(tags=["system"])


@router.get("/metrics", response_class=PlainTextResponse)
async def metrics(caller: Caller, services: AppServices) -> Response:
    """Metrics in Prometheus' text format: requests, questions, stages, the queue, the ledger's states, caches, the language model. Counted over
    all tenants, so with keys an administrator's is needed."""
    if caller.has_key and caller.role != "admin":
        raise Forbidden("Metrics are counted over all tenants: they need the key of an administrator.")
    if services.metrics is None:
        raise NotFound("Metrics are kept by `vantage serve` and `vantage watch`.")
    return Response(await services.metrics.render(), media_type=services.metrics.content_type)
