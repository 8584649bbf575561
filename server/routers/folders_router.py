"""GET /folders: where the page's folder picker looks, on the machine of whoever asks."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import anyio.to_thread
from fastapi import APIRouter, Query

from core.errors import PathNotAllowed
from server.auth import AppServices, Caller
from server.folder_choices import folder_choices
from server.schemas import FolderChoices

router = APIRouter(tags=["library"])


@router.get("/folders")
async def folders(caller: Caller, services: AppServices, under: Annotated[str | None, Query(min_length=1, max_length=4096)] = None) -> FolderChoices:
    """The folders directly in `under`, without it those that `server.picker_roots` and `ingestion.roots` name. On loopback without keys alone:
    whoever has a key is not told what else lies on the server's disk."""
    if caller.has_key:
        raise PathNotAllowed("Folders are listed for those who work on this machine without keys alone. Type the path of the folder.")
    settings = services.settings
    roots = list(dict.fromkeys([*settings.server.picker_roots, *(root.path for root in settings.ingestion.roots)]))
    return await anyio.to_thread.run_sync(folder_choices, under, roots, Path(settings.home))
