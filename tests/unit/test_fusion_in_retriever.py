"""The retriever: weights, thresholds, modes, signals, time, diversity, and what it does when a leg fails."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from numpy.typing import NDArray

from core.errors import InvalidInput, Unavailable
from core.ports import Hit, IndexedDocument, LexicalResult, OwnScores, SearchIndex
from core.search import Filters, GraphHit, RetrievalRequest, Strategy
from retrieval.diversity import max_marginal_relevance
from retrieval.embedded_index import EmbeddedIndex
from retrieval.recency import recency_scores
from retrieval.retriever import HybridRetriever
from settings import SearchSettings
from tests.support.embedding import WordEmbedder
from tests.support.indexes import BACKENDS, ORDINARY_ATTRIBUTES, chunk_library, document, vector_of

JUNE = datetime(2024, 6, 1, tzinfo=UTC)
DOCUMENTS = [
    document(
        "lease",
        "The lease ends in March.",
        "The tenant pays rent in April.",
        first_chunk=1,
        attributes=replace(ORDINARY_ATTRIBUTES, modified_at=JUNE),
    ),
    document("old", "The lease ends in May.", first_chunk=10, attributes=replace(ORDINARY_ATTRIBUTES, modified_at=JUNE - timedelta(days=900))),
    document("pump", "The pump needs oil.", first_chunk=20, attributes=replace(ORDINARY_ATTRIBUTES, modified_at=None)),
]
HYBRID = Strategy(name="hybrid", lexical=0.4, dense=0.6, min_score=0.0)
Make = Callable[..., HybridRetriever]


class Failing:
    """A search index of which some methods raise; the others are the inner one's."""

    def __init__(self, inner: EmbeddedIndex, failures: dict[str, Exception]) -> None:
        self._inner, self._failures = inner, failures

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    async def search_lexical(self, tenant: str, text: str, filters: Filters, limit: int) -> LexicalResult:
        if "lexical" in self._failures:
            raise self._failures["lexical"]
        return await self._inner.search_lexical(tenant, text, filters, limit)

    async def search_dense(self, tenant: str, vector: NDArray[np.float32], filters: Filters, limit: int) -> tuple[Hit, ...]:
        if "dense" in self._failures:
            raise self._failures["dense"]
        return await self._inner.search_dense(tenant, vector, filters, limit)


class Scorer:
    name = "scripted"

    def __init__(self, scores: dict[str, float] | None = None, error: Exception | None = None) -> None:
        self._scores, self._error = scores or {}, error

    async def score(self, question: str, texts: list[str]) -> list[float]:
        if self._error is not None:
            raise self._error
        return [self._scores.get(text, 0.1) for text in texts]


@pytest.fixture
async def make(tmp_path: Path) -> AsyncIterator[Make]:
    index = await BACKENDS[0].open(tmp_path)
    assert isinstance(index, EmbeddedIndex)
    await index.upsert(DOCUMENTS)
    await index.commit()

    def build(documents: list[IndexedDocument] = DOCUMENTS, failures: dict[str, Exception] | None = None, **options: Any) -> HybridRetriever:
        scorer, links = options.pop("cross_encoder", None), options.pop("links", None)
        searched: Any = Failing(index, failures) if failures else index
        return HybridRetriever(searched, chunk_library(documents), WordEmbedder(), None, SearchSettings(**options), cross_encoder=scorer, links=links)

    yield build
    await index.close()


def ask(text: str = "When does the lease end?", **changes: Any) -> RetrievalRequest:
    return RetrievalRequest(**{"text": text, "strategy": HYBRID, **changes})


