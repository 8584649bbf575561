"""Text to vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class TokenVectors:
    """One text's token vectors for late interaction: `vectors` [tokens, d] unit rows without special tokens, `spans` [tokens, 2] the code
    point offsets of each token in the text that was encoded, `ids` [tokens] the vocabulary ids."""

    ids: NDArray[np.int32]
    spans: NDArray[np.int32]
    vectors: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Encoded:
    """Passages as vectors: `vectors` [n, dimension]; `tokens` one entry per passage where the embedder gives them, else ()."""

    vectors: NDArray[np.float32]
    tokens: tuple[TokenVectors, ...] = ()


class Embedder(Protocol):
    """Text to unit vectors. `name` identifies model and version: vectors of different names are never compared."""

    @property
    def name(self) -> str: ...
    @property
    def dimension(self) -> int: ...
    @property
    def window(self) -> int:
        """Tokens that one passage may have, [CLS] and [SEP] counted."""
        ...

    def token_spans(self, text: str) -> NDArray[np.int32]:
        """Offsets [tokens, 2] of every token of `text`, special tokens left out, not truncated. Cheap and synchronous (tokenizer only)."""
        ...

    async def embed_query(self, text: str) -> NDArray[np.float32]: ...
    async def embed_passages(self, texts: Sequence[str], *, with_tokens: bool = False) -> Encoded: ...
    async def embed_query_tokens(self, text: str) -> TokenVectors: ...
    async def close(self) -> None: ...
