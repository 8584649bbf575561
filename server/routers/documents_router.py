"""Documents: list, one, its text with structure, its file, and removal."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Annotated, NamedTuple

from fastapi import APIRouter, Path, Query
from fastapi.responses import FileResponse, Response
from pydantic import Field

from core.documents import Document, DocumentState, Table
from core.errors import InvalidInput, NotFound
from core.ports import DocumentContent, DocumentListRequest, DocumentSort
from core.references import DocumentReferences
from core.search import Filters
from core.search_schemas import Schema
from server.auth import AppServices, Caller
from server.file_responses import picture_response, stored_file_response
from server.personal_library import run_in_library
from server.schemas import BlockOut, ContentOut, Deleted, DocumentList, Outline, PageOut, PlacesOut, TableOut

router = APIRouter(prefix="/documents", tags=["documents"])


class TextRange(NamedTuple):
    start: int
    end: int

    def overlaps(self, start: int, end: int) -> bool:
        return start < self.end and end > self.start


class DocumentQuery(Schema):
    """The query string of GET /documents; `text` is part of the file name or title, `modified_before` exclusive. Of several file
    types or states one is enough."""

    text: Annotated[str, Field(max_length=200)] = ""
    collection: Annotated[str | None, Field(max_length=200)] = None
    path_prefix: Annotated[str | None, Field(max_length=4096)] = None
    file_type: Annotated[list[Annotated[str, Field(max_length=20)]], Field(default_factory=list, max_length=50)]
    state: Annotated[list[DocumentState], Field(default_factory=list, max_length=20)]
    modified_after: datetime | None = None
    modified_before: datetime | None = None
    sort: DocumentSort = DocumentSort.NAME
    descending: bool = False
    limit: Annotated[int, Field(ge=1, le=500)] = 50
    cursor: Annotated[str | None, Field(max_length=8192)] = None

    def listing(self) -> DocumentListRequest:
        filters = Filters(
            collection=self.collection,
            path_prefix=self.path_prefix,
            file_types=[each.lower() for each in self.file_type],
            modified_after=self.modified_after,
            modified_before=self.modified_before,
        )
        return DocumentListRequest(filters, self.text, self.state, self.sort, self.descending)


@router.get("")
async def list_documents(query: Annotated[DocumentQuery, Query()], caller: Caller, services: AppServices) -> DocumentList:
    """The documents by file name or in another order, a page at a time."""
    found, total, following = await services.document_lists.page(caller.library, query.listing(), limit=query.limit, cursor=query.cursor)
    return DocumentList(documents=found, total=total, next_cursor=following)


@router.get("/{document_id}")
async def read_document(document_id: str, caller: Caller, services: AppServices) -> Document:
    return await services.library.document(caller.library, document_id)


@router.get("/{document_id}/content")
async def read_content(
    document_id: str,
    caller: Caller,
    services: AppServices,
    start: Annotated[int, Query(ge=0, le=10**9)] = 0,
    end: Annotated[int | None, Query(ge=0, le=10**9)] = None,
) -> ContentOut:
    """The text as it was read, whole or a range in code points, with its structure: what citations point into."""
    content = await services.library.content(caller.library, document_id)
    total = len(content.text)
    span = TextRange(min(start, total), total if end is None else min(end, total))
    if span.end < span.start:
        raise InvalidInput(f"The range {start}..{end} is empty: start must not be behind end.")
    return _clip_content(content, span)


def _clip_content(content: DocumentContent, span: TextRange) -> ContentOut:
    """The text of the range with the blocks, sections, pages and tables that reach into it."""
    document = content.document
    return ContentOut(
        document_id=content.document_id,
        generation=content.generation,
        start=span.start,
        end=span.end,
        total=len(content.text),
        text=content.text[span.start : span.end],
        blocks=[BlockOut(**asdict(block)) for block in document.blocks if span.overlaps(block.start, block.end)],
        sections=[Outline(**{**asdict(item), "path": list(item.path)}) for item in document.sections if span.overlaps(item.start, item.end)],
        pages=[PageOut(**asdict(page)) for page in document.pages if span.overlaps(page.start, page.end)],
        tables=[_table_out(table) for table in document.tables if span.overlaps(table.start, table.end)],
    )


def _table_out(table: Table) -> TableOut:
    """Return a table as a page shows it; that the limits of reading cut it off is told with its document."""
    return TableOut.model_validate({name: value for name, value in asdict(table).items() if name in TableOut.model_fields})


@router.get("/{document_id}/places")
async def read_places(
    document_id: str,
    caller: Caller,
    services: AppServices,
    start: Annotated[int, Query(ge=0, le=10**9)] = 0,
    end: Annotated[int, Query(ge=0, le=10**9)] = 10**9,
) -> PlacesOut:
    """Return the places of text that was recognised in pictures on their pages, for the lines that reach into a range of code points; at most 200
    pages in one answer. A document that was read before this was kept has no places until it is read again."""
    return PlacesOut.model_validate(asdict(await services.places.places(caller.library, document_id, start=start, end=end)))


@router.get("/{document_id}/references")
async def read_references(document_id: str, caller: Caller, services: AppServices) -> DocumentReferences:
    """The documents that this one names (links, file names, bibliography, "supersedes", "see Annex B"), and those that name it."""
    return await services.references.references(caller.library, document_id)


@router.get("/{document_id}/file", response_class=FileResponse)
async def read_file(document_id: str, caller: Caller, services: AppServices) -> FileResponse:
    """The file itself, also where it lies in an archive or is attached to a message. It is never run: everything but PDF, pictures and plain
    text is a download, and a sandbox policy goes with it."""
    document = await services.library.document(caller.library, document_id)
    response = await stored_file_response(document.paths, document.filename, services.members)
    if response is None:
        raise NotFound(f"{document.filename} is no longer at {document.file_path}. Its text is still at /documents/{document_id}/content.")
    return response


@router.get("/{document_id}/pages/{page}/picture", response_class=Response, responses={200: {"content": {"image/jpeg": {}}}})
async def read_picture(document_id: str, page: Annotated[int, Path(ge=1, le=10**6)], caller: Caller, services: AppServices) -> Response:
    """A page of a picture as JPEG: for TIFF and other kinds that browsers do not draw by themselves."""
    document = await services.library.document(caller.library, document_id)
    response = await picture_response(document.paths, page, services.members)
    if response is None:
        raise NotFound(f"{document.filename} is no longer at {document.file_path}. Its text is still at /documents/{document_id}/content.")
    return response


@router.delete("/{document_id}")
async def delete_document(document_id: str, caller: Caller, services: AppServices) -> Deleted:
    """Remove a document from the library and the index. Its passages go out of stored runs and conversations, what memory has of it goes, and the
    file that was uploaded for it; a file in a folder of yours stays, and is not indexed again until it is retried or changed."""
    removed = await run_in_library(caller.library, lambda library: services.jobs.delete_document(library, document_id))
    return Deleted(id=document_id, chunks=len(removed.chunk_ids), files=list(removed.files))
