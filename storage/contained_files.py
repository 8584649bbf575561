"""Ledger lines of files that lie in others (members of archives, attachments): they come, move and go with the file that holds them.

A member's path is that of its container, "!/" and its name; `files.container` says that it is one. Functions of one open transaction.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import ColumnElement, Connection, and_, insert, select, update

from storage import ledger_rows
from storage.row_mapping import AnyRow
from storage.schema import files

_INSIDE, _BEYOND = "!/", "!0"  # every path below "P!/" lies between the two


def is_inside(tenant: str, path: str) -> ColumnElement[bool]:
    """Return lines of what lies in the file at `path`, however deep; a range, so that the index on paths serves it."""
    return and_(files.c.tenant == tenant, files.c.path >= path + _INSIDE, files.c.path < path + _BEYOND, files.c.container != "")


def include_members(connection: Connection, tenant: str, rows: Sequence[AnyRow]) -> list[AnyRow]:
    """Return these lines and those of all that lies in them, each once."""
    found = {row.id: row for row in rows}
    if connection.execute(select(files.c.id).where(files.c.tenant == tenant, files.c.container != "").limit(1)).first() is None:
        return list(rows)
    for row in rows:
        found |= {member.id: member for member in connection.execute(select(files).where(is_inside(tenant, row.path)))}
    return list(found.values())


def move_members(connection: Connection, tenant: str, old: str, new: str, root: str) -> None:
    """Move the file at `old`, and all that lies in it, to `new`."""
    for row in connection.execute(select(files).where(is_inside(tenant, old))).all():
        path, container = new + row.path[len(old) :], new + row.container[len(old) :]
        connection.execute(update(files).where(files.c.id == row.id).values(path=path, container=container, root=root))
        if row.document_id is not None:
            ledger_rows.rename_document(connection, row.document_id)


def touch_members(connection: Connection, tenant: str, path: str, mtime_ns: int) -> None:
    """Give members the time of the file that they lie in."""
    connection.execute(update(files).where(is_inside(tenant, path)).values(mtime_ns=mtime_ns))


def copy_members(connection: Connection, tenant: str, document_id: str, copy: AnyRow) -> list[str]:
    """Add a further path of a container: what lies in it gets further paths, too. Returns the documents that did."""
    known = set(connection.execute(select(files.c.path).where(is_inside(tenant, copy.path))).scalars())
    others = select(files.c.path).where(files.c.document_id == document_id, files.c.id != copy.id).order_by(files.c.id)
    touched: list[str] = []
    for path in connection.execute(others).scalars().all():
        rows = connection.execute(select(files).where(is_inside(tenant, path)).order_by(files.c.id)).all()
        for row in rows:
            if copy.path + row.path[len(path) :] in known:  # it was read there already
                continue
            values = {column.name: getattr(row, column.name) for column in files.columns if column.name != "id"}
            place = {"path": copy.path + row.path[len(path) :], "container": copy.path + row.container[len(path) :]}
            connection.execute(insert(files).values(**{**values, **place, "root": copy.root, "mtime_ns": copy.mtime_ns}))
            touched += [row.document_id] if row.document_id is not None else []
        if rows:
            break
    for each in dict.fromkeys(touched):
        ledger_rows.rename_document(connection, each)
    return list(dict.fromkeys(touched))


def member_documents(connection: Connection, tenant: str, path: str) -> list[str]:
    """Return the documents of all that lies in the file at `path`."""
    query = select(files.c.document_id).where(is_inside(tenant, path), files.c.document_id.is_not(None)).distinct()
    return [each for each in connection.execute(query).scalars() if each is not None]
