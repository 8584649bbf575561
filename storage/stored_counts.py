"""Counts over the whole library, of all tenants together: what is watched of it (`/metrics`)."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, Table, func, select

from storage.schema import chunks, documents, files, jobs


@dataclass(frozen=True, slots=True)
class StoredCounts:
    """`files` by state of the ledger, `jobs` by kind and state."""

    documents: int
    chunks: int
    files: dict[str, int]
    jobs: dict[tuple[str, str], int]


def count_stored(connection: Connection) -> StoredCounts:
    by_state = select(files.c.state, func.count().label("files")).group_by(files.c.state)
    by_kind = select(jobs.c.kind, jobs.c.state, func.count().label("jobs")).group_by(jobs.c.kind, jobs.c.state)
    return StoredCounts(
        documents=_count_rows(connection, documents),
        chunks=_count_rows(connection, chunks),
        files={row.state: row.files for row in connection.execute(by_state)},
        jobs={(row.kind, row.state): row.jobs for row in connection.execute(by_kind)},
    )


def _count_rows(connection: Connection, table: Table) -> int:
    return int(connection.execute(select(func.count()).select_from(table)).scalar_one())
