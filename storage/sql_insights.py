"""Results of the document agents, kept by content; and where an attached upload stands."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection
from datetime import timedelta
from pathlib import Path

import anyio.to_thread
from sqlalchemy import ColumnElement, Connection, delete, exists, insert, select

from core.ownership import libraries_read, library_folder
from core.ports.attached_files import Attachment, InsightKey
from storage.blobs import pack_json, unpack_json
from storage.database import Database
from storage.insight_tables import document_insights
from storage.library_scope import is_readable_in
from storage.row_mapping import AnyRow, batches, ledger_line, now
from storage.schema import documents, files

_TABLE = document_insights.c
_INDEX_DELAY = timedelta(minutes=2)  # a document that is not in the index after so long waits for something else than the next commit


class SqlInsights:
    """core.ports.attached_files.InsightStore over SQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, tenant: str, key: InsightKey) -> str | None:
        place = (is_readable_in(_TABLE.tenant, tenant), *_key_conditions(key), _TABLE.version == key.version)
        query = select(_TABLE.body).where(*place).order_by(_TABLE.tenant.desc()).limit(1)
        body = await self._database.read(lambda connection: connection.execute(query).scalar_one_or_none())
        return None if body is None else str(unpack_json(body))

    async def put(self, tenant: str, key: InsightKey, body: str) -> None:
        row = {
            "content_hash": key.content_hash,
            "agent": key.agent,
            "model": key.model,
            "version": key.version,
            "body": pack_json(body),
            "made_at": now(),
        }

        def work(connection: Connection) -> None:
            held = (
                select(documents.c.tenant).where(is_readable_in(documents.c.tenant, tenant), documents.c.content_hash == key.content_hash).distinct()
            )
            for library in connection.execute(held).scalars().all():  # none: it was deleted while it was studied, and nothing of it is kept
                connection.execute(delete(document_insights).where(_TABLE.tenant == library, *_key_conditions(key)))
                connection.execute(insert(document_insights).values({"tenant": library, **row}))

        await self._database.write(work)


def _key_conditions(key: InsightKey) -> tuple[ColumnElement[bool], ...]:
    return (_TABLE.content_hash == key.content_hash, _TABLE.agent == key.agent, _TABLE.model == key.model)


def forget_contents(connection: Connection, tenant: str, hashes: Collection[str]) -> None:
    """Drop what was found in these contents, unless another document of the tenant still has them."""
    held = exists(select(documents.c.id).where(documents.c.tenant == tenant, documents.c.content_hash == _TABLE.content_hash))
    for batch in batches(sorted(hashes)):
        connection.execute(delete(document_insights).where(_TABLE.tenant == tenant, _TABLE.content_hash.in_(batch), ~held))


class UploadedFiles:
    """core.ports.attached_files.Attachments over the ledger and the folders of uploads, one for each library."""

    def __init__(self, database: Database, uploads: Path) -> None:
        self._database = database
        self._uploads = uploads

    async def find_attachment(self, tenant: str, asked: str) -> Attachment | None:
        """Return a path as the ledger has it, or the name of an upload, the person's own before the tenant's. Only these are looked for on the
        disk.
        """
        if "\0" in asked:
            return None
        folders = [self._uploads / library_folder(library) for library in libraries_read(tenant)]
        paths = [Path(asked)] if Path(asked).is_absolute() else [folder / Path(asked).name for folder in folders]
        found = [each for path in paths if (each := await self._attachment_at(tenant, path, there=path.parent in folders)) is not None]
        return found[0] if found else None

    async def _attachment_at(self, tenant: str, path: Path, *, there: bool) -> Attachment | None:
        row, indexing = await self._database.read(lambda connection: _ledger_state(connection, tenant, str(path)))
        seen = await anyio.to_thread.run_sync(_stat, path) if there else None
        if row is None and seen is None:
            return None
        waiting = indexing or (seen is not None and not _is_same_content(row, seen))
        return Attachment(str(path), path.name, ledger_line(row) if row is not None else None, waiting)


def _ledger_state(connection: Connection, tenant: str, path: str) -> tuple[AnyRow | None, bool]:
    """Return the ledger's row, and whether its document was written a moment ago and is not in the search index yet: commits of the index are
    gathered.
    """
    own_first = select(files).where(is_readable_in(files.c.tenant, tenant), files.c.path == path).order_by(files.c.tenant.desc()).limit(1)
    row = connection.execute(own_first).one_or_none()
    if row is None or row.document_id is None:
        return row, False
    fresh = (documents.c.indexed_generation != documents.c.generation, documents.c.indexed_at > now() - _INDEX_DELAY)
    pending = select(documents.c.id).where(documents.c.id == row.document_id, *fresh)
    return row, connection.execute(pending).first() is not None


def _stat(path: Path) -> os.stat_result | None:
    """Return the stat of a file. A folder (also ".." as a name) is no upload: nothing ever reads it, so nobody may wait for it."""
    try:
        found = path.stat(follow_symlinks=False)
    except OSError:
        return None
    return found if stat.S_ISREG(found.st_mode) else None


def _is_same_content(row: AnyRow | None, seen: os.stat_result) -> bool:
    """Return whether the ledger speaks of this very content: a file that was uploaded again under its old name is another."""
    return row is not None and (row.size, row.mtime_ns) == (seen.st_size, seen.st_mtime_ns)
