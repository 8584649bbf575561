"""Vectors of a new embedding model, filled beside those that searches use, and the switch to them in one transaction."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from sqlalchemy import ColumnElement, Connection, and_, delete, func, insert, select, update

from core.documents import embedded_text
from core.ports.refilling import Unfilled
from storage.blobs import pack_vectors, unpack_vectors
from storage.engine import Database
from storage.next_memory import missing_memories, switch_memory
from storage.next_vector_tables import next_memory, next_vectors
from storage.records import TextCache, batches
from storage.schema import chunks, documents, files, meta, vectors

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_KEPT = "embedder"
_LOADED = 200  # documents whose vectors are read at a time


@dataclass(frozen=True, slots=True)
class KeptEmbedder:
    """The embedder whose vectors the library is searched by: its name, and the settings that make it again."""

    name: str
    model: str
    query_prefix: str = ""
    passage_prefix: str = ""


class SqlNextVectors:
    """core.ports.refilling.NextVectors over SQL, with the switch at the end."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._texts = TextCache(4 << 20)

    async def kept(self) -> KeptEmbedder | None:
        """What `keep` was given last; None for a library of an earlier version."""
        query = select(meta.c.value).where(meta.c.name == _KEPT)
        value = await self._database.read(lambda connection: connection.execute(query).scalar_one_or_none())
        return KeptEmbedder(**json.loads(value)) if value else None

    async def keep(self, embedder: KeptEmbedder) -> None:
        await self._database.write(lambda connection: _keep(connection, embedder))

    async def unfilled(self, old: str, new: str, limit: int) -> list[Unfilled]:
        """Documents with vectors of `old` that have none of `new` for their present generation, newest first."""
        query = select(documents.c.id, documents.c.tenant, documents.c.generation).where(documents.c.embedder == old, ~_filled(new))
        ordered = query.order_by(documents.c.indexed_at.desc(), documents.c.id).limit(limit)
        return await self._database.read(lambda connection: [Unfilled(row.id, row.tenant, row.generation) for row in connection.execute(ordered)])

    async def counts(self, old: str, new: str) -> tuple[int, int]:
        """(documents that have vectors of `new`, documents that are searched by `old`)."""
        every = select(func.count()).select_from(documents).where(documents.c.embedder == old)
        done = every.where(_filled(new))
        return await self._database.read(lambda connection: (int(connection.execute(done).scalar_one()), int(connection.execute(every).scalar_one())))

    async def texts(self, document: Unfilled) -> list[tuple[int, str]]:
        """The id of each chunk and what the model reads of it, in order; [] where the document changed meanwhile."""
        conditions = (chunks.c.document_id == document.document_id, chunks.c.generation == document.generation)

        def work(connection: Connection) -> list[tuple[int, str]]:
            rows = connection.execute(select(chunks).where(*conditions).order_by(chunks.c.ordinal)).all()
            found = self._texts.texts(connection, rows)
            return [(row.id, embedded_text(row.prefix, text)) for row, text in zip(rows, found, strict=True)]

        return await self._database.read(work)

    async def filled(self, new: str) -> AsyncIterator[tuple[str, int, NDArray[np.float16]]]:
        """(document id, generation, vectors [chunks, dimension]) of every document that has vectors of `new` for its present generation."""
        own = (documents.c.id == next_vectors.c.document_id, documents.c.generation == next_vectors.c.generation)
        known = select(next_vectors.c.document_id).join(documents, and_(*own)).where(next_vectors.c.embedder == new)
        ids = await self._database.read(lambda connection: list(connection.execute(known.order_by(next_vectors.c.document_id)).scalars()))
        for batch in batches(ids, _LOADED):
            query = select(next_vectors).where(next_vectors.c.document_id.in_(batch))
            for row in await self._database.read(lambda connection, query=query: connection.execute(query).all()):  # type: ignore[misc]  # mypy cannot infer a default of a lambda
                yield row.document_id, row.generation, unpack_vectors(row.vectors, row.rows, row.dimension)

    async def missing(self, old: str, new: str) -> int:
        """How many documents and memories have no vector of `new` yet: with none of them the switch may come."""
        waiting = select(func.count()).select_from(documents).where(documents.c.embedder == old, ~_filled(new))
        return await self._database.read(lambda connection: int(connection.execute(waiting).scalar_one()) + missing_memories(connection, new))

    async def put(self, document: Unfilled, embedder: str, made: NDArray[np.float16]) -> None:
        """Store a document's new vectors, unless it changed meanwhile."""
        place = {"document_id": document.document_id, "tenant": document.tenant, "embedder": embedder, "generation": document.generation}
        row = {**place, "rows": made.shape[0], "dimension": made.shape[1], "vectors": pack_vectors(made)}

        def work(connection: Connection) -> None:
            connection.execute(delete(next_vectors).where(next_vectors.c.document_id == document.document_id))
            present = select(documents.c.id).where(documents.c.id == document.document_id, documents.c.generation == document.generation)
            if connection.execute(present).first() is not None:
                connection.execute(insert(next_vectors), row)

        await self._database.write(work)

    async def switch(self, old: str, new: KeptEmbedder) -> int:
        """Put the new vectors, of documents and memories, in the place of the old ones; returns the number of documents. None has to be read again,
        unless the new model's window asks for chunks of another length: their version then still names the present one."""

        def work(connection: Connection) -> int:
            switched = _put_in_place(connection, old, new.name)
            _rename_versions(connection, f"{old}/", f"{new.name}/")
            connection.execute(delete(next_vectors))
            switch_memory(connection, new.name)
            _keep(connection, new)
            return switched

        return await self._database.write(work)

    async def forget(self, wanted: str) -> None:
        """Drop vectors of any model but `wanted`: another one was begun and given up."""

        def work(connection: Connection) -> None:
            for table in (next_vectors, next_memory):
                connection.execute(delete(table).where(table.c.embedder != wanted))

        await self._database.write(work)


def _filled(new: str) -> ColumnElement[bool]:
    own = and_(next_vectors.c.document_id == documents.c.id, next_vectors.c.generation == documents.c.generation, next_vectors.c.embedder == new)
    return select(next_vectors.c.document_id).where(own).exists()


def _put_in_place(connection: Connection, old: str, new: str) -> int:
    """Within the database, so that memory does not grow with the library. Returns the number of documents."""
    connection.execute(update(documents).where(documents.c.embedder == old, _filled(new)).values(embedder=new))
    mine = (next_vectors.c.document_id == vectors.c.document_id, next_vectors.c.embedder == new)
    moved = {name: select(next_vectors.c[name]).where(*mine).scalar_subquery() for name in ("rows", "dimension", "vectors")}
    switched = select(documents.c.id).where(documents.c.id == vectors.c.document_id, documents.c.embedder == new)
    replaced = update(vectors).where(vectors.c.embedder == old, switched.exists()).values(embedder=new, **moved)
    return int(connection.execute(replaced).rowcount)


def _rename_versions(connection: Connection, old: str, new: str) -> None:
    """A version begins with the model's name: what was read under the old one counts as read under the new one."""
    for table in (documents, files):
        column = table.c.settings_version
        connection.execute(update(table).where(column.startswith(old, autoescape=True)).values(settings_version=func.replace(column, old, new)))


def _keep(connection: Connection, embedder: KeptEmbedder) -> None:
    value = json.dumps(asdict(embedder))
    if not connection.execute(update(meta).where(meta.c.name == _KEPT).values(value=value)).rowcount:
        connection.execute(insert(meta), {"name": _KEPT, "value": value})