async def test_legs_meet_in_the_fusion_and_every_stage_is_on_the_candidate(make: Make) -> None:
    found = await make().retrieve(ask("The lease ends in March."))
    first = found.candidates[0]
    assert (first.chunk_id, first.document_id) == (1, "lease")
    assert first.score == pytest.approx(1.0)
    assert {stage: place.rank for stage, place in first.stages.items()} == {"lexical": 1, "dense": 1, "fusion": 1}
    assert first.stages["dense"].score == pytest.approx(1.0, abs=2e-3)
    assert [report.stage for report in found.reports] == ["lexical", "dense", "fusion"]
    assert found.reports[2].parameters["weights"] == {"lexical": 0.4, "dense": 0.6}
    assert found.signals["dense_top1"] == pytest.approx(1.0, abs=2e-3)
    assert 0 < found.signals["lexical_ratio"] <= 1
    assert found.degraded == []
    scores = [candidate.score for candidate in found.candidates]
    assert scores == sorted(scores, reverse=True)
    assert "lexical" not in next(candidate for candidate in found.candidates if candidate.chunk_id == 20).stages


async def test_the_fused_score_is_the_recipe(make: Make) -> None:
    text = "lease rent oil"
    retriever = make()
    found = await retriever.retrieve(ask(text))
    lexical = {hit.chunk_id: hit.score for hit in (await retriever.index.search_lexical("default", text, Filters(), 50)).hits}
    cosines = {chunk.id: float(vector_of(text) @ chunk.vector.astype(np.float32)) for each in DOCUMENTS for chunk in each.chunks}
    for candidate in found.candidates:
        number = candidate.chunk_id
        expected = 0.4 * lexical.get(number, 0.0) / max(lexical.values()) + 0.6 * max(cosines[number], 0) / max(cosines.values())
        assert candidate.score == pytest.approx(expected, abs=1e-4)


async def test_dense_alone_when_hybrid_is_off(make: Make) -> None:
    found = await make().retrieve(ask(use_hybrid=False))
    assert [report.stage for report in found.reports] == ["dense", "fusion"]
    assert "lexical_ratio" not in found.signals
    assert len(found.candidates) == 4


async def test_words_alone_fall_back_on_meaning_when_no_document_has_them(make: Make) -> None:
    precise = Strategy(name="precise", lexical=1.0, dense=0.0, min_score=0.5)
    assert {candidate.chunk_id for candidate in (await make().retrieve(ask("pump", strategy=precise))).candidates} == {20}
    found = await make().retrieve(ask("zzyzx qwxq", strategy=precise))
    assert found.candidates
    assert "nearest in meaning" in found.reports[-1].note


async def test_what_the_minimum_drops_is_reported_with_its_reason(make: Make) -> None:
    strict = HYBRID.model_copy(update={"min_score": 0.85})
    found = await make().retrieve(ask("The lease ends in March.", strategy=strict))
    fusion = found.reports[-1]
    assert [candidate.chunk_id for candidate in found.candidates] == [1]
    assert fusion.entered == fusion.left + len(fusion.dropped) == 4
    assert all("below the minimum 0.85" in dropped.reason and dropped.score < 0.85 for dropped in fusion.dropped)
    everything = await make().retrieve(ask("The lease ends in March.", strategy=strict, mode="recall"))
    assert everything.reports[-1].parameters["min_score"] == pytest.approx(0.425)
    assert len(everything.candidates) > 1
    precise = await make().retrieve(ask("The lease ends in March.", strategy=HYBRID.model_copy(update={"min_score": 0.3}), mode="precision"))
    assert precise.reports[-1].parameters["min_score"] == pytest.approx(0.45)


async def test_filters_reach_both_legs(make: Make) -> None:
    found = await make().retrieve(ask(filters=Filters(document_ids=["old"])))
    assert {candidate.document_id for candidate in found.candidates} == {"old"}


@pytest.mark.parametrize("leg", ["lexical", "dense"])
async def test_one_failing_leg_is_a_degradation(make: Make, leg: str) -> None:
    found = await make(failures={leg: Unavailable("It is broken.")}).retrieve(ask())
    assert found.candidates[0].document_id in {"lease", "old"}
    assert [(degradation.part, "It is broken." in degradation.reason) for degradation in found.degraded] == [(leg, True)]
    assert next(report for report in found.reports if report.stage == leg).note == "It is broken."


