"""`MemoryReembedding`: while memories are searched by the old embedding model, each gets a vector of the new one, in the background."""

from __future__ import annotations

import time
from collections.abc import Iterator

import anyio
import numpy as np

from core.memory import Episode
from core.ports import Embedder, MemoryStore, PersonMemory
from core.ports.reembedding import PendingMemoryVectors, UnfilledMemory
from memory.episodic import episode_line, group_of, text_to_embed
from memory.memory_writer import MAX_PASSAGE_CHARACTERS
from memory.notes import embedding_text

_PEOPLE = 16  # looked up at a time
_SLICE = 8  # memories in one call of the model: a question waits for no more than that


class MemoryReembedding:
    """Work that fills the vectors of `embedder`. Interrupted, it goes on where it was; a memory that changes is filled again."""

    def __init__(self, memory: MemoryStore, store: PendingMemoryVectors, embedder: Embedder) -> None:
        self._memory, self._store, self._embedder = memory, store, embedder

    async def fill_vectors(self, rest: float) -> int:
        """Fill the memories of some people; returns of how many, 0 when all have the new vectors. `rest` of the time that a call of the model took is
        left to others."""
        people = await self._store.people(self._embedder.name, _PEOPLE)
        for tenant, user_id in people:
            done = await self._store.list_filled(tenant, user_id, self._embedder.name)
            waiting = [
                each
                for each in memories_without_vector(await self._memory.person(tenant, user_id), self._embedder.name)
                if (each.kind, each.id) not in done
            ]
            for start in range(0, len(waiting), _SLICE):
                began, some = time.monotonic(), waiting[start : start + _SLICE]
                encoded = await self._embedder.embed_passages([each.text[:MAX_PASSAGE_CHARACTERS] for each in some])
                await self._store.store_vectors(
                    (tenant, user_id), self._embedder.name, list(zip(some, encoded.vectors.astype(np.float16), strict=True))
                )
                await anyio.sleep(rest * (time.monotonic() - began))
        return len(people)


def memories_without_vector(memory: PersonMemory, embedder: str) -> Iterator[UnfilledMemory]:
    """Yield the person's memories without a vector of this embedder, each with what memory embeds of it: of an episode the question before it,
    too.
    """
    last: dict[str, Episode] = {}
    for kept in memory.episodes:  # in the order of time
        episode = kept.episode
        before = last.get(group_of(episode))
        last[group_of(episode)] = episode
        if kept.memory_vector.embedder != embedder:
            text = text_to_embed(episode_line(episode), episode_line(before) if before is not None else None)
            yield UnfilledMemory("episode", episode.episode_id, (episode.query, episode.response), text)
    for row in memory.notes:
        if row.memory_vector.embedder != embedder:
            note = row.note
            yield UnfilledMemory("note", note.id, (note.content, note.context), embedding_text(note.content, note.context))
