"""Consolidating every person's memory, on demand and every hour in the background."""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
from collections.abc import Sequence
from dataclasses import replace

import anyio.to_thread

from core.background_tasks import cancel_task
from core.errors import VantageError
from core.memory import ConsolidationRecord, Episode
from core.ports import MemoryChange, PersonMemory, StoredEpisode
from memory.consolidation import (
    OBSERVATIONS,
    SessionFindings,
    TidiedNotes,
    differs,
    learn_profile,
    read_sessions,
    stale_episodes,
    stale_notes,
    tidy_notes,
)
from memory.deletion import STALE_VECTOR
from memory.memory_dependencies import MemoryDependencies
from memory.memory_writer import EMBED_AT_ONCE

logger = logging.getLogger(__name__)

_FIRST_WAIT = 60.0  # seconds after the start, so that a server that is stopped every evening consolidates too


class Consolidator:
    """`start` begins the hourly task, `close` ends it and waits for it."""

    def __init__(self, parts: MemoryDependencies) -> None:
        self._parts = parts
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._run_hourly(), name="consolidate-memory")

    async def close(self) -> None:
        task, self._task = self._task, None
        await cancel_task(task)

    async def consolidate_people(self, tenant: str | None = None, user_id: str | None = None) -> list[ConsolidationRecord]:
        """Consolidate one person, or everybody of a tenant or of all tenants."""
        people = await self._parts.store.people(tenant)
        if tenant is not None and user_id is not None:
            people = [(tenant, user_id)]
        return [await self.consolidate_person(owner, person) for owner, person in people if user_id in (None, person)]

    async def consolidate_person(self, tenant: str, user_id: str) -> ConsolidationRecord:
        """Consolidate one person's memory; return the record, stored with the changes where there were any."""
        parts, began = self._parts, time.perf_counter()
        async with parts.index_cache.lock(tenant, user_id):
            memory = await parts.store.person(tenant, user_id)
            change, record = await self._build_change(tenant, user_id, memory)
            record = record.model_copy(update={"duration_ms": round((time.perf_counter() - began) * 1000, 2)})
            if change != MemoryChange():
                await parts.writer.apply_change(tenant, user_id, replace(change, record=record if record.changes else None))
        return record

    async def _build_change(self, tenant: str, user_id: str, memory: PersonMemory) -> tuple[MemoryChange, ConsolidationRecord]:
        parts, now = self._parts, self._parts.now()
        read = await self._read_sessions(tenant, user_id, memory)
        episodes, pruned = self._prune_episodes(memory, read)
        learned = learn_profile(memory, episodes, parts.learn, parts.terms, now)
        tidied, fresh = await self._tidy_notes(memory)
        stale = [kept for kept in stale_episodes(memory, parts.writer.embedder_name, EMBED_AT_ONCE) if kept.episode.episode_id not in pruned]
        changed = differs(learned.preferences, memory.learned.preferences)
        change = MemoryChange(
            episodes=[*stale, *(StoredEpisode(each, STALE_VECTOR) for each in read.episodes if each.episode_id not in pruned)],
            notes=tidied.notes,
            sessions=read.sessions,
            learned=learned if changed else None,
            gone_episodes=sorted(pruned & {kept.episode.episode_id for kept in memory.episodes}),
            gone_notes=tidied.removed_ids,
            gone_observations=[kept.id for kept in memory.observations[:-OBSERVATIONS]],
            gone_sessions=read.ended,
        )
        made = len(change.episodes) - len(stale)
        record = ConsolidationRecord(
            id=uuid.uuid4().hex,
            user_id=user_id,
            at=now,
            duration_ms=0.0,
            sessions_read=read.sessions_read,
            episodes_made=made,
            observations_read=len(memory.observations),
            profile_changed=changed,
            notes_merged=tidied.merged_count,
            notes_pruned=tidied.pruned_count,
            changes=_describe_changes(change, made, tidied, len(stale) + fresh),
        )
        return change, record

    async def _read_sessions(self, tenant: str, user_id: str, memory: PersonMemory) -> SessionFindings:
        sessions = self._parts.sessions
        entries = {each.session_id: await sessions.entries(tenant, user_id, each.session_id) for each in memory.sessions}
        read = read_sessions(memory, entries, user_id)
        return read if self._parts.options_of(tenant).enabled else replace(read, episodes=[])

    def _prune_episodes(self, memory: PersonMemory, read: SessionFindings) -> tuple[list[Episode], set[str]]:
        """Return all episodes in the order of time, and the ids of the oldest beyond the most that are kept."""
        episodes = sorted([*(kept.episode for kept in memory.episodes), *read.episodes], key=lambda each: (each.timestamp, each.episode_id))
        over = max(0, len(episodes) - self._parts.options.episodes_max)
        return episodes[over:], {each.episode_id for each in episodes[:over]}

    async def _tidy_notes(self, memory: PersonMemory) -> tuple[TidiedNotes, int]:
        """Return the notes after merging and pruning, with those that were embedded again, and how many these are."""
        writer = self._parts.writer
        fresh = {kept.note.id: kept for kept in await writer.embed_notes(stale_notes(memory, writer.embedder_name, EMBED_AT_ONCE))}
        notes = [fresh.get(kept.note.id, kept) for kept in memory.notes]
        tidied = await anyio.to_thread.run_sync(tidy_notes, notes, writer.note_vectors(notes), self._parts.terms, self._parts.options.notes)
        known = {kept.note.id for kept in tidied.notes} | set(tidied.removed_ids)
        return replace(tidied, notes=[*tidied.notes, *(kept for name, kept in fresh.items() if name not in known)]), len(fresh)

    async def _run_hourly(self) -> None:
        wait = min(_FIRST_WAIT, self._parts.options.consolidation_seconds)
        while True:
            await asyncio.sleep(wait)
            try:
                for record in await self.consolidate_people():
                    for line in record.changes:
                        logger.info("memory was consolidated: %s", line)
            except VantageError as error:
                logger.warning("memory was not consolidated and will be in %.0f s: %s", self._parts.options.consolidation_seconds, error)
            wait = self._parts.options.consolidation_seconds


def _describe_changes(change: MemoryChange, made: int, tidied: TidiedNotes, embedded: int) -> list[str]:
    parts: Sequence[tuple[int, str]] = (
        (made, "made an episode of a turn that only the session knew"),
        (len(change.gone_episodes), "removed the oldest episode beyond the most that are kept"),
        (len(change.gone_observations), "removed an observation that has lost its weight"),
        (int(change.learned is not None), "learned preferences anew"),
        (tidied.merged_count, "merged a note into one that says the same"),
        (tidied.pruned_count, "pruned a note that nobody confirmed"),
        (embedded, "embedded a memory again for the present model"),
        (len(change.gone_sessions), "closed a session that is over"),
    )
    return [f"{text}{f' ({count} times)' if count > 1 else ''}" for count, text in parts if count]
