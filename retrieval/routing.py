"""The stage that follows a plan: passages of the documents that a question speaks of, and under the headings that answer it, move up; none goes."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.documents import StoredChunk
from core.ports import Library
from core.search import QueryPlan, Retrieval, RetrievalRequest, StageReport
from retrieval.reranking import reorder

STAGE = "routing"


@dataclass(frozen=True, slots=True)
class PlanRouter:
    """score = fused * (1 + weight * [type that is routed to] + weight * [heading that answers]), cut at 1 behind the ordering."""

    library: Library
    weight: float

    async def route(self, request: RetrievalRequest, found: Retrieval) -> Retrieval:
        """Return the candidates in their new order; the report has the plan, also where it moves nothing."""
        plan = request.query_plan
        if plan is None:
            return found
        started = time.perf_counter()
        gains = await self._gains(request.tenant, plan, found) if self.weight > 0 and (plan.document_types or plan.boost_sections) else {}
        scores = {each.chunk_id: each.score * (1 + self.weight * gains[each.chunk_id]) for each in found.candidates if each.chunk_id in gains}
        candidates = reorder(found.candidates, scores, STAGE) if any(gains.values()) else found.candidates
        report = StageReport(
            stage=STAGE,
            entered=len(found.candidates),
            left=len(candidates),
            duration_ms=round((time.perf_counter() - started) * 1000, 3),
            parameters={"weight": self.weight, "plan": plan.model_dump(mode="json")},
            note=f"{sum(gain > 0 for gain in gains.values())} of {len(candidates)} passages are of what the question speaks of." if gains else "",
        )
        return found.model_copy(update={"candidates": candidates, "reports": [*found.reports, report]})

    async def _gains(self, tenant: str, plan: QueryPlan, found: Retrieval) -> Mapping[int, int]:
        """Chunk id -> how many of type and heading fit."""
        documents = await self.library.documents(tenant, list(dict.fromkeys(each.document_id for each in found.candidates)))
        chunks = await self.library.chunks(tenant, [each.chunk_id for each in found.candidates])
        routed = {number for number, document in documents.items() if document.doc_type in plan.document_types}
        return {
            each.chunk_id: (each.document_id in routed) + has_heading(chunks.get(each.chunk_id), plan.boost_sections) for each in found.candidates
        }


def has_heading(chunk: StoredChunk | None, sections: Sequence[str]) -> bool:
    """Return whether one of the chunk's headings has one of the words or phrases of `sections`, which are in lower case."""
    headings = f" {' '.join(chunk.section).lower()} " if chunk is not None else ""
    return any(f" {section} " in "".join(letter if letter.isalnum() else " " for letter in headings) for section in sections)
