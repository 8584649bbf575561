"""The places of recognised text on its pages: written with its document's generation, read by a range of the text."""

from __future__ import annotations

from sqlalchemy import Connection, delete, insert, select

from core.documents import ExtractedDocument
from core.errors import NotFound, Unavailable
from core.recognized_lines import DocumentPlaces, LinePlace, PageLines, unpack_lines
from storage.database import Database
from storage.library_scope import is_readable_in
from storage.place_tables import page_places
from storage.row_mapping import batches
from storage.schema import documents

MOST_PAGES = 200  # of one reading


class SqlPlaces:
    """core.ports.place_store.PlaceStore over SQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def places(self, tenant: str, document_id: str, *, start: int, end: int) -> DocumentPlaces:
        """Return at most 200 pages in one reading."""

        def work(connection: Connection) -> DocumentPlaces:
            query = select(documents.c.generation).where(is_readable_in(documents.c.tenant, tenant), documents.c.id == document_id)
            generation = connection.execute(query).scalar_one_or_none()
            if generation is None:
                raise NotFound(f"There is no document {document_id[:80]!r} in this library. It may have been removed.")
            columns = page_places.c
            within = (is_readable_in(columns.tenant, tenant), columns.document_id == document_id, columns.start < end, columns.end > start)
            rows = connection.execute(select(page_places).where(*within).order_by(columns.page).limit(MOST_PAGES))
            pages = [(row.page, [line for line in _unpack_places(row.places) if line.start < end and line.end > start]) for row in rows]
            return DocumentPlaces(document_id, generation, tuple(PageLines(page, tuple(lines)) for page, lines in pages if lines))

        return await self._database.read(work)


def _unpack_places(blob: bytes) -> list[LinePlace]:
    try:
        return unpack_lines(blob)
    except ValueError as error:
        raise Unavailable(f"The stored places of a page are damaged ({error}). Check the disk, then index the folder again with --force.") from error


def replace_places(connection: Connection, owner: tuple[str, str], document: ExtractedDocument) -> None:
    """Write the places of a document in place of those that it had; `owner` is its tenant and id."""
    tenant, document_id = owner
    connection.execute(delete(page_places).where(page_places.c.document_id == document_id))
    rows = [
        {
            "document_id": document_id,
            "tenant": tenant,
            "page": page.page,
            "start": page.start,
            "end": page.end,
            "places": page.packed,
        }
        for page in document.places
    ]
    for batch in batches(rows):
        connection.execute(insert(page_places), batch)
