"""Deleted documents: what still quotes them is found and loses their words.

A deletion leaves the document's id and text in `deleted_documents` and `deleted_texts`, in the transaction in which the document goes; they
stay until `erased`, so that a crash between the two leaves nothing quoted. The id alone is kept for an hour more: runs that were at work when
the document went are stored without its words.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, delete, insert, or_, select, update

from core.ports import FileStamp
from storage.blobs import pack_json, segment_text, unpack_json
from storage.database import Database
from storage.deletion_tables import deleted_documents, deleted_texts
from storage.graph_tables import graph_entities
from storage.quoted_words import QuotedWords, capitalized_pairs
from storage.redaction import COPY_WORDS, DELETED_TEXT, NAME_WORDS, QUOTE_WORDS, DeletedContent, redact_query, redact_response, redact_trace
from storage.row_mapping import AnyRow, batches, now
from storage.schema import conversations, document_texts, documents, feedback, traces, turns
from storage.schema import files as ledger_lines
from storage.turn_words import turn_words

IDS_KEPT_FOR = timedelta(hours=1)
_ROWS = 100  # that are looked at, or changed, at a time
_TYPES = ("PERSON", "ORGANIZATION", "LOCATION", "IDENTIFIER")
_SHORT_NAME, _MOST_NAMES = 4, 500  # characters; names of a document
_STRING = re.compile(rb'"([^"\\]{1,200})"')


@dataclass(frozen=True, slots=True)
class Deletion:
    """`files` went with the document as a person asked."""

    tenant: str
    document_id: str
    files: tuple[FileStamp, ...]


def record_deletions(connection: Connection, document_ids: Sequence[str], files: Iterable[FileStamp] = ()) -> None:
    """Note, before they are deleted, that documents are, in the transaction that does it."""
    stamps = [[each.path, each.size, each.mtime_ns, each.inode] for each in files]
    for batch in batches(document_ids):
        for table in (deleted_texts, deleted_documents):
            connection.execute(delete(table).where(table.c.document_id.in_(batch)))
        rows = connection.execute(select(documents.c.id, documents.c.tenant).where(documents.c.id.in_(batch))).all()
        names, common = _mentioned_names(connection, batch), {"files": stamps, "deleted_at": now(), "erased": 0}
        noted = [{"document_id": row.id, "tenant": row.tenant, "names": names.get(row.id, []), **common} for row in rows]
        if noted:
            connection.execute(insert(deleted_documents), noted)
        columns = [deleted_texts.c[name] for name in ("document_id", "ordinal", "tenant", "text")]
        texts = select(*[document_texts.c[column.name] for column in columns]).where(document_texts.c.document_id.in_(batch))
        connection.execute(insert(deleted_texts).from_select([column.name for column in columns], texts))


def find_deleted(connection: Connection, response: dict[str, Any]) -> DeletedContent | None:
    """Return the documents of a response that were deleted a moment ago, from whichever library it read; None where there are none."""
    listed = [(each, name) for key, name in (("citations", "document_id"), ("results", "id")) for each in response.get(key) or []]
    named = {str(each[name]) for each, name in listed if isinstance(each, dict) and name in each}
    query = select(deleted_documents.c.document_id)
    found = frozenset(
        each for batch in batches(sorted(named)) for each in connection.execute(query.where(deleted_documents.c.document_id.in_(batch))).scalars()
    )
    return DeletedContent(found) if found else None


class SqlDeletions:
    """The queries and changes that `composition.eraser.Eraser` needs."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def list_pending(self) -> list[Deletion]:
        """Return the deletions of all tenants whose quotes may be left."""
        query = select(deleted_documents).where(deleted_documents.c.erased == 0).order_by(deleted_documents.c.deleted_at)
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return [Deletion(row.tenant, row.document_id, tuple(FileStamp(*each) for each in row.files)) for row in rows]

    async def load_deleted(self, document_ids: Collection[str]) -> DeletedContent:
        """Return how quotes of these documents are recognised."""

        def work(connection: Connection) -> DeletedContent:
            texts = _texts(connection, document_ids)
            names = {*_stored_names(connection, document_ids), *(name for text in texts for name in capitalized_pairs(text))}
            return DeletedContent(
                frozenset(document_ids), QuotedWords(texts, QUOTE_WORDS), QuotedWords(texts, COPY_WORDS), QuotedWords(names, NAME_WORDS)
            )

        return await self._database.read(work)

    async def redact(self, tenant: str, gone: DeletedContent) -> int:
        """Take the documents' words out of every run, conversation and feedback of the tenant; how many rows changed."""
        runs, talks = await self._find_quoting(tenant, gone)
        changed = 0
        for batch in batches(runs, _ROWS):
            changed += await self._database.write(lambda connection, batch=batch: _redact_traces(connection, tenant, batch, gone))  # type: ignore[misc]
        for batch in batches(talks, _ROWS):
            changed += await self._database.write(lambda connection, batch=batch: _redact_turns(connection, tenant, batch, gone))  # type: ignore[misc]
        return changed + await self._database.write(lambda connection: _redact_typed_text(connection, tenant, gone))

    async def mark_erased(self, tenant: str, document_ids: Sequence[str], files: Collection[str]) -> None:
        """Mark that nothing quotes these documents any more, and that these files of theirs were deleted: forget their text and the files' lines."""

        def work(connection: Connection) -> None:
            for batch in batches(sorted(files)):
                connection.execute(
                    delete(ledger_lines).where(ledger_lines.c.tenant == tenant, ledger_lines.c.path.in_(batch), ledger_lines.c.document_id.is_(None))
                )
            for batch in batches(document_ids):
                connection.execute(delete(deleted_texts).where(deleted_texts.c.document_id.in_(batch)))
                marking = update(deleted_documents).where(deleted_documents.c.document_id.in_(batch))
                connection.execute(marking.values(erased=1, files=[], names=[]))

        await self._database.write(work)

    async def expired_ids(self) -> dict[str, list[str]]:
        """Return tenant -> documents that were erased so long ago that no run of that time is left; to be forgotten next (`forget_ids`)."""
        conditions = (deleted_documents.c.erased == 1, deleted_documents.c.deleted_at < now() - IDS_KEPT_FOR)
        rows = await self._database.read(lambda connection: connection.execute(select(deleted_documents).where(*conditions)).all())
        found: dict[str, list[str]] = {}
        for row in rows:
            found.setdefault(row.tenant, []).append(row.document_id)
        return found

    async def forget_ids(self, document_ids: Sequence[str]) -> None:
        def work(connection: Connection) -> None:
            for batch in batches(document_ids):
                connection.execute(delete(deleted_documents).where(deleted_documents.c.document_id.in_(batch), deleted_documents.c.erased == 1))

        await self._database.write(work)

    async def reclaim_space(self) -> None:
        await self._database.reclaim_space()

    async def _find_quoting(self, tenant: str, gone: DeletedContent) -> tuple[list[str], list[str]]:
        """Return (runs, conversations) that may hold words of the documents: those that name them, all of a conversation or a session in which one
        does, and what was answered from memory.
        """
        near = _QuoteScan(gone.ids)
        await self._scan_rows(traces, traces.c.id, tenant, near.scan_trace)
        await self._scan_rows(turns, turns.c.id, tenant, near.scan_turn)
        return near.quoting_runs(), sorted(near.conversation_ids)

    async def _scan_rows(self, table: Table, key: ColumnElement[str], tenant: str, see: Any) -> None:
        after = ""
        while True:
            query = select(table).where(table.c.tenant == tenant, key > after).order_by(key).limit(_ROWS)

            def work(connection: Connection, query: Any = query) -> str | None:
                last = None
                for row in connection.execute(query):
                    see(row)
                    last = row.id
                return last

            last = await self._database.read(work)
            if last is None:
                return
            after = last


