"""Runs that several servers share, in the library's database."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update

from core.errors import NotFound, TooMany
from core.ports import RunStanding, SharedRun, SharedRunState, StopReason
from core.runs import Event
from storage.blobs import pack_json, unpack_json
from storage.database import Database
from storage.deletions import find_deleted
from storage.row_mapping import AnyRow, batches, now
from storage.shared_run_tables import run_events, servers, shared_runs

_RUNS, _EVENTS = shared_runs.c, run_events.c
_COLUMNS = [column for column in shared_runs.columns if column.name not in ("checkpoint", "changed_at")]


class SqlSharedRuns:
    """core.ports.SharedRunStore over SQL. A run's row is locked by who changes it; where persons are counted, writers take turns."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def begin(self, run: SharedRun, most: int) -> None:
        def work(connection: Connection) -> None:
            _check_room(connection, run.tenant, run.user_id, most)
            kept = {name: getattr(run, name) for name in ("id", "tenant", "user_id", "conversation_id", "server", "started_at", "state", "stop")}
            empty = {"follows": 0, "document_ids": [], "checkpoint": b"", "changed_at": now()}
            connection.execute(insert(shared_runs).values(**kept, **empty, details=pack_json(run.details)))

        await self._database.write(work)

    async def append(self, run_id: str, server: str, events: Sequence[Event]) -> RunStanding:
        def work(connection: Connection) -> RunStanding:
            standing = _standing(connection, run_id, server, locked=bool(events))
            if standing.is_ours:
                _add_events(connection, run_id, events)
            return standing

        return await (self._database.write_apart(work) if events else self._database.read(work))

    async def settle(self, run: SharedRun, events: Sequence[Event], checkpoint: bytes = b"") -> bool:
        def work(connection: Connection) -> bool:
            if not _standing(connection, run.id, run.server, locked=True).is_ours:
                return False
            kept = list(events)
            if find_deleted(connection, {"results": [{"id": each} for each in run.document_ids]}) is not None:
                connection.execute(delete(run_events).where(_EVENTS.run_id == run.id))  # they quote what was deleted meanwhile
                kept = [each for each in kept if each.kind == "done"]
            _add_events(connection, run.id, kept)
            values = {"state": run.state, "document_ids": run.document_ids, "details": pack_json(run.details), "checkpoint": checkpoint}
            connection.execute(update(shared_runs).where(_RUNS.id == run.id).values(**values, stop="", changed_at=now()))
            return True

        return await self._database.write_apart(work)

    async def get(self, tenant: str, run_id: str, user_id: str | None = None) -> SharedRun:
        query = select(*_COLUMNS).where(_RUNS.id == run_id, _RUNS.tenant == tenant)
        row = await self._database.read(lambda connection: connection.execute(query).one_or_none())
        if row is None or user_id not in (None, row.user_id):
            raise NotFound(f"There is no run {run_id[:80]}. A run can be followed for some minutes after its end; its trace stays.")
        return _shared_run(row)

    async def read_events(self, run_id: str, after: int) -> tuple[list[Event], SharedRunState]:
        def work(connection: Connection) -> tuple[list[Event], SharedRunState]:
            state = connection.execute(select(_RUNS.state).where(_RUNS.id == run_id)).scalar_one_or_none()
            if state is None:
                raise NotFound(f"There is no run {run_id[:80]}.")
            rows = connection.execute(select(run_events).where(_EVENTS.run_id == run_id, _EVENTS.id > after).order_by(_EVENTS.id))
            return [Event(id=row.id, kind=row.kind, data=unpack_json(row.data)) for row in rows], state

        return await self._database.read(work)

    async def take(self, run_id: str, server: str, most: int) -> bytes | None:
        def work(connection: Connection) -> bytes | None:
            row = connection.execute(select(shared_runs).where(_RUNS.id == run_id, _RUNS.state == "waiting").with_for_update()).one_or_none()
            if row is None:
                return None
            _check_room(connection, row.tenant, row.user_id, most)
            taken = {"state": "running", "server": server, "checkpoint": b"", "changed_at": now()}
            connection.execute(update(shared_runs).where(_RUNS.id == run_id).values(taken))
            return bytes(row.checkpoint)

        return await self._database.write(work)

    async def request_stop(self, run_id: str, reason: StopReason) -> None:
        wanted = update(shared_runs).where(_RUNS.id == run_id, _RUNS.state == "running", _RUNS.stop != "person").values(stop=reason)
        await self._database.write_apart(lambda connection: connection.execute(wanted))

    async def mark_followed(self, run_id: str) -> None:
        followed = update(shared_runs).where(_RUNS.id == run_id).values(follows=_RUNS.follows + 1)
        await self._database.write_apart(lambda connection: connection.execute(followed))

    async def list_running(self) -> list[SharedRun]:
        query = select(*_COLUMNS).where(_RUNS.state == "running").order_by(_RUNS.started_at, _RUNS.id)
        return await self._database.read(lambda connection: [_shared_run(row) for row in connection.execute(query)])

    async def forget(self, tenant: str, *, user_id: str | None = None, document_ids: Collection[str] = (), run_id: str | None = None) -> list[str]:
        wanted = set(document_ids)

        def work(connection: Connection) -> list[str]:
            query = select(_RUNS.id, _RUNS.user_id, _RUNS.document_ids).where(_RUNS.tenant == tenant, _RUNS.state != "running")
            rows = connection.execute(query).all()
            gone = [row.id for row in rows if row.user_id == user_id or row.id == run_id or wanted.intersection(row.document_ids)]
            for batch in batches(gone):
                connection.execute(delete(shared_runs).where(_RUNS.id.in_(batch)))
            return gone

        return await self._database.write_apart(work)

    async def prune(self, before: datetime) -> None:
        old = delete(shared_runs).where(_RUNS.state != "running", _RUNS.changed_at < before)
        await self._database.write_apart(lambda connection: connection.execute(old))

    async def beat(self, server: str) -> Mapping[str, int]:
        def work(connection: Connection) -> dict[str, int]:
            if not connection.execute(update(servers).where(servers.c.name == server).values(beats=servers.c.beats + 1)).rowcount:
                connection.execute(insert(servers).values(name=server, beats=0))
            return {row.name: row.beats for row in connection.execute(select(servers))}

        return await self._database.write_apart(work)

    async def remove_server(self, server: str) -> None:
        await self._database.write_apart(lambda connection: connection.execute(delete(servers).where(servers.c.name == server)))


