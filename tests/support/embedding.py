"""The real embedder, once per process (compiling it for each test would cost more than the tests), and one that needs no model."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.ports import Encoded, TokenVectors
from retrieval.embedders.minilm import MiniLmEmbedder
from tests.support.indexes import DIMENSION, vector_of


@lru_cache(maxsize=1)
def shared_embedder() -> MiniLmEmbedder:
    """Never close it: other tests use it."""
    return MiniLmEmbedder()


class WordEmbedder:
    """Implements `core.ports.Embedder` by the word vectors of `tests.support.indexes`: a token is a word, no model is needed.

    `calls` counts the passages that were encoded with tokens.
    """

    name = "words"
    dimension = DIMENSION
    window = 256

    def __init__(self) -> None:
        self.calls = 0

    def token_spans(self, text: str) -> NDArray[np.int32]:
        return np.array([match.span() for match in re.finditer(r"\w+|[^\w\s]", text)], np.int32).reshape(-1, 2)

    async def embed_query(self, text: str) -> NDArray[np.float32]:
        return vector_of(text)

    async def embed_query_tokens(self, text: str) -> TokenVectors:
        return self.tokens(text)

    async def embed_passages(self, texts: Sequence[str], *, with_tokens: bool = False) -> Encoded:
        self.calls += len(texts) if with_tokens else 0
        vectors = np.stack([vector_of(text) for text in texts]) if texts else np.empty((0, DIMENSION), np.float32)
        return Encoded(vectors, tuple(self.tokens(text) for text in texts) if with_tokens else ())

    async def close(self) -> None:
        return None

    def tokens(self, text: str) -> TokenVectors:
        spans = self.token_spans(text)
        words = [text[start:end] for start, end in spans]
        ids = np.array([sum(map(ord, word.lower())) % 30_000 for word in words], np.int32)
        vectors = np.stack([vector_of(word) for word in words]) if words else np.empty((0, DIMENSION), np.float32)
        return TokenVectors(ids, spans, vectors)
