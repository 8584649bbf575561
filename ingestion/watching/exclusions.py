"""Takes a file or a folder out of the library for good, for a person, or lets it in again."""

from __future__ import annotations

from os.path import normpath

from core.errors import InvalidInput, NotFound
from core.ports import Exclusion, RemovalResult, WatchStore
from ingestion.indexing.index_jobs import IndexJobs
from ingestion.indexing.index_writer import Stores
from ingestion.scan.paths import is_within, printable_path


async def exclude(store: WatchStore, stores: Stores, jobs: IndexJobs, tenant: str, path: str) -> tuple[Exclusion, RemovalResult]:
    """Remember an exclusion, and remove what is there. Raises NotFound outside the roots, InvalidInput for a root itself or a member of an
    archive."""
    path = normpath(path)  # noqa: ASYNC240  (of names alone)
    roots = {root.path for root in await stores.writer.roots(tenant)}
    if path in roots:
        raise InvalidInput(f"{printable_path(path)} is indexed as a whole. Remove the folder from the library instead, or switch its watching off.")
    if not any(is_within(path, root) for root in roots):
        raise NotFound(f"{printable_path(path)[:200]!r} lies in no indexed folder.")
    if "!/" in path:
        raise InvalidInput("What lies in an archive cannot be taken out by itself. Exclude the archive.")
    exclusion = await store.exclude(tenant, path)
    before = await stores.writer.known_files_below(tenant, [path])
    await jobs.index_changes(tenant, [path])
    documents = {row.document_id for row in before.values() if row.document_id is not None}
    left = await stores.library.documents(tenant, sorted(documents))
    after = await stores.writer.known_files_below(tenant, [path])
    files = [each for each, row in before.items() if row.document_id is not None and (each not in after or after[each].document_id is None)]
    return exclusion, RemovalResult(tuple(sorted(documents - left.keys())), (), tuple(sorted(files)))


async def include(store: WatchStore, tenant: str, path: str) -> None:
    """End an exclusion. Raises NotFound."""
    if not await store.include(tenant, path):
        raise NotFound(f"{printable_path(path)[:200]!r} is not excluded. `GET /ledger/exclusions` lists what is.")
