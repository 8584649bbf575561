"""Vectors of documents in a table of their own, beside those that searches use: filled document by document, each dropped with its document."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import ColumnElement, Connection, Table, and_, delete, func, insert, select

from core.documents import embedded_text
from core.ports.reembedding import UnfilledDocument
from storage.blobs import pack_vectors, unpack_vectors
from storage.database import Database
from storage.library_scope import is_readable_in
from storage.pending_vector_tables import multilingual_vectors
from storage.row_mapping import TextCache, batches
from storage.schema import chunks, documents

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_DOCUMENTS_AT_ONCE = 200  # documents whose vectors are read at a time


class SqlDocumentVectors:
    """core.ports.reembedding.DocumentVectorStore in `table`, by the embedder of that name. `among` limits the documents that are to have them,
    `first` are
    the columns by which they are filled; the newest come first otherwise."""

    def __init__(
        self, database: Database, table: Table, embedder: str, among: Sequence[ColumnElement[bool]] = (), first: Sequence[ColumnElement[Any]] = ()
    ) -> None:
        self._database, self._table, self._embedder = database, table, embedder
        self._among, self._first = tuple(among), tuple(first)
        self._texts = TextCache(4 << 20)

    async def list_unfilled(self, limit: int) -> list[UnfilledDocument]:
        query = select(documents.c.id, documents.c.tenant, documents.c.generation).where(*self._among, ~is_filled(self._table, self._embedder))
        ordered = query.order_by(*self._first, documents.c.indexed_at.desc(), documents.c.id).limit(limit)
        return await self._database.read(
            lambda connection: [UnfilledDocument(row.id, row.tenant, row.generation) for row in connection.execute(ordered)]
        )

    async def list_filled(self) -> list[UnfilledDocument]:
        """Return the documents that have vectors, of their present generation."""
        query = select(documents.c.id, documents.c.tenant, documents.c.generation).where(*self._among, is_filled(self._table, self._embedder))
        return await self._database.read(
            lambda connection: [UnfilledDocument(row.id, row.tenant, row.generation) for row in connection.execute(query)]
        )

    async def counts(self) -> tuple[int, int]:
        every = select(func.count()).select_from(documents).where(*self._among)
        done = every.where(is_filled(self._table, self._embedder))
        return await self._database.read(lambda connection: (int(connection.execute(done).scalar_one()), int(connection.execute(every).scalar_one())))

    async def texts(self, document: UnfilledDocument) -> list[tuple[int, str]]:
        conditions = (chunks.c.document_id == document.document_id, chunks.c.generation == document.generation)

        def work(connection: Connection) -> list[tuple[int, str]]:
            rows = connection.execute(select(chunks).where(*conditions).order_by(chunks.c.ordinal)).all()
            found = self._texts.texts(connection, rows)
            return [(row.id, embedded_text(row.prefix, text)) for row, text in zip(rows, found, strict=True)]

        return await self._database.read(work)

    async def store_vectors(self, document: UnfilledDocument, made: NDArray[np.float16]) -> bool:
        place = {"document_id": document.document_id, "tenant": document.tenant, "embedder": self._embedder, "generation": document.generation}
        row = {**place, "rows": made.shape[0], "dimension": made.shape[1], "vectors": pack_vectors(made)}

        def work(connection: Connection) -> bool:
            connection.execute(delete(self._table).where(self._table.c.document_id == document.document_id))
            present = select(documents.c.id).where(documents.c.id == document.document_id, documents.c.generation == document.generation)
            if connection.execute(present).first() is None:
                return False
            connection.execute(insert(self._table), row)
            return True

        return await self._database.write(work)

    async def iterate_vectors(self) -> AsyncIterator[tuple[str, int, NDArray[np.float16]]]:
        """Yield (document id, generation, vectors [chunks, dimension]) of every document that has vectors for its present generation."""
        table = self._table
        own = (documents.c.id == table.c.document_id, documents.c.generation == table.c.generation)
        known = select(table.c.document_id).join(documents, and_(*own)).where(table.c.embedder == self._embedder)
        ids = await self._database.read(lambda connection: list(connection.execute(known.order_by(table.c.document_id)).scalars()))
        for batch in batches(ids, _DOCUMENTS_AT_ONCE):
            query = select(table).where(table.c.document_id.in_(batch))
            for row in await self._database.read(lambda connection, query=query: connection.execute(query).all()):  # type: ignore[misc]  # mypy cannot infer a default of a lambda
                yield row.document_id, row.generation, unpack_vectors(row.vectors, row.rows, row.dimension)

    async def delete_other_embedders(self) -> None:
        """Drop vectors of any other embedder: another version of the model was used before."""
        await self._database.write(lambda connection: connection.execute(delete(self._table).where(self._table.c.embedder != self._embedder)))


def multilingual_store(database: Database, embedder: str, tenant: str = "") -> SqlDocumentVectors:
    """Return the multilingual encoder's vectors, of one tenant's documents or of all; those in other languages than English are filled first."""
    among = (is_readable_in(documents.c.tenant, tenant),) if tenant else ()
    return SqlDocumentVectors(database, multilingual_vectors, embedder, among, first=(documents.c.language.in_(("", "en")),))


async def has_multilingual_vectors(database: Database) -> bool:
    """Return whether any were made: somebody asked, or the library held, another language than English before."""
    query = select(multilingual_vectors.c.document_id).limit(1)
    return await database.read(lambda connection: connection.execute(query).first() is not None)


def is_filled(table: Table, embedder: str) -> ColumnElement[bool]:
    """Return whether a row of `documents` has vectors of this embedder, for its present generation, in that table."""
    own = and_(table.c.document_id == documents.c.id, table.c.generation == documents.c.generation, table.c.embedder == embedder)
    return select(table.c.document_id).where(own).exists()
