"""Reading the library: documents, their text and chunks, the ledger, the totals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, func, or_, select

from core.documents import Document, DocumentState, LedgerLine, StoredChunk
from core.errors import NotFound
from core.ports import DocumentContent, DocumentNames, LibraryTotals, Root
from core.search import Filters
from storage.blobs import segment_text, unpack_structure
from storage.database import Database
from storage.filters_sql import document_conditions, page_size, read_cursor, write_cursor
from storage.library_scope import is_readable_in
from storage.row_mapping import AnyRow, TextCache, batches, ledger_line, load_documents, place_conditions, stored_chunk
from storage.schema import chunks, document_structures, document_texts, documents, files, roots, vectors

_LARGEST_ID = (1 << 63) - 1


class SqlLibrary:
    """core.ports.Library over SQL. Every method filters by tenant; under the name of a person's own library the tenant's is read, too."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._texts = TextCache()
        self.cache_counts = self._texts.counts

    async def document(self, tenant: str, document_id: str) -> Document:
        found = await self.documents(tenant, [document_id])
        if document_id not in found:
            raise _unknown_document(document_id)
        return found[document_id]

    async def documents(self, tenant: str, document_ids: Sequence[str]) -> dict[str, Document]:
        return await self._database.read(lambda connection: load_documents(connection, tenant, list(document_ids)))

    async def names(self, tenant: str, document_ids: Sequence[str]) -> dict[str, DocumentNames]:
        return await self._database.read(lambda connection: _names(connection, tenant, document_ids))

    async def list_documents(
        self, tenant: str, *, filters: Filters, text: str = "", limit: int = 50, cursor: str | None = None
    ) -> tuple[list[Document], int, str | None]:
        """Return one page by filename (case aside). Raises InvalidInput for a cursor of another listing or a limit below 1."""
        conditions = document_conditions(tenant, filters, text)
        after = _cursor_conditions(cursor)
        return await self._database.read(lambda connection: _list_documents(connection, tenant, conditions, after, page_size(limit)))

    async def content(self, tenant: str, document_id: str) -> DocumentContent:
        """Return the whole text with its structure. Raises NotFound."""
        found = await self.contents(tenant, [document_id])
        if document_id not in found:
            raise _unknown_document(document_id)
        return found[document_id]

    async def contents(self, tenant: str, document_ids: Sequence[str]) -> dict[str, DocumentContent]:
        return await self._database.read(lambda connection: _contents(connection, tenant, document_ids))

    async def chunks(self, tenant: str, chunk_ids: Sequence[int]) -> dict[int, StoredChunk]:
        """Return the chunks that exist, by id."""
        wanted = [number for number in chunk_ids if 0 <= number <= _LARGEST_ID]

        def work(connection: Connection) -> list[StoredChunk]:
            return [
                chunk
                for batch in batches(wanted)
                for chunk in self._load_chunks(connection, is_readable_in(chunks.c.tenant, tenant), chunks.c.id.in_(batch))
            ]

        return {chunk.id: chunk for chunk in await self._database.read(work)}

    async def section_chunks(self, tenant: str, document_id: str, first: int, last: int) -> list[StoredChunk]:
        conditions = (is_readable_in(chunks.c.tenant, tenant), chunks.c.document_id == document_id, chunks.c.ordinal.between(first, last))
        return await self._database.read(lambda connection: self._load_chunks(connection, *conditions))

    async def sample_chunks(self, tenant: str, limit: int) -> list[StoredChunk]:
        """Return at most `limit` chunks, the same each time: evenly spread in documents that their random ids spread over the library."""

        def work(connection: Connection) -> list[StoredChunk]:
            places = _sample_places(connection, tenant, limit)
            return self._load_chunks(connection, *place_conditions(chunks, places)) if places else []

        return await self._database.read(work)

    async def ledger(
        self, tenant: str, *, states: Sequence[DocumentState] = (), root: str | None = None, limit: int = 100, cursor: str | None = None
    ) -> tuple[list[LedgerLine], int, str | None]:
        """Return one page by path, the total, and the next cursor. Raises InvalidInput as `list_documents`."""
        conditions: list[ColumnElement[bool]] = [is_readable_in(files.c.tenant, tenant)]
        if states:
            conditions.append(files.c.state.in_([state.value for state in states]))
        if root is not None:
            conditions.append(files.c.root == root)
        after = [files.c.path > read_cursor(cursor, str)[0]] if cursor is not None else []
        return await self._database.read(lambda connection: _list_ledger(connection, conditions, after, page_size(limit)))

    async def roots(self, tenant: str) -> list[Root]:
        return await self._database.read(lambda connection: _roots(connection, tenant))

    async def totals(self, tenant: str) -> LibraryTotals:
        """Return the tenant's counts; `by_state` and `by_code` count files, `bytes_on_disk` is the whole library with its index."""
        size = await self._database.bytes_on_disk()
        return await self._database.read(lambda connection: _totals(connection, tenant, size))

    def _load_chunks(self, connection: Connection, *conditions: ColumnElement[bool]) -> list[StoredChunk]:
        rows = connection.execute(select(chunks).where(*conditions).order_by(chunks.c.document_id, chunks.c.ordinal)).all()
        return [stored_chunk(row, text) for row, text in zip(rows, self._texts.texts(connection, rows), strict=True)]


def _unknown_document(document_id: str) -> NotFound:
    return NotFound(f"There is no document {document_id[:80]!r} in this library. It may have been removed; `vantage ledger` lists what is there.")


def _cursor_conditions(cursor: str | None) -> list[ColumnElement[bool]]:
    if cursor is None:
        return []
    name, document_id = read_cursor(cursor, str, str)
    key = documents.c.sort_key
    return [or_(key > name, and_(key == name, documents.c.id > document_id))]


