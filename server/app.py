"""The FastAPI application without its parts: routers, errors, guards. `api.py` adds the lifespan."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from fastapi import APIRouter, FastAPI
from starlette.routing import BaseRoute
from starlette.types import Lifespan

from core import version
from server import error_responses
from server.page_routes import page_router
from server.request_guard import RequestGuard
from server.request_metrics import RequestMetrics
from server.schemas import Problem
from settings_server import ServerSettings

VERSION = version.VERSION
# The modules of `server.routers`, in the order in which a path is looked for.
ROUTERS = (
    "search",
    "graph",
    "ontology",
    "documents",
    "tables",
    "library",
    "folders",
    "ledger",
    "locked",
    "watcher",
    "conversations",
    "traces",
    "evaluation",
    "history",
    "memory",
    "embedder",
    "settings",
    "metrics",
    "system",
)
PAGE = Path(__file__).resolve().parent.parent / "ui" / "dist"
_PROBLEM = {"model": Problem, "content": {error_responses.MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}}
_RESPONSES: dict[int | str, dict[str, Any]] = {
    "4XX": {**_PROBLEM, "description": "What is wrong, and what to do"},
    "503": {**_PROBLEM, "description": "A part does not answer"},
}


def build_app(server: ServerSettings | None = None, lifespan: Lifespan[FastAPI] | None = None, routers: Sequence[str] = ROUTERS) -> FastAPI:
    """Build the application: routes, schemas and guards. Without a lifespan it only describes itself (`server.openapi`). A command that asks of few
    of the `routers` names them, and the others are not even imported.
    """
    settings = server or ServerSettings()
    app = FastAPI(
        title="Vantage",
        version=VERSION,
        summary="Cited answers from your own documents.",
        lifespan=lifespan,
        docs_url=None,  # Swagger and ReDoc load their scripts from elsewhere
        redoc_url=None,
        openapi_url=None,  # `server.routers.system_router` serves it, to those who have a key
        routes=list(include_routers(tuple(routers))),
    )
    error_responses.install_handlers(app)
    app.add_middleware(RequestGuard, upload_bytes=settings.max_upload_mb * 1024 * 1024, local_only=not settings.api_keys)
    app.add_middleware(RequestMetrics)
    return app


@cache
def include_routers(routers: tuple[str, ...]) -> tuple[BaseRoute, ...]:
    """Return the routes of these `routers` and of the page. They hold nothing of an application and are made once for all of a process: FastAPI works
    out the parameters and schemas of each route twice, when it is declared and when it is first looked for.
    """
    parent = APIRouter(responses=_RESPONSES)
    for name in routers:
        module = import_module(f"server.routers.{name}_router")
        parent.include_router(module.router)
        if name == "traces":
            parent.include_router(module.explain_router)
    parent.include_router(page_router(PAGE))
    return tuple(parent.routes)
