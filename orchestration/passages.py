"""The passages that an answer is read from, with their evidence: of the best candidates, or the nearest where none was good enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.ports import Library, ReferenceStore, Retriever
from core.search import Candidate, Passage, Retrieval, StageReport
from orchestration.changed_clauses import CHANGES_STAGE, add_changing_passages
from orchestration.evidence import GatheredEvidence, gather_evidence, make_results
from orchestration.question_text import question_after_hops
from orchestration.state import State


@dataclass(frozen=True, slots=True)
class ReadPassages:
    """`retrieval` is the search behind the reading of its passages."""

    retrieval: Retrieval
    gathered: GatheredEvidence

    def writes(self, top_k: int) -> dict[str, Any]:
        """Return the keys of the state that the passages are, with a result for each of `top_k` documents."""
        evidence, passages = self.gathered.evidence, [each.passage for each in self.gathered.evidence]
        results = make_results(passages, self.gathered.documents, top_k)
        return {"passages": passages, "retrieval": self.retrieval, "evidence": evidence, "results": results}


async def read_passages(state: State, *, retriever: Retriever, library: Library, references: ReferenceStore | None, limit: int) -> ReadPassages:
    """Read at least `limit` passages, and those that change a clause of the first ones."""
    before, tenant = state["retrieval"], state["query"].tenant
    passages, after = await _passages(state, retriever, limit)
    request = state["retrieval_request"]
    if passages and references is not None and request.use_links and request.filters.is_empty():
        passages, numbers = await add_changing_passages(passages, tenant, library, references)
        after = _report_changes(after, len(passages), numbers) if numbers else after
    if question_after_hops(state):
        after = after.model_copy(update={"signals": before.signals})  # the chain's, as Odysseus joined them
    return ReadPassages(after, await gather_evidence(passages, tenant, library))


async def _passages(state: State, retriever: Retriever, limit: int) -> tuple[list[Passage], Retrieval]:
    request, found = state["retrieval_request"], state["retrieval"]
    nearest = found if found.candidates else found.model_copy(update={"candidates": _dropped_candidates(found)})
    return await retriever.assemble_passages(request, nearest, max(request.top_k, limit)) if nearest.candidates else ([], found)


def _report_changes(found: Retrieval, passages: int, numbers: Sequence[str]) -> Retrieval:
    note = f"What changes clause {' and '.join(numbers)} is read, too."
    report = StageReport(
        stage=CHANGES_STAGE, entered=passages - len(numbers), left=passages, duration_ms=0.0, parameters={"clauses": len(numbers)}, note=note
    )
    return found.model_copy(update={"reports": [*found.reports, report]})


def _dropped_candidates(found: Retrieval) -> list[Candidate]:
    """Return what the minimum let go: shown as the nearest when nothing else is left."""
    dropped = {each.chunk_id: each for report in found.reports if report.stage != "required" for each in report.dropped}
    ordered = sorted(dropped.values(), key=lambda each: -each.score)
    return [Candidate(chunk_id=each.chunk_id, document_id=each.document_id, score=each.score) for each in ordered[:10]]