def _list_documents(
    connection: Connection, tenant: str, conditions: list[ColumnElement[bool]], after: list[ColumnElement[bool]], limit: int
) -> tuple[list[Document], int, str | None]:
    total = connection.execute(select(func.count()).select_from(documents).where(*conditions)).scalar_one()
    query = select(documents.c.id, documents.c.sort_key).where(*conditions, *after).order_by(documents.c.sort_key, documents.c.id).limit(limit + 1)
    rows = connection.execute(query).all()
    shown = rows[:limit]
    found = load_documents(connection, tenant, [row.id for row in shown])
    following = write_cursor(shown[-1].sort_key, shown[-1].id) if len(rows) > limit else None
    return [found[row.id] for row in shown], total, following


def _list_ledger(
    connection: Connection, conditions: list[ColumnElement[bool]], after: list[ColumnElement[bool]], limit: int
) -> tuple[list[LedgerLine], int, str | None]:
    total = connection.execute(select(func.count()).select_from(files).where(*conditions)).scalar_one()
    rows = connection.execute(select(files).where(*conditions, *after).order_by(files.c.path).limit(limit + 1)).all()
    following = write_cursor(rows[limit - 1].path) if len(rows) > limit else None
    return [ledger_line(row) for row in rows[:limit]], total, following


def _names(connection: Connection, tenant: str, document_ids: Sequence[str]) -> dict[str, DocumentNames]:
    columns = documents.c
    query = select(columns.id, columns.title, columns.filename).where(is_readable_in(columns.tenant, tenant))
    rows = (row for batch in batches(document_ids) for row in connection.execute(query.where(columns.id.in_(batch))))
    return {row.id: DocumentNames(row.title, row.filename) for row in rows}


def _contents(connection: Connection, tenant: str, document_ids: Sequence[str]) -> dict[str, DocumentContent]:
    query = (
        select(documents.c.id, documents.c.generation, document_structures.c.structure)
        .join(document_structures, document_structures.c.document_id == documents.c.id)
        .where(is_readable_in(documents.c.tenant, tenant))
    )
    rows = [row for batch in batches(document_ids) for row in connection.execute(query.where(documents.c.id.in_(batch)))]
    texts = _whole_texts(connection, [row.id for row in rows])
    return {row.id: DocumentContent(row.id, row.generation, texts[row.id], unpack_structure(row.structure, texts[row.id])) for row in rows}


def _whole_texts(connection: Connection, document_ids: Sequence[str]) -> dict[str, str]:
    """Return the text of each document, its segments joined."""
    pieces: dict[str, list[str]] = {document_id: [] for document_id in document_ids}
    columns = document_texts.c
    query = select(columns.document_id, columns.text).order_by(columns.document_id, columns.ordinal)
    for batch in batches(document_ids):
        for row in connection.execute(query.where(columns.document_id.in_(batch))):
            pieces[row.document_id].append(segment_text(row.text))
    return {document_id: "".join(texts) for document_id, texts in pieces.items()}


def _sample_places(connection: Connection, tenant: str, limit: int) -> list[tuple[str, int]]:
    """Return (document id, ordinal) of the chunks of a sample."""
    query = (
        select(documents.c.id, documents.c.chunks)
        .where(is_readable_in(documents.c.tenant, tenant), documents.c.chunks > 0)
        .order_by(documents.c.id)
        .limit(max(0, limit))
    )
    rows: Sequence[AnyRow] = connection.execute(query).all()
    each = -(-limit // len(rows)) if rows else 0
    places = [
        (row.id, ordinal)
        for row in rows
        for ordinal in sorted({(2 * step + 1) * row.chunks // (2 * min(each, row.chunks)) for step in range(min(each, row.chunks))})
    ]
    return places[:limit]


def _roots(connection: Connection, tenant: str) -> list[Root]:
    own = is_readable_in(files.c.tenant, tenant)
    counted = select(files.c.root, files.c.state, func.count().label("files")).where(own).group_by(files.c.root, files.c.state)
    counts: dict[str, dict[DocumentState, int]] = {}
    for row in connection.execute(counted):
        counts.setdefault(row.root, {})[DocumentState(row.state)] = row.files
    rows = connection.execute(select(roots).where(is_readable_in(roots.c.tenant, tenant)).order_by(roots.c.path))
    return [Root(row.path, row.collection, row.added_at, row.last_indexed_at, counts.get(row.path, {})) for row in rows]


def _totals(connection: Connection, tenant: str, bytes_on_disk: int) -> LibraryTotals:
    def one(query: Any) -> int:
        return int(connection.execute(query).scalar_one() or 0)

    by_state = connection.execute(select(files.c.state, func.count()).where(is_readable_in(files.c.tenant, tenant)).group_by(files.c.state))
    by_code = connection.execute(
        select(files.c.code, func.count().label("files")).where(is_readable_in(files.c.tenant, tenant), files.c.code != "").group_by(files.c.code)
    )
    states = {DocumentState(state): number for state, number in by_state}
    return LibraryTotals(
        documents=one(select(func.count()).select_from(documents).where(is_readable_in(documents.c.tenant, tenant))),
        files=sum(states.values()),
        chunks=one(select(func.sum(documents.c.chunks)).where(is_readable_in(documents.c.tenant, tenant))),
        vectors=one(select(func.sum(vectors.c.rows)).where(is_readable_in(vectors.c.tenant, tenant))),
        bytes_on_disk=bytes_on_disk,
        by_state=states,
        by_code={row.code: row.files for row in by_code},
    )
