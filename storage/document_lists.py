"""Lists of documents in an order that a person chooses."""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger, ColumnElement, Connection, and_, func, or_, select, type_coerce

from core.documents import Document
from core.errors import InvalidInput
from core.ports.library_listing import DocumentListRequest, DocumentSort
from storage.database import Database
from storage.filters_sql import document_conditions, page_size, read_cursor, write_cursor
from storage.row_mapping import load_documents
from storage.schema import documents

_NEVER = -(1 << 62)  # microseconds: before every date


class SqlDocumentLists:
    """core.ports.DocumentLists over SQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def page(
        self, tenant: str, listing: DocumentListRequest, *, limit: int = 50, cursor: str | None = None
    ) -> tuple[list[Document], int, str | None]:
        order = _ListingOrder(listing)
        after = [] if cursor is None else [order.rows_after(cursor)]
        conditions = document_conditions(tenant, listing.filters, listing.text)
        if listing.states:
            conditions.append(documents.c.state.in_([state.value for state in listing.states]))
        size = page_size(limit)

        def work(connection: Connection) -> tuple[list[Document], int, str | None]:
            total = connection.execute(select(func.count()).select_from(documents).where(*conditions)).scalar_one()
            query = select(documents.c.id, *order.keys).where(*conditions, *after).order_by(*order.columns).limit(size + 1)
            rows = connection.execute(query).all()
            found = load_documents(connection, tenant, [row.id for row in rows[:size]])
            following = order.cursor(rows[size - 1]) if len(rows) > size else None
            return [found[row.id] for row in rows[:size]], total, following

        return await self._database.read(work)


class _ListingOrder:
    """The columns that a listing is sorted by (the last one is the id, so that no two rows are equal), and its cursors."""

    def __init__(self, listing: DocumentListRequest) -> None:
        columns = documents.c
        firsts: dict[DocumentSort, tuple[ColumnElement[Any], type] | None] = {
            DocumentSort.NAME: None,
            DocumentSort.CHANGED: (func.coalesce(type_coerce(columns.modified_at, BigInteger), _NEVER), int),
            DocumentSort.ADDED: (type_coerce(columns.indexed_at, BigInteger), int),
            DocumentSort.SIZE: (columns.file_size, int),
            DocumentSort.TYPE: (columns.file_type, str),
        }
        first = firsts[listing.sort]
        self._name = f"{listing.sort}{'-' if listing.descending else '+'}"
        self._descending = listing.descending
        self._kinds = [*([first[1]] if first else []), str, str]
        compared = [*([first[0]] if first else []), columns.sort_key, columns.id]
        self.keys = [column.label(f"key{number}") for number, column in enumerate(compared)]
        self.columns = [column.desc() if self._descending else column.asc() for column in compared]
        self._compared = compared

    def cursor(self, row: Any) -> str:
        return write_cursor(self._name, *(getattr(row, f"key{number}") for number in range(len(self._compared))))

    def rows_after(self, cursor: str) -> ColumnElement[bool]:
        """Return the rows behind the one that the cursor names: behind it in the first column that differs."""
        name, *values = read_cursor(cursor, str, *self._kinds)
        if name != self._name:
            raise InvalidInput("The cursor is of a list in another order. Start again without it.")
        steps = []
        for place, (column, value) in enumerate(zip(self._compared, values, strict=True)):
            same = [other == kept for other, kept in zip(self._compared[:place], values[:place], strict=True)]
            steps.append(and_(*same, column < value if self._descending else column > value))
        return or_(*steps)
