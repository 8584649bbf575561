"""Conditions and cursors: which rows a listing shows, and where its next page begins."""

from __future__ import annotations

import base64
import json
import unicodedata
from typing import Any

from sqlalchemy import ColumnElement, Table, and_, exists, or_, select

from core.errors import InvalidInput
from core.search import Filters
from storage.library_scope import is_readable_in
from storage.schema import documents, files

MAX_PAGE = 1000


def search_key(*words: str) -> str:
    """Return the key that "contains" compares: without case and with compatible forms made one (NFKC)."""
    return unicodedata.normalize("NFKC", "\n".join(words)).casefold()


def document_conditions(tenant: str, filters: Filters, text: str = "") -> list[ColumnElement[bool]]:
    """Return the tenant's documents that pass all `filters` and have `text` in their filename or title."""
    columns = documents.c
    conditions: list[ColumnElement[bool]] = [is_readable_in(columns.tenant, tenant)]
    conditions += [
        column.in_(values)
        for column, values in (
            (columns.file_type, filters.file_types),
            (columns.doc_type, filters.doc_types),
            (columns.language, filters.languages),
            (columns.id, filters.listed_documents()),
        )
        if values
    ]
    if filters.collection is not None:
        conditions.append(columns.collection == filters.collection)
    if filters.modified_after is not None:
        conditions.append(columns.modified_at >= filters.modified_after)
    if filters.modified_before is not None:
        conditions.append(columns.modified_at < filters.modified_before)
    if filters.path_prefix is not None:
        conditions.append(exists(select(files.c.id).where(files.c.document_id == columns.id, is_under(filters.path_prefix))))
    if text.strip():
        conditions.append(columns.search_key.contains(search_key(text.strip()), autoescape=True))
    return conditions


def is_under(folder: str, table: Table = files) -> ColumnElement[bool]:
    """Return the condition that the path of `table` is `folder` itself or lies below it; a range, so that the index on paths serves it."""
    path = table.c.path
    separator = "\\" if "\\" in folder and "/" not in folder else "/"
    trimmed = folder.rstrip(separator)
    first = trimmed + separator
    beyond = trimmed + chr(ord(separator) + 1)
    return or_(path == (trimmed or separator), and_(path >= first, path < beyond))


def page_size(limit: int) -> int:
    """Return the page's size: more than MAX_PAGE gives MAX_PAGE. Raises InvalidInput below 1."""
    if limit < 1:
        raise InvalidInput(f"A page needs a limit of at least 1 (got {limit}).")
    return min(limit, MAX_PAGE)


def write_cursor(*values: str | int) -> str:
    return base64.urlsafe_b64encode(json.dumps(values).encode()).decode().rstrip("=")


def read_cursor(cursor: str, *kinds: type) -> list[Any]:
    """Return the values that `write_cursor` was given. Raises InvalidInput for anything else."""
    try:
        values = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (ValueError, RecursionError) as error:
        raise InvalidInput("The cursor is not one that a listing gave. Start again without it.") from error
    right = isinstance(values, list) and [type(value) for value in values] == list(kinds)
    if not right or any(isinstance(value, int) and abs(value) >= 1 << 63 for value in values):
        raise InvalidInput("The cursor is of another listing. Start again without it.")
    return list(values)
