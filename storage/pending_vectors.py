"""Vectors of a new embedding model, filled beside those that searches use, and the switch to them in one transaction."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from sqlalchemy import Connection, delete, func, insert, select, update

from storage.database import Database
from storage.document_vectors import SqlDocumentVectors, is_filled
from storage.pending_memory import count_missing_memories, switch_memory_vectors
from storage.pending_vector_tables import next_memory, next_vectors
from storage.schema import documents, files, meta, vectors

_EMBEDDER_KEY, _CHOICE_KEY = "embedder", "chosen embedder"


@dataclass(frozen=True, slots=True)
class EmbedderRecord:
    """The embedder whose vectors the library is searched by: its name, and the settings that make it again."""

    name: str
    model: str
    query_prefix: str = ""
    passage_prefix: str = ""


class SqlPendingVectors:
    """The embedder that a library is searched by, the vectors of the one that is to follow, and the switch to it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def load_embedder(self) -> EmbedderRecord | None:
        """Return the record that `save_embedder` was given last; None for a library of an earlier version."""
        value = await self._read_meta(_EMBEDDER_KEY)
        return EmbedderRecord(**json.loads(value)) if value else None

    async def save_embedder(self, embedder: EmbedderRecord) -> None:
        await self._database.write(lambda connection: _save_embedder(connection, embedder))

    async def load_choice(self) -> str:
        """Return the model that a person asked for last, as the settings would name it; "" for none."""
        return await self._read_meta(_CHOICE_KEY) or ""

    async def save_choice(self, model: str) -> None:
        """Save the choice: `chosen` from now on; "" forgets it."""
        await self._database.write(lambda connection: _write_meta(connection, _CHOICE_KEY, model))

    async def _read_meta(self, name: str) -> str | None:
        query = select(meta.c.value).where(meta.c.name == name)
        return await self._database.read(lambda connection: connection.execute(query).scalar_one_or_none())

    def vectors_beside(self, old: str, new: str) -> SqlDocumentVectors:
        """Return the vectors of the embedder named `new` for all documents that are searched by the one named `old`."""
        return SqlDocumentVectors(self._database, next_vectors, new, among=(documents.c.embedder == old,))

    async def count_missing(self, old: str, new: str) -> int:
        """Return how many documents and memories have no vector of `new` yet: with none of them the switch may come."""
        waiting = select(func.count()).select_from(documents).where(documents.c.embedder == old, ~is_filled(next_vectors, new))
        return await self._database.read(lambda connection: int(connection.execute(waiting).scalar_one()) + count_missing_memories(connection, new))

    async def switch_embedder(self, old: str, new: EmbedderRecord) -> int:
        """Put the new vectors, of documents and memories, in the place of the old ones; returns the number of documents. None has to be read again,
        unless the new model's window asks for chunks of another length: their version then still names the present one."""

        def work(connection: Connection) -> int:
            switched = _replace_vectors(connection, old, new.name)
            _rename_versions(connection, f"{old}/", f"{new.name}/")
            connection.execute(delete(next_vectors))
            switch_memory_vectors(connection, new.name)
            _save_embedder(connection, new)
            return switched

        return await self._database.write(work)

    async def delete_other_embedders(self, wanted: str) -> None:
        """Drop vectors of any model but `wanted`: another one was begun and given up."""

        def work(connection: Connection) -> None:
            for table in (next_vectors, next_memory):
                connection.execute(delete(table).where(table.c.embedder != wanted))

        await self._database.write(work)


def _replace_vectors(connection: Connection, old: str, new: str) -> int:
    """Replace the vectors within the database, so that memory does not grow with the library. Returns the number of documents."""
    connection.execute(update(documents).where(documents.c.embedder == old, is_filled(next_vectors, new)).values(embedder=new))
    mine = (next_vectors.c.document_id == vectors.c.document_id, next_vectors.c.embedder == new)
    moved = {name: select(next_vectors.c[name]).where(*mine).scalar_subquery() for name in ("rows", "dimension", "vectors")}
    switched = select(documents.c.id).where(documents.c.id == vectors.c.document_id, documents.c.embedder == new)
    replaced = update(vectors).where(vectors.c.embedder == old, switched.exists()).values(embedder=new, **moved)
    return int(connection.execute(replaced).rowcount)


def _rename_versions(connection: Connection, old: str, new: str) -> None:
    """Rename the versions. A version begins with the model's name: what was read under the old one counts as read under the new one."""
    for table in (documents, files):
        column = table.c.settings_version
        connection.execute(update(table).where(column.startswith(old, autoescape=True)).values(settings_version=func.replace(column, old, new)))


def _save_embedder(connection: Connection, embedder: EmbedderRecord) -> None:
    _write_meta(connection, _EMBEDDER_KEY, json.dumps(asdict(embedder)))


def _write_meta(connection: Connection, name: str, value: str) -> None:
    if not connection.execute(update(meta).where(meta.c.name == name).values(value=value)).rowcount:
        connection.execute(insert(meta), {"name": name, "value": value})
