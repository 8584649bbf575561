"""The second scoring of the first candidates: late interaction with the embedding model's own token vectors, or a cross-encoder."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Protocol

from core.documents import embedded_text
from core.ports import Library
from core.search import Candidate, RetrievalRequest, StageReport, StageScore
from retrieval.language_crossing import LEG_NAME as MULTILINGUAL
from retrieval.late_interaction import InteractionScores, LateInteraction

STAGE = "rerank"


class PairScorer(Protocol):
    """A cross-encoder: how well each text answers the question, in 0..1."""

    @property
    def name(self) -> str: ...
    async def score(self, question: str, texts: Sequence[str]) -> list[float]: ...


class Reranker(Protocol):
    async def rerank(self, request: RetrievalRequest, candidates: Sequence[Candidate]) -> tuple[list[Candidate], StageReport]: ...


@dataclass(frozen=True, slots=True)
class InteractionReranker:
    """score = (fused + weight * maxsim) / (1 + weight) over the first `depth` candidates; the others keep their order below them."""

    interaction: LateInteraction
    depth: int
    weight: float

    async def rerank(self, request: RetrievalRequest, candidates: Sequence[Candidate]) -> tuple[list[Candidate], StageReport]:
        started = time.perf_counter()
        head = candidates[: self.depth]
        own = [candidate for candidate in head if MULTILINGUAL not in candidate.stages]
        if not own:
            return list(candidates), _make_report(started, candidates, {"method": "late interaction"}, "Found across languages: the order stays.")
        found = await self.interaction.score(request.tenant, request.text, [candidate.chunk_id for candidate in own])
        scores = self._combine_scores(own, found)
        if scores:  # words of another language say nothing: such passages keep the score that they have
            scores |= {candidate.chunk_id: candidate.score for candidate in head if MULTILINGUAL in candidate.stages}
        ordered = reorder(candidates, scores)
        parameters = {"method": "late interaction", "weight": self.weight, "stored": found.stored_count, "encoded": found.encoded_count}
        return ordered, _make_report(started, candidates, parameters, self._write_note(found))

    def _combine_scores(self, head: Sequence[Candidate], found: InteractionScores) -> dict[int, float]:
        if not found.scores:
            return {}
        lowest = min(found.scores.values())  # what the budget left out stands where the weakest of the others does
        return {
            candidate.chunk_id: (candidate.score + self.weight * max(found.scores.get(candidate.chunk_id, lowest), 0.0)) / (1 + self.weight)
            for candidate in head
        }

    def _write_note(self, found: InteractionScores) -> str:
        cut = f"The time budget left {len(found.unscored_chunks)} candidates without a look." if found.unscored_chunks else ""
        return " ".join([*found.problems, cut]).strip()


@dataclass(frozen=True, slots=True)
class PairReranker:
    """score = the cross-encoder's, over the first `depth` candidates."""

    scorer: PairScorer
    library: Library
    depth: int

    async def rerank(self, request: RetrievalRequest, candidates: Sequence[Candidate]) -> tuple[list[Candidate], StageReport]:
        started = time.perf_counter()
        chunks = await self.library.chunks(request.tenant, [candidate.chunk_id for candidate in candidates[: self.depth]])
        texts = {number: embedded_text(chunk.prefix, chunk.text) for number, chunk in chunks.items()}
        scores = await self.scorer.score(request.text, list(texts.values()))
        ordered = reorder(candidates, dict(zip(texts, scores, strict=True)))
        return ordered, _make_report(started, candidates, {"method": self.scorer.name}, "")


def reorder(
    candidates: Sequence[Candidate],
    scores: Mapping[int, float],
    stage: str = STAGE,
    updates: Mapping[int, Mapping[str, Any]] = MappingProxyType({}),
) -> list[Candidate]:
    """Order those with a new score first, best first, then the others in their order, no score above the one before it; each with its new place and
    the `updates` of its chunk."""
    scored = sorted((candidate for candidate in candidates if candidate.chunk_id in scores), key=lambda candidate: -scores[candidate.chunk_id])
    rest = [candidate for candidate in candidates if candidate.chunk_id not in scores]
    floor = scores[scored[-1].chunk_id] if scored else 1.0
    placed = [(candidate, min(max(scores[candidate.chunk_id], 0.0), 1.0)) for candidate in scored]
    placed += [(candidate, min(candidate.score, floor)) for candidate in rest]
    return [
        place_at_stage(candidate, stage, rank, score, updates.get(candidate.chunk_id, {})) for rank, (candidate, score) in enumerate(placed, start=1)
    ]


def place_at_stage(candidate: Candidate, stage: str, rank: int, score: float, updates: Mapping[str, Any] = MappingProxyType({})) -> Candidate:
    stages = {**candidate.stages, stage: StageScore(rank=rank, score=score)}
    return candidate.model_copy(update={"score": score, "stages": stages, **updates})


def _make_report(started: float, candidates: Sequence[Candidate], parameters: dict[str, Any], note: str) -> StageReport:
    took = round((time.perf_counter() - started) * 1000, 3)
    return StageReport(stage=STAGE, entered=len(candidates), left=len(candidates), duration_ms=took, parameters=parameters, note=note)
