"""The one way to change a person's memory: what is new is embedded, the store takes it, then the shelf shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from core.memory import Note
from core.ports import Embedded, Embedder, KeptEpisode, KeptNote, MemoryChange, MemoryStore
from memory.consolidation import NoteVectors
from memory.episodic import line_of, text_to_embed
from memory.forgetting import STALE
from memory.notes import Draft, Neighbour, NoteOptions, embedding_text, settle
from memory.search import Terms
from memory.shelves import Shelf, Shelves, note_line

EMBED_AT_ONCE = 256  # rows that one change embeds; the others keep their words and get a vector when memory is consolidated
_NEAR = 20
PASSAGE = 2000  # characters: more than an embedder's window takes


class Keeper:
    """Changes of a person's memory. Every method asks that the caller holds the person's lock (`Shelves.lock`)."""

    def __init__(self, store: MemoryStore, shelves: Shelves, terms: Terms) -> None:
        self._store, self._shelves, self._terms = store, shelves, terms

    @property
    def embedder(self) -> str:
        """The name that current vectors bear."""
        return self._shelves.embedder.name

    def vectors(self, notes: Sequence[KeptNote]) -> NoteVectors:
        """Of this embedder; zeros where a note has none of it."""
        found = np.zeros((len(notes), self._shelves.embedder.dimension), np.float32)
        for row, kept in enumerate(notes):
            vector = self._shelves.vector(kept.embedded)
            if vector is not None:
                found[row] = vector
        return NoteVectors(found, self._shelves.embedder.scale)

    async def apply(self, tenant: str, user_id: str, change: MemoryChange) -> None:
        """Embed what is STALE, store it all, and show it. Where that fails the shelf is read again from the store."""
        if change == MemoryChange():
            return
        shelf = await self._shelves.held(tenant, user_id)
        try:
            shelf.episodes.remove(change.gone_episodes)
            shelf.notes.remove(change.gone_notes)
            for kept in change.episodes:
                shelf.episodes.put(line_of(kept.episode), shelf.vector(kept.embedded))
            episodes = await self._embedded_episodes(shelf, change.episodes)
            notes = await self._embedded_notes(shelf.embedder, change.notes)
            embedded = replace(change, episodes=episodes, notes=notes)
            await self._store.apply(tenant, user_id, embedded)
            self._show(shelf, embedded)
        except BaseException:  # cancelled, or the store is full: what the shelf shows must be what is stored
            self._shelves.drop(tenant, user_id)
            raise

    async def settle(self, tenant: str, draft: Draft, options: NoteOptions, now: datetime) -> tuple[list[KeptNote], str]:
        """The notes that a draft makes or changes, with their vectors, and the words for it. Nothing is stored yet."""
        shelf = await self._shelves.held(tenant, draft.user_id)
        vector = (await _embed(shelf.embedder, [embedding_text(draft.content, draft.context)]))[0]
        near = dict(shelf.notes.similar(vector, _NEAR))
        known = await self._store.notes(tenant, draft.user_id, list(near))
        neighbours = [Neighbour(known[each], cosine) for each, cosine in near.items() if each in known]
        settled = settle(draft, neighbours, self._terms, options, now)
        return [KeptNote(note, self._vector_of(note, draft, vector, shelf)) for note in settled.notes], settled.told

    async def embedded_notes(self, notes: Sequence[KeptNote]) -> list[KeptNote]:
        """The notes, each STALE vector made."""
        return await self._embedded_notes(self._shelves.embedder, notes)

    async def _embedded_notes(self, embedder: Embedder, notes: Sequence[KeptNote]) -> list[KeptNote]:
        stale = [place for place, kept in enumerate(notes) if kept.embedded is STALE][:EMBED_AT_ONCE]
        vectors = await _embed(embedder, [embedding_text(notes[place].note.content, notes[place].note.context) for place in stale])
        found = list(notes)
        for place, vector in zip(stale, vectors, strict=True):
            found[place] = replace(notes[place], embedded=_named(embedder, vector))
        return found

    async def _embedded_episodes(self, shelf: Shelf, episodes: Sequence[KeptEpisode]) -> list[KeptEpisode]:
        stale = [place for place, kept in enumerate(episodes) if kept.embedded is STALE][:EMBED_AT_ONCE]
        lines = [line_of(episodes[place].episode) for place in stale]
        vectors = await _embed(shelf.embedder, [text_to_embed(line, shelf.episodes.previous(line)) for line in lines])
        found = list(episodes)
        for place, vector in zip(stale, vectors, strict=True):
            found[place] = replace(episodes[place], embedded=_named(shelf.embedder, vector))
        return found

    def _vector_of(self, note: Note, draft: Draft, vector: NDArray[np.float32], shelf: Shelf) -> Embedded:
        """The draft's own, what the shelf has, or none yet."""
        if (note.content, note.context) == (draft.content, draft.context):
            return _named(shelf.embedder, vector)
        known = shelf.notes.vector(note.id)
        return STALE if known is None or not known.any() else _named(shelf.embedder, known)

    def _show(self, shelf: Shelf, change: MemoryChange) -> None:
        if change.learned is not None:
            shelf.learned = change.learned
        for episode in change.episodes:
            shelf.episodes.put(line_of(episode.episode), shelf.vector(episode.embedded))
        for note in change.notes:
            shelf.notes.put(note_line(note.note), shelf.vector(note.embedded))


async def _embed(embedder: Embedder, texts: Sequence[str]) -> NDArray[np.float32]:
    return (await embedder.embed_passages([text[:PASSAGE] for text in texts])).vectors


def _named(embedder: Embedder, vector: NDArray[np.float32]) -> Embedded:
    return Embedded(embedder.name, vector.astype(np.float16))
