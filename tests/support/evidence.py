"""Evidence made of plain text, and small fakes of the ports that answers ask: a word index and an embedder that counts words."""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from core.answers import Evidence, EvidenceBlock
from core.documents import BlockKind
from core.ports import REFERENCE_SCALE, EncodedPassages, SimilarityScale, TokenVectors
from core.search import Passage

if TYPE_CHECKING:
    from numpy.typing import NDArray

DIMENSION = 256


def evidence(
    text: str,
    *,
    document: str = "d1",
    title: str = "",
    score: float = 1.0,
    start: int = 0,
    blocks: Sequence[tuple[BlockKind, int, int]] = (),
    section: Sequence[str] = (),
) -> Evidence:
    """A passage that is `text`, standing at `start` of its document, below the headings of `section`; `blocks` are (kind, start, end) in the
    passage."""
    passage = Passage(
        content=text,
        section=list(section),
        document_id=document,
        start=start,
        end=start + len(text),
        chunks=[1],
        page=3,
        anchor=1,
        anchor_score=score,
        coherence_score=1.0,
    )
    placed = [EvidenceBlock(kind=kind, start=start + first, end=start + last) for kind, first, last in blocks]
    return Evidence(passage=passage, filename=f"{document}.txt", title=title, generation=7, score=score, blocks=placed)


def _words(text: str) -> list[str]:
    return [word.rstrip("s") for word in re.findall(r"\w+", text.casefold())]


class WordIndex:
    """answers.scoring.unit_scores.TermIndex: words without a plural s; long ones weigh more, a few function words nothing."""

    _SKIPPED = frozenset("the a an of in on at to is are wa were do did doe who when where what which how and or for i it by many much".split())

    async def idf(self, tenant: str, text: str) -> dict[str, float]:
        return {term: 1.0 + min(len(term), 8) / 8 for term in self.terms(text)}

    def terms(self, text: str) -> list[str]:
        return [word for word in _words(text) if word not in self._SKIPPED]


class CountingEmbedder:
    """core.ports.Embedder: hashed bags of words and of character pairs as unit vectors. `encoded` lists every passage that was encoded."""

    def __init__(self) -> None:
        self.encoded: list[str] = []

    @property
    def name(self) -> str:
        return "counting"

    @property
    def dimension(self) -> int:
        return DIMENSION

    @property
    def window(self) -> int:
        return 256

    @property
    def scale(self) -> SimilarityScale:
        return REFERENCE_SCALE

    def token_spans(self, text: str) -> NDArray[np.int32]:
        return np.array([match.span() for match in re.finditer(r"\S+", text)], np.int32).reshape(-1, 2)

    async def embed_query(self, text: str) -> NDArray[np.float32]:
        return _vector(text)

    async def embed_passages(self, texts: Sequence[str], *, with_tokens: bool = False) -> EncodedPassages:
        self.encoded += texts
        return EncodedPassages(np.stack([_vector(text) for text in texts]) if texts else np.zeros((0, DIMENSION), np.float32))

    async def embed_query_tokens(self, text: str) -> TokenVectors:
        raise NotImplementedError(f"answers never ask for token vectors: {text}")

    async def close(self) -> None: ...


def _vector(text: str) -> NDArray[np.float32]:
    counts = Counter(_words(text))
    vector = np.zeros(DIMENSION, np.float32)
    for word, count in counts.items():
        for piece in {word, *(word[place : place + 2] for place in range(len(word) - 1))}:
            vector[zlib.crc32(piece.encode()) % DIMENSION] += count
    return vector / max(float(np.linalg.norm(vector)), 1e-9)
