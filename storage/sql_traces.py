"""Stored runs: columns for the listing, the rest as compressed JSON; and the pruning that goes on while the library is open."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, Connection, and_, delete, func, insert, or_, select, type_coerce, update

from core.background_tasks import cancel_task
from core.errors import NotFound, VantageError
from core.runs import Trace, TraceView
from storage.blobs import pack_json, unpack_json
from storage.database import Database
from storage.deletions import find_deleted
from storage.filters_sql import page_size, read_cursor, write_cursor
from storage.redaction import DeletedContent, redact_trace
from storage.row_mapping import AnyRow, batches
from storage.schema import conversations, feedback, microseconds, traces, turns

logger = logging.getLogger(__name__)

_HEAD = ("request", "reports", "degraded", "tokens", "prompts", "replay_of", "embedder", "features", "viewed_by")
_BODY = ("response", "nodes", "moves", "retrieval_request")
_COLUMNS = ("id", "tenant", "user_id", "conversation_id", "query", "status", "started_at", "duration_ms", "generated_by", "routing_path")
_LISTED = [traces.c[name] for name in (*_COLUMNS, "head")]


class SqlTraces:
    """core.ports.Traces over SQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def save(self, trace: Trace) -> None:
        """Save a trace; one that is saved again replaces the one before and keeps its views. What it quotes of a document that was deleted while it
        ran is left out.
        """

        def work(connection: Connection) -> None:
            looked_at = trace.model_copy(update={"viewed_by": [*_views(connection, trace.tenant, trace.id), *trace.viewed_by]})
            connection.execute(delete(traces).where(traces.c.tenant == trace.tenant, traces.c.id == trace.id))
            gone = find_deleted(connection, trace.response)
            connection.execute(insert(traces).values(_trace_values(looked_at) if gone is None else _trace_values(looked_at, gone)))

        await self._database.write(work)

    async def get(self, tenant: str, trace_id: str, *, user_id: str | None = None) -> Trace:
        """Return a trace. Raises NotFound."""
        query = select(traces).where(traces.c.tenant == tenant, traces.c.id == trace_id, *_person_conditions(user_id))
        row = await self._database.read(lambda connection: connection.execute(query).one_or_none())
        if row is None:
            raise _unknown_run(trace_id)
        return _trace(row, {**unpack_json(row.head), **unpack_json(row.body)})

    async def list_recent(
        self, tenant: str, *, limit: int, cursor: str | None, conversation_id: str | None = None, user_id: str | None = None
    ) -> tuple[list[Trace], str | None]:
        """Return the newest runs, newest first, without nodes, moves and response. Raises InvalidInput for a cursor of another listing or a limit
        below 1.
        """
        size = page_size(limit)
        conditions: list[ColumnElement[bool]] = [traces.c.tenant == tenant, *_person_conditions(user_id)]
        if conversation_id is not None:
            conditions.append(traces.c.conversation_id == conversation_id)
        if cursor is not None:
            started, trace_id = read_cursor(cursor, int, str)
            # Compared as the stored number: a forged cursor may hold one that no calendar has.
            begun = type_coerce(traces.c.started_at, BigInteger)
            conditions.append(or_(begun < started, and_(begun == started, traces.c.id < trace_id)))
        query = select(*_LISTED).where(*conditions).order_by(traces.c.started_at.desc(), traces.c.id.desc()).limit(size + 1)
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        found = [_trace(row, {**unpack_json(row.head), "response": {}, "nodes": [], "moves": []}) for row in rows[:size]]
        following = write_cursor(microseconds(found[-1].started_at), found[-1].id) if len(rows) > size else None
        return found, following

    async def delete(self, tenant: str, trace_id: str, *, user_id: str | None = None) -> str:
        """Delete the run with the feedback on it and its turn in a conversation; the turn alone where it was interrupted and left no trace, or an old
        trace was pruned. Returns whose it was. Raises NotFound.
        """

        def work(connection: Connection) -> str:
            owner = _find_owner(connection, tenant, trace_id, user_id)
            connection.execute(delete(traces).where(traces.c.tenant == tenant, traces.c.id == trace_id))
            for table in (feedback, turns):
                connection.execute(delete(table).where(table.c.tenant == tenant, table.c.trace_id == trace_id))
            return owner

        return await self._database.write(work)

    async def record_view(self, tenant: str, trace_ids: Sequence[str], view: TraceView) -> None:
        def work(connection: Connection) -> None:
            for batch in batches(list(trace_ids)):
                query = select(traces.c.id, traces.c.head, traces.c.bytes).where(traces.c.tenant == tenant, traces.c.id.in_(batch))
                for row in connection.execute(query.with_for_update()).all():
                    _add_view(connection, tenant, row, view)

        await self._database.write(work)

    async def prune(self, *, older_than: datetime, keep_bytes: int) -> int:
        """Remove the traces that began before `older_than`, then the oldest until at most `keep_bytes` are stored; returns how many went."""

        def work(connection: Connection) -> int:
            gone = connection.execute(delete(traces).where(traces.c.started_at < older_than)).rowcount
            return gone + _prune_bytes(connection, keep_bytes)

        return await self._database.write(work)


