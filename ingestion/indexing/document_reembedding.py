"""Makes vectors of another embedding model for every document, in the background, while searches go on."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any

import anyio
import numpy as np

from core.ports import EncodedPassages, TokenStore
from core.ports.reembedding import DocumentVectorStore, UnfilledDocument

if TYPE_CHECKING:
    from numpy.typing import NDArray

BATCH = 16  # documents looked up at a time
_SLICE = 8  # passages in one call of the model: a question waits for no more than that

Embed = Callable[[Sequence[str]], Awaitable[EncodedPassages]]
OnVectorsStored = Callable[[UnfilledDocument, "NDArray[np.float16]"], Awaitable[Any]]


class DocumentReembedding:
    """Fills `store` by `embed`, and `tokens` with token vectors; `shown` is called with each document that was stored.

    Interrupted, it goes on where it was; a document that changes is filled again.
    """

    def __init__(
        self, store: DocumentVectorStore, embed: Embed, dimension: int, tokens: TokenStore | None = None, shown: OnVectorsStored | None = None
    ) -> None:
        self._store, self._embed, self._dimension, self._tokens, self._shown = store, embed, dimension, tokens, shown

    async def counts(self) -> tuple[int, int]:
        """Return (documents filled, documents in all)."""
        return await self._store.counts()

    async def fill(self, rest: float) -> int:
        """Fill some documents and return how many, 0 when all have vectors. After each call of the model it rests for `rest` times as long."""
        waiting = await self._store.list_unfilled(BATCH)
        for document in waiting:
            await self._fill(document, rest)
        return len(waiting)

    async def _fill(self, document: UnfilledDocument, rest: float) -> None:
        texts = await self._store.texts(document)
        made = np.empty((len(texts), self._dimension), np.float16)
        for start in range(0, len(texts), _SLICE):
            began, some = time.monotonic(), texts[start : start + _SLICE]
            encoded = await self._embed([text for _, text in some])
            made[start : start + _SLICE] = encoded.vectors
            if self._tokens is not None:
                await self._tokens.put([(number, tokens) for (number, _), tokens in zip(some, encoded.tokens, strict=False)])
            await anyio.sleep(rest * (time.monotonic() - began))
        if await self._store.store_vectors(document, made) and self._shown is not None:
            await self._shown(document, made)
