"""The larger chunks above a document's chunks: a row for each level, packed, written and removed with the document's generation."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np
from sqlalchemy import Column, Connection, Integer, Table, delete, insert, select

from core.documents import LargerChunk
from core.ports.chunk_hierarchy import ChunkPlace
from storage.database import Database
from storage.library_scope import is_readable_in
from storage.row_mapping import AnyRow, batches
from storage.schema import blob_column, document_column, integer_column, metadata, text_column

if TYPE_CHECKING:
    from numpy.typing import NDArray

# `spans` is int32 [rows, 8]: start, end, tokens, first and last child, first and last chunk, confidence in thousandths.
chunk_levels = Table(
    "chunk_levels",
    metadata,
    document_column(primary_key=True),
    Column("level", Integer(), primary_key=True, autoincrement=False),
    text_column("tenant"),
    integer_column("rows"),
    blob_column("spans"),
)
_COLUMNS = 8
_FIRST_CHUNK, _LAST_CHUNK = 5, 6


def replace_levels(connection: Connection, owner: tuple[str, str], larger: Sequence[LargerChunk]) -> None:
    """Store the levels of a document (tenant, id) in the place of the old ones."""
    tenant, document_id = owner
    connection.execute(delete(chunk_levels).where(chunk_levels.c.document_id == document_id))
    rows = []
    for level, group in groupby(larger, key=lambda each: each.level):
        spans = np.array([_pack_chunk(each) for each in group], "<i4")
        rows.append({"document_id": document_id, "level": level, "tenant": tenant, "rows": len(spans), "spans": spans.tobytes()})
    if rows:
        connection.execute(insert(chunk_levels), rows)


class SqlHierarchy:
    """core.ports.chunk_hierarchy.ChunkHierarchy over SQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def parents(self, tenant: str, places: Sequence[ChunkPlace], level: int) -> dict[ChunkPlace, LargerChunk]:
        wanted: dict[str, list[int]] = {}
        for document_id, ordinal in places:
            wanted.setdefault(document_id, []).append(ordinal)

        def work(connection: Connection) -> dict[ChunkPlace, LargerChunk]:
            found: dict[ChunkPlace, LargerChunk] = {}
            for batch in batches(list(wanted)):
                place = (is_readable_in(chunk_levels.c.tenant, tenant), chunk_levels.c.document_id.in_(batch), chunk_levels.c.level <= level)
                for row in connection.execute(select(chunk_levels).where(*place).order_by(chunk_levels.c.level)):  # higher levels replace lower ones
                    found |= _parent_chunks(row, wanted[row.document_id])
            return found

        return await self._database.read(work)

    async def larger_chunks(self, tenant: str, document_id: str) -> list[LargerChunk]:
        place = (is_readable_in(chunk_levels.c.tenant, tenant), chunk_levels.c.document_id == document_id)
        query = select(chunk_levels).where(*place).order_by(chunk_levels.c.level)
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return [_unpack_chunk(row.level, ordinal, values) for row in rows for ordinal, values in enumerate(_spans(row))]


def _parent_chunks(row: AnyRow, ordinals: Sequence[int]) -> dict[ChunkPlace, LargerChunk]:
    """Return the level's chunk above each of these ordinals of its document."""
    spans = _spans(row)
    places = np.searchsorted(spans[:, _FIRST_CHUNK], ordinals, side="right") - 1
    pairs = [(ordinal, int(place)) for ordinal, place in zip(ordinals, places, strict=True) if place >= 0 and ordinal <= spans[place, _LAST_CHUNK]]
    return {(row.document_id, ordinal): _unpack_chunk(row.level, place, spans[place]) for ordinal, place in pairs}


def _spans(row: AnyRow) -> NDArray[np.int32]:
    return np.frombuffer(row.spans, "<i4").reshape(row.rows, _COLUMNS)


def _pack_chunk(each: LargerChunk) -> tuple[int, ...]:
    family = (each.first_child, each.last_child, each.first_chunk, each.last_chunk)
    return (each.start, each.end, each.tokens, *family, round(each.confidence * 1000))


def _unpack_chunk(level: int, ordinal: int, values: NDArray[np.int32]) -> LargerChunk:
    start, end, tokens, first_child, last_child, first_chunk, last_chunk, confidence = (int(value) for value in values)
    return LargerChunk(level, ordinal, start, end, tokens, first_child, last_child, first_chunk, last_chunk, confidence / 1000)
