"""Unit vectors of an answer's candidate units, encoded on the fly and remembered."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from core.ports import SentenceEncoder, SimilarityScale

if TYPE_CHECKING:
    from numpy.typing import NDArray

_BATCH_SIZE = 8  # an embedder serves a handful before the windows of an indexing run


class UnitVectors:
    """Vectors by text with a least-recently-used memory of `capacity` texts (float16: 768 bytes each at 384 dimensions)."""

    def __init__(self, embedder: SentenceEncoder, capacity: int = 20_000) -> None:
        self._embedder = embedder
        self._capacity = capacity
        self._known: OrderedDict[str, NDArray[np.float16]] = OrderedDict()

    @property
    def scale(self) -> SimilarityScale:
        """The scale of the cosines of these vectors."""
        return self._embedder.scale

    async def encode_question(self, text: str) -> NDArray[np.float32]:
        """Return the question as a unit vector [dimension]."""
        return await self._embedder.embed_query(text)

    async def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return unit rows [len(texts), dimension]; only texts that are not remembered are encoded, each once."""
        found = {text: self._known[text] for text in texts if text in self._known}
        missing = sorted({text for text in texts if text not in found}, key=lambda text: (len(text), text))  # alike lengths need little padding
        for start in range(0, len(missing), _BATCH_SIZE):
            group = missing[start : start + _BATCH_SIZE]
            encoded = await self._embedder.embed_passages(group)
            found.update(zip(group, encoded.vectors.astype(np.float16), strict=True))
        self._remember(found)
        rows = [found[text] for text in texts]
        return np.stack(rows).astype(np.float32) if rows else np.zeros((0, self._embedder.dimension), np.float32)

    def _remember(self, found: dict[str, NDArray[np.float16]]) -> None:
        for text, vector in found.items():
            self._known[text] = vector
            self._known.move_to_end(text)
        while len(self._known) > self._capacity:
            self._known.popitem(last=False)
