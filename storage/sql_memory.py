"""The rows of memory over SQL."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np
from sqlalchemy import ColumnElement, Connection, Table, Text, delete, func, insert, or_, select, type_coerce, union

from core.memory import ConsolidationRecord, Episode, Note, Observation, UserPreferences
from core.ports import LearnedProfile, MemoryChange, MemoryVector, PersonMemory, StoredEpisode, StoredNote, StoredObservation, StoredSession
from storage.database import Database
from storage.memory_tables import consolidations, episodes, memory_sessions, notes, observations, preferences
from storage.pending_memory import delete_pending_memory
from storage.pending_vector_tables import next_memory
from storage.row_mapping import AnyRow, batches
from storage.schema import feedback

Item = TypeVar("Item")

_NOT_FIELDS = frozenset({"tenant", "id", "embedder", "vector"})
_EPISODE = [column.name for column in episodes.c if column.name not in _NOT_FIELDS]
_NOTE = [column.name for column in notes.c if column.name not in _NOT_FIELDS]
_OBSERVATION = [column.name for column in observations.c if column.name not in {"tenant", "id", "session_id", "conversation_id"}]
_KEEP_RECORDS = 100  # consolidations kept for each person


class SqlMemory:
    """core.ports.MemoryStore over SQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def person(self, tenant: str, user_id: str) -> PersonMemory:
        """Return all of it from one unchanging state of the library."""

        def work(connection: Connection) -> PersonMemory:
            def rows(table: Table, *order: ColumnElement[Any]) -> Sequence[AnyRow]:
                return connection.execute(select(table).where(*_owner_conditions(table, tenant, user_id)).order_by(*order)).all()

            return PersonMemory(
                episodes=[StoredEpisode(_episode(row), _embedded(row)) for row in rows(episodes, episodes.c.timestamp, episodes.c.id)],
                notes=[StoredNote(_note(row), _embedded(row)) for row in rows(notes, notes.c.created_at, notes.c.id)],
                observations=[_observation(row) for row in rows(observations, observations.c.observed_at, observations.c.id)],
                sessions=[_session(row) for row in rows(memory_sessions, memory_sessions.c.seen_at, memory_sessions.c.session_id)],
                learned=_learned(rows(preferences)),
            )

        return await self._database.read(work)

    async def episodes(self, tenant: str, user_id: str, ids: Sequence[str]) -> dict[str, Episode]:
        return {row.id: _episode(row) for row in await self._load_by_ids(episodes, tenant, user_id, ids)}

    async def notes(self, tenant: str, user_id: str, ids: Sequence[str]) -> dict[str, Note]:
        return {row.id: _note(row) for row in await self._load_by_ids(notes, tenant, user_id, ids)}

    async def recent_episodes(self, tenant: str, user_id: str, limit: int) -> tuple[list[Episode], int]:
        return await self._load_recent(episodes, (tenant, user_id), limit, _episode)

    async def recent_notes(self, tenant: str, user_id: str, limit: int) -> tuple[list[Note], int]:
        return await self._load_recent(notes, (tenant, user_id), limit, _note)

    async def recent_observations(self, tenant: str, user_id: str, limit: int) -> tuple[list[StoredObservation], int]:
        return await self._load_recent(observations, (tenant, user_id), limit, _observation)

    async def sessions(self, tenant: str, user_id: str) -> list[StoredSession]:
        return (await self._load_recent(memory_sessions, (tenant, user_id), None, _session))[0]

    async def load_learned(self, tenant: str, user_id: str) -> LearnedProfile:
        query = select(preferences).where(*_owner_conditions(preferences, tenant, user_id))
        return _learned(await self._database.read(lambda connection: connection.execute(query).all()))

    async def consolidations(self, tenant: str, user_id: str, limit: int) -> list[ConsolidationRecord]:
        return (await self._load_recent(consolidations, (tenant, user_id), limit, lambda row: ConsolidationRecord.model_validate(row.record)))[0]

    async def apply_change(self, tenant: str, user_id: str, change: MemoryChange) -> None:
        def work(connection: Connection) -> None:
            _delete_rows(connection, tenant, user_id, change)
            _insert_rows(connection, tenant, user_id, change)

        await self._database.write(work)

    async def forget_person(self, tenant: str, user_id: str) -> None:
        def work(connection: Connection) -> None:
            for table in (*_TABLES, feedback, next_memory):
                connection.execute(delete(table).where(*_owner_conditions(table, tenant, user_id)))

        await self._database.write(work)

    async def people(self, tenant: str | None = None, mentioning: str | None = None) -> list[tuple[str, str]]:
        parts = []
        for table in (episodes, notes, observations, memory_sessions, preferences):
            query = select(table.c.tenant, table.c.user_id)
            if tenant is not None:
                query = query.where(table.c.tenant == tenant)
            parts.append(query if mentioning is None else query.where(_mentions_name(table, mentioning)))
        found = union(*parts).order_by("tenant", "user_id")
        return [(row.tenant, row.user_id) for row in await self._database.read(lambda connection: connection.execute(found).all())]

    async def _load_by_ids(self, table: Table, tenant: str, user_id: str, ids: Sequence[str]) -> list[AnyRow]:
        def work(connection: Connection) -> list[AnyRow]:
            found: list[AnyRow] = []
            for batch in batches(ids):
                found += connection.execute(select(table).where(*_owner_conditions(table, tenant, user_id), table.c.id.in_(batch)))
            return found

        return await self._database.read(work)

    async def _load_recent(self, table: Table, owner: tuple[str, str], limit: int | None, made: Callable[[AnyRow], Item]) -> tuple[list[Item], int]:
        """Return the newest items, newest first, and how many there are."""
        time, key = table.c[_TIMES[table.name]], table.c.session_id if table is memory_sessions else table.c.id
        query = select(table).where(*_owner_conditions(table, *owner)).order_by(time.desc(), key).limit(limit)
        count = select(func.count()).select_from(table).where(*_owner_conditions(table, *owner))

        def work(connection: Connection) -> tuple[list[Item], int]:
            return [made(row) for row in connection.execute(query)], connection.execute(count).scalar_one()

        return await self._database.read(work)