def _check_room(connection: Connection, tenant: str, user_id: str, most: int) -> None:
    query = select(func.count()).select_from(shared_runs).where(_RUNS.tenant == tenant, _RUNS.user_id == user_id, _RUNS.state == "running")
    if connection.execute(query).scalar_one() >= most:
        raise TooMany(f"{most} questions of yours are being answered, as many as one person may ask at the same time.")


def _standing(connection: Connection, run_id: str, server: str, *, locked: bool) -> RunStanding:
    query = select(_RUNS.server, _RUNS.state, _RUNS.stop).where(_RUNS.id == run_id)
    row = connection.execute(query.with_for_update() if locked else query).one_or_none()
    if row is None or (row.server, row.state) != (server, "running"):
        return RunStanding(False, "")
    return RunStanding(True, row.stop)


def _add_events(connection: Connection, run_id: str, events: Sequence[Event]) -> None:
    """Add those that are not there: a write whose answer was lost is done again."""
    last = connection.execute(select(func.max(_EVENTS.id)).where(_EVENTS.run_id == run_id)).scalar_one() or 0
    rows: list[dict[str, Any]] = [
        {"run_id": run_id, "id": each.id, "kind": each.kind, "data": pack_json(each.data)} for each in events if each.id > last
    ]
    if rows:
        connection.execute(insert(run_events), rows)


def _shared_run(row: AnyRow) -> SharedRun:
    return SharedRun(**{**row._mapping, "details": unpack_json(row.details)})
