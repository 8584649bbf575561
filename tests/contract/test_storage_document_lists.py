"""The promises of core.ports.DocumentLists, on every database: each order, both ways, in pages, and what narrows it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import update

from core.documents import DocumentState
from core.errors import InvalidInput
from core.ports import DocumentListRequest, DocumentSort
from core.search import Filters
from storage.database import Database
from storage.document_lists import SqlDocumentLists
from storage.schema import documents
from storage.sql_library_writer import SqlLibraryWriter
from tests.support.databases import BACKENDS, DocumentSample, new_document, open_backend

T = "default"
SAMPLES = (
    DocumentSample("/docs/Lease.pdf", "one", modified_at=datetime(2024, 1, 1, tzinfo=UTC)),
    DocumentSample("/docs/budget.xlsx", "two", modified_at=datetime(2025, 6, 1, tzinfo=UTC)),
    DocumentSample("/docs/2024/notes.txt", "three", modified_at=datetime(2023, 1, 1, tzinfo=UTC)),
    DocumentSample("/docs/2024/annex.pdf", "four", modified_at=datetime(2024, 1, 1, tzinfo=UTC)),
    DocumentSample("/mail/offer.eml", "five", modified_at=datetime(1960, 6, 1, tzinfo=UTC)),
)


@pytest.fixture(params=BACKENDS)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    with open_backend(request.param, tmp_path) as found:
        yield found


@pytest.fixture
async def lists(database: Database) -> SqlDocumentLists:
    writer = SqlLibraryWriter(database)
    for sample in SAMPLES:
        await writer.write_document(T, new_document(sample))
    await writer.write_document("another", new_document(DocumentSample("/theirs/aaa.pdf", "six")))
    return SqlDocumentLists(database)


async def names(lists: SqlDocumentLists, listing: DocumentListRequest, limit: int = 2) -> list[str]:
    """All pages of the listing, one after the other."""
    seen: list[str] = []
    cursor: str | None = None
    while True:
        page, total, cursor = await lists.page(T, listing, limit=limit, cursor=cursor)
        seen += [document.filename for document in page]
        assert len(page) <= limit
        if cursor is None:
            assert total == len(seen)
            return seen


BY_NAME = ["annex.pdf", "budget.xlsx", "Lease.pdf", "notes.txt", "offer.eml"]
ORDERS = {
    DocumentSort.NAME: BY_NAME,
    DocumentSort.CHANGED: ["offer.eml", "notes.txt", "annex.pdf", "Lease.pdf", "budget.xlsx"],
    DocumentSort.TYPE: ["offer.eml", "annex.pdf", "Lease.pdf", "notes.txt", "budget.xlsx"],
    DocumentSort.ADDED: ["Lease.pdf", "budget.xlsx", "notes.txt", "annex.pdf", "offer.eml"],
}


@pytest.mark.parametrize("sort", ORDERS)
async def test_every_order_goes_both_ways_through_all_pages(lists: SqlDocumentLists, sort: DocumentSort) -> None:
    found = await names(lists, DocumentListRequest(sort=sort))
    assert await names(lists, DocumentListRequest(sort=sort, descending=True)) == found[::-1]
    assert sorted(found) == sorted(BY_NAME)
    if sort is not DocumentSort.ADDED:  # documents of the same moment stand by name
        assert found == ORDERS[sort]


async def test_what_has_no_date_is_the_oldest(database: Database, lists: SqlDocumentLists) -> None:
    undated = update(documents).where(documents.c.filename == "budget.xlsx").values(modified_at=None)
    await database.write(lambda connection: connection.execute(undated))
    assert (await names(lists, DocumentListRequest(sort=DocumentSort.CHANGED)))[:2] == ["budget.xlsx", "offer.eml"]


async def test_size_sorts_by_bytes(lists: SqlDocumentLists) -> None:
    page, _, _ = await lists.page(T, DocumentListRequest(sort=DocumentSort.SIZE, descending=True))
    sizes = [document.file_size for document in page]
    assert sizes == sorted(sizes, reverse=True)


async def test_filters_text_and_states_narrow_the_list(lists: SqlDocumentLists) -> None:
    assert await names(lists, DocumentListRequest(filters=Filters(file_types=[".pdf", ".eml"]))) == ["annex.pdf", "Lease.pdf", "offer.eml"]
    assert await names(lists, DocumentListRequest(filters=Filters(path_prefix="/docs/2024"), text="ann")) == ["annex.pdf"]
    assert await names(lists, DocumentListRequest(filters=Filters(modified_after=datetime(2024, 6, 1, tzinfo=UTC)))) == ["budget.xlsx"]
    assert await names(lists, DocumentListRequest(states=[DocumentState.INDEXED])) == BY_NAME
    assert await names(lists, DocumentListRequest(states=[DocumentState.PARTIAL])) == []


async def test_a_cursor_belongs_to_its_order(lists: SqlDocumentLists) -> None:
    _, _, cursor = await lists.page(T, DocumentListRequest(sort=DocumentSort.TYPE), limit=2)
    for other in (DocumentListRequest(sort=DocumentSort.TYPE, descending=True), DocumentListRequest(sort=DocumentSort.SIZE), DocumentListRequest()):
        with pytest.raises(InvalidInput):
            await lists.page(T, other, limit=2, cursor=cursor)
