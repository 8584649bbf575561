"""The tables of a document: their list, and one of them as typed rows, as CSV or as Markdown."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import AsyncIterator, Sequence
from typing import Annotated, Literal
from urllib.parse import quote

from fastapi import APIRouter, Query
from fastapi.responses import StreamingResponse
from pydantic import Field
from starlette.responses import Response

from core.documents import Document
from core.ports import TableStore
from core.search_schemas import Schema
from core.tables import RowKind, TableList, TableRow, TableWithRows
from server.auth import AppServices, Caller

router = APIRouter(prefix="/documents", tags=["documents"])

TableKey = tuple[str, str, int]  # tenant, document, table

_PAGE = 1000
_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet takes for the beginning of a formula
_FIGURE = re.compile(r"[-+]?[\d.,'\s]*\d[\d.,'\s]*%?")
_BREAKS = re.compile(r"\s*[\r\n]+\s*")
_TYPES = {"csv": "text/csv; charset=utf-8", "markdown": "text/markdown; charset=utf-8"}
_SUFFIXES = {"csv": "csv", "markdown": "md"}


class RowsQuery(Schema):
    """The query string of GET /documents/{id}/tables/{ordinal}. As CSV or Markdown a table comes whole unless `limit` is given."""

    first: Annotated[int, Field(ge=0, le=10**9)] = 0
    limit: Annotated[int | None, Field(ge=1, le=10_000, description="Rows; 1,000 of them where nothing is said.")] = None
    format: Literal["json", "csv", "markdown"] = "json"


@router.get("/{document_id}/tables")
async def list_tables(document_id: str, caller: Caller, services: AppServices) -> TableList:
    """The tables of a document in the order of its text, each with its columns and how many rows it has."""
    return TableList(document_id=document_id, tables=await services.tables.tables(caller.library, document_id))


@router.get(
    "/{document_id}/tables/{ordinal}",
    response_model=TableWithRows,
    responses={200: {"content": {_TYPES["csv"]: {"schema": {"type": "string"}}, _TYPES["markdown"]: {"schema": {"type": "string"}}}}},
)
async def read_table(
    document_id: str, ordinal: Annotated[int, Field(ge=0, le=10**6)], query: Annotated[RowsQuery, Query()], caller: Caller, services: AppServices
) -> TableWithRows | Response:
    """Rows of one table, a page at a time; or the table as a file. In CSV a cell that a spreadsheet would run as a formula is quoted."""
    if query.format == "json":
        return await services.tables.rows(caller.library, document_id, ordinal, first=query.first, limit=query.limit or _PAGE)
    wanted = (caller.library, document_id, ordinal)
    table = await services.tables.rows(*wanted, first=query.first, limit=0)
    document = await services.library.document(caller.library, document_id)
    last = table.kept if query.limit is None else min(table.kept, query.first + query.limit)
    pages = _pages(services.tables, wanted, query.first, last)
    lines = _csv_lines(table, pages) if query.format == "csv" else _markdown_lines(table, pages)
    name = f"{_stem(document)} - table {ordinal + 1}.{_SUFFIXES[query.format]}"
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name, errors='replace')}"}
    return StreamingResponse(lines, media_type=_TYPES[query.format], headers=headers)


def _stem(document: Document) -> str:
    return document.filename.rsplit(".", 1)[0] or document.filename


async def _pages(tables: TableStore, wanted: TableKey, first: int, last: int) -> AsyncIterator[Sequence[TableRow]]:
    """The rows first .. last - 1 in pages, so that a table of any length is sent in little memory."""
    for start in range(first, last, _PAGE):
        yield (await tables.rows(*wanted, first=start, limit=min(_PAGE, last - start))).body


async def _csv_lines(table: TableWithRows, pages: AsyncIterator[Sequence[TableRow]]) -> AsyncIterator[str]:
    yield "\ufeff" + _csv([_names(table)])  # spreadsheets read UTF-8 only behind this mark
    async for page in pages:
        yield _csv([row.cells for row in page])


def _names(table: TableWithRows) -> list[str]:
    return [column.name for column in table.columns]


def _csv(rows: Sequence[Sequence[str]]) -> str:
    written = io.StringIO(newline="")
    csv.writer(written).writerows([[_escape_formula(cell) for cell in row] for row in rows])
    return written.getvalue()


def _escape_formula(cell: str) -> str:
    """A cell that begins like a formula behind a quote mark; figures with a sign stay figures."""
    return f"'{cell}" if cell.startswith(_FORMULA) and not _FIGURE.fullmatch(cell) else cell


async def _markdown_lines(table: TableWithRows, pages: AsyncIterator[Sequence[TableRow]]) -> AsyncIterator[str]:
    right = [column.type in {"integer", "number", "amount", "percent"} for column in table.columns]
    yield (f"{_escape_cell(table.caption)}\n\n" if table.caption else "") + _markdown(_names(table))
    yield "|" + "|".join(" ---: " if each else " --- " for each in right) + "|\n"
    async for page in pages:
        yield "".join(_markdown(_markdown_cells(row)) for row in page)


def _markdown_cells(row: TableRow) -> list[str]:
    return [f"**{cell}**" if cell.strip() and row.kind is RowKind.TOTAL else cell for cell in row.cells]


def _markdown(cells: Sequence[str]) -> str:
    return "| " + " | ".join(_escape_cell(cell) for cell in cells) + " |\n"


def _escape_cell(text: str) -> str:
    escaped = text.strip().replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")
    return _BREAKS.sub("<br>", escaped)