_TABLES = (episodes, notes, observations, preferences, memory_sessions, consolidations)
_TIMES = {"episodes": "timestamp", "notes": "updated_at", "observations": "observed_at", "memory_sessions": "seen_at", "consolidations": "at"}


def _owner_conditions(table: Table, tenant: str, user_id: str) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return table.c.tenant == tenant, table.c.user_id == user_id


def _mentions_name(table: Table, name: str) -> ColumnElement[bool]:
    """Return rows that may name the document or conversation; a session's turns lie in the session store, so every session counts."""
    columns = {
        "episodes": (episodes.c.results, episodes.c.cited, episodes.c.conversation_id),
        "notes": (notes.c.document_ids, notes.c.history),
        "observations": (observations.c.document_id, observations.c.conversation_id),
        "preferences": (preferences.c.learned,),
    }.get(table.name)
    if columns is None:
        return table.c.session_id.is_not(None)
    return or_(*[type_coerce(column, Text()).contains(name, autoescape=True) for column in columns])


def _delete_rows(connection: Connection, tenant: str, user_id: str, change: MemoryChange) -> None:
    changed_episodes = [*change.gone_episodes, *(kept.episode.episode_id for kept in change.episodes)]
    changed_notes = [*change.gone_notes, *(kept.note.id for kept in change.notes)]
    for kind, changed in (("episode", changed_episodes), ("note", changed_notes)):
        for some in batches(changed):
            delete_pending_memory(connection, tenant, kind, some)
    gone = ((episodes.c.id, change.gone_episodes), (notes.c.id, change.gone_notes), (observations.c.id, change.gone_observations))
    sessions_gone = (memory_sessions.c.session_id, change.gone_sessions)
    feedback_gone = ((feedback.c.trace_id, change.gone_feedback), (feedback.c.result_id, change.gone_feedback))
    for column, ids in (*gone, sessions_gone, *feedback_gone):
        for batch in batches(ids):
            connection.execute(delete(column.table).where(*_owner_conditions(column.table, tenant, user_id), column.in_(batch)))


