"""Writing the library: every call is one transaction."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from core.documents import DocumentState
from core.errors import NotFound
from core.ports import FileStamp, IndexedDocument, KnownFile, LedgerReason, NewDocument, RemovalResult, Root, WriteResult
from storage import document_versions, ledger_rows
from storage.contained_files import copy_members, include_members, is_inside, member_documents, move_members, touch_members
from storage.database import Database
from storage.deletions import record_deletions
from storage.replay import live_generations, load_indexed, load_vectors, split_into_portions, stale_ids
from storage.row_mapping import AnyRow, batches, known_file, now
from storage.schema import chunks, documents, files, roots, vectors
from storage.sql_insights import forget_contents
from storage.sql_tables import replace_tables
from storage.sql_watch_store import find_known_files, forget_root

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Documents read back at a time.
_REPLAY = 32
_LOAD = 500


class SqlLibraryWriter:
    """core.ports.LibraryWriter over SQL.

    `embedder` (an Embedder's name) keeps documents with vectors of another model out of the index until they are indexed again; None takes all.
    """

    def __init__(self, database: Database, embedder: str | None = None) -> None:
        self._database = database
        self._embedder = embedder

    async def add_root(self, tenant: str, path: str, collection: str) -> None:
        """Add a root; one that is known moves to `collection`, its documents with it."""
        await self._database.write(lambda connection: _add_root(connection, tenant, path, collection))

    async def remove_root(self, tenant: str, path: str) -> RemovalResult:
        """Remove the root, its ledger lines and every document that has no path elsewhere. An unknown root removes nothing."""

        def work(connection: Connection) -> RemovalResult:
            connection.execute(delete(roots).where(roots.c.tenant == tenant, roots.c.path == path))
            forget_root(connection, tenant, path)
            return _remove_lines(connection, connection.execute(select(files).where(files.c.tenant == tenant, files.c.root == path)).all())

        return await self._database.write(work)

    async def roots(self, tenant: str) -> list[Root]:
        query = select(roots).where(roots.c.tenant == tenant).order_by(roots.c.path)
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return [Root(row.path, row.collection, row.added_at, row.last_indexed_at) for row in rows]

    async def known_files(self, tenant: str, root: str) -> dict[str, KnownFile]:
        """Return path -> ledger line of every file that was seen under `root`."""

        def work(connection: Connection) -> dict[str, KnownFile]:
            rows = connection.execute(select(files).where(files.c.tenant == tenant, files.c.root == root))
            return {row.path: known_file(row) for row in rows}

        return await self._database.read(work)

    async def known_files_below(self, tenant: str, paths: Sequence[str], inodes: Sequence[int] = ()) -> dict[str, KnownFile]:
        """Return path -> ledger line at or below `paths`, of members of archives there, and of other names of the same files (also of `inodes`)."""
        return await self._database.read(lambda connection: find_known_files(connection, tenant, paths, inodes))

    async def find_by_hash(self, tenant: str, content_hash: str, collection: str) -> str | None:
        conditions = (documents.c.tenant == tenant, documents.c.content_hash == content_hash, documents.c.collection == collection)
        query = select(documents.c.id).where(*conditions).order_by(documents.c.indexed_at, documents.c.id).limit(1)
        return await self._database.read(lambda connection: connection.execute(query).scalar_one_or_none())

    async def record_file(self, tenant: str, stamp: FileStamp, root: str, state: DocumentState, reason: LedgerReason) -> None:
        """Record a ledger line for a file that is not (or no longer) indexed.

        FAILED counts an attempt while the file's size and time stay; the third makes it QUARANTINED, until it changes. A file that was indexed
        keeps its older version, which can still be asked about: its line becomes PARTIAL with "A newer version could not be read: …" (of a file
        that did not change "It could not be read again: …") and counts its attempts too. If that older version has other paths and this file
        changed, this path leaves the document instead, for it is no copy any more. Attempts count anew under other settings. QUEUED
        changes nothing for an indexed file, so that a crash leaves it to be read again.
        """
        await self._database.write(lambda connection: ledger_rows.record_reason(connection, tenant, stamp, root, state, reason))

    async def write_document(self, tenant: str, new: NewDocument) -> WriteResult:
        """Create or replace the document of `new.stamp.path`.

        The path's own document gets the next generation under the same id. A path that shared a document with others gets a document of its own
        when its content differs from theirs; with the same content (settings changed) the shared document is replaced for all of them.
        Raises InvalidInput when chunks, text and vectors do not belong together.
        """
        document_versions.check_consistency(new)
        return await self._database.write(lambda connection: _write_document(connection, tenant, new))

    async def attach_path(self, tenant: str, stamp: FileStamp, root: str, document_id: str, settings_version: str) -> RemovalResult:
        """Add a further path of a document with identical content. What the path held before goes, if nothing else holds it. What lies in the file
        (it is an archive) gets further paths with it: the documents that did are among the `documents_to_update`. Raises NotFound.
        """
        return await self._database.write(lambda connection: _attach_path(connection, tenant, stamp, root, (document_id, settings_version)))

    async def move_path(self, tenant: str, old: str, stamp: FileStamp, root: str, *, again: bool = False) -> RemovalResult:
        """Move the file at `old`, and what lies in it, to `stamp.path`: those documents are among the `documents_to_update`. A line that stood there
        goes, with its document if nothing else holds it. `again` has the next run read it. Raises NotFound when `old` is unknown.
        """
        return await self._database.write(lambda connection: _move_path(connection, tenant, old, stamp, root, again=again))

    async def touch_file(self, tenant: str, stamp: FileStamp) -> None:
        """Record that the stat changed, the content did not. Raises NotFound when the path is unknown."""

        def work(connection: Connection) -> None:
            place = (files.c.tenant == tenant, files.c.path == stamp.path)
            if not connection.execute(update(files).where(*place).values(ledger_rows.stamp_values(stamp))).rowcount:
                raise _unknown_path(stamp.path)
            touch_members(connection, tenant, stamp.path, stamp.mtime_ns)

        await self._database.write(work)

    async def touch_files(self, tenant: str, stamps: Sequence[FileStamp]) -> None:
        """Record that the stats of these changed, their contents did not. Unknown paths are passed over."""
        place = (files.c.tenant == tenant, files.c.path == bindparam("at"))
        names: dict[str, Any] = {name: bindparam(f"new_{name}") for name in ("size", "mtime_ns", "inode", "container", "seen_at")}
        values = [{"at": stamp.path, **{f"new_{name}": value for name, value in ledger_rows.stamp_values(stamp).items()}} for stamp in stamps]
        if values:
            await self._database.write(lambda connection: connection.execute(update(files).where(*place).values(names), values))

    async def remove_paths(self, tenant: str, paths: Sequence[str]) -> RemovalResult:
        """Forget these files and what lies in them. A document goes, with everything of it, when its last path goes; unknown paths are passed
        over."""

        def work(connection: Connection) -> RemovalResult:
            rows: list[AnyRow] = []
            for batch in batches(list(paths)):
                rows += connection.execute(select(files).where(files.c.tenant == tenant, files.c.path.in_(batch))).all()
            return _remove_lines(connection, include_members(connection, tenant, rows))

        return await self._database.write(work)

    async def paths_to_reread(self, tenant: str, document_ids: Sequence[str]) -> list[str]:
        """Return paths of these documents that are to be read again though the files did not change: their title was the name of a path that is
        gone.
        """
        return await self._database.read(lambda connection: ledger_rows.find_paths_to_reread(connection, tenant, document_ids))

    async def delete_document(self, tenant: str, document_id: str) -> RemovalResult:
        """Remove a document on a person's request. Raises NotFound.

        What lies in it (it is an archive, or has files attached) goes, too. Its files stay in the ledger as SKIPPED with the code
        "removed_by_user" and their stamps, so that the next scan does not bring them back in silence; a file that changes is indexed again.
        """
        return await self._database.write(lambda connection: _delete_document(connection, tenant, document_id))

    async def mark_indexed(self, rows: Sequence[tuple[str, int]]) -> None:
        """Mark that (document id, generation) stands in the search index; a generation that was replaced meanwhile is passed over."""

        place = (documents.c.id == bindparam("marked"), documents.c.generation == bindparam("number"))
        marking = update(documents).where(*place).values(indexed_generation=bindparam("number"))
        values = [{"marked": document_id, "number": number} for document_id, number in rows]
        if values:
            await self._database.write(lambda connection: connection.execute(marking, values))

    async def stale_documents(self, present: dict[str, int]) -> AsyncIterator[IndexedDocument]:
        """Yield every document whose generation is not the one in `present`, or whose paths or collection changed since `mark_indexed`."""
        stale = await self._database.read(lambda connection: stale_ids(connection, present, self._embedder))
        for batch in split_into_portions(stale):
            for document in await self._load_indexed(batch, None):
                yield document

    async def live_documents(self) -> dict[str, tuple[str, int]]:
        return await self._database.read(lambda connection: live_generations(connection, self._embedder))

    async def indexed_documents(self, tenant: str, document_ids: Sequence[str]) -> list[IndexedDocument]:
        return [document for batch in batches(list(document_ids), _REPLAY) for document in await self._load_indexed(batch, tenant)]

    async def _load_indexed(self, document_ids: Sequence[str], tenant: str | None) -> list[IndexedDocument]:
        return await self._database.read(lambda connection: load_indexed(connection, document_ids, tenant))

    async def reclaim_space(self) -> None:
        """Reclaim the space of removed documents: nothing of them stays readable in the database's files, and the room goes back to the disk."""
        await self._database.reclaim_space()

    async def mark_root_indexed(self, tenant: str, root: str) -> None:
        """Mark that a pass over `root` ended. An unknown root is passed over."""
        place = (roots.c.tenant == tenant, roots.c.path == root)
        await self._database.write(lambda connection: connection.execute(update(roots).where(*place).values(last_indexed_at=now())))

    async def iterate_vectors(self) -> AsyncIterator[tuple[str, str, range, NDArray[np.float16]]]:
        """Yield (document id, tenant, chunk ids, float16 [chunks, dimension]) of every document, without its text: the fast way to fill memory."""
        ids = await self._database.read(lambda connection: list(live_generations(connection, self._embedder)))
        for batch in batches(ids, _LOAD):
            for row in await self._database.read(partial(load_vectors, document_ids=batch)):
                yield row

    async def count_by_embedder(self) -> dict[str, int]:
        """Return embedder name -> chunks that it embedded, over all tenants."""

        def work(connection: Connection) -> dict[str, int]:
            counted: dict[str, int] = {}
            for row in connection.execute(select(vectors.c.embedder, vectors.c.rows)):
                counted[row.embedder] = counted.get(row.embedder, 0) + row.rows
            return counted

        return await self._database.read(work)


def _unknown_path(path: str) -> NotFound:
    return NotFound(f"The library does not know the file {path[:200]!r}. Index its folder first.")


def _add_root(connection: Connection, tenant: str, path: str, collection: str) -> None:
    place = (roots.c.tenant == tenant, roots.c.path == path)
    known = connection.execute(select(roots.c.collection).where(*place)).scalar_one_or_none()
    if known is None:
        connection.execute(insert(roots).values(tenant=tenant, path=path, collection=collection, added_at=now()))
    elif known != collection:
        connection.execute(update(roots).where(*place).values(collection=collection))
        held = select(files.c.document_id).where(files.c.tenant == tenant, files.c.root == path, files.c.document_id.is_not(None))
        connection.execute(update(documents).where(documents.c.id.in_(held)).values(collection=collection, indexed_generation=0))


def _write_document(connection: Connection, tenant: str, new: NewDocument) -> WriteResult:
    row = ledger_rows.file_row(connection, tenant, new.stamp.path)
    old = _document_to_replace(connection, row, new)
    replaced: tuple[int, ...] = ()
    if old is None:
        document_id, number = document_versions.insert_document(connection, tenant, new), 1
    else:
        document_id, number, replaced = old.id, old.generation + 1, document_versions.replace_document(connection, old, new)
        forget_contents(connection, tenant, [old.content_hash])
    ids = document_versions.insert_contents(connection, tenant, document_id, number, new)
    replace_tables(connection, (tenant, document_id, number), new)
    _update_ledger(connection, tenant, document_id, new)
    if row is not None and row.document_id not in {None, document_id}:
        ledger_rows.rename_document(connection, row.document_id, [new.stamp.path])
    return WriteResult(document_id, number, ids, replaced, is_new=old is None)


def _document_to_replace(connection: Connection, row: AnyRow | None, new: NewDocument) -> AnyRow | None:
    if row is None or row.document_id is None:
        return None
    old = connection.execute(select(documents).where(documents.c.id == row.document_id)).one()
    same = old.content_hash == new.content_hash and old.collection == new.collection
    return old if same or ledger_rows.path_count(connection, old.id) == 1 else None


def _update_ledger(connection: Connection, tenant: str, document_id: str, new: NewDocument) -> None:
    """Update the ledger lines after a write: the path's own, and those of its copies."""
    state, reason, code = document_versions.extraction_state(new)
    line = {
        "state": state.value,
        "reason": reason,
        "code": code,
        "parser": new.document.parser,
        "content_hash": new.content_hash,
        "attempts": 0,
        "settings_version": new.settings_version,
    }
    ledger_rows.put_file(connection, tenant, new.stamp, new.root, {**line, "document_id": document_id})
    connection.execute(update(files).where(files.c.document_id == document_id), line)


def _attach_path(connection: Connection, tenant: str, stamp: FileStamp, root: str, target: tuple[str, str]) -> RemovalResult:
    document_id, settings_version = target
    document = connection.execute(select(documents).where(documents.c.tenant == tenant, documents.c.id == document_id)).one_or_none()
    if document is None:
        raise NotFound(f"There is no document {document_id!r} to add the path {stamp.path!r} to.")
    row = ledger_rows.file_row(connection, tenant, stamp.path)
    new = row is None or row.document_id != document_id
    removed = _remove_lines(connection, include_members(connection, tenant, [row]) if row is not None and new else [])
    line = {
        "state": document.state,
        "reason": document.reason,
        "code": "partial" if document.state == DocumentState.PARTIAL else "",
        "parser": document.parser,
        "content_hash": document.content_hash,
        "document_id": document_id,
        "attempts": 0,
        "settings_version": settings_version,
    }
    ledger_rows.put_file(connection, tenant, stamp, root, line)
    ledger_rows.rename_document(connection, document_id)
    copy = ledger_rows.file_row(connection, tenant, stamp.path)
    inner = copy_members(connection, tenant, document_id, copy) if new and copy is not None else []
    return replace(removed, documents_to_update=(*removed.documents_to_update, *inner))


def _move_path(connection: Connection, tenant: str, old: str, stamp: FileStamp, root: str, *, again: bool) -> RemovalResult:
    row = ledger_rows.file_row(connection, tenant, old)
    if row is None:
        raise _unknown_path(old)
    removed = _remove_lines(connection, _lines_in_the_way(connection, tenant, stamp.path) if old != stamp.path else [])
    values = {"path": stamp.path, "root": root, **ledger_rows.stamp_values(stamp)}
    if again:
        values["settings_version"] = ""
    connection.execute(update(files).where(files.c.id == row.id).values(values))
    if row.document_id is not None:
        ledger_rows.rename_document(connection, row.document_id, [old])
    if old != stamp.path:
        move_members(connection, tenant, old, stamp.path, root)
    touch_members(connection, tenant, stamp.path, stamp.mtime_ns)
    return replace(removed, documents_to_update=(*removed.documents_to_update, *member_documents(connection, tenant, stamp.path)))


def _lines_in_the_way(connection: Connection, tenant: str, path: str) -> list[AnyRow]:
    """Return the lines at a path that a file moves to, and of what lies in it: another run may have stored members there whose container it has not
    yet.
    """
    there = ledger_rows.file_row(connection, tenant, path)
    members = connection.execute(select(files).where(is_inside(tenant, path))).all()
    return [*([there] if there is not None else []), *members]


def _delete_document(connection: Connection, tenant: str, document_id: str) -> RemovalResult:
    known = connection.execute(select(documents.c.id).where(documents.c.tenant == tenant, documents.c.id == document_id)).one_or_none()
    if known is None:
        raise NotFound(f"There is no document {document_id[:80]!r} in this library. It may have been removed already.")
    lines = connection.execute(select(files).where(files.c.document_id == document_id).order_by(files.c.id)).all()
    own = {row.id for row in lines}
    inner = _remove_lines(connection, [row for row in include_members(connection, tenant, lines) if row.id not in own])
    line = {"state": DocumentState.SKIPPED.value, "reason": ledger_rows.REMOVED_REASON, "code": ledger_rows.REMOVED_CODE, "attempts": 0, "parser": ""}
    connection.execute(update(files).where(files.c.document_id == document_id).values(document_id=None, **line))
    ids = _delete_documents(connection, [document_id], [known_file(row).stamp for row in lines])
    paths = tuple(row.path for row in lines)
    return RemovalResult((document_id, *inner.documents), (*ids, *inner.chunk_ids), (*paths, *inner.files), inner.documents_to_update)


def _remove_lines(connection: Connection, rows: Sequence[AnyRow]) -> RemovalResult:
    gone, left = ledger_rows.delete_files(connection, rows)
    return RemovalResult(tuple(gone), _delete_documents(connection, gone), tuple(row.path for row in rows), documents_to_update=tuple(left))


def _delete_documents(connection: Connection, document_ids: Sequence[str], files: Sequence[FileStamp] = ()) -> tuple[int, ...]:
    """Delete documents; text, structure, chunks and vectors go with their row, and what was found in them. What quotes them is to follow (`files`
    too, which a person deleted with a document). Returns the chunks' ids."""
    ids: list[int] = []
    record_deletions(connection, document_ids, files)
    for batch in batches(document_ids):
        ids += connection.execute(select(chunks.c.id).where(chunks.c.document_id.in_(batch)).order_by(chunks.c.id)).scalars()
        contents = connection.execute(select(documents.c.tenant, documents.c.content_hash).where(documents.c.id.in_(batch))).all()
        connection.execute(delete(documents).where(documents.c.id.in_(batch)))
        for tenant in {row.tenant for row in contents}:
            forget_contents(connection, tenant, {row.content_hash for row in contents if row.tenant == tenant})
    return tuple(ids)
