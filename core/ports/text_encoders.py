"""Text to vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Cosine = TypeVar("Cosine", float, "NDArray[np.float32]")


@dataclass(frozen=True, slots=True)
class SimilarityScale:
    """The scale of a model's cosines: the mean cosine of a question with a passage that answers it (`related`) and with one that does not
    (`unrelated`).

    One model gives unrelated texts .05 and related ones .6, another .5 and .8: a threshold, or a sum of a cosine with other measures, would mean
    another thing with each. So whoever compares a cosine with anything but cosines of the same model looks at the `rescale` one. What looks at
    cosines, and how, is listed in docs/decisions/0013.
    """

    unrelated: float
    related: float

    def rescale(self, cosine: Cosine) -> Cosine:
        """Return the cosine as it would lie with the model that thresholds were first measured with: straight lines through the two means, and from
        the higher one to 1, which stays 1."""
        if self == REFERENCE_SCALE:
            return cosine
        low, high = REFERENCE_SCALE.unrelated, REFERENCE_SCALE.related
        below = low + (cosine - self.unrelated) * ((high - low) / (self.related - self.unrelated))
        above = 1 - (1 - cosine) * ((1 - high) / (1 - self.related))
        near = cosine > self.related
        return near * above + (near ^ True) * below  # not `1 - near`, which makes an array float64


REFERENCE_SCALE = SimilarityScale(unrelated=0.044, related=0.471)  # all-MiniLM-L6-v2


@dataclass(frozen=True, slots=True)
class TokenVectors:
    """One text's token vectors for late interaction: `vectors` [tokens, d] unit rows without special tokens, `spans` [tokens, 2] the code
    point offsets of each token in the text that was encoded, `ids` [tokens] the vocabulary ids."""

    ids: NDArray[np.int32]
    spans: NDArray[np.int32]
    vectors: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class EncodedPassages:
    """Passages as vectors: `vectors` [n, dimension]; `tokens` one entry per passage where the embedder gives them, else ()."""

    vectors: NDArray[np.float32]
    tokens: tuple[TokenVectors, ...] = ()


class SentenceEncoder(Protocol):
    """Text to unit vectors. `name` identifies model and version: vectors of different names are never compared."""

    @property
    def name(self) -> str: ...
    @property
    def dimension(self) -> int: ...
    @property
    def scale(self) -> SimilarityScale:
        """The scale of its cosines (see SimilarityScale)."""
        ...

    async def embed_query(self, text: str) -> NDArray[np.float32]: ...
    async def embed_passages(self, texts: Sequence[str]) -> EncodedPassages: ...
    async def close(self) -> None: ...


class PieceEncoder(SentenceEncoder, Protocol):
    """The encoder for texts in many languages, which says what it takes for the words of a text."""

    def pieces(self, text: str) -> list[str]:
        """Return what the text is cut into, in order, white space left out. Cheap and synchronous (tokenizer only)."""
        ...


class Embedder(SentenceEncoder, Protocol):
    """The encoder that documents are cut for, with a vector for each token, too."""

    @property
    def window(self) -> int:
        """The number of tokens that one passage may have, [CLS] and [SEP] counted."""
        ...

    def token_spans(self, text: str) -> NDArray[np.int32]:
        """Return the offsets [tokens, 2] of every token of `text`, special tokens left out, not truncated. Cheap and synchronous (tokenizer only)."""
        ...

    async def embed_passages(self, texts: Sequence[str], *, with_tokens: bool = False) -> EncodedPassages: ...
    async def embed_query_tokens(self, text: str) -> TokenVectors: ...
