"""The folder watcher: what it follows, and its switches. A caller sees and switches the folders of their tenant, and that of their own uploads."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from fastapi import APIRouter

from core.watcher_status import WatcherStatus
from server.auth import AppServices, Caller
from server.ledger_schemas import WatchSwitch
from server.personal_library import load_watcher_status, run_in_library
from server.request_identity import Identity
from server.services import Services

router = APIRouter(prefix="/watcher", tags=["library"])


@router.get("/status")
async def watcher_status(caller: Caller, services: AppServices) -> WatcherStatus:
    """Every indexed folder: whether it is followed and how, what waits, and the last changes."""
    return await load_watcher_status(services, caller.library)


@router.post("/enable")
async def enable(caller: Caller, services: AppServices, body: WatchSwitch | None = None) -> WatcherStatus:
    """Follow one indexed folder; without a body all of them. Kept over restarts."""
    return await _switch_folders(caller, services, body, services.watcher.enable)


@router.post("/disable")
async def disable(caller: Caller, services: AppServices, body: WatchSwitch | None = None) -> WatcherStatus:
    """Stop following one indexed folder; without a body all of them. Kept over restarts."""
    return await _switch_folders(caller, services, body, services.watcher.disable)


async def _switch_folders(
    caller: Identity, services: Services, body: WatchSwitch | None, switch: Callable[[str, str | None], Awaitable[WatcherStatus]]
) -> WatcherStatus:
    """One folder, wherever the caller has it; without one the switch of the tenant."""
    if body is None or body.path is None:
        await switch(caller.tenant, None)
    else:
        await run_in_library(caller.library, lambda library: switch(library, body.path))
    return await load_watcher_status(services, caller.library)
