"""The ledger's rows: what a file's line becomes when something happens to the file. Functions of one open transaction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update

from core.documents import DocumentState
from core.ports import FileStamp, LedgerReason
from core.references import name_keys, title_from_name
from storage.filters_sql import search_key
from storage.row_mapping import AnyRow, batches, load_paths, now
from storage.schema import documents, files
from storage.storable_text import make_storable

ATTEMPTS = 3
REMOVED_REASON = (
    "Removed from the library on request; the file itself was not touched. Retry it in the ledger, or index it with --force, to bring it back."
)
REMOVED_CODE = "removed_by_user"
_NEWER = "A newer version could not be read:"
_AGAIN = "It could not be read again:"


def file_row(connection: Connection, tenant: str, path: str) -> AnyRow | None:
    return connection.execute(select(files).where(files.c.tenant == tenant, files.c.path == path)).one_or_none()


def put_file(connection: Connection, tenant: str, stamp: FileStamp, root: str, values: Mapping[str, Any]) -> None:
    """Insert or update the line of `stamp.path`."""
    line = {**stamp_values(stamp), "root": root, **values}
    if connection.execute(update(files).where(files.c.tenant == tenant, files.c.path == stamp.path), line).rowcount:
        return
    fresh = {"reason": "", "code": "", "parser": "", "content_hash": "", "document_id": None, "attempts": 0, "settings_version": ""}
    connection.execute(insert(files), {**fresh, "tenant": tenant, "path": stamp.path, **line})


def stamp_values(stamp: FileStamp) -> dict[str, Any]:
    return {"size": stamp.size, "mtime_ns": stamp.mtime_ns, "inode": str(stamp.inode), "container": stamp.container, "seen_at": now()}


def has_same_stamp(row: AnyRow, stamp: FileStamp) -> bool:
    """Return whether size and time are those of the line. The inode says nothing about the content."""
    return bool(row.size == stamp.size and row.mtime_ns == stamp.mtime_ns)


def failed_state(row: AnyRow | None, stamp: FileStamp, version: str = "") -> tuple[DocumentState, int]:
    """Return the state and the number of attempts after one more failure. A file that changed starts anew, and one that is read with other
    settings.
    """
    same = row is not None and has_same_stamp(row, stamp) and (not version or row.settings_version == version)
    before = row.attempts if row is not None and same else 0
    attempts = before + 1
    return (DocumentState.QUARANTINED if attempts >= ATTEMPTS else DocumentState.FAILED), attempts


def record_reason(connection: Connection, tenant: str, stamp: FileStamp, root: str, state: DocumentState, reason: LedgerReason) -> None:
    """Do `LibraryWriter.record_file` on the row: see there for what happens to a file that was indexed before."""
    row = file_row(connection, tenant, stamp.path)
    if row is not None and row.document_id is not None:
        if state is DocumentState.QUEUED:
            connection.execute(update(files).where(files.c.id == row.id).values(seen_at=now()))
            return
        if _is_unchanged(row, stamp, reason) or not _is_shared(connection, row):
            _keep_older_version(connection, row, stamp, root, reason)
            return
    attempts = 0
    if state is DocumentState.FAILED:
        state, attempts = failed_state(row, stamp, reason.settings_version)
    elif state is DocumentState.QUARANTINED:
        attempts = ATTEMPTS
    elif state is DocumentState.QUEUED and row is not None and has_same_stamp(row, stamp):
        attempts = row.attempts
    values = {"state": state.value, "reason": reason.text, "code": reason.code, "content_hash": reason.content_hash, "attempts": attempts}
    put_file(connection, tenant, stamp, root, {**values, **_version_values(reason), "parser": "", "document_id": None})
    if row is not None and row.document_id is not None:
        rename_document(connection, row.document_id, [stamp.path])


def _is_shared(connection: Connection, row: AnyRow) -> bool:
    return path_count(connection, row.document_id) > 1


def _is_unchanged(row: AnyRow, stamp: FileStamp, reason: LedgerReason) -> bool:
    """Return whether the file is the very one that was indexed, and was only to be read again."""
    failed_before = row.attempts > 0 and row.reason.startswith(_NEWER)
    return has_same_stamp(row, stamp) and not failed_before and reason.content_hash in {"", row.content_hash}


def _version_values(reason: LedgerReason) -> dict[str, str]:
    return {"settings_version": reason.settings_version} if reason.settings_version else {}


def _keep_older_version(connection: Connection, row: AnyRow, stamp: FileStamp, root: str, reason: LedgerReason) -> None:
    _, attempts = failed_state(row, stamp, reason.settings_version)
    said, kept = (_AGAIN, "what was read of it before") if _is_unchanged(row, stamp, reason) else (_NEWER, "the version indexed before")
    values = {
        **_version_values(reason),
        "state": DocumentState.PARTIAL.value,
        "reason": f"{said} {reason.text} Answers come from {kept}.",
        "code": reason.code,
        "content_hash": reason.content_hash or row.content_hash,
        "attempts": attempts,
    }
    put_file(connection, row.tenant, stamp, root, values)


def rename_document(connection: Connection, document_id: str, lost: Sequence[str] = ()) -> None:
    """Take the file's name from the first of the paths that are left, and have the index updated with the paths.

    `lost` are paths that the document has no more. Where its title is the name of one of them, and of none that are left, it is to be made anew
    under the first: that line loses its settings version, so that the next scan reads the file again.
    """
    paths = load_paths(connection, [document_id])[document_id]
    title = connection.execute(select(documents.c.title).where(documents.c.id == document_id)).scalar_one_or_none()
    if not paths or title is None:
        return
    values = {**name_values(paths[0].path, title), "indexed_generation": 0}
    connection.execute(update(documents).where(documents.c.id == document_id).values(values))
    if title in _titles(lost) and title not in _titles(row.path for row in paths):
        first = (files.c.document_id == document_id, files.c.path == paths[0].path)
        connection.execute(update(files).where(*first).values(settings_version=""))


def find_paths_to_reread(connection: Connection, tenant: str, document_ids: Sequence[str]) -> list[str]:
    """Return the paths of these documents that are to be read again, though the files did not change."""
    found: list[str] = []
    for batch in batches(document_ids):
        query = select(files.c.path).where(files.c.tenant == tenant, files.c.document_id.in_(batch), files.c.settings_version == "")
        found += connection.execute(query.order_by(files.c.path)).scalars()
    return found


def _titles(paths: Iterable[str]) -> set[str]:
    return {make_storable(title_from_name(PurePath(path).name or path)) for path in paths}


def name_values(path: str, title: str) -> dict[str, str]:
    """Return the values of the columns of `documents` that follow from the first path and the title."""
    filename = make_storable(PurePath(path).name or path)
    file_key, stem_key, title_key = name_keys(filename, title)
    names = {"filename": filename, "sort_key": search_key(filename), "search_key": search_key(filename, title)}
    return {**names, "file_key": file_key, "stem_key": stem_key, "title_key": title_key}


def delete_files(connection: Connection, rows: Sequence[AnyRow]) -> tuple[list[str], list[str]]:
    """Remove these ledger lines. Returns the documents that lost their last path, and those that have others left (renamed already)."""
    for batch in batches([row.id for row in rows]):
        connection.execute(delete(files).where(files.c.id.in_(batch)))
    lost: dict[str, list[str]] = {}
    for row in rows:
        if row.document_id is not None:
            lost.setdefault(row.document_id, []).append(row.path)
    touched = list(lost)
    left: set[str] = set()
    for batch in batches(touched):
        left.update(connection.execute(select(files.c.document_id).where(files.c.document_id.in_(batch)).distinct()).scalars())
    remaining = [document_id for document_id in touched if document_id in left]
    for document_id in remaining:
        rename_document(connection, document_id, lost[document_id])
    return [document_id for document_id in touched if document_id not in left], remaining


def path_count(connection: Connection, document_id: str) -> int:
    return int(connection.execute(select(func.count()).select_from(files).where(files.c.document_id == document_id)).scalar_one())
