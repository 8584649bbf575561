"""What only links bring in scores as the search before would have scored it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from core.search import Retrieval, RetrievalRequest, StageScore, Strategy
from retrieval.embedded_index import EmbeddedIndex
from retrieval.late_interaction import LateInteraction
from retrieval.linked_scores import LinkedPassageScorer
from retrieval.reranking import InteractionReranker
from retrieval.retriever import HybridRetriever
from settings import SearchSettings
from tests.support.embedding import WordEmbedder
from tests.support.indexes import DIMENSION, chunk_library, document

DOCUMENTS = [
    document("lease", "The lease ends in March.", "The tenant pays rent in April.", first_chunk=1),
    document("old", "The old lease of the tenant ends in May.", first_chunk=10),
    document("pump", "The pump needs oil.", first_chunk=20),
]
REQUEST = RetrievalRequest(text="When does the lease end?", strategy=Strategy(name="hybrid", lexical=0.4, dense=0.6, min_score=0.0))
LIBRARY = chunk_library(DOCUMENTS)


@pytest.fixture
async def index(tmp_path: Path) -> AsyncIterator[EmbeddedIndex]:
    made = await EmbeddedIndex.open(tmp_path, dimension=DIMENSION, document_weight=0.1, faiss_above=10**6)
    await made.upsert(DOCUMENTS)
    await made.commit()
    yield made
    await made.close()


def retriever(index: EmbeddedIndex, *, rerank: bool) -> HybridRetriever:
    options = SearchSettings()
    return HybridRetriever(
        index, LIBRARY, WordEmbedder(), None, options.model_copy(update={"rerank": options.rerank.model_copy(update={"enabled": rerank})})
    )


async def found_by(index: EmbeddedIndex, *, rerank: bool) -> Retrieval:
    asking = retriever(index, rerank=rerank)
    found = await asking.retrieve(REQUEST)
    return await asking.rerank(REQUEST, found) if rerank else found


async def test_a_found_passage_gets_the_score_that_the_fusion_gave_it(index: EmbeddedIndex) -> None:
    found = await found_by(index, rerank=False)
    owners = {candidate.chunk_id: candidate.document_id for candidate in found.candidates}
    scores = await LinkedPassageScorer(index, WordEmbedder(), "weighted").score(REQUEST, found, owners)
    assert len(scores) == len(found.candidates) == 4
    for candidate in found.candidates:
        assert scores[candidate.chunk_id] == pytest.approx(candidate.score, abs=1e-6)


async def test_after_a_rerank_it_is_reranked_too(index: EmbeddedIndex) -> None:
    found = await found_by(index, rerank=True)
    reranker = InteractionReranker(LateInteraction(WordEmbedder(), index, LIBRARY, None, 60_000, frozenset()), 20, SearchSettings().rerank.weight)
    owners = {candidate.chunk_id: candidate.document_id for candidate in found.candidates}
    scores = await LinkedPassageScorer(index, WordEmbedder(), "weighted", reranker).score(REQUEST, found, owners)
    for candidate in found.candidates:
        assert scores[candidate.chunk_id] == pytest.approx(candidate.score, abs=1e-5)


async def test_a_passage_that_is_gone_and_scores_of_another_kind_have_none(index: EmbeddedIndex) -> None:
    found = await found_by(index, rerank=False)
    scale = LinkedPassageScorer(index, WordEmbedder(), "weighted")
    assert await scale.score(REQUEST, found, {99: "gone"}) == {}
    assert await LinkedPassageScorer(index, WordEmbedder(), "rrf").score(REQUEST, found, {1: "lease"}) == {}
    stages = {"multilingual": StageScore(rank=1, score=0.5)}
    crossed = found.model_copy(update={"candidates": [found.candidates[0].model_copy(update={"stages": stages})]})
    assert await scale.score(REQUEST, crossed, {1: "lease"}) == {}


async def test_in_a_library_of_several_languages_the_best_meaning_may_be_the_other_encoders(index: EmbeddedIndex) -> None:
    """One passage was measured across languages, twice as near as the best of the others: these count for half of what they did."""
    found = await found_by(index, rerank=False)
    first, *others = found.candidates
    nearest = max(candidate.stages["dense"].score for candidate in found.candidates)
    across = first.model_copy(update={"stages": {"multilingual": StageScore(rank=1, score=2 * nearest)}})
    crossed = found.model_copy(update={"candidates": [across, *others]})
    (last,) = [candidate for candidate in others if candidate.document_id == "pump"]
    scale = LinkedPassageScorer(index, WordEmbedder(), "weighted")
    alone, mixed = await scale.score(REQUEST, found, {20: "pump"}), await scale.score(REQUEST, crossed, {20: "pump"})
    assert last.chunk_id == 20
    assert mixed[20] == pytest.approx(alone[20] / 2, abs=1e-6)
    assert mixed[20] > 0
