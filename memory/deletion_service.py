"""Forgetting in every tier: the session store, the rows, what was learned from them, and the indexes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TypeAlias

import anyio.to_thread

from core.memory import Forgotten, MemoryItem
from core.ports import PersonMemory, StoredSession
from memory.consolidation import learn_profile
from memory.deletion import (
    CopyDetector,
    MemoryDeletion,
    conversation_deletion,
    copies_deletion,
    document_deletion,
    named_documents,
    rows_deletion,
    run_deletion,
    session_deletion,
)
from memory.memory_dependencies import MemoryDependencies
from memory.memory_items import count_by_tier, episode_item, note_item, observation_item, profile_items, session_item
from memory.session_tier import SessionEntry, document_remover
from memory.session_tier import copy_remover as turns_without_copies

TurnChange: TypeAlias = Callable[[SessionEntry], SessionEntry | None]

_SHOWN = 1000  # removed items that are listed; the counts are of all


class DeletionService:
    """Each method takes the person's lock itself."""

    def __init__(self, parts: MemoryDependencies) -> None:
        self._parts = parts

    async def forget_person(self, tenant: str, user_id: str) -> Forgotten:
        parts = self._parts
        async with parts.index_cache.lock(tenant, user_id):
            memory = await parts.store.person(tenant, user_id)
            items = [item for session in memory.sessions for item in await self._forget_session(tenant, user_id, session)]
            await parts.store.forget_person(tenant, user_id)
            parts.index_cache.invalidate(tenant, user_id)
            parts.index_cache.tell_changed(tenant, user_id)
        items += [episode_item(kept.episode) for kept in memory.episodes] + [observation_item(kept) for kept in memory.observations]
        items += profile_items(memory.learned.preferences) + [note_item(kept.note) for kept in memory.notes]
        return _report_forgotten(user_id, items)

    async def forget_session(self, tenant: str, user_id: str, session_id: str) -> Forgotten:
        parts = self._parts
        async with parts.index_cache.lock(tenant, user_id):
            memory = await parts.store.person(tenant, user_id)
            items = await self._forget_session(tenant, user_id, StoredSession(session_id, parts.now()))
            loss = session_deletion(memory, session_id)
            items += await self._store_deletion(tenant, user_id, memory, replace(loss, change=replace(loss.change, gone_sessions=[session_id])))
        return _report_forgotten(user_id, items)

    async def forget_document(self, tenant: str, user_id: str, *document_ids: str) -> Forgotten:
        parts = self._parts
        async with parts.index_cache.lock(tenant, user_id):
            memory = await parts.store.person(tenant, user_id)
            items = await self._edit_sessions(tenant, user_id, memory, document_remover(set(document_ids)))
            for document_id in sorted(named_documents(memory) & set(document_ids)):
                items += await self._store_deletion(tenant, user_id, memory, document_deletion(memory, document_id))
                memory = await parts.store.person(tenant, user_id)
        return _report_forgotten(user_id, items)

    async def forget_copies(self, tenant: str, user_id: str, copies: CopyDetector) -> Forgotten:
        """Forget what copies words of documents that went, though it names none of them."""
        parts = self._parts
        async with parts.index_cache.lock(tenant, user_id):
            memory = await parts.store.person(tenant, user_id)
            items = await self._edit_sessions(tenant, user_id, memory, turns_without_copies(copies))
            items += await self._store_deletion(tenant, user_id, memory, await anyio.to_thread.run_sync(copies_deletion, memory, copies))
        return _report_forgotten(user_id, items)

    async def forget_run(self, tenant: str, user_id: str, trace_id: str) -> Forgotten:
        parts = self._parts
        async with parts.index_cache.lock(tenant, user_id):
            memory = await parts.store.person(tenant, user_id)
            items = await self._edit_sessions(tenant, user_id, memory, _turn_remover("trace_id", trace_id))
            items += await self._store_deletion(tenant, user_id, memory, run_deletion(memory, trace_id))
        return _report_forgotten(user_id, items)

    async def forget_conversation(self, tenant: str, user_id: str, conversation_id: str) -> Forgotten:
        parts = self._parts
        async with parts.index_cache.lock(tenant, user_id):
            memory = await parts.store.person(tenant, user_id)
            items = await self._edit_sessions(tenant, user_id, memory, _turn_remover("conversation_id", conversation_id))
            items += await self._store_deletion(tenant, user_id, memory, conversation_deletion(memory, conversation_id))
        return _report_forgotten(user_id, items)

    async def forget_before(self, tenant: str, user_id: str, before: datetime) -> Forgotten:
        """Return the episodes that are older."""
        parts = self._parts
        async with parts.index_cache.lock(tenant, user_id):
            memory = await parts.store.person(tenant, user_id)
            old = [kept.episode.episode_id for kept in memory.episodes if kept.episode.timestamp < before]
            items = await self.forget_rows(tenant, user_id, memory, rows_deletion(memory, episodes=old)) if old else []
        return _report_forgotten(user_id, items)

    async def forget_rows(self, tenant: str, user_id: str, memory: PersonMemory, loss: MemoryDeletion) -> list[MemoryItem]:
        """Forget single rows, with their turns in sessions and what was learned from them."""
        for run in loss.change.gone_episodes:
            await self._edit_sessions(tenant, user_id, memory, _turn_remover("trace_id", run))
        return await self._store_deletion(tenant, user_id, memory, loss)

    async def forget_turn(self, tenant: str, user_id: str, memory: PersonMemory, trace_id: str) -> list[MemoryItem]:
        """Forget a turn of a session; the episode, if there is one, stays. The caller holds the lock."""
        return await self._edit_sessions(tenant, user_id, memory, _turn_remover("trace_id", trace_id))

    async def _edit_sessions(self, tenant: str, user_id: str, memory: PersonMemory, change: TurnChange) -> list[MemoryItem]:
        items = []
        for session in memory.sessions:
            gone = await self._parts.sessions.edit_turns(tenant, user_id, session.session_id, change)
            items += [session_item(session.session_id, entry) for entry in gone]
        return items

    async def _forget_session(self, tenant: str, user_id: str, session: StoredSession) -> list[MemoryItem]:
        entries = await self._parts.sessions.forget_session(tenant, user_id, session.session_id)
        return [session_item(session.session_id, entry) for entry in entries]

    async def _store_deletion(self, tenant: str, user_id: str, memory: PersonMemory, loss: MemoryDeletion) -> list[MemoryItem]:
        """Store the loss, with what is learned from what is left."""
        if loss.is_empty:
            return []
        parts, gone = self._parts, loss.change
        left = replace(
            memory,
            episodes=[kept for kept in memory.episodes if kept.episode.episode_id not in set(gone.gone_episodes)],
            observations=[kept for kept in memory.observations if kept.id not in set(gone.gone_observations)],
        )
        learned = learn_profile(left, [kept.episode for kept in left.episodes], parts.learn, parts.terms, parts.now())
        change = replace(gone, learned=learned) if learned != memory.learned else gone
        await parts.writer.apply_change(tenant, user_id, change)
        return loss.items


def _report_forgotten(user_id: str, items: Sequence[MemoryItem]) -> Forgotten:
    return Forgotten(user_id=user_id, removed=count_by_tier(items), items=list(items[:_SHOWN]))


def _turn_remover(name: str, value: str) -> TurnChange:
    return lambda entry: None if entry.get(name) == value else entry
