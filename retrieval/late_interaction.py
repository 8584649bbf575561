"""Late interaction: every word of the question looks for the token of the passage that is nearest to it (MaxSim).

score(q, p) = sum_i idf(word of i) max_j <q_i, p_j> / sum_i idf(word of i), over the unit vectors of the embedding model's last layer without
special tokens, punctuation and stop words (MaxSim: Khattab & Zaharia 2020, https://arxiv.org/abs/2004.12832; there the model was trained
for it, here the sentence model's own token vectors are used). Added to the fused score; measured, it loses when it replaces it.

Token vectors come from the store; what it lacks is encoded on the fly, best candidates first, until the time budget is spent.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from core.documents import embedded_text
from core.errors import VantageError
from core.ports import Embedder, Library, SearchIndex, TokenStore, TokenVectors
from retrieval.matrix_products import sliced_product

if TYPE_CHECKING:
    from numpy.typing import NDArray

ENCODED_AT_ONCE = 4  # passages; between two such calls the clock is read
QUESTION_TOKENS = 64  # the weightiest; a longer text asks for the same things again
_WORD = re.compile(r"\w+")


@dataclass(slots=True)
class InteractionScores:
    """MaxSim of each chunk that could be scored; `stored_count` came from the store, `encoded_count` on the fly, `unscored_chunks` fell to the
    budget.
    """

    scores: dict[int, float] = field(default_factory=dict)
    stored_count: int = 0
    encoded_count: int = 0
    unscored_chunks: list[int] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class LateInteraction:
    """`store` None: everything is encoded on the fly. `budget_ms` bounds that; `ignored_token_ids` are the ids of punctuation
    and stop words. What was encoded is stored for the next question."""

    embedder: Embedder
    index: SearchIndex
    library: Library
    store: TokenStore | None
    budget_ms: int
    ignored_token_ids: frozenset[int] = frozenset()

    async def score(self, tenant: str, text: str, chunk_ids: Sequence[int]) -> InteractionScores:
        """Return `chunk_ids` best first."""
        found = InteractionScores()
        query = await self.embedder.embed_query_tokens(text)
        weights = token_weights(text, query, self.index.terms, await self.index.idf(tenant, text))
        used = np.argsort(-weights, kind="stable")[:QUESTION_TOKENS]
        used = used[weights[used] > 0]
        if not len(used):
            found.problems.append("The question has no word that could be compared.")
            return found
        vectors, weights = query.vectors[used], weights[used]
        passages = await self._load_stored(chunk_ids, found)
        found.stored_count = len(passages)
        projected = self.store.project(vectors) if self.store is not None else vectors
        found.scores.update(maxsim_scores(projected, weights, passages))
        await self._encode_missing(tenant, [chunk_id for chunk_id in chunk_ids if chunk_id not in passages], (vectors, weights), found)
        return found

    async def _load_stored(self, chunk_ids: Sequence[int], found: InteractionScores) -> dict[int, NDArray[np.float32]]:
        if self.store is None:
            return {}
        try:
            return {chunk_id: tokens.vectors for chunk_id, tokens in (await self.store.get(chunk_ids)).items()}
        except VantageError as error:
            found.problems.append(str(error))
            return {}

    async def _encode_missing(
        self, tenant: str, missing: Sequence[int], query: tuple[NDArray[np.float32], NDArray[np.float32]], found: InteractionScores
    ) -> None:
        if not missing:
            return
        stop = time.monotonic() + self.budget_ms / 1000
        chunks = await self.library.chunks(tenant, missing)
        fresh: list[tuple[int, TokenVectors]] = []
        for start in range(0, len(missing), ENCODED_AT_ONCE):
            if time.monotonic() >= stop:
                found.unscored_chunks += missing[start:]
                break
            some = [chunk_id for chunk_id in missing[start : start + ENCODED_AT_ONCE] if chunk_id in chunks]
            texts = [embedded_text(chunks[chunk_id].prefix, chunks[chunk_id].text) for chunk_id in some]
            encoded = await self.embedder.embed_passages(texts, with_tokens=True)
            fresh += zip(some, encoded.tokens, strict=False)
        found.encoded_count = len(fresh)
        found.scores.update(maxsim_scores(*query, {chunk_id: self._drop_ignored(tokens) for chunk_id, tokens in fresh}))
        await self._store_vectors(fresh, found)

    def _drop_ignored(self, tokens: TokenVectors) -> NDArray[np.float32]:
        """Return the vectors without those of punctuation and stop words (which the store leaves out too)."""
        keep = ~np.isin(tokens.ids, sorted(self.ignored_token_ids))
        spoken: NDArray[np.float32] = tokens.vectors[keep] if keep.any() else tokens.vectors
        return spoken

    async def _store_vectors(self, fresh: Sequence[tuple[int, TokenVectors]], found: InteractionScores) -> None:
        if self.store is None or not fresh:
            return
        try:
            await self.store.put(fresh)
        except VantageError as error:
            found.problems.append(str(error))


def maxsim_scores(query: NDArray[np.float32], weights: NDArray[np.float32], passages: Mapping[int, NDArray[np.float32]]) -> dict[int, float]:
    """Return the MaxSim of each passage: `query` [q, d], `weights` [q] (positive), passages [tokens, d]; those without tokens are left out."""
    used = {chunk_id: vectors for chunk_id, vectors in passages.items() if len(vectors)}
    if not used:
        return {}
    starts = np.cumsum([0, *(len(vectors) for vectors in used.values())][:-1])
    similar = sliced_product(query, np.concatenate(list(used.values())))
    nearest = np.maximum.reduceat(similar, starts, axis=1)
    scores = (weights / weights.sum()) @ nearest
    return dict(zip(used, scores.tolist(), strict=True))


def token_weights(text: str, tokens: TokenVectors, analyse: Callable[[str], Sequence[str]], idf: Mapping[str, float]) -> NDArray[np.float32]:
    """Return the idf of the word that each token is a piece of, shared equally among its pieces; 0 for punctuation and stop words."""
    weights = np.zeros(len(tokens.ids), np.float32)
    if not len(weights):
        return weights
    for word in _WORD.finditer(text):
        pieces = np.flatnonzero((tokens.spans[:, 0] >= word.start()) & (tokens.spans[:, 1] <= word.end()))
        mass = sum(idf.get(term, 0.0) for term in analyse(word.group()))
        if len(pieces):
            weights[pieces] = mass / len(pieces)
    return weights