async def test_both_failing_is_unavailable_and_a_wrong_request_is_the_callers(make: Make) -> None:
    broken = Unavailable("It is broken.")
    with pytest.raises(Unavailable, match="Nothing can be searched"):
        await make(failures={"lexical": broken, "dense": broken}).retrieve(ask())
    with pytest.raises(InvalidInput):
        await make(failures={"dense": InvalidInput("another model")}).retrieve(ask())


async def test_time_lifts_the_newer_of_two_equals(make: Make) -> None:
    text = "The lease ends"
    temporal = Strategy(name="temporal", lexical=0.4, dense=0.4, time=0.2, min_score=0.0)
    found = await make().retrieve(ask(text, strategy=temporal))
    places = [candidate.document_id for candidate in found.candidates]
    assert places.index("lease") < places.index("old")
    assert found.reports[-1].parameters["weights"]["time"] == 0.2
    prefers = HYBRID.model_copy(update={"prefer_recent": True})
    assert (await make().retrieve(ask(text, strategy=prefers))).reports[-1].parameters["weights"]["time"] == 0.1


def test_recency_halves_in_ninety_days_before_the_newest() -> None:
    naive = datetime(2024, 6, 1)  # noqa: DTZ001 - a naive time is read as UTC
    scores = recency_scores({1: naive, 2: JUNE - timedelta(days=90), 3: JUNE - timedelta(days=180), 4: None})
    assert scores == pytest.approx({1: 1.0, 2: 0.5, 3: 0.25, 4: 0.0})
    assert recency_scores({1: None}) == {}


async def test_rerank_by_late_interaction(make: Make) -> None:
    retriever = make()
    request = ask("When does the lease end in May?")
    after = await retriever.rerank(request, await retriever.retrieve(request))
    assert after.candidates[0].chunk_id == 10
    assert after.candidates[0].stages["rerank"].rank == 1
    assert after.reports[-1].stage == "rerank"
    assert after.reports[-1].parameters["encoded"] == 4


async def test_a_cross_encoder_decides_where_it_is_configured(make: Make) -> None:
    retriever = make(cross_encoder=Scorer({"The pump needs oil.": 0.97}))
    after = await retriever.rerank(ask(), await retriever.retrieve(ask()))
    assert (after.candidates[0].chunk_id, after.candidates[0].score) == (20, 0.97)
    assert after.reports[-1].parameters == {"method": "scripted"}


async def test_a_failing_rerank_keeps_the_order_and_says_so(make: Make) -> None:
    retriever = make(cross_encoder=Scorer(error=Unavailable("No memory.")))
    before = await retriever.retrieve(ask())
    after = await retriever.rerank(ask(), before)
    assert after.candidates == before.candidates
    assert after.degraded[-1].part == "rerank"
    assert "No memory." in after.degraded[-1].reason


async def test_passages_carry_coverage_and_their_places(make: Make) -> None:
    retriever = make()
    passages, after = await retriever.assemble_passages(ask("lease March"), await retriever.retrieve(ask("lease March")), 2)
    assert len(passages) == 2
    assert passages[0].chunks == [1, 2]
    assert after.signals["coverage"] == pytest.approx(1.0)
    assert passages[0].stages["passages"].rank == 1
    assert after.candidates[0].stages["passages"].rank == 1
    assert after.reports[-1].left == 2
    assert set(passages[0].stages) == {"lexical", "dense", "fusion", "passages"}


async def test_no_candidates_no_passages(make: Make) -> None:
    request = ask(filters=Filters(collection="absent"))
    found = await make().retrieve(request)
    assert found.candidates == []
    assert (await make().rerank(request, found)) == found
    passages, after = await make().assemble_passages(request, found, 5)
    assert passages == []
    assert after.signals["coverage"] == 0.0


