"""The stage behind fusion and rerank that follows links: passages that a good passage names move up or come in."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from core.errors import VantageError
from core.ports import Library, OwnScores, PassageLinks
from core.search import Candidate, Degradation, Retrieval, RetrievalRequest, StageReport, StageScore

STAGE = "links"
MAX_CANDIDATES = 50
_SHOWN = 5  # reasons in the stage's note


class LinkedScorer(Protocol):
    """`retrieval.linked_scores.LinkedPassageScorer`, which says what is promised."""

    async def score(self, request: RetrievalRequest, found: Retrieval, owners: Mapping[int, str]) -> dict[int, float]: ...


def follows_links(request: RetrievalRequest) -> bool:
    """Return whether links may add to the search. An exact one (words alone) keeps to its words: what is only linked does not hold them."""
    return request.use_links and STAGE not in request.without and request.strategy.dense > 0


@dataclass(frozen=True, slots=True)
class LinkStage:
    """Stage that rescores candidates by title and phrase links and adds those that only links lead to, within the request's filters. `scorer` says
    what these would have scored in the search that went before.
    """

    links: PassageLinks
    library: Library
    scorer: LinkedScorer

    async def rescore(self, request: RetrievalRequest, found: Retrieval) -> Retrieval:
        """Rescore by links. Links that fail leave the order as it was, and say so."""
        if not found.candidates:
            return found
        started = time.perf_counter()
        known = {candidate.chunk_id: candidate for candidate in found.candidates}
        scores = {number: candidate.score for number, candidate in known.items()}
        owners = {number: candidate.document_id for number, candidate in known.items()}
        try:
            moved = await self.links.rescore(request.tenant, request.text, scores, owners, self._own_scores(request, found))
            moved = await self._filter_moved(request, moved, set(owners.values()))
        except VantageError as error:
            failed = Degradation(part=STAGE, reason=f"Links between passages were not followed: {error}")
            report = _make_report(started, len(known), len(known), str(error))
            return found.model_copy(update={"reports": [*found.reports, report], "degraded": [*found.degraded, failed]})
        if not moved:
            note = "Neither the question nor the first passages name another document: nothing was moved."
            return found.model_copy(update={"reports": [*found.reports, _make_report(started, len(known), len(known), note)]})
        candidates = _order_candidates(known, moved)
        report = _make_report(started, len(known), len(candidates), _describe_moves(found.candidates, candidates, moved))
        return found.model_copy(update={"candidates": candidates, "reports": [*found.reports, report]})

    def _own_scores(self, request: RetrievalRequest, found: Retrieval) -> OwnScores:
        async def own_scores(owners: Mapping[int, str]) -> Mapping[int, float]:
            return await self.scorer.score(request, found, owners) if owners else {}

        return own_scores

    async def _filter_moved(
        self, request: RetrievalRequest, moved: dict[int, tuple[str, float, str]], known: set[str]
    ) -> dict[int, tuple[str, float, str]]:
        """Return the links whose documents pass the request's filters, as all others had to."""
        new = sorted({document for document, _, _ in moved.values()} - known)
        if not new or request.filters.is_empty():
            return moved
        given = set(request.filters.document_ids)
        wanted = [document for document in new if not given or document in given]
        passing: set[str] = set()
        if wanted:
            filters = request.filters.model_copy(update={"document_ids": wanted})
            documents, _, _ = await self.library.list_documents(request.tenant, filters=filters, limit=len(wanted))
            passing = {document.id for document in documents}
        return {number: found for number, found in moved.items() if found[0] in known or found[0] in passing}


def _order_candidates(known: dict[int, Candidate], moved: dict[int, tuple[str, float, str]]) -> list[Candidate]:
    """Return the first MAX_CANDIDATES by the new scores, each with its place; equal scores keep their order."""
    scores = {number: candidate.score for number, candidate in known.items()} | {number: score for number, (_, score, _) in moved.items()}
    places = {number: place for place, number in enumerate(scores)}
    order = sorted(scores, key=lambda number: (-scores[number], places[number]))[:MAX_CANDIDATES]
    return [_place_candidate(known.get(number), number, moved, rank, scores[number]) for rank, number in enumerate(order, start=1)]


def _place_candidate(candidate: Candidate | None, number: int, moved: dict[int, tuple[str, float, str]], rank: int, score: float) -> Candidate:
    score = min(max(score, 0.0), 1.0)
    stage = {STAGE: StageScore(rank=rank, score=score)}
    if candidate is None:
        return Candidate(chunk_id=number, document_id=moved[number][0], score=score, stages=stage)
    return candidate.model_copy(update={"score": score, "stages": {**candidate.stages, **stage}})


def _describe_moves(before: Sequence[Candidate], after: Sequence[Candidate], moved: dict[int, tuple[str, float, str]]) -> str:
    """Describe which candidates came in and which moved up, with the reasons of the first few."""
    old = {candidate.chunk_id: place for place, candidate in enumerate(before, start=1)}
    new = [candidate.chunk_id for candidate in after if candidate.chunk_id not in old]
    risen = [
        candidate.chunk_id for place, candidate in enumerate(after, start=1) if candidate.chunk_id in moved and old.get(candidate.chunk_id, 0) > place
    ]
    numbers = [number for number in (candidate.chunk_id for candidate in after) if number in {*new, *risen}][:_SHOWN]
    place = {candidate.chunk_id: rank for rank, candidate in enumerate(after, start=1)}
    lines = [f"{old.get(number, 'new')} → {place[number]}: {moved[number][2]}" for number in numbers if number in moved]
    return f"{len(new)} came in, {len(risen)} moved up. " + "; ".join(lines) if new or risen else "The links changed no place."


def _make_report(started: float, entered: int, left: int, note: str) -> StageReport:
    took = round((time.perf_counter() - started) * 1000, 3)
    return StageReport(stage=STAGE, entered=entered, left=left, duration_ms=took, parameters={"method": "title and phrase links"}, note=note)
