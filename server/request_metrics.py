"""Counting of requests, by the route's pattern: no address is told, only what it stands for."""

from __future__ import annotations

import time

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.services import Services

UNKNOWN_ROUTE = "other"  # no route of the API: the page, a wrong address, a request that was refused before
_METHODS = frozenset({"GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"})


class RequestMetrics:
    """Pure ASGI, so that streams pass untouched. Does nothing where no metrics are kept."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        services: Services | None = scope.get("state", {}).get("services") if scope["type"] == "http" else None
        if services is None or services.metrics is None:
            await self.app(scope, receive, send)
            return
        began, status = time.perf_counter(), 500

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, watched)
        finally:
            method = scope["method"] if scope["method"] in _METHODS else UNKNOWN_ROUTE
            services.metrics.count_request(method, _route_pattern(scope), status, time.perf_counter() - began)


def _route_pattern(scope: Scope) -> str:
    route = scope.get("route")
    return route.path if route is not None and route.include_in_schema else UNKNOWN_ROUTE
