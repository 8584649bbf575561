"""The reranker by what the knowledge graph says: how often what happened of late names what a passage mentions, and how near that is to what the
question names. Off unless `graph_reranker.enabled`.

combined = original_weight * original + episode_weight * episode + distance_weight * distance, each in 0..1. A signal that says nothing of any
candidate gives its weight to the others. A passage without a name that an episode could name has the mean episode score of those with one.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from core.errors import VantageError
from core.graph import EpisodeScore, GraphDistances, WalkLimits, WeighedEpisode
from core.ports import EpisodeHistory, KnowledgeGraph
from core.search import Candidate, Degradation, GraphContext, Retrieval, RetrievalRequest, StageReport
from retrieval.fusion import min_max_sum
from retrieval.options import GraphRerankOptions
from retrieval.reranking import reorder

STAGE = "graph_rerank"
_SHOWN = 3  # names in the note
_SIGNALS = {"episode": ("episode",), "distance": ("distance",), "hybrid": ("episode", "distance")}
_ORIGINAL = "original"


@dataclass(frozen=True, slots=True)
class GraphSignals:
    """What the graph says of the candidates, by their chunks. `names` are what the question names, None where that was not looked for."""

    episodes: Mapping[int, EpisodeScore] = field(default_factory=dict)
    distances: GraphDistances = field(default_factory=lambda: GraphDistances({}))
    names: Sequence[str] | None = None

    @property
    def present(self) -> set[str]:
        return {name for name, said in (("episode", self.episodes), ("distance", self.distances.chunks)) if said}


@dataclass(frozen=True, slots=True)
class GraphReranker:
    graph: KnowledgeGraph
    history: EpisodeHistory
    options: GraphRerankOptions
    now: Callable[[], datetime] = lambda: datetime.now(UTC)

    async def rerank(self, request: RetrievalRequest, found: Retrieval) -> Retrieval:
        """Return the candidates in their new order, each with its context. A graph that cannot be read leaves the order as it was, and says so."""
        if STAGE in request.without or not found.candidates:
            return found
        started = time.perf_counter()
        try:
            signals = await self._read_signals(request, [each.chunk_id for each in found.candidates])
        except VantageError as error:
            lost = Degradation(part=STAGE, reason=f"The order is the one before the knowledge graph: {error}")
            report = _make_report(started, found.candidates, str(error))
            return found.model_copy(update={"reports": [*found.reports, report], "degraded": [*found.degraded, lost]})
        weights = self._share_weights(signals)
        if len(weights) < 2:
            report = _make_report(started, found.candidates, _describe_silence(signals))
            return found.model_copy(update={"reports": [*found.reports, report]})
        contexts = self._weigh(found.candidates, signals, weights)
        scores = {number: each.combined_score for number, each in contexts.items()}
        candidates = reorder(found.candidates, scores, STAGE, {number: {"graph_context": each} for number, each in contexts.items()})
        parameters = {"weights": weights, "context": {number: each.model_dump() for number, each in contexts.items()}}
        report = _make_report(started, candidates, _describe_moves(found.candidates, candidates, signals))
        report = report.model_copy(update={"parameters": {**report.parameters, "type": self.options.type, **parameters}})
        return found.model_copy(update={"candidates": candidates, "reports": [*found.reports, report]})

    async def _read_signals(self, request: RetrievalRequest, chunk_ids: Sequence[int]) -> GraphSignals:
        episodes, (names, distances) = await asyncio.gather(self._score_episodes(request, chunk_ids), self._measure_distances(request, chunk_ids))
        return GraphSignals(episodes, distances, names)

    async def _score_episodes(self, request: RetrievalRequest, chunk_ids: Sequence[int]) -> Mapping[int, EpisodeScore]:
        """Return what happened with the chunks' entities; an episode counts 2^(-age / window)."""
        if "episode" not in _SIGNALS[self.options.type]:
            return {}
        now, window = self.now(), timedelta(days=self.options.episode_window_days)
        episodes = await self.history.episodes(request.tenant, request.user_id, now - window)
        weighed = [WeighedEpisode(each, 0.5 ** max(0.0, (now - each.at) / window)) for each in episodes]
        if not weighed:
            return {}
        found = await self.graph.chunk_episodes(request.tenant, chunk_ids, weighed, self.options.max_mentions, self.options.hub_share)
        if not found.scores:
            return {}
        usual = sum(each.score for each in found.scores.values()) / len(set(chunk_ids) - found.silent)
        return {**found.scores, **dict.fromkeys(found.silent, EpisodeScore(0, usual))}

    async def _measure_distances(self, request: RetrievalRequest, chunk_ids: Sequence[int]) -> tuple[Sequence[str] | None, GraphDistances]:
        """Return the names of the question's entities, and how far the chunks are from them."""
        if "distance" not in _SIGNALS[self.options.type]:
            return None, GraphDistances({})
        named = await self.graph.match(request.tenant, (), request.question or request.text)
        limits = WalkLimits(self.options.max_distance, self.options.hub_share)
        starts = [each.entity.id for each in named]
        distances = await self.graph.chunk_distances(request.tenant, starts, chunk_ids, limits) if named else GraphDistances({})
        return [each.entity.name for each in named], distances

    def _share_weights(self, signals: GraphSignals) -> dict[str, float]:
        """Return the weights of what has something to say, which add up to 1. A question that names nothing leaves the original alone."""
        chosen = self.options
        given = {_ORIGINAL: chosen.original_weight, "episode": chosen.episode_weight, "distance": chosen.distance_weight}
        own = {name: given[name] for name in (_ORIGINAL, *_SIGNALS[chosen.type])}
        present = {_ORIGINAL} if signals.names == [] else {_ORIGINAL} | signals.present
        total = sum(weight for name, weight in own.items() if name in present)
        graph = any(own[name] > 0 for name in own if name in present - {_ORIGINAL})
        return {name: weight / total for name, weight in own.items() if name in present} if graph else {_ORIGINAL: 1.0}

    def _weigh(self, candidates: Sequence[Candidate], signals: GraphSignals, weights: Mapping[str, float]) -> dict[int, GraphContext]:
        originals = min_max_sum({_ORIGINAL: {each.chunk_id: each.score for each in candidates}}, {_ORIGINAL: 1.0})
        return {number: self._make_context(number, original, signals, weights) for number, original in originals.items()}

    def _make_context(self, number: int, original: float, signals: GraphSignals, weights: Mapping[str, float]) -> GraphContext:
        happened, distance = signals.episodes.get(number, EpisodeScore(0, 0.0)), signals.distances.chunks.get(number)
        near = max(0.0, 1 - distance / self.options.max_distance) if distance is not None else 0.0
        scores = {"episode": happened.score, "distance": near}
        graph_weight = 1 - weights.get(_ORIGINAL, 0.0)
        graph_score = sum(weights.get(name, 0.0) * score for name, score in scores.items()) / graph_weight
        return GraphContext(
            episode_mentions=happened.mentions,
            min_distance=distance,
            episode_score=round(happened.score, 4) if "episode" in weights else None,
            distance_score=round(near, 4) if "distance" in weights else None,
            original_score=round(original, 4),
            graph_score=round(min(1.0, graph_score), 4),
            combined_score=round((1 - graph_weight) * original + graph_weight * graph_score, 6),
        )


def _describe_silence(signals: GraphSignals) -> str:
    """Return why the order stays."""
    if signals.names == []:
        return "The question names nothing that the knowledge graph has: the order stays."
    near = f"Nothing that they mention is near {', '.join(signals.names[:_SHOWN])}; " if signals.names else ""
    return f"The knowledge graph says nothing of the candidates: {near}the order stays."


def _describe_moves(before: Sequence[Candidate], after: Sequence[Candidate], signals: GraphSignals) -> str:
    moved = sum(old.chunk_id != new.chunk_id for old, new in zip(before, after, strict=True))
    named = f" The question names {', '.join(signals.names[:_SHOWN])}." if signals.names else ""
    cut = " The walk ended where a step had more than 10,000 relationships; what lies behind was not looked at." if signals.distances.is_cut else ""
    return f"{moved} of {len(after)} changed places.{named}{cut}"


def _make_report(started: float, candidates: Sequence[Candidate], note: str) -> StageReport:
    took, count = round((time.perf_counter() - started) * 1000, 3), len(candidates)
    return StageReport(stage=STAGE, entered=count, left=count, duration_ms=took, parameters={"method": "knowledge graph"}, note=note)
