"""The application: its factory and its lifespan, nothing else."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from fastapi import FastAPI

from bootstrap import open_services
from composition.early_models import EarlyModels
from server.app import ROUTERS, build_app
from server.auth import require_keys_beyond_loopback
from server.services import LifespanState
from settings import Settings, load_settings


def create_app(
    settings: Settings | None = None,
    *,
    resume_jobs: bool = True,
    watch: bool = True,
    warm: bool = True,
    early: EarlyModels | None = None,
    routers: Sequence[str] = ROUTERS,
) -> FastAPI:
    """Return the ASGI application for these settings (default: as found). Raises ConfigurationError where it would be open to others.

    `resume_jobs` goes on with indexing that was cut short, `watch` follows the indexed folders, `warm` opens at once what a question needs: what a
    server does, and a command as far as it needs it. `early` are models that are being opened already. `routers` are
    those of its routes that are wanted (`server.app.ROUTERS`).
    """
    chosen = settings or load_settings()
    require_keys_beyond_loopback(chosen)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[LifespanState]:
        async with open_services(chosen, resume_jobs=resume_jobs, watch=watch, warm=warm, early=early) as services:
            yield {"services": services}

    return build_app(chosen.server, lifespan, routers)
