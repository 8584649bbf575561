"""The searchable memories of the people that were active last, read from the store when they are first needed."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from weakref import WeakValueDictionary

import anyio.to_thread
import numpy as np
from numpy.typing import NDArray

from core.memory import Note
from core.ports import Embedder, LearnedProfile, MemoryStore, MemoryVector
from memory.episodic import episode_line
from memory.line_index import LineIndex, MemoryLine, TermAnalyser
from memory.session_tier import stored_name

_LINES = 100_000  # kept in memory over all people: 1.5 kB a line of 384 numbers, and its words
_LEAST = 100  # lines that an index counts for at least, so that there are never too many of them


@dataclass(slots=True)
class PersonIndex:
    """One person's episodes and notes, and what was learned of the person. All vectors here are `embedder`'s: questions are asked by it."""

    embedder: Embedder
    episodes: LineIndex
    notes: LineIndex
    learned: LearnedProfile

    def __len__(self) -> int:
        return len(self.episodes) + len(self.notes)

    def usable_vector(self, embedded: MemoryVector) -> NDArray[np.float32] | None:
        """Return the vector as the index takes it; None where another embedder made it: such are never compared."""
        return _usable_vector(embedded, self.embedder)


class PersonIndexCache:
    """Indexes by (tenant, person); those not used for longest are evicted beyond `most_lines` lines."""

    def __init__(self, store: MemoryStore, embedder: Embedder, terms: TermAnalyser, most_lines: int = _LINES) -> None:
        self._store, self._embedder, self._terms, self._most = store, embedder, terms, most_lines
        self._indexes: OrderedDict[tuple[str, str], PersonIndex] = OrderedDict()
        self._locks: WeakValueDictionary[tuple[str, str], asyncio.Lock] = WeakValueDictionary()
        self.tell_changed: Callable[[str, str], None] = lambda tenant, user_id: None  # the other servers of the library have indexes, too

    @property
    def embedder(self) -> Embedder:
        """The embedder of the indexes that are read from now on."""
        return self._embedder

    def exchange_embedder(self, embedder: Embedder) -> None:
        """Read every index again with this embedder's vectors.

        A caller that already holds an index goes on with that one and its own embedder (see `wait_for_changes`).
        """
        self._embedder = embedder
        self._indexes.clear()

    async def wait_for_changes(self) -> None:
        """Wait until every change that is under way now is stored: none of them needs an earlier embedder any more."""
        for lock in list(self._locks.values()):
            async with lock:
                pass

    def lock(self, tenant: str, user_id: str) -> asyncio.Lock:
        """Return the lock of everything that changes the person's memory, so that the index and the store never differ."""
        key = _key(tenant, user_id)
        lock = self._locks.get(key)
        if lock is None:
            lock = self._locks[key] = asyncio.Lock()
        return lock

    async def get(self, tenant: str, user_id: str) -> PersonIndex:
        """Return the person's index, to read only."""
        if _key(tenant, user_id) in self._indexes:
            return await self.get_locked(tenant, user_id)
        async with self.lock(tenant, user_id):
            return await self.get_locked(tenant, user_id)

    async def get_locked(self, tenant: str, user_id: str) -> PersonIndex:
        """Return the person's index; the caller holds the person's lock."""
        key = _key(tenant, user_id)
        index = self._indexes.get(key)
        while index is None:
            read = await self._load_index(tenant, user_id)
            if read.embedder is self._embedder:  # else it was exchanged meanwhile
                index = self._indexes[key] = read
        self._indexes.move_to_end(key)
        self._evict(key)
        return index

    def invalidate(self, tenant: str, user_id: str) -> None:
        """Read the person's rows again when they are next needed."""
        self._indexes.pop(_key(tenant, user_id), None)

    async def _load_index(self, tenant: str, user_id: str) -> PersonIndex:
        memory, embedder = await self._store.person(tenant, user_id), self._embedder

        def made() -> PersonIndex:
            episodes, notes = (LineIndex(embedder.dimension, self._terms, scale=embedder.scale) for _ in range(2))
            index = PersonIndex(embedder, episodes, notes, memory.learned)
            for kept in memory.episodes:
                index.episodes.put_line(episode_line(kept.episode), index.usable_vector(kept.memory_vector))
            for note in memory.notes:
                index.notes.put_line(note_line(note.note), index.usable_vector(note.memory_vector))
            return index

        return await anyio.to_thread.run_sync(made)  # half a second for 10,000 episodes

    def usable_vector(self, embedded: MemoryVector) -> NDArray[np.float32] | None:
        """Return the vector as an index has it, of the present embedder."""
        return _usable_vector(embedded, self._embedder)

    def _evict(self, kept: tuple[str, str]) -> None:
        held = sum(max(_LEAST, len(index)) for index in self._indexes.values())
        while held > self._most and len(self._indexes) > 1:
            key = next(iter(self._indexes))
            if key == kept:
                return
            held -= max(_LEAST, len(self._indexes.pop(key)))


def _usable_vector(embedded: MemoryVector, embedder: Embedder) -> NDArray[np.float32] | None:
    if embedded.embedder != embedder.name or embedded.vector.shape != (embedder.dimension,):
        return None
    return embedded.vector.astype(np.float32)


def _key(tenant: str, user_id: str) -> tuple[str, str]:
    return stored_name(tenant), stored_name(user_id)


def note_line(note: Note) -> MemoryLine:
    """Return a note by itself: its words, what it is about and its keywords."""
    return MemoryLine(note.id, f"note {note.id}", f"{note.content} {note.context} {' '.join(note.keywords)}", note.updated_at)
