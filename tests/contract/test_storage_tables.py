"""The promises of core.ports.table_store, on every database: rows come back as typed, in pages, to their own tenant, and go with their document."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.documents import Section, Table
from core.errors import NotFound
from core.ports import NewDocument
from core.tables import ColumnType, RowKind
from ingestion.tables.typed_columns import typed_tables
from storage.database import Database
from storage.sql_library_writer import SqlLibraryWriter
from storage.sql_tables import SqlTables
from tests.support.databases import BACKENDS, DocumentSample, new_document, open_backend, row_counts

T = "default"


@pytest.fixture(params=BACKENDS)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    with open_backend(request.param, tmp_path) as found:
        yield found


@pytest.fixture
def tables(database: Database) -> SqlTables:
    return SqlTables(database)


@pytest.fixture
def writer(database: Database) -> SqlLibraryWriter:
    return SqlLibraryWriter(database)


def with_tables(*grids: tuple[tuple[str, ...], ...], path: str = "/docs/costs.csv", mtime_ns: int = 1) -> NewDocument:
    """A document whose text holds these tables, a line for each row."""
    text, found = "Costs\n", []
    for grid in grids:
        start, spans = len(text), []
        for row in grid:
            line = " | ".join(row)
            spans.append((len(text), len(text) + len(line)))
            text += f"{line}\n"
        found.append(Table(start, len(text) - 1, grid, tuple(spans), 1, 2, "The caption", ((0, 0, 1, 1),), 3))
    new = new_document(DocumentSample(path=path, text=text, mtime_ns=mtime_ns))
    document = replace(new.document, text=text, tables=tuple(found), sections=(Section(("Costs", "2026"), 0, len(text), 1, 1),))
    return replace(new, document=document, tables=typed_tables(document))


COSTS = (("Item", "Price (EUR)"), ("Rent", "1,200.50"), ("Heat\u0000\ud800", "(300)"), ("Total", "900.50"))
PEOPLE = (("Name", "Since", "Paid"), ("Ada", "2026-07-01", "yes"), ("Grace", "", "no"))


async def test_a_table_comes_back_with_its_columns_and_its_place(tables: SqlTables, writer: SqlLibraryWriter) -> None:
    new = with_tables(COSTS, PEOPLE)
    written = await writer.write_document(T, new)
    costs, people = await tables.tables(T, written.document_id)
    assert (costs.ordinal, costs.generation, costs.caption, costs.section) == (0, 1, "The caption", ["Costs", "2026"])
    assert (costs.page, costs.last_page, costs.rows, costs.kept, costs.note, costs.spans) == (2, 3, 3, 3, "", [[0, 0, 1, 1]])
    assert new.document.text[costs.start : costs.end].startswith("Item | Price (EUR)\nRent")
    assert [(each.name, each.type, each.unit) for each in costs.columns] == [("Item", ColumnType.TEXT, ""), ("Price (EUR)", ColumnType.AMOUNT, "EUR")]
    assert costs.header == [["Item", "Price (EUR)"]]
    assert [each.type for each in people.columns] == [ColumnType.TEXT, ColumnType.DATE, ColumnType.BOOLEAN]


async def test_rows_come_back_typed_with_the_spans_they_stand_at(tables: SqlTables, writer: SqlLibraryWriter) -> None:
    new = with_tables(COSTS, PEOPLE)
    written = await writer.write_document(T, new)
    found = await tables.rows(T, written.document_id, 0)
    assert [row.values for row in found.body] == [["Rent", 1200.5], ["Heat\ufffd\ufffd", -300.0], ["Total", 900.5]]
    assert [row.kind for row in found.body] == [RowKind.DATA, RowKind.DATA, RowKind.TOTAL]
    assert new.document.text[found.body[0].start : found.body[0].end] == "Rent | 1,200.50"
    assert found.body[1].cells[1] == "(300)"
    people = await tables.rows(T, written.document_id, 1)
    assert [row.values for row in people.body] == [["Ada", "2026-07-01", True], ["Grace", None, False]]


async def test_rows_are_read_in_pages(tables: SqlTables, writer: SqlLibraryWriter) -> None:
    grid = (("Number", "Square"), *((str(number), str(number * number)) for number in range(1, 2501)))
    written = await writer.write_document(T, with_tables(grid))
    page = await tables.rows(T, written.document_id, 0, first=2000, limit=300)
    assert (page.first_row, page.rows, len(page.body), page.body[0].ordinal, page.body[0].values) == (2000, 2500, 300, 2000, [2001.0, 2001.0**2])
    assert len((await tables.rows(T, written.document_id, 0, first=2400, limit=1000)).body) == 100
    assert (await tables.rows(T, written.document_id, 0, first=5000)).body == []
    assert (await tables.rows(T, written.document_id, 0, first=-4, limit=2)).first_row == 0
    assert (await tables.rows(T, written.document_id, 0, limit=0)).body == []


async def test_the_tables_of_places_come_once_in_their_order(tables: SqlTables, writer: SqlLibraryWriter) -> None:
    first = await writer.write_document(T, with_tables(COSTS, PEOPLE))
    second = await writer.write_document(T, with_tables(PEOPLE, path="/docs/people.csv"))
    costs, people = await tables.tables(T, first.document_id)
    places = [(second.document_id, 6, 500), (first.document_id, people.start + 3, people.start + 4), (first.document_id, 0, people.end)]
    assert [(each.document_id, each.ordinal) for each in await tables.tables_at(T, places)] == [
        (second.document_id, 0),
        (first.document_id, 1),
        (first.document_id, 0),
    ]
    assert await tables.tables_at(T, [(first.document_id, costs.end, people.start)]) == []
    assert await tables.tables_at(T, []) == []
    assert await tables.tables_at("another tenant", places) == []
    assert len(await tables.tables_at(T, places * 200)) == 3


async def test_another_tenant_and_unknown_tables_are_not_found(tables: SqlTables, writer: SqlLibraryWriter) -> None:
    written = await writer.write_document(T, with_tables(COSTS))
    for tenant, document_id in (("another", written.document_id), (T, "nothing\u0000")):
        with pytest.raises(NotFound, match="no document"):
            await tables.tables(tenant, document_id)
        with pytest.raises(NotFound, match="no document"):
            await tables.rows(tenant, document_id, 0)
    for ordinal in (1, -1):
        with pytest.raises(NotFound, match="no table"):
            await tables.rows(T, written.document_id, ordinal)


async def test_a_new_generation_takes_the_place_of_the_one_before(tables: SqlTables, writer: SqlLibraryWriter, database: Database) -> None:
    written = await writer.write_document(T, with_tables(COSTS, PEOPLE))
    again = await writer.write_document(T, with_tables(PEOPLE, mtime_ns=2))
    assert again.document_id == written.document_id
    (only,) = await tables.tables(T, written.document_id)
    assert (only.generation, only.columns[0].name) == (2, "Name")
    assert (row_counts(database)["document_tables"], row_counts(database)["table_rows"]) == (1, 2)


async def test_a_document_that_goes_leaves_no_row(writer: SqlLibraryWriter, database: Database) -> None:
    first = await writer.write_document(T, with_tables(COSTS, PEOPLE))
    await writer.write_document(T, with_tables(PEOPLE, path="/docs/people.csv"))
    await writer.delete_document(T, first.document_id)
    assert row_counts(database)["table_rows"] == 2
    await writer.remove_paths(T, ["/docs/people.csv"])
    counts = row_counts(database)
    assert (counts["document_tables"], counts["table_rows"]) == (0, 0)