class TracePruner:
    """Task that keeps the stored runs within their days and bytes: at the start, then every `every` seconds until it is closed."""

    def __init__(self, traces: SqlTraces, *, days: int, keep_bytes: int, every: float = 3600.0) -> None:
        self._traces, self._days, self._keep_bytes, self._every = traces, days, keep_bytes, every
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        await self.prune()
        self._task = asyncio.create_task(self._prune_periodically(), name="prune-traces")

    def set_limits(self, *, days: int, keep_bytes: int) -> None:
        """Use other limits from now on."""
        self._days, self._keep_bytes = days, keep_bytes

    async def prune(self) -> int:
        """Remove the runs beyond the limits; return how many."""
        return await self._traces.prune(older_than=datetime.now(UTC) - timedelta(days=self._days), keep_bytes=self._keep_bytes)

    async def close(self) -> None:
        task, self._task = self._task, None
        await cancel_task(task)

    async def _prune_periodically(self) -> None:
        while True:
            await asyncio.sleep(self._every)
            try:
                await self.prune()
            except VantageError as error:  # a store that is full or away now may be back in an hour
                logger.warning("Old runs could not be removed: %s", error)


def _unknown_run(trace_id: str) -> NotFound:
    return NotFound(f"There is no run {trace_id[:80]!r}. Old runs are removed after the days set in `storage.traces_days`.")


def _find_owner(connection: Connection, tenant: str, trace_id: str, user_id: str | None) -> str:
    """Return whose run this is, by its trace, else by its turn that is over. Raises NotFound, for another person's too."""
    place = (traces.c.tenant == tenant, traces.c.id == trace_id, *_person_conditions(user_id))
    found = connection.execute(select(traces.c.user_id).where(*place)).scalar_one_or_none()
    if found is None:
        same = and_(conversations.c.tenant == turns.c.tenant, conversations.c.id == turns.c.conversation_id)
        of_turn = [turns.c.tenant == tenant, turns.c.trace_id == trace_id, turns.c.state != "running"]
        own = [] if user_id is None else [conversations.c.user_id == user_id]
        found = connection.execute(select(conversations.c.user_id).join(turns, same).where(*of_turn, *own).limit(1)).scalar_one_or_none()
    if found is None:
        raise _unknown_run(trace_id)
    return str(found)


def _views(connection: Connection, tenant: str, trace_id: str) -> list[TraceView]:
    head = connection.execute(select(traces.c.head).where(traces.c.tenant == tenant, traces.c.id == trace_id)).scalar_one_or_none()
    return [TraceView.model_validate(each) for each in unpack_json(head).get("viewed_by", [])] if head is not None else []


def _add_view(connection: Connection, tenant: str, row: AnyRow, view: TraceView) -> None:
    """Add a view. A list is opened often, and each time shows many runs: one view of it a day and person is kept, so that records do not grow without
    end.
    """
    head = unpack_json(row.head)
    before = [TraceView.model_validate(each) for each in head.get("viewed_by", [])]
    listed = {(each.user_id, each.at.date()) for each in before if each.part == "list"}
    if view.part == "list" and (view.user_id, view.at.date()) in listed:
        return
    packed = pack_json({**head, "viewed_by": [each.model_dump(mode="json") for each in (*before, view)]})
    size = row.bytes - len(row.head) + len(packed)
    connection.execute(update(traces).where(traces.c.tenant == tenant, traces.c.id == row.id).values(head=packed, bytes=size))


def _person_conditions(user_id: str | None) -> list[ColumnElement[bool]]:
    return [] if user_id is None else [traces.c.user_id == user_id]


def _prune_bytes(connection: Connection, keep_bytes: int) -> int:
    held = int(connection.execute(select(func.sum(traces.c.bytes))).scalar_one() or 0)
    over = []
    for row in connection.execute(select(traces.c.tenant, traces.c.id, traces.c.bytes).order_by(traces.c.started_at, traces.c.id)):
        if held <= keep_bytes:
            break
        held -= row.bytes
        over.append(row)
    for row in over:
        connection.execute(delete(traces).where(traces.c.tenant == row.tenant, traces.c.id == row.id))
    return len(over)


def _trace_values(trace: Trace, gone: DeletedContent | None = None) -> dict[str, Any]:
    stored = trace.model_dump(mode="json")
    if gone is not None:
        stored = redact_trace(stored, trace.query, gone)
    head = pack_json({name: stored[name] for name in _HEAD})
    body = pack_json({name: stored[name] for name in _BODY})
    return {**{name: getattr(trace, name) for name in _COLUMNS}, "head": head, "body": body, "bytes": len(head) + len(body)}


def _trace(row: AnyRow, rest: dict[str, Any]) -> Trace:
    return Trace.model_validate({**{name: getattr(row, name) for name in _COLUMNS}, **rest})
