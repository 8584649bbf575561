"""Feedback by meaning: of a topic the passages that were found first say more than the question does.

The question's vector is moved towards the mean of the first passages (Rocchio 1971, "Relevance feedback in information retrieval", with what ranks
first taken for relevant), the meaning of all candidates is measured again with it, and they are fused again. That costs no second search: what
neither leg found is not looked for. It helps where a question names nothing and loses where it does (docs/decisions/0030), so the strategy says
whether it is done.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.ports import SearchIndex, SimilarityScale
from core.search import Retrieval, RetrievalRequest, StageReport
from retrieval.leg_runner import LegResults

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]

STAGE = "feedback"
_FEWEST = 2  # passages; towards a single one the question would only ask for that one again


@dataclass(frozen=True, slots=True)
class RelevanceFeedback:
    """`passages` of the first list are taken for relevant."""

    index: SearchIndex
    scale: SimilarityScale
    passages: int

    async def remeasure_candidates(self, request: RetrievalRequest, legs: LegResults, fused: Mapping[int, float]) -> bool:
        """Give the legs' candidates their meaning anew, and the report of it; False where there is nothing to measure it by.
        `fused` are the scores of the first list."""
        weight, started = request.strategy.feedback, time.perf_counter()
        if weight <= 0 or legs.vector is None or legs.crossing is not None or not {"lexical", "dense"} <= legs.hits.keys():
            return False
        vectors = await self.index.vectors(request.tenant, list(legs.documents))
        first = sorted((number for number in fused if number in vectors), key=lambda number: (-fused[number], number))[: self.passages]
        if len(first) < _FEWEST:
            return False
        question = move_question(legs.vector, {number: vectors[number] for number in first}, weight)
        legs.moved_cosines = {number: self.scale.rescale(float(vector @ question)) for number, vector in vectors.items()}
        legs.reports.append(
            StageReport(
                stage=STAGE,
                entered=len(vectors),
                left=len(vectors),
                duration_ms=round((time.perf_counter() - started) * 1000, 3),
                parameters={"weight": weight, "passages": first, "best": max(legs.moved_cosines.values())},
                note=f"The question names nothing: its meaning is moved by {weight:.2f} towards the first {len(first)} passages.",
            )
        )
        return True


def move_question(question: Vector, first: Mapping[int, Vector], weight: float) -> Vector:
    """Return the unit vector that lies by `weight` (0..1) of the way from the question to the mean of the first passages."""
    mean = np.mean(list(first.values()), axis=0)
    found = (1 - weight) * question + weight * mean / max(float(np.linalg.norm(mean)), 1e-9)
    return np.asarray(found / max(float(np.linalg.norm(found)), 1e-9), dtype=np.float32)


def feedback_report(found: Retrieval) -> StageReport | None:
    """Return the report of the feedback, where a retrieval was measured again."""
    return next((report for report in found.reports if report.stage == STAGE), None)
