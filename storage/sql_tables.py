"""Tables of documents as rows: written with their document's generation, read in pages."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from sqlalchemy import Connection, delete, insert, or_, select

from core.documents import ExtractedDocument, Table
from core.errors import NotFound
from core.ports import NewDocument
from core.table_queries import QueryResult, TableFacts, TableQuery
from core.tables import Column, StoredTable, TableWithRows, TypedTable
from storage.database import Database
from storage.document_tables import document_tables, table_rows
from storage.library_scope import is_readable_in
from storage.row_mapping import AnyRow, batches
from storage.schema import documents
from storage.sql_table_queries import scan_table, select_rows, table_row

_BATCH = 1000
_PLACES = 100  # spans in one query
MAX_ROWS = 50_000  # of one reading
CACHED_FACTS = 64  # tables whose facts are kept, as long as they hold no more than _TEXTS texts together
_TEXTS = 200_000


class SqlTables:
    """core.ports.table_store.TableStore over SQL."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._facts: OrderedDict[tuple[str, str, int, int], TableFacts] = OrderedDict()

    async def tables(self, tenant: str, document_id: str) -> list[StoredTable]:
        def work(connection: Connection) -> list[StoredTable]:
            _require_document(connection, tenant, document_id)
            query = select(document_tables).where(is_readable_in(document_tables.c.tenant, tenant), document_tables.c.document_id == document_id)
            return [StoredTable(**_stored_fields(row)) for row in connection.execute(query.order_by(document_tables.c.ordinal))]

        return await self._database.read(work)

    async def rows(self, tenant: str, document_id: str, ordinal: int, *, first: int = 0, limit: int = 1000) -> TableWithRows:
        """Return at most 50,000 rows in one reading."""
        first, last = max(0, first), max(0, first) + max(0, min(limit, MAX_ROWS))

        def work(connection: Connection) -> TableWithRows:
            _require_document(connection, tenant, document_id)
            place = (
                is_readable_in(document_tables.c.tenant, tenant),
                document_tables.c.document_id == document_id,
                document_tables.c.ordinal == ordinal,
            )
            found = connection.execute(select(document_tables).where(*place)).one_or_none()
            if found is None:
                raise NotFound(f"The document {document_id[:80]!r} has no table {ordinal}. Its tables are listed at /documents/{{id}}/tables.")
            body = table_rows.c
            table = (is_readable_in(body.tenant, tenant), body.document_id == document_id, body.table == ordinal)
            within = (*table, body.ordinal >= first, body.ordinal < last)
            rows = connection.execute(select(table_rows).where(*within).order_by(body.ordinal))
            return TableWithRows(**_stored_fields(found), first_row=first, body=[table_row(row) for row in rows])

        return await self._database.read(work)

    async def tables_at(self, tenant: str, places: Sequence[tuple[str, int, int]]) -> list[StoredTable]:
        columns = document_tables.c

        def work(connection: Connection) -> list[StoredTable]:
            found: dict[tuple[str, int], StoredTable] = {}
            for batch in batches(list(dict.fromkeys(places)), _PLACES):
                spans = [(columns.document_id == document_id) & (columns.start < end) & (columns.end > start) for document_id, start, end in batch]
                query = (
                    select(document_tables).where(is_readable_in(columns.tenant, tenant), or_(*spans)).order_by(columns.document_id, columns.ordinal)
                )
                found |= {(row.document_id, row.ordinal): StoredTable(**_stored_fields(row)) for row in connection.execute(query)}
            ordered = [
                key
                for document_id, start, end in places
                for key, table in found.items()
                if table.document_id == document_id and table.start < end and table.end > start
            ]
            return [found[key] for key in dict.fromkeys(ordered)]

        return await self._database.read(work)

    async def facts(self, tenant: str, table: StoredTable) -> TableFacts:
        """Return the facts, kept for the tables that were asked last; a document that is written anew has another generation, and so other facts."""
        place = tenant, table.document_id, table.generation, table.ordinal
        if place not in self._facts:

            def work(connection: Connection) -> TableFacts:
                _require_current(connection, tenant, table)
                return scan_table(connection, (tenant, table.document_id, table.ordinal), [column.type for column in table.columns])

            self._facts[place] = await self._database.read(work)
        self._facts.move_to_end(place)
        found = self._facts[place]
        while len(self._facts) > 1 and (len(self._facts) > CACHED_FACTS or sum(map(_count_texts, self._facts.values())) > _TEXTS):
            self._facts.popitem(last=False)
        return found

    async def execute_query(self, tenant: str, table: StoredTable, query: TableQuery) -> QueryResult:
        def work(connection: Connection) -> QueryResult:
            _require_current(connection, tenant, table)
            return select_rows(connection, (tenant, table.document_id, table.ordinal), [column.type for column in table.columns], query)

        return await self._database.read(work)


