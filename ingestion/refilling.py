"""`VectorFilling`: while searches use the vectors of the old embedding model, every document gets those of the new one, in the background."""

from __future__ import annotations

import time

import anyio
import numpy as np

from core.ports import Embedder, TokenStore
from core.ports.refilling import NextVectors, Unfilled

BATCH = 16  # documents looked up at a time
_SLICE = 8  # passages in one call of the model: a question waits for no more than that


class VectorFilling:
    """Fills with the vectors of `embedder` what has those of the model named `old`, and `tokens` with its token vectors. Interrupted, it goes on
    where it was; a document that changes is filled again."""

    def __init__(self, store: NextVectors, old: str, embedder: Embedder, tokens: TokenStore | None = None) -> None:
        self._store, self._old, self._embedder, self._tokens = store, old, embedder, tokens

    async def counts(self) -> tuple[int, int]:
        """(documents filled, documents in all)."""
        return await self._store.counts(self._old, self._embedder.name)

    async def fill(self, rest: float) -> int:
        """Fill some documents; returns how many, 0 when all have the new vectors. `rest` of the time that a call took is left to others."""
        waiting = await self._store.unfilled(self._old, self._embedder.name, BATCH)
        for document in waiting:
            await self._fill(document, rest)
        return len(waiting)

    async def _fill(self, document: Unfilled, rest: float) -> None:
        texts = await self._store.texts(document)
        made = np.empty((len(texts), self._embedder.dimension), np.float16)
        for start in range(0, len(texts), _SLICE):
            began, some = time.monotonic(), texts[start : start + _SLICE]
            encoded = await self._embedder.embed_passages([text for _, text in some], with_tokens=self._tokens is not None)
            made[start : start + _SLICE] = encoded.vectors
            if self._tokens is not None:
                await self._tokens.put([(number, tokens) for (number, _), tokens in zip(some, encoded.tokens, strict=False)])
            await anyio.sleep(rest * (time.monotonic() - began))
        await self._store.put(document, self._embedder.name, made)
