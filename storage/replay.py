"""Documents as the search index wants them, read back from the truth: for replay after a crash and after a path changed."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import ColumnElement, Connection, Table, Text, select, type_coerce

from core.documents import HEADING_SEPARATOR
from core.ports import IndexedChunk, IndexedDocument
from storage.blobs import segment_text, unpack_vectors
from storage.row_mapping import BATCH, AnyRow, load_paths
from storage.schema import chunks, document_texts, documents, vectors
from storage.storable_text import make_storable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


_PIECE = (chunks.c.id, chunks.c.start, chunks.c.end, type_coerce(chunks.c.section, Text))
PORTION_CHUNKS = 2000  # chunks: with text and vector about 4 MB


def stale_ids(connection: Connection, present: dict[str, int], embedder: str | None) -> list[tuple[str, int]]:
    """Return documents of which the index holds another generation, none, or older paths; each with the number of its chunks."""
    columns = (documents.c.id, documents.c.generation, documents.c.indexed_generation, vectors.c.rows)
    query = select(*columns).outerjoin(vectors, vectors.c.document_id == documents.c.id).where(*_embedder_conditions(embedder))
    rows = connection.execute(query)
    return [(row.id, row.rows or 0) for row in rows if present.get(row.id) != row.generation or row.indexed_generation != row.generation]


def split_into_portions(stale: Sequence[tuple[str, int]]) -> Iterator[list[str]]:
    """Yield the documents in portions of at most PORTION_CHUNKS chunks (or one document): bounds the memory however large the documents are."""
    portion: list[str] = []
    held = 0
    for document_id, chunk_count in stale:
        if portion and (held + chunk_count > PORTION_CHUNKS or len(portion) == BATCH):
            yield portion
            portion, held = [], 0
        portion.append(document_id)
        held += chunk_count
    if portion:
        yield portion


def live_generations(connection: Connection, embedder: str | None) -> dict[str, tuple[str, int]]:
    rows = connection.execute(select(documents.c.id, documents.c.tenant, documents.c.generation).where(*_embedder_conditions(embedder)))
    return {row.id: (row.tenant, row.generation) for row in rows}


def _embedder_conditions(embedder: str | None) -> list[ColumnElement[bool]]:
    return [] if embedder is None else [documents.c.embedder == embedder]


def load_indexed(connection: Connection, document_ids: Sequence[str], tenant: str | None = None) -> list[IndexedDocument]:
    """Return these documents with their chunks, texts and vectors, in the order asked; what does not exist is left out."""
    conditions: list[ColumnElement[bool]] = [documents.c.id.in_(document_ids)]
    if tenant is not None:
        conditions.append(documents.c.tenant == tenant)
    rows = {row.id: row for row in connection.execute(select(documents).where(*conditions))}
    found = [document_id for document_id in dict.fromkeys(document_ids) if document_id in rows]
    paths = load_paths(connection, found)
    texts = _rows_by_document(connection, document_texts, found, document_texts.c.text)
    pieces = _rows_by_document(connection, chunks, found, *_PIECE)
    blobs = _rows_by_document(connection, vectors, found, vectors.c.rows, vectors.c.dimension, vectors.c.vectors)
    return [
        _indexed_document(rows[each], paths[each], _indexed_chunks("".join(segment_text(row.text) for row in texts[each]), pieces[each], blobs[each]))
        for each in found
    ]


def _rows_by_document(connection: Connection, table: Table, document_ids: Sequence[str], *columns: ColumnElement[Any]) -> dict[str, list[AnyRow]]:
    """Return the columns of each document's rows, after its id."""
    order = [table.c.document_id, *([table.c.ordinal] if "ordinal" in table.c else [])]
    groups: dict[str, list[AnyRow]] = defaultdict(list)
    for row in connection.execute(select(table.c.document_id, *columns).where(table.c.document_id.in_(document_ids)).order_by(*order)):
        groups[row[0]].append(row)
    return groups


def _indexed_document(row: AnyRow, paths: Sequence[AnyRow], pieces: tuple[IndexedChunk, ...]) -> IndexedDocument:
    return IndexedDocument(
        id=row.id,
        tenant=row.tenant,
        collection=row.collection,
        generation=row.generation,
        paths=tuple(make_storable(path.path) for path in paths),
        filename=row.filename,
        title=row.title,
        keywords=tuple(row.keywords),
        summary=row.summary,
        file_type=row.file_type,
        doc_type=row.doc_type,
        language=row.language,
        modified_at=row.modified_at,
        chunks=pieces,
    )


def _indexed_chunks(text: str, rows: Sequence[AnyRow], blobs: Sequence[AnyRow]) -> tuple[IndexedChunk, ...]:
    if not blobs:
        return ()
    matrix = unpack_vectors(blobs[0].vectors, blobs[0].rows, blobs[0].dimension)
    return tuple(
        IndexedChunk(number, text[start:end], _headings(section), vector)
        for (_, number, start, end, section), vector in zip(rows, matrix, strict=True)
    )


@lru_cache(maxsize=1024)
def _headings(section: str) -> str:
    """Return the headings that a chunk's stored section names: neighbours share it, and reading JSON is dear."""
    return HEADING_SEPARATOR.join(json.loads(section))


def load_vectors(connection: Connection, document_ids: Sequence[str]) -> list[tuple[str, str, range, NDArray[np.float16]]]:
    """Return (document id, tenant, chunk ids, float16 [chunks, dimension]) of each document, without reading any text."""
    query = select(vectors).where(vectors.c.document_id.in_(document_ids)).order_by(vectors.c.first_chunk)
    return [
        (row.document_id, row.tenant, range(row.first_chunk, row.first_chunk + row.rows), unpack_vectors(row.vectors, row.rows, row.dimension))
        for row in connection.execute(query)
    ]
