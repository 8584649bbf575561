"""`VectorFilling`: while searches use the vectors of the old embedding model, every document gets those of the new one, in the background."""

from __future__ import annotations

import asyncio
import logging
import time

import anyio
import numpy as np

from core.errors import VantageError
from core.ports import Embedder
from core.ports.refilling import NextVectors

_log = logging.getLogger(__name__)
_BATCH = 16  # documents looked up at a time
_SLICE = 8  # passages in one call of the model: a question waits for no more than that
_REST = 0.5  # of the time that a call took is left to others
_LOOK = 5.0  # seconds after which a complete library is looked at again: files keep coming
_RETRY = 30.0


class VectorFilling:
    """Fills with the vectors of `embedder` what has those of the model named `old`. Interrupted, it goes on where it was; a document that
    changes is filled again. `start` it in the running event loop and `close` it at the end."""

    def __init__(self, store: NextVectors, old: str, embedder: Embedder) -> None:
        self._store, self._old, self._embedder = store, old, embedder
        self._task: asyncio.Task[None] | None = None

    @property
    def name(self) -> str:
        """The new model's."""
        return self._embedder.name

    async def counts(self) -> tuple[int, int]:
        """(documents filled, documents in all)."""
        return await self._store.counts(self._old, self.name)

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name="vector-filling")

    async def close(self) -> None:
        """Stop within a call of the model, and close the model."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._embedder.close()

    async def _run(self) -> None:
        while True:
            try:
                await anyio.sleep(0 if await self.fill() else _LOOK)
            except VantageError as error:
                _log.warning("The vectors of %s could not be filled: %s It is tried again.", self.name, error)
                await anyio.sleep(_RETRY)

    async def fill(self) -> int:
        """Fill some documents; returns how many, 0 when all have the new vectors."""
        waiting = await self._store.unfilled(self._old, self.name, _BATCH)
        for document in waiting:
            texts = await self._store.texts(document)
            made = np.empty((len(texts), self._embedder.dimension), np.float16)
            for start in range(0, len(texts), _SLICE):
                began = time.monotonic()
                encoded = await self._embedder.embed_passages(texts[start : start + _SLICE])
                made[start : start + _SLICE] = encoded.vectors
                await anyio.sleep(_REST * (time.monotonic() - began))
            await self._store.put(document, self.name, made)
        return len(waiting)
