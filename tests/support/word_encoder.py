"""A sentence encoder that needs no model: a word has a direction of its own, a meaning that a test gives it, or one near another word's."""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from core.errors import Unavailable
from core.ports import REFERENCE_SCALE, EncodedPassages

DIMENSION = 128


def word_direction(word: str) -> NDArray[np.float32]:
    """A unit vector that is nearly at right angles to that of any other word."""
    seed = int.from_bytes(hashlib.blake2b(word.encode("utf-8", "replace"), digest_size=8).digest(), "big")
    return unit_vector(np.random.default_rng(seed).standard_normal(DIMENSION).astype(np.float32))


def leaning_direction(word: str, to: str, cosine: float) -> NDArray[np.float32]:
    """A unit vector of `word` that has exactly this cosine with the direction of `to`."""
    towards, own = word_direction(to), word_direction(word)
    return cosine * towards + np.float32((1 - cosine**2) ** 0.5) * unit_vector(own - (own @ towards) * towards)


def unit_vector(vector: NDArray[np.float32]) -> NDArray[np.float32]:
    made: NDArray[np.float32] = vector / np.linalg.norm(vector)
    return made


class WordEncoder:
    """Implements `core.ports.PieceEncoder`: a text is the sum of its words, as they are written, each by `meanings` (word -> another word, or a
    vector) or by its own direction. `passages` lists what was encoded, `calls` how many texts each time; it works while it may `go`, and not once
    it is `closed`. `spoilt`: it fails with that sentence."""

    scale = REFERENCE_SCALE
    dimension = DIMENSION

    def __init__(self, meanings: Mapping[str, str | NDArray[np.float32]] | None = None, name: str = "words/1") -> None:
        self.meanings, self.name = dict(meanings or {}), name
        self.passages: list[str] = []
        self.calls: list[int] = []
        self.closed, self.spoilt = False, ""
        self.go = asyncio.Event()
        self.go.set()
        self.before: Callable[[Sequence[str]], None] = lambda _: None

    def vector(self, text: str) -> NDArray[np.float32]:
        words = re.findall(r"\w+", text) or [""]
        return unit_vector(np.sum([self._word(word) for word in words], axis=0))

    def _word(self, word: str) -> NDArray[np.float32]:
        meant = self.meanings.get(word, word)
        return word_direction(meant) if isinstance(meant, str) else meant

    def pieces(self, text: str) -> list[str]:
        """Words that have a meaning, the longest first; any other character by itself."""
        known = sorted(self.meanings, key=len, reverse=True)
        return re.findall("|".join([*map(re.escape, known), r"\S"]), text)

    async def embed_query(self, text: str) -> NDArray[np.float32]:
        self._check()
        return self.vector(text)

    async def embed_passages(self, texts: Sequence[str]) -> EncodedPassages:
        self.before(texts)
        await self.go.wait()
        self._check()
        self.passages += texts
        self.calls.append(len(texts))
        return EncodedPassages(np.stack([self.vector(text) for text in texts]) if texts else np.empty((0, DIMENSION), np.float32))

    def _check(self) -> None:
        if self.closed or self.spoilt:
            raise Unavailable(self.spoilt or "The encoder is closed.")

    async def close(self) -> None:
        self.closed = True
