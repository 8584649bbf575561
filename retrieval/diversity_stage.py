"""The stages of a search that is asked for diversity: near copies of a passage go before the first candidates are chosen, and what is left is spread.

Spreading alone does not help where a page stands in a library a hundred times: all candidates are that page.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.ports import Embedder, SearchIndex
from core.search import DroppedCandidate, Retrieval, RetrievalRequest, StageReport
from retrieval.diversity import find_near_copies, max_marginal_relevance
from retrieval.reranking import place_at_stage

STAGE, COPIES_STAGE = "diversity", "copies"
DEEPER = 8  # times as many candidates of each leg, so that others are among them
NEAR_COPY = 0.95  # cosine
_LOOKED_AT = 800  # of the fused list
_SHOWN = 20


@dataclass(frozen=True, slots=True)
class DiversityStage:
    """Both stages do nothing where the request asks for no diversity."""

    index: SearchIndex
    embedder: Embedder

    async def drop_copies(
        self, request: RetrievalRequest, ranked: Sequence[int], scores: Mapping[int, float], owners: Mapping[int, str]
    ) -> tuple[list[int], list[StageReport]]:
        """Return the chunks, best first, without near copies of one above, and the report of what went."""
        if request.diversity_weight <= 0:
            return list(ranked), []
        started = time.perf_counter()
        vectors = await self.index.vectors(request.tenant, list(ranked[:_LOOKED_AT]))
        copies = find_near_copies(ranked[:_LOOKED_AT], vectors, NEAR_COPY)
        kept = [number for number in ranked if number not in copies]
        reason = f"nearly the same as a passage above it (cosine {NEAR_COPY:.2f} and more)"
        gone = [
            DroppedCandidate(chunk_id=number, document_id=owners[number], stage=COPIES_STAGE, score=scores[number], reason=reason)
            for number in ranked
            if number in copies
        ][:_SHOWN]
        return kept, [_make_report(COPIES_STAGE, started, len(ranked), len(kept)).model_copy(update={"dropped": gone})]

    async def spread(self, request: RetrievalRequest, found: Retrieval) -> Retrieval:
        """Return the candidates in the order of maximal marginal relevance."""
        if request.diversity_weight <= 0:
            return found
        started = time.perf_counter()
        scores = {candidate.chunk_id: candidate.score for candidate in found.candidates}
        vectors = await self.index.vectors(request.tenant, list(scores))
        order = max_marginal_relevance(scores, vectors, min(request.diversity_weight, 1.0), self.embedder.scale)
        known = {candidate.chunk_id: candidate for candidate in found.candidates}
        moved = [place_at_stage(known[chunk_id], STAGE, rank, scores[chunk_id]) for rank, chunk_id in enumerate(order, start=1)]
        parameters = {"method": "max marginal relevance", "diversity_weight": request.diversity_weight}
        report = _make_report(STAGE, started, len(moved), len(moved)).model_copy(update={"parameters": parameters})
        return found.model_copy(update={"candidates": moved, "reports": [*found.reports, report]})


def _make_report(stage: str, started: float, entered: int, left: int) -> StageReport:
    return StageReport(stage=stage, entered=entered, left=left, duration_ms=round((time.perf_counter() - started) * 1000, 3))
