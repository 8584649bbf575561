"""The score that a passage which only links bring in would have had in the search before them: the same legs, weights and rerank.

Its meaning is measured against the question, its words are searched for in its document, each divided by the best of its leg as the fusion
divides it (`retrieval.fusion.max_normalised_sum`), and the rerank looks at it as at the others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.ports import Embedder, SearchIndex
from core.search import Candidate, Filters, Retrieval, RetrievalRequest
from retrieval.fusion import FusionName
from retrieval.language_crossing import LEG_NAME as MULTILINGUAL
from retrieval.relevance_feedback import feedback_report, move_question
from retrieval.reranking import Reranker

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_PER_DOCUMENT = 10  # chunks of a linked document that are searched for the question's words


@dataclass(frozen=True, slots=True)
class LinkedPassageScorer:
    """`reranker` None: the candidates were not reranked."""

    index: SearchIndex
    embedder: Embedder
    fusion: FusionName
    reranker: Reranker | None = None

    async def score(self, request: RetrievalRequest, found: Retrieval, owners: Mapping[int, str]) -> dict[int, float]:
        """Return chunk id -> score in 0..1 of the chunks (chunk id -> document id) that the index holds. {} where the candidates' scores are of
        another kind: fused by ranks or by spread, or all measured across languages. In a library of several languages a chunk in another one than the
        question's is measured as if it were in the same. Raises VantageError as index, embedder and rerank do.
        """
        shares = _leg_shares(found)
        crossed = all(MULTILINGUAL in candidate.stages for candidate in found.candidates)
        if self.fusion != "weighted" or not shares or crossed:
            return {}
        fused = await self._fuse_scores(request, found, owners, shares)
        candidates = [Candidate(chunk_id=number, document_id=owners[number], score=score, stages={}) for number, score in fused.items()]
        candidates.sort(key=lambda candidate: (-candidate.score, candidate.chunk_id))
        if self.reranker is not None and candidates:
            candidates, _ = await self.reranker.rerank(request, candidates)
        return {candidate.chunk_id: candidate.score for candidate in candidates}

    async def _fuse_scores(
        self, request: RetrievalRequest, found: Retrieval, owners: Mapping[int, str], shares: Mapping[str, float]
    ) -> dict[int, float]:
        question, nearest = await self._question_vector(request, found)
        vectors = await self.index.vectors(request.tenant, list(owners))
        scores = dict.fromkeys(vectors, 0.0)
        if "dense" in shares and nearest > 0:
            for number, vector in vectors.items():
                scores[number] += shares["dense"] * _relative_score(self.embedder.scale.rescale(float(vector @ question)), nearest)
        if scores and "lexical" in shares and (best := _best_score(found, "lexical")) > 0:
            documents = sorted({owners[number] for number in vectors})
            limit = len(documents) * _PER_DOCUMENT
            words = await self.index.search_lexical(request.tenant, request.text, Filters(document_ids=documents), limit)
            for hit in words.hits:
                if hit.chunk_id in scores:
                    scores[hit.chunk_id] += shares["lexical"] * _relative_score(hit.score, best)
        return scores

    async def _question_vector(self, request: RetrievalRequest, found: Retrieval) -> tuple[NDArray[np.float32], float]:
        """Return the vector that meaning was measured with, and the best score that it gave: after feedback both are others."""
        asked, report = await self.embedder.embed_query(request.text), feedback_report(found)
        if report is None:
            return asked, _best_meaning(found)
        first = await self.index.vectors(request.tenant, report.parameters["passages"])
        return move_question(asked, first, report.parameters["weight"]) if first else asked, report.parameters["best"]


def _leg_shares(found: Retrieval) -> dict[str, float]:
    """Return leg -> its share of the fused score, as the report of the fusion gives the weights; legs that found nothing left out."""
    report = next((report for report in reversed(found.reports) if report.stage == "fusion"), None)
    weights: Mapping[str, float] = report.parameters.get("weights", {}) if report is not None else {}
    ran = {report.stage for report in found.reports if report.left} | {"time"}
    used = {name: weight for name, weight in weights.items() if weight > 0 and name in ran}
    total = sum(used.values())
    return {name: weight / total for name, weight in used.items()} if total > 0 else {}


def _best_score(found: Retrieval, leg: str) -> float:
    return max((candidate.stages[leg].score for candidate in found.candidates if leg in candidate.stages), default=0.0)


def _best_meaning(found: Retrieval) -> float:
    """Return the best score of meaning; across languages the multilingual encoder's stands in the place of the model's own."""
    stages = (candidate.stages.get(MULTILINGUAL, candidate.stages.get("dense")) for candidate in found.candidates)
    return max((stage.score for stage in stages if stage is not None), default=0.0)


def _relative_score(score: float, best: float) -> float:
    return min(max(score / best, 0.0), 1.0)
