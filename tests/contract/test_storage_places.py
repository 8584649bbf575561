"""Places of recognised text on every database: read by range, replaced and removed with their document, tenants apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import update

from core.errors import NotFound, Unavailable
from core.ports import NewDocument
from core.recognized_lines import LinePlace, WordPlace, pack_page
from storage.database import Database
from storage.place_tables import page_places
from storage.sql_library import SqlLibrary
from storage.sql_library_writer import SqlLibraryWriter
from storage.sql_places import MOST_PAGES, SqlPlaces
from tests.support.databases import BACKENDS, DocumentSample, new_document, open_backend, row_counts

T = "default"


@pytest.fixture(params=BACKENDS)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    with open_backend(request.param, tmp_path) as found:
        yield found


def line(start: int, end: int) -> LinePlace:
    return LinePlace(start, end, 0.1, 0.2, 0.5, 0.02, 1.5, (WordPlace(start, end, 0.0, 1.0),))


def scan(path: str, pages: Sequence[Sequence[LinePlace]], turned: int = 0) -> NewDocument:
    new = new_document(DocumentSample(path=path, text="Rent is due. " * 60))
    document = new.document
    turned_pages = tuple(replace(page, turned=turned) for page in document.pages)
    placed = tuple(pack_page(number, lines) for number, lines in enumerate(pages, start=1))
    return replace(new, document=replace(document, pages=turned_pages, places=placed))


async def test_the_lines_of_a_range_are_read_page_by_page(database: Database) -> None:
    store = SqlPlaces(database)
    written = await SqlLibraryWriter(database).write_document(
        T, scan("/docs/scan.pdf", [[line(0, 12), line(13, 25)], [line(26, 38)], [line(39, 51)]], 180)
    )
    found = await store.places(T, written.document_id, start=20, end=30)
    assert (found.document_id, found.generation) == (written.document_id, 1)
    assert [(page.page, page.lines) for page in found.pages] == [(1, (line(13, 25),)), (2, (line(26, 38),))]
    assert [page.page for page in (await store.places(T, written.document_id, start=0, end=10**9)).pages] == [1, 2, 3]
    assert (await store.places(T, written.document_id, start=12, end=13)).pages == ()
    assert {page.turned for page in (await SqlLibrary(database).content(T, written.document_id)).document.pages} == {180}
    for tenant, document_id in (("other", written.document_id), (T, "nothing")):
        with pytest.raises(NotFound):
            await store.places(tenant, document_id, start=0, end=100)


async def test_one_reading_has_a_limit(database: Database) -> None:
    pages = [[line(2 * number, 2 * number + 1)] for number in range(MOST_PAGES + 5)]
    written = await SqlLibraryWriter(database).write_document(T, scan("/docs/long.pdf", pages))
    assert len((await SqlPlaces(database).places(T, written.document_id, start=0, end=10**9)).pages) == MOST_PAGES


async def test_places_are_replaced_and_removed_with_their_document(database: Database) -> None:
    writer = SqlLibraryWriter(database)
    written = await writer.write_document(T, scan("/docs/scan.pdf", [[line(0, 12)], [line(13, 25)]]))
    assert row_counts(database)["page_places"] == 2
    again = await writer.write_document(T, replace(scan("/docs/scan.pdf", [[line(0, 9)]]), content_hash="another"))
    assert (again.document_id, row_counts(database)["page_places"]) == (written.document_id, 1)
    await writer.remove_paths(T, ["/docs/scan.pdf"])
    assert row_counts(database)["page_places"] == 0


async def test_damaged_places_are_told_of(database: Database) -> None:
    written = await SqlLibraryWriter(database).write_document(T, scan("/docs/scan.pdf", [[line(0, 12)]]))
    await database.write(lambda connection: connection.execute(update(page_places).values(places=b"damaged")))
    with pytest.raises(Unavailable, match="index the folder again"):
        await SqlPlaces(database).places(T, written.document_id, start=0, end=10)
