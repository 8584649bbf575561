"""The ledger as it is asked at any moment: lines by filter, counts per folder and per reason."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Connection, case, func, select

from core.documents import DocumentState, LedgerLine
from core.errors import NotFound
from core.ports import FolderCount, LedgerFilter, ReasonCount
from storage.database import Database
from storage.filters_sql import is_under, page_size, read_cursor, write_cursor
from storage.library_scope import is_readable_in
from storage.row_mapping import ledger_line
from storage.schema import PathText, files
from storage.storable_text import decode_path, encode_path, make_storable

_EXAMPLES = 3


class SqlLedgerReports:
    """core.ports.LedgerReports over SQL. Every method filters by tenant."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def lines(
        self, tenant: str, which: LedgerFilter, *, limit: int = 100, cursor: str | None = None
    ) -> tuple[list[LedgerLine], int, str | None]:
        """Return a page of lines, the total and the next cursor. Raises InvalidInput for a cursor of another listing or a limit below 1."""
        conditions, size = _conditions(tenant, which), page_size(limit)
        after = [files.c.path > read_cursor(cursor, str)[0]] if cursor is not None else []

        def work(connection: Connection) -> tuple[list[LedgerLine], int, str | None]:
            total = connection.execute(select(func.count()).select_from(files).where(*conditions)).scalar_one()
            rows = connection.execute(select(files).where(*conditions, *after).order_by(files.c.path).limit(size + 1)).all()
            following = write_cursor(rows[size - 1].path) if len(rows) > size else None
            return [ledger_line(row) for row in rows[:size]], total, following

        return await self._database.read(work)

    async def line(self, tenant: str, path: str) -> LedgerLine:
        query = select(files).where(is_readable_in(files.c.tenant, tenant), files.c.path == path).order_by(files.c.tenant.desc()).limit(1)
        row = await self._database.read(lambda connection: connection.execute(query).one_or_none())
        if row is None:
            raise NotFound(f"The ledger has no file {path[:200]!r}.")
        return ledger_line(row)

    async def reasons(self, tenant: str, which: LedgerFilter) -> list[ReasonCount]:
        conditions = [*_conditions(tenant, which), files.c.code != ""]
        return await self._database.read(lambda connection: _reasons(connection, conditions))

    async def count_outdated(self, tenant: str, version: str) -> int:
        askable = files.c.state.in_([DocumentState.INDEXED.value, DocumentState.PARTIAL.value])
        query = select(func.count()).select_from(files).where(is_readable_in(files.c.tenant, tenant), askable, files.c.settings_version != version)
        return await self._database.read(lambda connection: int(connection.execute(query).scalar_one()))

    async def folders(self, tenant: str, under: str, limit: int) -> tuple[list[FolderCount], int]:
        return await self._database.read(lambda connection: _folders(connection, tenant, under, limit))


def _conditions(tenant: str, which: LedgerFilter) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = [is_readable_in(files.c.tenant, tenant)]
    if which.states:
        conditions.append(files.c.state.in_([state.value for state in which.states]))
    if which.codes:
        conditions.append(files.c.code.in_(list(which.codes)))
    if which.text.strip():
        conditions.append(files.c.path.icontains(which.text.strip(), autoescape=True))
    if which.root is not None:
        conditions.append(files.c.root == which.root)
    if which.under is not None:
        conditions.append(is_under(which.under))
    return conditions


def _reasons(connection: Connection, conditions: list[ColumnElement[bool]]) -> list[ReasonCount]:
    counted: dict[str, dict[DocumentState, int]] = {}
    grouped = select(files.c.code, files.c.state, func.count().label("files")).where(*conditions).group_by(files.c.code, files.c.state)
    for row in connection.execute(grouped):
        counted.setdefault(row.code, {})[DocumentState(row.state)] = row.files
    made = []
    for code, states in counted.items():
        query = select(files.c.path, files.c.reason).where(*conditions, files.c.code == code).order_by(files.c.path).limit(_EXAMPLES)
        rows = connection.execute(query).all()
        examples = tuple(make_storable(row.path) for row in rows)
        made.append(ReasonCount(code, sum(states.values()), tuple(sorted(states)), rows[0].reason if rows else "", examples))
    return sorted(made, key=lambda each: (-each.files, each.code))


def _folders(connection: Connection, tenant: str, folder: str, limit: int) -> tuple[list[FolderCount], int]:
    """Count by folder, grouped in the database: a folder of a million files takes no more memory here than one of ten."""
    prefix = folder.rstrip("/") + "/"
    rest = func.substr(files.c.path, len(encode_path(prefix)) + 1, type_=PathText())
    below = (is_readable_in(files.c.tenant, tenant), is_under(folder), files.c.path != folder)
    slash = _position(connection, rest)
    child = case((slash > 0, func.substr(rest, 1, slash - 1)), else_="")
    inner = func.substr(rest, slash + 1)
    deeper = _position(connection, inner)
    grandchild = case((deeper > 0, func.substr(inner, 1, deeper - 1)), else_=None)
    found: dict[str, FolderCount] = {}
    direct = 0
    rows = select(child.label("child"), files.c.state, files.c.code, func.count().label("files")).where(*below)
    for row in connection.execute(rows.group_by("child", files.c.state, files.c.code).order_by("child")):
        if not row.child:
            direct += row.files
            continue
        name = _shown_name(row.child)
        if name not in found and len(found) == limit:
            break
        count = found.setdefault(name, FolderCount(prefix + name))
        state = DocumentState(row.state)
        count.by_state[state] = count.by_state.get(state, 0) + row.files
        if row.code:
            count.by_code[row.code] = count.by_code.get(row.code, 0) + row.files
    folders = select(child.label("child"), func.count(func.distinct(grandchild)).label("folders")).where(*below, slash > 0).group_by("child")
    numbers = {_shown_name(row.child): row.folders for row in connection.execute(folders)}
    return [FolderCount(each.path, each.by_state, each.by_code, numbers.get(name, 0)) for name, each in found.items()], direct


def _position(connection: Connection, text: ColumnElement[str]) -> ColumnElement[int]:
    """Return the position of the first slash of `text`, from 1; 0 without one."""
    find: Any = func.strpos if connection.dialect.name == "postgresql" else func.instr
    position: ColumnElement[int] = find(text, "/")
    return position


def _shown_name(child: str) -> str:
    """Return a part of a stored path as it is shown."""
    return make_storable(decode_path(child))