def _count_texts(facts: TableFacts) -> int:
    return sum(len(column.texts) for column in facts.columns)


def _require_current(connection: Connection, tenant: str, table: StoredTable) -> None:
    """Check that the table is there in this generation. Raises NotFound."""
    own = document_tables.c
    place = (
        is_readable_in(own.tenant, tenant),
        own.document_id == table.document_id,
        own.ordinal == table.ordinal,
        own.generation == table.generation,
    )
    if connection.execute(select(own.ordinal).where(*place)).first() is None:
        raise NotFound(f"Table {table.ordinal} of the document {table.document_id[:80]!r} was removed or read again meanwhile. Ask again.")


def _require_document(connection: Connection, tenant: str, document_id: str) -> None:
    known = connection.execute(select(documents.c.id).where(is_readable_in(documents.c.tenant, tenant), documents.c.id == document_id)).first()
    if known is None:
        raise NotFound(f"There is no document {document_id[:80]!r} in this library. It may have been removed.")


def _stored_fields(row: AnyRow) -> dict[str, Any]:
    return {
        "document_id": row.document_id,
        "generation": row.generation,
        "ordinal": row.ordinal,
        "caption": row.caption,
        "section": row.section,
        "page": row.page,
        "last_page": row.last_page,
        "start": row.start,
        "end": row.end,
        "header": row.header,
        "columns": [Column(name=name, type=kind, unit=unit) for name, kind, unit in row.columns],
        "rows": row.rows,
        "spans": row.spans,
        "kept": row.kept,
        "note": row.note,
    }


# ---------------------------------------------------------------------------------------------------------------- writing
def replace_tables(connection: Connection, place: tuple[str, str, int], new: NewDocument) -> None:
    """Put the tables of (tenant, document id, generation) in place of those before. Rows are written in batches, however many there are."""
    tenant, document_id, generation = place
    connection.execute(delete(document_tables).where(document_tables.c.document_id == document_id))
    owner = {"tenant": tenant, "document_id": document_id}
    for ordinal, (table, typed) in enumerate(zip(new.document.tables, new.tables, strict=False)):
        connection.execute(
            insert(document_tables), {**owner, "ordinal": ordinal, "generation": generation, **_table_values(new.document, table, typed)}
        )
        rows = _row_values(table, typed, {**owner, "table": ordinal})
        while batch := list(islice(rows, _BATCH)):
            connection.execute(insert(table_rows), batch)


def _table_values(document: ExtractedDocument, table: Table, typed: TypedTable) -> dict[str, Any]:
    section = next((section for section in document.sections if section.start <= table.start < section.end), None)
    return {
        "caption": table.caption,
        "section": list(section.path) if section else [],
        "page": table.page,
        "last_page": table.last_page,
        "start": table.start,
        "end": table.end,
        "header": table.rows[: typed.header_rows],
        "columns": [[column.name, column.type.value, column.unit] for column in typed.columns],
        "spans": table.spans,
        "rows": typed.rows,
        "kept": len(typed.values),
        "note": typed.note,
    }


def _row_values(table: Table, typed: TypedTable, owner: dict[str, Any]) -> Iterator[dict[str, Any]]:
    first = typed.header_rows
    for ordinal, (kind, values) in enumerate(zip(typed.kinds, typed.values, strict=True)):
        start, end = table.row_spans[first + ordinal]
        cells = [typed.merged.get((ordinal, place), cell) for place, cell in enumerate(table.rows[first + ordinal])]
        yield {**owner, "ordinal": ordinal, "kind": kind.value, "start": start, "end": end, "cells": cells, "typed": values}
