"""Rows as core's types, and a document's text cut out of its stored segments."""

from __future__ import annotations

import sys
import threading
from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeAlias, TypeVar

from sqlalchemy import ColumnElement, Connection, Row, Table, func, select, tuple_

from core.documents import BlockKind, Document, DocumentState, LedgerLine, PageUnit, StoredChunk
from core.ports import FileStamp, KnownFile
from storage.blobs import segment_range, segment_text, slice_segments
from storage.graph_tables import graph_entities
from storage.library_scope import is_readable_in
from storage.schema import document_texts, documents, files
from storage.storable_text import make_storable

Item = TypeVar("Item")
AnyRow: TypeAlias = "Row[*tuple[Any, ...]]"

# SQLite takes 32,766 parameters in a statement, PostgreSQL 65,535; a row of conditions may have two.
BATCH = 1000
_CACHE_BYTES = 32 << 20
_NAMES = 10
_NAMED = ("PERSON", "ORGANIZATION", "LOCATION", "CONCEPT", "IDENTIFIER")


def batches(items: Sequence[Item], size: int = BATCH) -> Iterator[Sequence[Item]]:
    return (items[start : start + size] for start in range(0, len(items), size))


def file_time(mtime_ns: int) -> datetime | None:
    """Return a file's time as datetime; None for a number that no calendar has (damaged file systems have them)."""
    try:
        return datetime.fromtimestamp(mtime_ns // 1_000_000_000, UTC).replace(microsecond=mtime_ns // 1000 % 1_000_000)
    except (OverflowError, ValueError, OSError):
        return None


def known_file(row: AnyRow) -> KnownFile:
    return KnownFile(
        stamp=FileStamp(row.path, row.size, row.mtime_ns, int(row.inode), row.container),
        root=row.root,
        state=DocumentState(row.state),
        content_hash=row.content_hash,
        document_id=row.document_id,
        attempts=row.attempts,
        settings_version=row.settings_version,
        container=row.container,
        code=row.code,
    )


def ledger_line(row: AnyRow) -> LedgerLine:
    return LedgerLine(
        path=make_storable(row.path),
        root=make_storable(row.root),
        state=DocumentState(row.state),
        reason=row.reason,
        code=row.code,
        parser=row.parser,
        content_hash=row.content_hash,
        file_size=row.size,
        modified_at=file_time(row.mtime_ns),
        seen_at=row.seen_at,
        attempts=row.attempts,
        document_id=row.document_id,
        container=make_storable(row.container),
    )


def load_paths(connection: Connection, document_ids: Sequence[str]) -> dict[str, list[AnyRow]]:
    """Return the ledger rows (path, state, reason) of each document, the path that was added first in front."""
    found: dict[str, list[AnyRow]] = defaultdict(list)
    for batch in batches(document_ids):
        query = select(files.c.document_id, files.c.path, files.c.state, files.c.reason).where(files.c.document_id.in_(batch)).order_by(files.c.id)
        for row in connection.execute(query):
            found[row.document_id].append(row)
    return found


def load_documents(connection: Connection, tenant: str, document_ids: Sequence[str]) -> dict[str, Document]:
    """Return the documents that are read under this tenant's, or this person's, name."""
    rows = [
        row
        for batch in batches(document_ids)
        for row in connection.execute(select(documents).where(is_readable_in(documents.c.tenant, tenant), documents.c.id.in_(batch)))
    ]
    ids = [row.id for row in rows]
    paths, names = load_paths(connection, ids), load_names(connection, ids)
    return {row.id: document_record(row, paths[row.id], names[row.id]) for row in rows}


def load_names(connection: Connection, document_ids: Sequence[str]) -> dict[str, list[str]]:
    """Return the ten names that each document mentions most often: people, organisations, places, terms and identifiers."""
    found: dict[str, list[str]] = defaultdict(list)
    entities = graph_entities.c
    place = func.row_number().over(partition_by=entities.document_id, order_by=(entities.mentions.desc(), entities.ordinal)).label("place")
    for batch in batches(document_ids):
        counted = (entities.document_id.in_(batch), entities.entity_type.in_(_NAMED), entities.mentions > 0)
        ranked = select(entities.document_id, entities.name, place).where(*counted).subquery()
        query = select(ranked).where(ranked.c.place <= _NAMES).order_by(ranked.c.document_id, ranked.c.place)
        for row in connection.execute(query):
            found[row.document_id].append(row.name)
    return found


def document_record(row: AnyRow, paths: Sequence[AnyRow], names: Sequence[str]) -> Document:
    """Return the document of its row. State and reason are the first path's, because a newer version of that file may have been unreadable since."""
    shown = [make_storable(path.path) for path in paths]
    return Document(
        id=row.id,
        filename=row.filename,
        file_path=shown[0] if shown else "",
        paths=shown,
        file_type=row.file_type,
        doc_type=row.doc_type,
        title=row.title,
        summary=row.summary,
        detailed_summary=row.detailed_summary,
        keywords=row.keywords,
        entities=list(dict.fromkeys(names)),
        topics=row.topics,
        authors=row.authors,
        language=row.language,
        created_at=row.created_at,
        modified_at=row.modified_at,
        indexed_at=row.indexed_at,
        file_size=row.file_size,
        pages=row.pages,
        page_unit=PageUnit(row.page_unit),
        chunks=row.chunks,
        characters=row.characters,
        state=DocumentState(paths[0].state if paths else row.state),
        reason=paths[0].reason if paths else row.reason,
        parser=row.parser,
        content_hash=row.content_hash,
        generation=row.generation,
        collection=row.collection,
    )


def stored_chunk(row: AnyRow, text: str) -> StoredChunk:
    return StoredChunk(
        id=row.id,
        document_id=row.document_id,
        generation=row.generation,
        ordinal=row.ordinal,
        start=row.start,
        end=row.end,
        page=row.page,
        section=row.section,
        kind=BlockKind(row.kind),
        tokens=row.tokens,
        prefix=row.prefix,
        text=text,
    )


def place_conditions(table: Table, places: Sequence[tuple[str, int]]) -> list[ColumnElement[bool]]:
    """Return rows at these (document id, ordinal). SQLite looks pairs up by scanning the table, so each column is named as well: that it finds by
    index.
    """
    document_ids, ordinals = {each for each, _ in places}, {each for _, each in places}
    columns = table.c
    return [columns.document_id.in_(document_ids), columns.ordinal.in_(ordinals), tuple_(columns.document_id, columns.ordinal).in_(places)]


@dataclass(slots=True)
class CacheCounts:
    """How often something was in a cache, and how often it had to be read."""

    hits: int = 0
    misses: int = 0


class TextCache:
    """The segments of text that were read last, at most `limit` bytes. A key holds the generation, so an entry never goes stale."""

    def __init__(self, limit: int = _CACHE_BYTES) -> None:
        self.counts = CacheCounts()
        self._limit = limit
        self._bytes = 0
        self._segments: OrderedDict[tuple[str, int, int], str] = OrderedDict()
        self._lock = threading.Lock()

    def texts(self, connection: Connection, rows: Iterable[AnyRow]) -> list[str]:
        """Return the text of each chunk row, in order; only what the cache lacks is read, in one query."""
        rows = list(rows)
        wanted = {(row.document_id, row.generation, ordinal) for row in rows for ordinal in segment_range(row.start, row.end)}
        held = self._cached_segments(wanted)
        self.counts.hits += len(held)
        self.counts.misses += len(wanted) - len(held)
        held.update(self._read_segments(connection, [key for key in wanted if key not in held]))
        return [self._cut_text(row, held) for row in rows]

    @staticmethod
    def _cut_text(row: AnyRow, held: dict[tuple[str, int, int], str]) -> str:
        touched = {ordinal: held.get((row.document_id, row.generation, ordinal), "") for ordinal in segment_range(row.start, row.end)}
        return slice_segments(touched, row.start, row.end)

    def _cached_segments(self, wanted: Iterable[tuple[str, int, int]]) -> dict[tuple[str, int, int], str]:
        found = {}
        with self._lock:
            for key in wanted:
                if key in self._segments:
                    self._segments.move_to_end(key)
                    found[key] = self._segments[key]
        return found

    def _read_segments(self, connection: Connection, missing: Sequence[tuple[str, int, int]]) -> dict[tuple[str, int, int], str]:
        generations = {(document_id, ordinal): generation for document_id, generation, ordinal in missing}
        found = {}
        for batch in batches(list(generations)):
            for row in connection.execute(select(document_texts).where(*place_conditions(document_texts, batch))):
                found[row.document_id, generations[row.document_id, row.ordinal], row.ordinal] = segment_text(row.text)
        self._add_segments(found)
        return found

    def _add_segments(self, found: dict[tuple[str, int, int], str]) -> None:
        with self._lock:
            for key, text in found.items():
                if key not in self._segments:
                    self._segments[key] = text
                    self._bytes += sys.getsizeof(text)
            while self._bytes > self._limit and self._segments:
                _, dropped = self._segments.popitem(last=False)
                self._bytes -= sys.getsizeof(dropped)


def now() -> datetime:
    return datetime.now(UTC)
