"""Vectors of a new embedding model for what is remembered, filled beside those that memory is searched by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from sqlalchemy import ColumnElement, Connection, Table, and_, delete, func, insert, literal, select, union, update

from core.ports.reembedding import UnfilledMemory
from storage.database import Database
from storage.memory_tables import episodes, notes
from storage.pending_vector_tables import next_memory

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Of each kind: its table, and the two columns of words that its vector is made of.
_KINDS: dict[str, tuple[Table, ColumnElement[str], ColumnElement[str]]] = {
    "episode": (episodes, episodes.c.query, episodes.c.response),
    "note": (notes, notes.c.content, notes.c.context),
}


class SqlPendingMemory:
    """core.ports.reembedding.PendingMemoryVectors over SQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def people(self, new: str, limit: int) -> list[tuple[str, str]]:
        parts = [select(table.c.tenant, table.c.user_id).where(_lacks_vector(kind, new)) for kind, (table, *_) in _KINDS.items()]
        found = union(*parts).order_by("tenant", "user_id").limit(limit)
        return await self._database.read(lambda connection: [(row.tenant, row.user_id) for row in connection.execute(found)])

    async def list_filled(self, tenant: str, user_id: str, new: str) -> set[tuple[str, str]]:
        own = (next_memory.c.tenant == tenant, next_memory.c.user_id == user_id, next_memory.c.embedder == new)
        query = select(next_memory.c.kind, next_memory.c.id).where(*own)
        return await self._database.read(lambda connection: {(row.kind, row.id) for row in connection.execute(query)})

    async def store_vectors(self, owner: tuple[str, str], new: str, rows: Sequence[tuple[UnfilledMemory, NDArray[np.float16]]]) -> None:
        tenant, user_id = owner

        def work(connection: Connection) -> None:
            for each, vector in rows:
                table, *words = _KINDS[each.kind]
                same = (word == said for word, said in zip(words, each.words, strict=True))
                mine = (table.c.tenant == tenant, table.c.user_id == user_id, table.c.id == each.id)
                delete_pending_memory(connection, tenant, each.kind, [each.id])
                if connection.execute(select(table.c.id).where(*mine, *same)).first() is not None:
                    place = {"tenant": tenant, "user_id": user_id, "kind": each.kind, "id": each.id}
                    connection.execute(insert(next_memory), {**place, "embedder": new, "vector": np.asarray(vector, np.float16).tobytes()})

        await self._database.write(work)


def delete_pending_memory(connection: Connection, tenant: str, kind: str, ids: Sequence[str]) -> None:
    """Delete what was filled for these memories: they changed or are gone."""
    if ids:
        own = (next_memory.c.tenant == tenant, next_memory.c.kind == kind, next_memory.c.id.in_(ids))
        connection.execute(delete(next_memory).where(*own))


def count_missing_memories(connection: Connection, new: str) -> int:
    """Return how many memories have no vector of `new`."""
    counts = (select(func.count()).select_from(table).where(_lacks_vector(kind, new)) for kind, (table, *_) in _KINDS.items())
    return sum(int(connection.execute(query).scalar_one()) for query in counts)


def switch_memory_vectors(connection: Connection, new: str) -> None:
    """Put the filled vectors in the place of the old ones."""
    for kind, (table, *_) in _KINDS.items():
        filled = select(next_memory.c.vector).where(_is_same_memory(kind, table), next_memory.c.embedder == new)
        values = {"embedder": literal(new), "vector": filled.scalar_subquery()}
        connection.execute(update(table).where(filled.exists()).values(values))
    connection.execute(delete(next_memory))


def _is_same_memory(kind: str, table: Table) -> ColumnElement[bool]:
    return and_(next_memory.c.tenant == table.c.tenant, next_memory.c.kind == kind, next_memory.c.id == table.c.id)


def _lacks_vector(kind: str, new: str) -> ColumnElement[bool]:
    table, *_ = _KINDS[kind]
    filled = select(next_memory.c.id).where(_is_same_memory(kind, table), next_memory.c.embedder == new)
    return and_(table.c.embedder != new, ~filled.exists())
