"""The stage that follows a plan: passages of the documents that a question speaks of, and under the headings that answer it, move up; none goes."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from core.documents import Document, StoredChunk
from core.language.content_words import stems
from core.ports import Library
from core.search import QueryPlan, Retrieval, RetrievalRequest, StageReport
from retrieval.reranking import reorder

STAGE = "routing"
_NAME = re.compile(r"(?<=[\w,;:)’'\"-] )[\"'“„(]?[A-ZÀ-Þ\d][\w-]*")


@dataclass(frozen=True, slots=True)
class PlanRouter:
    """score = fused * (1 + weight * [type that is routed to] + weight * [heading that answers] + named_weight * [the document that is named]), cut at
    1 behind the ordering."""

    library: Library
    weight: float
    named_weight: float = 0.0

    async def route(self, request: RetrievalRequest, found: Retrieval) -> Retrieval:
        """Return the candidates in their new order; the report has the plan, also where it moves nothing."""
        plan = request.query_plan
        if plan is None:
            return found
        started = time.perf_counter()
        gains = await self._gains(request, plan, found)
        scores = {each.chunk_id: each.score * (1 + gains[each.chunk_id]) for each in found.candidates if each.chunk_id in gains}
        candidates = reorder(found.candidates, scores, STAGE) if any(gains.values()) else found.candidates
        report = StageReport(
            stage=STAGE,
            entered=len(found.candidates),
            left=len(candidates),
            duration_ms=round((time.perf_counter() - started) * 1000, 3),
            parameters={"weight": self.weight, "named_weight": self.named_weight, "plan": plan.model_dump(mode="json")},
            note=f"{sum(gain > 0 for gain in gains.values())} of {len(candidates)} passages are of what the question speaks of."
            if any(gains.values())
            else "",
        )
        return found.model_copy(update={"candidates": candidates, "reports": [*found.reports, report]})

    async def _gains(self, request: RetrievalRequest, plan: QueryPlan, found: Retrieval) -> Mapping[int, float]:
        """Return by how much each chunk's score grows, as a share of it."""
        if not (self.weight > 0 and (plan.document_types or plan.boost_sections)) and not (self.named_weight > 0 and plan.document_types):
            return {}
        documents = await self.library.documents(request.tenant, list(dict.fromkeys(each.document_id for each in found.candidates)))
        routed = {number: document for number, document in documents.items() if document.doc_type in plan.document_types}
        named = find_named(read_names(request.text) - stems(" ".join(plan.kind_words)), list(routed.values()))
        chunks = await self.library.chunks(request.tenant, [each.chunk_id for each in found.candidates]) if self.weight > 0 else {}
        return {
            each.chunk_id: self.weight * ((each.document_id in routed) + has_heading(chunks.get(each.chunk_id), plan.boost_sections))
            + self.named_weight * (each.document_id in named)
            for each in found.candidates
        }


def read_names(text: str) -> frozenset[str]:
    """Return the stems of the words that a question writes with a capital or a figure, its first word aside."""
    return stems(" ".join(_NAME.findall(text)))


def find_named(asked: Set[str], documents: Sequence[Document]) -> set[str]:
    """Return those of some documents of one kind that the names of a question (stems without those that say the kind) tell from the others by words
    of their titles and file names: "the Pallas offer" of three offers. None where they tell none from the others; versions of one document are named
    together."""
    names = {each.id: stems(f"{each.title} {each.filename}") for each in documents}
    common = frozenset.intersection(*names.values()) if len(names) > 1 else frozenset[str]()
    said = {number: len(asked & own - common) for number, own in names.items()}
    most = max(said.values(), default=0)
    found = {number for number, count in said.items() if count == most > 0}
    return found if len(found) < len(names) or len(names) == 1 else set()


def has_heading(chunk: StoredChunk | None, sections: Sequence[str]) -> bool:
    """Return whether one of the chunk's headings has one of the words or phrases of `sections`, which are in lower case."""
    headings = f" {' '.join(chunk.section).lower()} " if chunk is not None else ""
    return any(f" {section} " in "".join(letter if letter.isalnum() else " " for letter in headings) for section in sections)
