"""Counts over the whole library, of all tenants together: what is watched of it (`/metrics`)."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from storage.schema import documents, files, jobs


@dataclass(frozen=True, slots=True)
class StoredCounts:
    """`files` by state of the ledger, `jobs` by kind and state."""

    documents: int
    chunks: int
    files: dict[str, int]
    jobs: dict[tuple[str, str], int]


def count_stored(connection: Connection) -> StoredCounts:
    """Count without reading the passages' own table, which is by far the longest."""
    counted, passages = connection.execute(select(func.count(), func.coalesce(func.sum(documents.c.chunks), 0))).one()
    by_state = select(files.c.state, func.count().label("files")).group_by(files.c.state)
    by_kind = select(jobs.c.kind, jobs.c.state, func.count().label("jobs")).group_by(jobs.c.kind, jobs.c.state)
    return StoredCounts(
        documents=int(counted),
        chunks=int(passages),
        files={row.state: row.files for row in connection.execute(by_state)},
        jobs={(row.kind, row.state): row.jobs for row in connection.execute(by_kind)},
    )