def _insert_rows(connection: Connection, tenant: str, user_id: str, change: MemoryChange) -> None:
    owner = {"tenant": tenant, "user_id": user_id}
    _replace_rows(connection, episodes, [{**owner, **_episode_values(each)} for each in change.episodes])
    _replace_rows(connection, notes, [{**owner, **_note_values(each)} for each in change.notes])
    _replace_rows(connection, observations, [{**owner, **_observation_values(each)} for each in change.observations])
    values = [{"session_id": each.session_id, "seen_at": each.seen_at, "read_until": each.read_until} for each in change.sessions]
    _replace_rows(connection, memory_sessions, [{**owner, **each} for each in values], key="session_id")
    if change.learned is not None:
        connection.execute(delete(preferences).where(*_owner_conditions(preferences, tenant, user_id)))
        learned, hidden = change.learned.preferences.model_dump(mode="json"), list(change.learned.hidden_topics)
        connection.execute(insert(preferences).values(**owner, learned=learned, hidden=hidden))
    if change.record is not None:
        row = {"id": change.record.id, "at": change.record.at, "record": change.record.model_dump(mode="json")}
        connection.execute(insert(consolidations).values(**owner, **row))
        _prune_records(connection, tenant, user_id)


def _replace_rows(connection: Connection, table: Table, rows: Sequence[dict[str, Any]], key: str = "id") -> None:
    """Replace the rows with these keys of this person by the new ones. One of another person's is never touched: the insert fails instead."""
    for batch in batches(rows):
        connection.execute(
            delete(table).where(*_owner_conditions(table, batch[0]["tenant"], batch[0]["user_id"]), table.c[key].in_([row[key] for row in batch]))
        )
        connection.execute(insert(table), batch)


def _prune_records(connection: Connection, tenant: str, user_id: str) -> None:
    own = _owner_conditions(consolidations, tenant, user_id)
    newest = select(consolidations.c.id).where(*own).order_by(consolidations.c.at.desc(), consolidations.c.id).limit(_KEEP_RECORDS)
    kept = [row.id for row in connection.execute(newest)]
    connection.execute(delete(consolidations).where(*own, consolidations.c.id.not_in(kept)))


def _embedded_values(embedded: MemoryVector) -> dict[str, Any]:
    return {"embedder": embedded.embedder, "vector": np.asarray(embedded.vector, np.float16).tobytes()}


def _embedded(row: AnyRow) -> MemoryVector:
    return MemoryVector(row.embedder, np.frombuffer(row.vector, np.float16))


def _episode_values(kept: StoredEpisode) -> dict[str, Any]:
    fields = {name: getattr(kept.episode, name) for name in _EPISODE}
    return {**fields, "id": kept.episode.episode_id, "used_multi_hop": int(kept.episode.used_multi_hop), **_embedded_values(kept.memory_vector)}


def _episode(row: AnyRow) -> Episode:
    return Episode(**{**{name: getattr(row, name) for name in _EPISODE}, "used_multi_hop": bool(row.used_multi_hop)}, episode_id=row.id)


def _note_values(kept: StoredNote) -> dict[str, Any]:
    fields = {name: getattr(kept.note, name) for name in _NOTE}
    fields["history"] = [version.model_dump(mode="json") for version in kept.note.history]
    return {**fields, "id": kept.note.id, **_embedded_values(kept.memory_vector)}


def _note(row: AnyRow) -> Note:
    return Note.model_validate({**{name: getattr(row, name) for name in _NOTE}, "id": row.id})


def _observation_values(kept: StoredObservation) -> dict[str, Any]:
    fields = {name: getattr(kept.observation, name) for name in _OBSERVATION}
    return {**fields, "id": kept.id, "session_id": kept.session_id, "conversation_id": kept.conversation_id}


def _observation(row: AnyRow) -> StoredObservation:
    fields = {name: getattr(row, name) for name in _OBSERVATION}
    return StoredObservation(row.id, Observation(**fields), row.session_id, row.conversation_id)


def _session(row: AnyRow) -> StoredSession:
    return StoredSession(row.session_id, row.seen_at, row.read_until)


def _learned(rows: Sequence[AnyRow]) -> LearnedProfile:
    if not rows:
        return LearnedProfile()
    return LearnedProfile(UserPreferences.model_validate(rows[0].learned), tuple(rows[0].hidden))