async def test_diversity_spreads_the_first_places(make: Make) -> None:
    retriever = make()
    request = ask("The lease ends in March.", diversity_weight=0.9)
    passages, after = await retriever.assemble_passages(request, await retriever.retrieve(request), 4)
    order = [candidate.chunk_id for candidate in after.candidates]
    assert order[0] == 1
    assert order.index(10) == 3  # the one most like the first comes last
    assert passages[0].anchor == 1
    assert [report.stage for report in after.reports][-2:] == ["diversity", "passages"]


EXPLORATORY = Strategy(name="exploratory", lexical=0.2, dense=0.5, graph=0.3, min_score=0.0)


def hit(chunk_id: int, document_id: str, score: float) -> GraphHit:
    return GraphHit(chunk_id=chunk_id, document_id=document_id, score=score, reason="Mara Ellison, WORKS_AT Trevanion & Holt")


async def test_the_graph_leg_is_fused_by_its_weight(make: Make) -> None:
    plain = await make().retrieve(ask("The lease ends in March.", strategy=EXPLORATORY))
    assert "The graph brought nothing" in plain.reports[-1].note
    hits = [hit(20, "pump", 0.8), hit(20, "pump", 0.2), hit(10, "old", 0.4), hit(999_999, "gone", 1.0)]
    found = await make().retrieve(ask("The lease ends in March.", strategy=EXPLORATORY, graph_hits=hits))
    assert [report.stage for report in found.reports] == ["lexical", "dense", "graph", "fusion"]
    assert "1 left out" in found.reports[2].note
    assert found.reports[-1].parameters["weights"] == {"lexical": 0.2, "dense": 0.5, "graph": 0.3}
    pump = next(candidate for candidate in found.candidates if candidate.chunk_id == 20)
    assert (pump.stages["graph"].rank, pump.stages["graph"].score) == (1, 0.8)
    before = next(candidate for candidate in plain.candidates if candidate.chunk_id == 20)
    assert pump.score == pytest.approx(0.7 * before.score + 0.3, abs=1e-4)
    assert all(candidate.chunk_id != 999_999 for candidate in found.candidates)


async def test_another_tenants_graph_hits_are_not_found(make: Make) -> None:
    request = ask("lease", strategy=EXPLORATORY, graph_hits=[hit(20, "pump", 1.0)]).model_copy(update={"tenant": "other"})
    assert (await make().retrieve(request)).candidates == []


@pytest.mark.parametrize("left_out", ["lexical", "dense", "graph"])
async def test_a_leg_can_be_left_out(make: Make, left_out: str) -> None:
    request = ask("The lease ends", strategy=EXPLORATORY, graph_hits=[hit(20, "pump", 0.8)], without=[left_out])
    found = await make().retrieve(request)
    assert {report.stage for report in found.reports} == {"lexical", "dense", "graph", "fusion"} - {left_out}
    assert all(left_out not in candidate.stages for candidate in found.candidates)


async def test_the_graph_alone_and_nothing_at_all(make: Make) -> None:
    alone = await make().retrieve(ask(strategy=EXPLORATORY, graph_hits=[hit(20, "pump", 0.8)], without=["lexical", "dense"]))
    assert [(candidate.chunk_id, candidate.score) for candidate in alone.candidates] == [(20, 1.0)]
    with pytest.raises(InvalidInput, match="Every leg of the search is left out"):
        await make().retrieve(ask(without=["lexical", "dense", "graph"]))
    with pytest.raises(InvalidInput):
        await make().retrieve(ask(use_hybrid=False, without=["dense"]))


class Lifting:
    """Links that put one chunk first."""

    async def rescore(
        self, tenant: str, text: str, scores: dict[int, float], owners: dict[int, str], own_scores: OwnScores
    ) -> dict[int, tuple[str, float, str]]:
        return {20: ("pump", 1.0, "named")}


