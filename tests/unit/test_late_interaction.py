"""Late interaction: MaxSim by hand, the words' weights, the store, the time budget, and what happens when the store fails."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from core.errors import Unavailable
from core.ports import IndexedDocument, TokenVectors
from core.search import Candidate, RetrievalRequest, Strategy
from retrieval.embedded_index import EmbeddedIndex
from retrieval.late_interaction import LateInteraction, maxsim_scores, token_weights
from retrieval.reranking import InteractionReranker, reorder
from retrieval.token_store import SqliteTokenStore
from tests.support.embedding import WordEmbedder, shared_embedder
from tests.support.indexes import BACKENDS, DIMENSION, chunk_library, document

LEASE = document("lease", "The lease ends in March.", "Rent rises each April.", first_chunk=1)
PUMP = document("pump", "The pump needs oil.", first_chunk=10)
STRATEGY = Strategy(name="hybrid", lexical=0.4, dense=0.6, min_score=0.0)


class BrokenStore(SqliteTokenStore):
    async def get(self, chunk_ids: Sequence[int]) -> dict[int, TokenVectors]:
        raise Unavailable("The stored token vectors cannot be used: broken.")


async def interaction(folder: Path, store: SqliteTokenStore | None, budget_ms: int = 60_000) -> tuple[LateInteraction, EmbeddedIndex]:
    documents: list[IndexedDocument] = [LEASE, PUMP]
    index = await BACKENDS[0].open(folder / "index")
    assert isinstance(index, EmbeddedIndex)
    await index.upsert(documents)
    await index.commit()
    return LateInteraction(WordEmbedder(), index, chunk_library(documents), store, budget_ms), index


def test_maxsim_by_hand() -> None:
    query = np.eye(3, dtype=np.float32)[:2]
    passages = {
        1: np.array([[1, 0, 0], [0, 0.5, 0.5]], np.float32),
        2: np.array([[0, 1, 0]], np.float32),
        3: np.empty((0, 3), np.float32),
    }
    scores = maxsim_scores(query, np.array([3.0, 1.0], np.float32), passages)
    assert scores == pytest.approx({1: (3 * 1 + 1 * 0.5) / 4, 2: 1 / 4})
    assert maxsim_scores(query, np.ones(2, np.float32), {}) == {}


def test_a_word_shares_its_idf_among_its_pieces() -> None:
    text = "Is hydrostatics, old?"
    spans = np.array([[0, 2], [3, 8], [8, 15], [15, 16], [17, 20], [20, 21]], np.int32)
    tokens = TokenVectors(np.arange(6, dtype=np.int32), spans, np.ones((6, 4), np.float32))
    weights = token_weights(text, tokens, lambda word: [] if word == "Is" else [word.lower()], {"hydrostatics": 5.0, "old": 1.5})
    assert weights.tolist() == [0.0, 2.5, 2.5, 0.0, 1.5, 0.0]


async def test_missing_vectors_are_encoded_once_and_then_stored(tmp_path: Path) -> None:
    store = SqliteTokenStore(tmp_path / "tokens", DIMENSION)
    late, index = await interaction(tmp_path, store)
    cold = await late.score("default", "When does the lease end?", [10, 1, 2])
    warm = await late.score("default", "When does the lease end?", [10, 1, 2])
    assert (cold.stored_count, cold.encoded_count) == (0, 3)
    assert (warm.stored_count, warm.encoded_count) == (3, 0)
    assert max(cold.scores, key=lambda chunk_id: cold.scores[chunk_id]) == 1
    assert max(warm.scores, key=lambda chunk_id: warm.scores[chunk_id]) == 1
    assert warm.scores == pytest.approx(cold.scores, abs=0.25)  # 32 random numbers to 2 bits; a real model's 384 lose far less
    await index.close()
    await store.close()


async def test_the_budget_leaves_the_last_without_a_look(tmp_path: Path) -> None:
    late, index = await interaction(tmp_path, None, budget_ms=0)
    found = await late.score("default", "lease", [1, 2, 10])
    assert found.scores == {}
    assert found.unscored_chunks == [1, 2, 10]
    request = RetrievalRequest(text="lease", strategy=STRATEGY)
    ranked = [Candidate(chunk_id=number, document_id="lease", score=1 - number / 20) for number in (1, 2, 10)]
    ordered, report = await InteractionReranker(late, 20, 1.0).rerank(request, ranked)
    assert [candidate.chunk_id for candidate in ordered] == [1, 2, 10]
    assert "3 candidates without a look" in report.note
    assert report.parameters["encoded"] == 0
    await index.close()


async def test_a_broken_store_is_said_and_worked_around(tmp_path: Path) -> None:
    store = BrokenStore(tmp_path / "tokens", DIMENSION)
    late, index = await interaction(tmp_path, store)
    found = await late.score("default", "lease", [1, 10])
    assert found.encoded_count == 2
    assert "broken" in found.problems[0]
    await index.close()
    await store.close()


@pytest.mark.parametrize("text", ["", "?!", "the of is"])
async def test_a_question_without_words_changes_nothing(tmp_path: Path, text: str) -> None:
    late, index = await interaction(tmp_path, None)
    found = await late.score("default", text, [1])
    assert found.scores == {}
    assert found.problems
    await index.close()


async def test_the_rerank_adds_to_the_fused_score_and_keeps_the_rest_below(tmp_path: Path) -> None:
    late, index = await interaction(tmp_path, None)
    request = RetrievalRequest(text="When does the lease end?", strategy=STRATEGY)
    ranked = [Candidate(chunk_id=number, document_id="x", score=score) for number, score in ((10, 0.6), (1, 0.5), (2, 0.45))]
    ordered, report = await InteractionReranker(late, 2, 1.0).rerank(request, ranked)
    assert [candidate.chunk_id for candidate in ordered] == [1, 10, 2]
    assert [candidate.stages["rerank"].rank for candidate in ordered] == [1, 2, 3]
    scores = [candidate.score for candidate in ordered]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    assert (report.entered, report.left) == (3, 3)
    await index.close()


def test_reordering_without_new_scores_keeps_the_order() -> None:
    ranked = [Candidate(chunk_id=number, document_id="x", score=0.5) for number in (3, 1, 2)]
    assert [candidate.chunk_id for candidate in reorder(ranked, {})] == [3, 1, 2]


async def test_stored_vectors_of_the_real_model_score_as_the_encoded_ones(tmp_path: Path) -> None:
    embedder = shared_embedder()
    store = SqliteTokenStore(tmp_path / "tokens", embedder.dimension, model=embedder.name, ignored=embedder.ignorable_token_ids)
    texts = ["The lease of the boathouse ends on 31 March 2026.", "Bread is baked with rye and sourdough.", "The harbour master rents out berths."]
    encoded = await embedder.embed_passages(texts, with_tokens=True)
    await store.put(list(enumerate(encoded.tokens)))
    stored = await store.get([0, 1, 2])
    query = await embedder.embed_query_tokens("When does the boathouse contract expire?")
    weights = np.ones(len(query.ids), np.float32)
    exact = maxsim_scores(query.vectors, weights, {number: store.drop_ignored_tokens(tokens).vectors for number, tokens in enumerate(encoded.tokens)})
    kept = maxsim_scores(store.project(query.vectors), weights, {number: tokens.vectors for number, tokens in stored.items()})
    assert kept == pytest.approx(exact, abs=0.03)
    assert max(kept, key=lambda number: kept[number]) == 0
    await store.close()
