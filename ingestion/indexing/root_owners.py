"""Finds the tenants that have a folder, or part of one, in their libraries."""

from __future__ import annotations

from collections.abc import Iterable

from core.ports import JobRecord
from ingestion.indexing.index_writer import Stores
from ingestion.scan.paths import is_within


async def tenants_at(stores: Stores, jobs: Iterable[JobRecord], path: str) -> frozenset[str]:
    """Return the tenants that indexed this path, something in it or something around it, and those of whom one of `jobs` is about to."""
    taken = [(job.tenant, job.path) for job in jobs]
    for tenant in await stores.watch_store.tenants() if stores.watch_store is not None else ():
        taken += [(tenant, root.path) for root in await stores.writer.roots(tenant)]
    return frozenset(tenant for tenant, each in taken if is_within(each, path) or is_within(path, each))
