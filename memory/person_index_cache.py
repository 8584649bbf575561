"""The searchable memories of the people that were active last, read from the store when they are first needed."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
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
_LEAST = 100  # lines that a shelf counts for at least, so that there are never too many of them


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
    """Shelves by (tenant, person); those not used for longest are put away beyond `most_lines`."""

    def __init__(self, store: MemoryStore, embedder: Embedder, terms: TermAnalyser, most_lines: int = _LINES) -> None:
        self._store, self._embedder, self._terms, self._most = store, embedder, terms, most_lines
        self._shelves: OrderedDict[tuple[str, str], PersonIndex] = OrderedDict()
        self._locks: WeakValueDictionary[tuple[str, str], asyncio.Lock] = WeakValueDictionary()

    @property
    def embedder(self) -> Embedder:
        """The embedder of the indexes that are read from now on."""
        return self._embedder

    def exchange_embedder(self, embedder: Embedder) -> None:
        """Read every shelf again with this embedder's vectors.

        Who has a shelf in hand goes on with it, by its own embedder (see `wait_for_changes`).
        """
        self._embedder = embedder
        self._shelves.clear()

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
        if _key(tenant, user_id) in self._shelves:
            return await self.get_locked(tenant, user_id)
        async with self.lock(tenant, user_id):
            return await self.get_locked(tenant, user_id)

    async def get_locked(self, tenant: str, user_id: str) -> PersonIndex:
        """Return the person's index; the caller holds the person's lock."""
        key = _key(tenant, user_id)
        shelf = self._shelves.get(key)
        while shelf is None:
            read = await self._load_index(tenant, user_id)
            if read.embedder is self._embedder:  # else it was exchanged meanwhile
                shelf = self._shelves[key] = read
        self._shelves.move_to_end(key)
        self._evict(key)
        return shelf

    def invalidate(self, tenant: str, user_id: str) -> None:
        """Read the person's rows again when they are next needed."""
        self._shelves.pop(_key(tenant, user_id), None)

    async def _load_index(self, tenant: str, user_id: str) -> PersonIndex:
        memory, embedder = await self._store.person(tenant, user_id), self._embedder

        def made() -> PersonIndex:
            episodes, notes = (LineIndex(embedder.dimension, self._terms, scale=embedder.scale) for _ in range(2))
            shelf = PersonIndex(embedder, episodes, notes, memory.learned)
            for kept in memory.episodes:
                shelf.episodes.put_line(episode_line(kept.episode), shelf.usable_vector(kept.memory_vector))
            for note in memory.notes:
                shelf.notes.put_line(note_line(note.note), shelf.usable_vector(note.memory_vector))
            return shelf

        return await anyio.to_thread.run_sync(made)  # half a second for 10,000 episodes

    def usable_vector(self, embedded: MemoryVector) -> NDArray[np.float32] | None:
        """Return the vector as an index has it, of the present embedder."""
        return _usable_vector(embedded, self._embedder)

    def _evict(self, kept: tuple[str, str]) -> None:
        held = sum(max(_LEAST, len(shelf)) for shelf in self._shelves.values())
        while held > self._most and len(self._shelves) > 1:
            key = next(iter(self._shelves))
            if key == kept:
                return
            held -= max(_LEAST, len(self._shelves.pop(key)))


def _usable_vector(embedded: MemoryVector, embedder: Embedder) -> NDArray[np.float32] | None:
    if embedded.embedder != embedder.name or embedded.vector.shape != (embedder.dimension,):
        return None
    return embedded.vector.astype(np.float32)


def _key(tenant: str, user_id: str) -> tuple[str, str]:
    return stored_name(tenant), stored_name(user_id)


def note_line(note: Note) -> MemoryLine:
    """Return a note by itself: its words, what it is about and its keywords."""
    return MemoryLine(note.id, f"note {note.id}", f"{note.content} {note.context} {' '.join(note.keywords)}", note.updated_at)