class _QuoteScan:
    """Scan that sees every stored run and turn once."""

    def __init__(self, ids: frozenset[str]) -> None:
        self._ids = {each.encode() for each in ids}
        self.conversation_ids: set[str] = set()
        self._sessions: set[str] = set()
        self._scanned_runs: list[tuple[str, str | None, str | None, bool]] = []

    def scan_trace(self, row: AnyRow) -> None:
        head, body = unpack_json(row.head), _inflate_json(row.body)
        session = (head.get("request") or {}).get("session_id")
        named = self._names_document(body)
        if named:
            self.conversation_ids.update([row.conversation_id] if row.conversation_id else [])
            self._sessions.update([session] if session else [])
        self._scanned_runs.append((row.id, row.conversation_id, session, named or b'"memory_used":[{' in body))

    def scan_turn(self, row: AnyRow) -> None:
        body = _inflate_json(row.response)
        if self._names_document(body) or b'"memory_used":[{' in body:
            self.conversation_ids.add(row.conversation_id)

    def quoting_runs(self) -> list[str]:
        return [each for each, talk, session, near in self._scanned_runs if near or talk in self.conversation_ids or session in self._sessions]

    def _names_document(self, body: bytes) -> bool:
        if len(self._ids) <= 8:
            return any(each in body for each in self._ids)
        return not self._ids.isdisjoint(_STRING.findall(body))


