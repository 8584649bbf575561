"""Whose folder a path is: with API keys a configured root is one tenant's, and a folder that a tenant indexed nobody else's."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import anyio.to_thread

from core.errors import PathNotAllowed
from core.ownership import libraries_read
from server.request_identity import Identity
from server.services import Services
from server.uploads import upload_folder
from settings_ingestion import EVERY_TENANT, ConfiguredRoot


async def library_for(path: Path, caller: Identity, services: Services) -> str:
    """Return the library that the path is indexed into: the caller's own for what the caller uploaded, else the tenant's. Raises PathNotAllowed."""
    if not caller.has_key or path == services.sample:
        return caller.tenant
    real, uploads = await anyio.to_thread.run_sync(path.resolve), await anyio.to_thread.run_sync(services.uploads.resolve)
    for library in libraries_read(caller.library):
        if real.is_relative_to(upload_folder(uploads, library)):
            return library
    if real.is_relative_to(uploads):
        raise PathNotAllowed(f"{path} holds what others uploaded.")
    root = _find_configured(real, caller.tenant, services.settings.ingestion.roots)
    if root.tenant != EVERY_TENANT and await services.jobs.tenants_at(str(real)) - {caller.tenant}:
        raise PathNotAllowed(f"{path} belongs to another tenant, who indexed it, or a folder in or around it. Choose another folder.")
    return caller.tenant


def _find_configured(real: Path, tenant: str, roots: Sequence[ConfiguredRoot]) -> ConfiguredRoot:
    """Return the innermost configured root that holds the path. Raises PathNotAllowed where there is none, where it is another tenant's, and where
    the path holds another tenant's.
    """
    resolved = [(root.path.expanduser().resolve(), root) for root in roots]
    around = [(place, root) for place, root in resolved if real.is_relative_to(place)]
    if not around:
        raise PathNotAllowed(f"{real} lies outside the configured roots.")
    _, innermost = max(around, key=lambda each: len(each[0].parts))
    inside = [root for place, root in resolved if place.is_relative_to(real)]
    if any(root.tenant not in {"", EVERY_TENANT, tenant} for root in (innermost, *inside)):
        raise PathNotAllowed(f"{real} is a root of another tenant, or holds one (ingestion.roots). Choose another folder.")
    return innermost
