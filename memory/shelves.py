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
from core.ports import Embedded, Embedder, Learned, MemoryStore
from memory.episodic import line_of
from memory.search import Line, LineIndex, Terms
from memory.sessions import stored_name

_LINES = 100_000  # kept in memory over all people: 1.5 kB a line of 384 numbers, and its words
_LEAST = 100  # lines that a shelf counts for at least, so that there are never too many of them


@dataclass(slots=True)
class Shelf:
    """One person's episodes and notes, and what was learned of the person. All vectors here are `embedder`'s: questions are asked by it."""

    embedder: Embedder
    episodes: LineIndex
    notes: LineIndex
    learned: Learned

    def __len__(self) -> int:
        return len(self.episodes) + len(self.notes)

    def vector(self, embedded: Embedded) -> NDArray[np.float32] | None:
        """The vector as the index takes it; None where another embedder made it: such are never compared."""
        return _vector(embedded, self.embedder)


class Shelves:
    """Shelves by (tenant, person); those not used for longest are put away beyond `most_lines`."""

    def __init__(self, store: MemoryStore, embedder: Embedder, terms: Terms, most_lines: int = _LINES) -> None:
        self._store, self._embedder, self._terms, self._most = store, embedder, terms, most_lines
        self._shelves: OrderedDict[tuple[str, str], Shelf] = OrderedDict()
        self._locks: WeakValueDictionary[tuple[str, str], asyncio.Lock] = WeakValueDictionary()

    @property
    def embedder(self) -> Embedder:
        """That of the shelves that are read from now on."""
        return self._embedder

    def exchange(self, embedder: Embedder) -> None:
        """Read every shelf again with this embedder's vectors. Who has a shelf in hand goes on with it, by its own embedder (see `settled`)."""
        self._embedder = embedder
        self._shelves.clear()

    async def settled(self) -> None:
        """Wait until every change that is under way now is stored: none of them needs an earlier embedder any more."""
        for lock in list(self._locks.values()):
            async with lock:
                pass

    def lock(self, tenant: str, user_id: str) -> asyncio.Lock:
        """Held by whoever changes the person's memory, so that the shelf and the store never differ."""
        key = _key(tenant, user_id)
        lock = self._locks.get(key)
        if lock is None:
            lock = self._locks[key] = asyncio.Lock()
        return lock

    async def of(self, tenant: str, user_id: str) -> Shelf:
        """For whoever only reads."""
        if _key(tenant, user_id) in self._shelves:
            return await self.held(tenant, user_id)
        async with self.lock(tenant, user_id):
            return await self.held(tenant, user_id)

    async def held(self, tenant: str, user_id: str) -> Shelf:
        """For whoever holds the person's lock."""
        key = _key(tenant, user_id)
        shelf = self._shelves.get(key)
        while shelf is None:
            read = await self._read(tenant, user_id)
            if read.embedder is self._embedder:  # else it was exchanged meanwhile
                shelf = self._shelves[key] = read
        self._shelves.move_to_end(key)
        self._put_away(key)
        return shelf

    def drop(self, tenant: str, user_id: str) -> None:
        """Read the person's rows again when they are next needed."""
        self._shelves.pop(_key(tenant, user_id), None)

    async def _read(self, tenant: str, user_id: str) -> Shelf:
        memory, embedder = await self._store.person(tenant, user_id), self._embedder

        def made() -> Shelf:
            episodes, notes = (LineIndex(embedder.dimension, self._terms, scale=embedder.scale) for _ in range(2))
            shelf = Shelf(embedder, episodes, notes, memory.learned)
            for kept in memory.episodes:
                shelf.episodes.put(line_of(kept.episode), shelf.vector(kept.embedded))
            for note in memory.notes:
                shelf.notes.put(note_line(note.note), shelf.vector(note.embedded))
            return shelf

        return await anyio.to_thread.run_sync(made)  # half a second for 10,000 episodes

    def vector(self, embedded: Embedded) -> NDArray[np.float32] | None:
        """As a shelf's, of the present embedder."""
        return _vector(embedded, self._embedder)

    def _put_away(self, kept: tuple[str, str]) -> None:
        held = sum(max(_LEAST, len(shelf)) for shelf in self._shelves.values())
        while held > self._most and len(self._shelves) > 1:
            key = next(iter(self._shelves))
            if key == kept:
                return
            held -= max(_LEAST, len(self._shelves.pop(key)))


def _vector(embedded: Embedded, embedder: Embedder) -> NDArray[np.float32] | None:
    if embedded.embedder != embedder.name or embedded.vector.shape != (embedder.dimension,):
        return None
    return embedded.vector.astype(np.float32)


def _key(tenant: str, user_id: str) -> tuple[str, str]:
    return stored_name(tenant), stored_name(user_id)


def note_line(note: Note) -> Line:
    """A note by itself: its words, what it is about and its keywords."""
    return Line(note.id, f"note {note.id}", f"{note.content} {note.context} {' '.join(note.keywords)}", note.updated_at)
