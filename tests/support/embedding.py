"""The real embedder, once per process (compiling it for each test would cost more than the tests), and one that needs no model."""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Sequence
from functools import lru_cache

import anyio
import anyio.lowlevel
import numpy as np
from numpy.typing import NDArray

from core.errors import Unavailable
from core.ports import REFERENCE_SCALE, EncodedPassages, TokenVectors
from retrieval.embedders.openvino_embedder import OpenVinoEmbedder
from retrieval.embedders.transformer_models import GRANITE, TransformerModel
from tests.support.indexes import DIMENSION, vector_of


@lru_cache(maxsize=2)
def shared_embedder(model: TransformerModel = GRANITE) -> OpenVinoEmbedder:
    """Never close it: other tests use it."""
    return OpenVinoEmbedder(model)


async def wait_until_busy(lock: threading.Lock) -> None:
    """Wait until a thread has the lock."""
    with anyio.fail_after(60):
        while not lock.locked():
            await anyio.lowlevel.checkpoint()


class WordEmbedder:
    """Implements `core.ports.Embedder` by the word vectors of `tests.support.indexes`: a token is a word, no model is needed.

    `calls` counts the passages that were encoded with tokens.
    """

    name = "words"
    dimension = DIMENSION
    window = 256
    scale = REFERENCE_SCALE

    def __init__(self) -> None:
        self.calls = 0

    def vector(self, text: str) -> NDArray[np.float32]:
        return vector_of(text)

    def token_spans(self, text: str) -> NDArray[np.int32]:
        return np.array([match.span() for match in re.finditer(r"\w+|[^\w\s]", text)], np.int32).reshape(-1, 2)

    async def embed_query(self, text: str) -> NDArray[np.float32]:
        return self.vector(text)

    async def embed_query_tokens(self, text: str) -> TokenVectors:
        return self.tokens(text)

    async def embed_passages(self, texts: Sequence[str], *, with_tokens: bool = False) -> EncodedPassages:
        self.calls += len(texts) if with_tokens else 0
        vectors = np.stack([self.vector(text) for text in texts]) if texts else np.empty((0, self.dimension), np.float32)
        return EncodedPassages(vectors, tuple(self.tokens(text) for text in texts) if with_tokens else ())

    async def close(self) -> None:
        return None

    def tokens(self, text: str) -> TokenVectors:
        spans = self.token_spans(text)
        words = [text[start:end] for start, end in spans]
        ids = np.array([sum(map(ord, word.lower())) % 30_000 for word in words], np.int32)
        vectors = np.stack([self.vector(word) for word in words]) if words else np.empty((0, self.dimension), np.float32)
        return TokenVectors(ids, spans, vectors)


class OtherWordEmbedder(WordEmbedder):
    """Another model: other directions for the same words, in a space of another size. It refuses to work once it is closed."""

    name = "other words"
    dimension = 48

    def __init__(self, name: str = "other words", dimension: int = 48, window: int = 256) -> None:
        super().__init__()
        self.name, self.dimension, self.window, self.closed = name, dimension, window, False

    def vector(self, text: str) -> NDArray[np.float32]:
        if self.closed:
            raise Unavailable(f"The embedding model {self.name} is closed.")
        total = np.zeros(self.dimension, np.float32)
        for word in text.lower().split() or [""]:
            seed = int.from_bytes(hashlib.blake2b(f"{self.name} {word.strip('.,?')}".encode("utf-8", "replace"), digest_size=4).digest(), "big")
            total += np.random.default_rng(seed).standard_normal(self.dimension).astype(np.float32)
        unit: NDArray[np.float32] = total / np.linalg.norm(total)
        return unit

    async def close(self) -> None:
        self.closed = True
