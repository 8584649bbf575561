"""The folders that are watched, what a person excluded, and the ledger's rows that a handful of changed paths concern."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import ColumnElement, Connection, Table, and_, delete, insert, or_, select

from core.ports import Exclusion, KnownFile
from core.ports.stored_records import UNFINISHED
from storage.database import Database
from storage.filters_sql import is_under
from storage.row_mapping import batches, known_file, now
from storage.schema import files, jobs, roots
from storage.watch_tables import exclusions, watch_switches

_LINKS = ("broken_link", "link_outside", "link_to_folder")
_LINKS_AT_MOST = 200
# Paths looked up in one query: each is three conditions.
_PATHS = 50


class SqlWatchStore:
    """core.ports.WatchStore over SQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def exclusions(self, tenant: str) -> list[Exclusion]:
        query = select(exclusions).where(exclusions.c.tenant == tenant).order_by(exclusions.c.path)
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return [Exclusion(row.path, row.created_at) for row in rows]

    async def exclude(self, tenant: str, path: str) -> Exclusion:
        """Exclude a path. An exclusion that lies in the new one goes: it says nothing more."""

        def work(connection: Connection) -> Exclusion:
            place = (exclusions.c.tenant == tenant, exclusions.c.path == path)
            row = connection.execute(select(exclusions).where(*place)).one_or_none()
            if row is not None:
                return Exclusion(row.path, row.created_at)
            made = Exclusion(path, now())
            connection.execute(delete(exclusions).where(exclusions.c.tenant == tenant, is_under(path, exclusions)))
            connection.execute(insert(exclusions).values(tenant=tenant, path=path, created_at=made.created_at))
            return made

        return await self._database.write(work)

    async def include(self, tenant: str, path: str) -> bool:
        place = (exclusions.c.tenant == tenant, exclusions.c.path == path)
        return bool(await self._database.write(lambda connection: connection.execute(delete(exclusions).where(*place)).rowcount))

    async def switches(self, tenant: str) -> dict[str, bool]:
        query = select(watch_switches).where(watch_switches.c.tenant == tenant)
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return {row.path: bool(row.enabled) for row in rows}

    async def set_switch(self, tenant: str, path: str, *, on: bool) -> None:
        """Set a switch; that of the whole watcher ends those of single folders: all are as it is."""

        def work(connection: Connection) -> None:
            mine = watch_switches.c.tenant == tenant
            connection.execute(delete(watch_switches).where(mine, watch_switches.c.path == path) if path else delete(watch_switches).where(mine))
            connection.execute(insert(watch_switches).values(tenant=tenant, path=path, enabled=int(on)))

        await self._database.write(work)

    async def tenants(self) -> list[str]:
        query = select(roots.c.tenant).distinct().order_by(roots.c.tenant)
        return list(await self._database.read(lambda connection: connection.execute(query).scalars().all()))


def forget_root(connection: Connection, tenant: str, path: str) -> None:
    """Forget a removed root: its switch, the jobs that are over, and what was excluded in it, unless another root holds that as well."""
    over = (jobs.c.tenant == tenant, is_under(path, jobs), jobs.c.state.not_in(UNFINISHED))
    connection.execute(delete(jobs).where(*over))
    connection.execute(delete(watch_switches).where(watch_switches.c.tenant == tenant, watch_switches.c.path == path))
    others = connection.execute(select(roots.c.path).where(roots.c.tenant == tenant)).scalars().all()
    held = [is_under(root, exclusions) for root in others if root != path]
    connection.execute(delete(exclusions).where(exclusions.c.tenant == tenant, is_under(path, exclusions), *(~condition for condition in held)))


def find_known_files(connection: Connection, tenant: str, paths: Sequence[str], inodes: Sequence[int] = ()) -> dict[str, KnownFile]:
    """Return the ledger rows at these paths, below them, and of the members of archives there; with them the rows of other names (links) of the same
    files, found by their inode or one of `inodes`, and of links that lead nowhere or elsewhere.
    """
    found: dict[str, KnownFile] = {}
    for batch in batches(paths, _PATHS):
        conditions = [_is_at_or_in(path, files) for path in batch]
        found |= {row.path: known_file(row) for row in connection.execute(select(files).where(files.c.tenant == tenant, or_(*conditions)))}
    # What a link leads to may be what changed.
    links = select(files).where(files.c.tenant == tenant, files.c.code.in_(_LINKS)).limit(_LINKS_AT_MOST)
    found |= {row.path: known_file(row) for row in connection.execute(links)} if paths else {}
    wanted = {str(row.stamp.inode) for row in found.values() if row.stamp.inode} | {str(inode) for inode in inodes if inode}
    for group in batches(sorted(wanted)):
        rows = connection.execute(select(files).where(files.c.tenant == tenant, files.c.inode.in_(group)))
        found |= {row.path: known_file(row) for row in rows}
    return found


def _is_at_or_in(path: str, table: Table) -> ColumnElement[bool]:
    """Return the condition of a path at `path`, below it, or a member of the archive that lies there ("archive!/inner name")."""
    column = table.c.path
    return or_(is_under(path, table), and_(column >= f"{path}!/", column < f"{path}!0"))
