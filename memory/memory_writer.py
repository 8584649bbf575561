"""The one way to change a person's memory: what is new is embedded, the store takes it, then the index."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from core.memory import Note
from core.ports import Embedder, MemoryChange, MemoryStore, MemoryVector, StoredEpisode, StoredNote
from memory.consolidation import NoteVectors
from memory.deletion import STALE_VECTOR
from memory.episodic import episode_line, text_to_embed
from memory.line_index import TermAnalyser
from memory.notes import NeighbourNote, NoteDraft, NoteOptions, embedding_text, settle_draft
from memory.person_index_cache import PersonIndex, PersonIndexCache, note_line

EMBED_AT_ONCE = 256  # rows that one change embeds; the others keep their words and get a vector when memory is consolidated
_AT_ONCE = 8  # texts of one call of the embedder
_NEAR = 20
MAX_PASSAGE_CHARACTERS = 2000  # characters: more than an embedder's window takes


class MemoryWriter:
    """Changes of a person's memory. The caller of any method holds the person's lock (`PersonIndexCache.lock`)."""

    def __init__(self, store: MemoryStore, index_cache: PersonIndexCache, terms: TermAnalyser) -> None:
        self._store, self._index_cache, self._terms = store, index_cache, terms

    @property
    def embedder_name(self) -> str:
        """The name that current vectors bear."""
        return self._index_cache.embedder.name

    def note_vectors(self, notes: Sequence[StoredNote]) -> NoteVectors:
        """Return the notes' vectors of this embedder; zeros where a note has none of it."""
        found = np.zeros((len(notes), self._index_cache.embedder.dimension), np.float32)
        for row, kept in enumerate(notes):
            vector = self._index_cache.usable_vector(kept.memory_vector)
            if vector is not None:
                found[row] = vector
        return NoteVectors(found, self._index_cache.embedder.scale)

    async def apply_change(self, tenant: str, user_id: str, change: MemoryChange) -> None:
        """Embed what has a STALE_VECTOR, store it all, and index it. Where that fails the index is read again from the store."""
        if change == MemoryChange():
            return
        index = await self._index_cache.get_locked(tenant, user_id)
        try:
            index.episodes.remove_lines(change.gone_episodes)
            index.notes.remove_lines(change.gone_notes)
            for kept in change.episodes:
                index.episodes.put_line(episode_line(kept.episode), index.usable_vector(kept.memory_vector))
            episodes = await self._embed_stale_episodes(index, change.episodes)
            notes = await self._embed_stale_notes(index.embedder, change.notes)
            embedded = replace(change, episodes=episodes, notes=notes)
            await self._store.apply_change(tenant, user_id, embedded)
            self._update_index(index, embedded)
            self._index_cache.tell_changed(tenant, user_id)
        except BaseException:  # cancelled, or the store is full: what the index holds must be what is stored
            self._index_cache.invalidate(tenant, user_id)
            raise

    async def settle_draft(self, tenant: str, draft: NoteDraft, options: NoteOptions, now: datetime) -> tuple[list[StoredNote], str]:
        """Return the notes that a draft makes or changes, with their vectors, and the words for it. Nothing is stored yet."""
        index = await self._index_cache.get_locked(tenant, draft.user_id)
        vector = (await _embed_texts(index.embedder, [embedding_text(draft.content, draft.context)]))[0]
        near = dict(index.notes.nearest_lines(vector, _NEAR))
        known = await self._store.notes(tenant, draft.user_id, list(near))
        neighbours = [NeighbourNote(known[each], cosine) for each, cosine in near.items() if each in known]
        settled = settle_draft(draft, neighbours, self._terms, options, now)
        return [StoredNote(note, self._note_vector(note, draft, vector, index)) for note in settled.notes], settled.message

    async def embed_notes(self, notes: Sequence[StoredNote]) -> list[StoredNote]:
        """Return the notes, each STALE_VECTOR replaced by a new one."""
        return await self._embed_stale_notes(self._index_cache.embedder, notes)

    async def _embed_stale_notes(self, embedder: Embedder, notes: Sequence[StoredNote]) -> list[StoredNote]:
        stale = [place for place, kept in enumerate(notes) if kept.memory_vector is STALE_VECTOR][:EMBED_AT_ONCE]
        vectors = await _embed_texts(embedder, [embedding_text(notes[place].note.content, notes[place].note.context) for place in stale])
        found = list(notes)
        for place, vector in zip(stale, vectors, strict=True):
            found[place] = replace(notes[place], memory_vector=_memory_vector(embedder, vector))
        return found

    async def _embed_stale_episodes(self, index: PersonIndex, episodes: Sequence[StoredEpisode]) -> list[StoredEpisode]:
        stale = [place for place, kept in enumerate(episodes) if kept.memory_vector is STALE_VECTOR][:EMBED_AT_ONCE]
        lines = [episode_line(episodes[place].episode) for place in stale]
        vectors = await _embed_texts(index.embedder, [text_to_embed(line, index.episodes.previous_line(line)) for line in lines])
        found = list(episodes)
        for place, vector in zip(stale, vectors, strict=True):
            found[place] = replace(episodes[place], memory_vector=_memory_vector(index.embedder, vector))
        return found

    def _note_vector(self, note: Note, draft: NoteDraft, vector: NDArray[np.float32], index: PersonIndex) -> MemoryVector:
        """Return the draft's own vector, the one that the index has, or none yet."""
        if (note.content, note.context) == (draft.content, draft.context):
            return _memory_vector(index.embedder, vector)
        known = index.notes.vector(note.id)
        return STALE_VECTOR if known is None or not known.any() else _memory_vector(index.embedder, known)

    def _update_index(self, index: PersonIndex, change: MemoryChange) -> None:
        if change.learned is not None:
            index.learned = change.learned
        for episode in change.episodes:
            index.episodes.put_line(episode_line(episode.episode), index.usable_vector(episode.memory_vector))
        for note in change.notes:
            index.notes.put_line(note_line(note.note), index.usable_vector(note.memory_vector))


async def _embed_texts(embedder: Embedder, texts: Sequence[str]) -> NDArray[np.float32]:
    """Embed the texts a handful at a time, as questions are: for many at once an embedder opens a second network, of 100 MB, which a server whose
    workers do the indexing needs for nothing else."""
    cut = [text[:MAX_PASSAGE_CHARACTERS] for text in texts]
    parts = [(await embedder.embed_passages(cut[start : start + _AT_ONCE])).vectors for start in range(0, len(cut), _AT_ONCE)]
    return np.concatenate(parts) if parts else np.zeros((0, embedder.dimension), np.float32)


def _memory_vector(embedder: Embedder, vector: NDArray[np.float32]) -> MemoryVector:
    return MemoryVector(embedder.name, vector.astype(np.float16))