def _mentioned_names(connection: Connection, document_ids: Sequence[str]) -> dict[str, list[str]]:
    """Return the names by which each document calls people, firms, places and things with a number, the most mentioned first."""
    entities = graph_entities.c
    found: dict[str, list[str]] = {}
    named = select(entities.document_id, entities.name, entities.aliases).where(
        entities.document_id.in_(document_ids), entities.entity_type.in_(_TYPES)
    )
    for row in connection.execute(named.order_by(entities.document_id, entities.mentions.desc())):
        known = found.setdefault(row.document_id, [])
        known += [each for each in (row.name, *row.aliases) if len(each) >= _SHORT_NAME][: _MOST_NAMES - len(known)]
    return found


def _stored_names(connection: Connection, document_ids: Collection[str]) -> Iterable[str]:
    for batch in batches(sorted(document_ids)):
        for names in connection.execute(select(deleted_documents.c.names).where(deleted_documents.c.document_id.in_(batch))).scalars():
            yield from names


def _inflate_json(blob: bytes) -> bytes:
    return segment_text(blob).encode()


def _texts(connection: Connection, document_ids: Collection[str]) -> list[str]:
    parts: dict[str, list[str]] = {}
    for batch in batches(sorted(document_ids)):
        query = select(deleted_texts).where(deleted_texts.c.document_id.in_(batch)).order_by(deleted_texts.c.document_id, deleted_texts.c.ordinal)
        for row in connection.execute(query):
            parts.setdefault(row.document_id, []).append(segment_text(row.text))
    return ["".join(each) for each in parts.values()]


def _redact_traces(connection: Connection, tenant: str, ids: Sequence[str], gone: DeletedContent) -> int:
    changed = 0
    for row in connection.execute(select(traces).where(traces.c.tenant == tenant, traces.c.id.in_(ids))).all():
        head, body = unpack_json(row.head), unpack_json(row.body)
        stored = {**head, **body}
        left = redact_trace(stored, row.query, gone)
        query = redact_query(row.query, gone)
        if left == stored and query == row.query:
            continue
        packed = [pack_json({name: left[name] for name in part}) for part in (head, body)]
        values = {"query": query, "head": packed[0], "body": packed[1], "bytes": len(packed[0]) + len(packed[1])}
        connection.execute(update(traces).where(traces.c.tenant == tenant, traces.c.id == row.id).values(values))
        changed += 1
    return changed


def _redact_turns(connection: Connection, tenant: str, talks: Sequence[str], gone: DeletedContent) -> int:
    changed = 0
    for row in connection.execute(select(turns).where(turns.c.tenant == tenant, turns.c.conversation_id.in_(talks))).all():
        stored = unpack_json(row.response)
        left, query = redact_response(stored, row.query, gone), redact_query(row.query, gone)
        if left == stored and query == row.query:
            continue
        place = (turns.c.tenant == tenant, turns.c.conversation_id == row.conversation_id, turns.c.ordinal == row.ordinal)
        connection.execute(update(turns).where(*place).values(query=query, response=pack_json(left), words=turn_words(query, left)))
        changed += 1
    return changed


def _redact_typed_text(connection: Connection, tenant: str, gone: DeletedContent) -> int:
    """Redact what people typed and copied out of the documents: titles of conversations, reasons and corrections."""
    changed = 0
    for row in connection.execute(select(conversations.c.id, conversations.c.title).where(conversations.c.tenant == tenant)).all():
        if gone.copies.occur_in(row.title):
            place = (conversations.c.tenant == tenant, conversations.c.id == row.id)
            connection.execute(update(conversations).where(*place).values(title=DELETED_TEXT))
            changed += 1
    said = or_(feedback.c.reason.is_not(None), feedback.c.correction.is_not(None))
    for row in connection.execute(select(feedback).where(feedback.c.tenant == tenant, said)).all():
        values = {name: DELETED_TEXT for name in ("reason", "correction") if gone.copies.occur_in(getattr(row, name) or "")}
        if values:
            connection.execute(update(feedback).where(feedback.c.tenant == tenant, feedback.c.id == row.id).values(values))
            changed += 1
    return changed