async def test_links_come_after_the_rerank_or_after_the_fusion_where_there_is_none(make: Make) -> None:
    retriever = make(links=Lifting())
    request = ask("The lease ends in March.", use_links=True)
    found = await retriever.retrieve(request)
    assert found.reports[-1].stage == "fusion"
    after = await retriever.rerank(request, found)
    assert [report.stage for report in after.reports[-2:]] == ["rerank", "links"]
    assert after.candidates[0].chunk_id == 20
    bare = await retriever.retrieve(request.model_copy(update={"without": ["rerank"]}))
    assert bare.reports[-1].stage == "links"
    switched_off = await make(links=Lifting(), rerank={"enabled": False}).retrieve(request)
    assert switched_off.reports[-1].stage == "links"


@pytest.mark.parametrize(
    "change", [{"use_links": False}, {"without": ["links", "rerank"]}, {"strategy": Strategy(name="precise", lexical=1.0, dense=0.0)}]
)
async def test_no_links_where_they_are_not_wanted(make: Make, change: dict[str, Any]) -> None:
    request = ask("lease", use_links=True, without=["rerank"]).model_copy(update=change)
    assert "links" not in [report.stage for report in (await make(links=Lifting()).retrieve(request)).reports]


async def test_a_reworded_search_is_judged_by_the_question(make: Make) -> None:
    """Fewer words find themselves more easily; that does not make the find a better one."""
    question = "When does the lease of the pump house end?"
    asked, reworded = await make().retrieve(ask(question)), await make().retrieve(ask("lease", question=question))
    bare = await make().retrieve(ask("lease"))
    assert reworded.signals["lexical_ratio"] <= asked.signals["lexical_ratio"] < bare.signals["lexical_ratio"]
    assert reworded.signals["dense_top1"] <= asked.signals["dense_top1"] + 1e-6
    same = await make().retrieve(ask(question, question=question))
    assert same.signals == asked.signals


def test_max_marginal_relevance_by_hand() -> None:
    vectors = {1: np.array([1, 0], np.float32), 2: np.array([1, 0], np.float32), 3: np.array([0, 1], np.float32)}
    scores = {1: 0.9, 2: 0.8, 3: 0.5}
    assert max_marginal_relevance(scores, vectors, 0.0) == [1, 2, 3]
    assert max_marginal_relevance(scores, vectors, 0.5) == [1, 3, 2]
    assert max_marginal_relevance(scores, {}, 0.5) == [1, 2, 3]
    assert max_marginal_relevance({}, vectors, 0.5) == []


@pytest.mark.parametrize("text", ["", " ", "\x00", "🜁" * 300, "lease " * 2_000])
async def test_any_question_goes_through_all_stages(make: Make, text: str) -> None:
    retriever = make()
    request = ask(text)
    found = await retriever.rerank(request, await retriever.retrieve(request))
    passages, _ = await retriever.assemble_passages(request, found, 5)
    assert all(0 <= candidate.score <= 1 for candidate in found.candidates)
    assert len(passages) <= 5


class Distant(Failing):
    """An index whose passages are all far from the question in meaning, the pump's nearest."""

    async def search_dense(self, tenant: str, vector: NDArray[np.float32], filters: Filters, limit: int) -> tuple[Hit, ...]:
        found = await self._inner.search_dense(tenant, vector, filters, limit)
        return tuple(sorted((replace(hit, score=0.02 if hit.document_id == "pump" else 0.01) for hit in found), key=lambda hit: -hit.score))


async def test_where_nothing_is_near_the_words_decide(make: Make) -> None:
    by_meaning = Strategy(name="semantic", lexical=0.3, dense=0.7, min_score=0.0)
    near = await make().retrieve(ask("tenant April", strategy=by_meaning))
    retriever = make()
    far = await replace(retriever, index=cast(SearchIndex, Distant(cast(EmbeddedIndex, retriever.index), {}))).retrieve(
        ask("tenant April", strategy=by_meaning)
    )
    reports = [next(report for report in each.reports if report.stage == "fusion") for each in (near, far)]
    assert [report.parameters["weights"]["lexical"] for report in reports] == [0.3, 0.7]
    assert ["Nothing is near in meaning" in report.note for report in reports] == [False, True]
    assert far.candidates[0].chunk_id == 2
