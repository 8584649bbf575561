"""Writing one generation of a document: its row, text, structure, chunks and vectors. Functions of one open transaction."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime
from itertools import islice
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from core.documents import DocumentState, ExtractedDocument
from core.errors import InvalidInput
from core.ports import NewDocument
from storage.blobs import pack_structure, pack_vectors, split_text
from storage.graph_writer import replace_graph
from storage.ledger_rows import name_values
from storage.reference_tables import replace_references
from storage.row_mapping import BATCH, AnyRow, file_time, now
from storage.schema import chunks, document_structures, document_texts, documents, files, vectors
from storage.sequences import reserve_ids
from storage.sql_communities import forget_shares
from storage.sql_places import replace_places
from storage.storable_text import make_storable

_COUNTER = "chunks"


def check_consistency(new: NewDocument) -> None:
    """Check that the parts belong together. Raises InvalidInput; nothing is written then."""
    rows = new.vectors.shape[0] if new.vectors.ndim == 2 else -1
    if rows != len(new.chunks):
        raise InvalidInput(f"{new.stamp.path}: {len(new.chunks)} chunks need as many vectors (got shape {new.vectors.shape}).")
    length = len(new.document.text)
    if any(not 0 <= chunk.start <= chunk.end <= length or chunk.ordinal != place for place, chunk in enumerate(new.chunks)):
        raise InvalidInput(f"{new.stamp.path}: a chunk lies outside its text of {length} characters, or the chunks are out of order.")


def insert_document(connection: Connection, tenant: str, new: NewDocument) -> str:
    document_id = uuid.uuid4().hex
    row = {"id": document_id, "tenant": tenant, "generation": 1, **name_values(new.stamp.path, new.profile.title), **_document_values(new)}
    connection.execute(insert(documents), row)
    return document_id


def replace_document(connection: Connection, old: AnyRow, new: NewDocument) -> tuple[int, ...]:
    """Replace a document by its next generation, under the same id. Returns the ids of the chunks that went."""
    replaced = tuple(connection.execute(select(chunks.c.id).where(chunks.c.document_id == old.id).order_by(chunks.c.ordinal)).scalars())
    for table in (chunks, document_texts, document_structures, vectors):
        connection.execute(delete(table).where(table.c.document_id == old.id))
    first = connection.execute(select(files.c.path).where(files.c.document_id == old.id).order_by(files.c.id).limit(1)).scalar_one()
    values = {"generation": old.generation + 1, **name_values(first, new.profile.title), **_document_values(new)}
    connection.execute(update(documents).where(documents.c.id == old.id), values)
    return replaced


def _document_values(new: NewDocument) -> dict[str, Any]:
    document, profile = new.document, new.profile
    state, reason, _ = extraction_state(new)
    return {
        "collection": new.collection,
        "indexed_generation": 0,
        "content_hash": new.content_hash,
        "file_type": new.file_type,
        "title": profile.title,
        "summary": profile.summary,
        "detailed_summary": profile.detailed_summary,
        "keywords": list(profile.keywords),
        "topics": list(profile.topics),
        "language": profile.language,
        "doc_type": profile.doc_type,
        "generated_by": profile.generated_by,
        "authors": list(profile.authors),
        # What the text says of itself comes before what the program that wrote the file put into it.
        "created_at": _start_of_day(profile.written_on) or document.metadata.created_at,
        # What the file says of itself outlives a copy; the file system's time does not.
        "modified_at": document.metadata.modified_at or file_time(new.stamp.mtime_ns),
        "indexed_at": now(),
        "file_size": new.stamp.size,
        "pages": len(document.pages),
        "page_unit": document.page_unit.value,
        "chunks": len(new.chunks),
        "characters": len(document.text),
        "state": state.value,
        "reason": reason,
        "parser": document.parser,
        "embedder": new.embedder,
        "settings_version": new.settings_version,
    }


def _start_of_day(day: date | None) -> datetime | None:
    return datetime(day.year, day.month, day.day, tzinfo=UTC) if day else None


def _add_section_languages(new: NewDocument) -> ExtractedDocument:
    """Return the document with the languages of its sections, where they differ."""
    languages = new.profile.section_languages
    if len(languages) != len(new.document.sections):
        return new.document
    named = tuple(replace(section, language=language) for section, language in zip(new.document.sections, languages, strict=True))
    return replace(new.document, sections=named)


def extraction_state(new: NewDocument) -> tuple[DocumentState, str, str]:
    """Return state, reason and code: an extractor's warnings make a document partial."""
    warnings = new.document.warnings
    return (DocumentState.PARTIAL, " ".join(warnings), new.code or "partial") if warnings else (DocumentState.INDEXED, "", "")


def insert_contents(connection: Connection, tenant: str, document_id: str, generation: int, new: NewDocument) -> tuple[int, ...]:
    """Insert text, structure, chunks and vectors, and what belongs to them. Returns the new chunks' ids in order."""
    owner = {"document_id": document_id, "tenant": tenant}
    first = reserve_ids(connection, _COUNTER, len(new.chunks))
    segments = ({**owner, "ordinal": ordinal, "text": blob} for ordinal, blob in enumerate(split_text(make_storable(new.document.text))))
    _insert_all(connection, document_texts, segments)
    connection.execute(insert(document_structures), {**owner, "structure": pack_structure(_add_section_languages(new))})
    _insert_all(connection, chunks, _chunk_rows(owner, generation, first, new))
    rows, dimension = new.vectors.shape
    place = {"embedder": new.embedder, "first_chunk": first, "rows": rows, "dimension": dimension}
    connection.execute(insert(vectors), {**owner, **place, "vectors": pack_vectors(new.vectors)})
    replace_places(connection, (tenant, document_id), new.document)
    replace_references(connection, (tenant, document_id, generation), new)
    forget_shares(connection, document_id)
    replace_graph(connection, (tenant, document_id, generation, first), new.graph, new.chunks)
    return tuple(range(first, first + len(new.chunks)))


def _chunk_rows(owner: dict[str, str], generation: int, first: int, new: NewDocument) -> Iterator[dict[str, Any]]:
    return (
        {
            **owner,
            "id": first + chunk.ordinal,
            "generation": generation,
            "ordinal": chunk.ordinal,
            "start": chunk.start,
            "end": chunk.end,
            "page": chunk.page,
            "section": list(chunk.section),
            "kind": chunk.kind.value,
            "tokens": chunk.tokens,
            "prefix": chunk.prefix,
        }
        for chunk in new.chunks
    )


def _insert_all(connection: Connection, table: Any, rows: Iterable[dict[str, Any]]) -> None:
    """Insert the rows, made as they are written: there may be tens of thousands."""
    waiting = iter(rows)
    while batch := list(islice(waiting, BATCH)):
        connection.execute(insert(table), batch)
