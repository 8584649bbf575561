"""The FastAPI application without its parts: routers, errors, guards. `api.py` adds the lifespan."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI
from starlette.types import Lifespan

from core import version
from server import errors
from server.middleware import RequestGuard
from server.page import page_router
from server.routers import (
    conversations,
    documents,
    embedder,
    folders,
    graph,
    history,
    ledger,
    library,
    locked,
    memory,
    search,
    system,
    tables,
    traces,
    watcher,
)
from server.routers import (
    settings as settings_router,
)
from server.schemas import Problem
from settings_server import Server

VERSION = version.VERSION
PAGE = Path(__file__).resolve().parent.parent / "ui" / "dist"
_PROBLEM = {"model": Problem, "content": {errors.MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}}


def build_app(server: Server | None = None, lifespan: Lifespan[FastAPI] | None = None) -> FastAPI:
    """Routes, schemas and guards. Without a lifespan it only describes itself (`server.openapi`)."""
    settings = server or Server()
    app = FastAPI(
        title="Vantage",
        version=VERSION,
        summary="Cited answers from your own documents.",
        lifespan=lifespan,
        docs_url=None,  # Swagger and ReDoc load their scripts from elsewhere
        redoc_url=None,
        openapi_url=None,  # `server.routers.system` serves it, to those who have a key
        responses={"4XX": {**_PROBLEM, "description": "What is wrong, and what to do"}, "503": {**_PROBLEM, "description": "A part does not answer"}},
    )
    errors.install(app)
    for module in (
        search,
        graph,
        documents,
        tables,
        library,
        folders,
        ledger,
        locked,
        watcher,
        conversations,
        traces,
        history,
        memory,
        embedder,
        settings_router,
        system,
    ):
        app.include_router(module.router)
    app.include_router(traces.explain_router)
    app.include_router(page_router(PAGE))
    app.add_middleware(RequestGuard, upload_bytes=settings.max_upload_mb * 1024 * 1024, local_only=not settings.api_keys)
    return app
