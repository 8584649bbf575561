"""The folder watcher: what it follows, and its switches. A caller sees and switches the folders of their own tenant."""

from __future__ import annotations

from fastapi import APIRouter

from core.watching import WatcherStatus
from server.auth import Caller, Reach
from server.ledger_schemas import WatchSwitch

router = APIRouter(prefix="/watcher", tags=["library"])


@router.get("/status")
async def watcher_status(caller: Caller, services: Reach) -> WatcherStatus:
    """Every indexed folder: whether it is followed and how, what waits, and the last changes."""
    return await services.watcher.status(caller.tenant)


@router.post("/enable")
async def enable(caller: Caller, services: Reach, body: WatchSwitch | None = None) -> WatcherStatus:
    """Follow one indexed folder; without a body all of them. Kept over restarts."""
    return await services.watcher.enable(caller.tenant, body.path if body is not None else None)


@router.post("/disable")
async def disable(caller: Caller, services: Reach, body: WatchSwitch | None = None) -> WatcherStatus:
    """Stop following one indexed folder; without a body all of them. Kept over restarts."""
    return await services.watcher.disable(caller.tenant, body.path if body is not None else None)
