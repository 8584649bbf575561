"""The stage for questions with a "not": a passage that says it so moves up, one that says the opposite of the same things moves down.

"Who is not responsible?" and "Who is responsible?" have nearly the same words and meaning; legs and rerank hardly tell them apart. A question without
a negation ("not", "excluded", "nicht") is left as it is, and so is one that its opposite answers, too.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass

from core.language.negation_wording import AskedPolarity, count_shared, read_question, states_negation
from core.ports import Library
from core.search import Candidate, Retrieval, RetrievalRequest, StageReport
from retrieval.reranking import reorder

STAGE = "negation"
_DEPTH = 20  # first candidates that are read
_LEAST_SHARED = 0.6  # of the most that a passage speaks of what is asked about: what says less is no opposite of it


@dataclass(frozen=True, slots=True)
class NegationStage:
    """score * (1 + weight) for a passage that says what is asked, score * (1 - weight) for one that says the opposite."""

    library: Library
    weight: float

    async def tell_apart(self, request: RetrievalRequest, found: Retrieval) -> Retrieval:
        original = request.query_plan.original if request.query_plan is not None else ""
        asked = read_question(original or request.text, also=request.text)
        if self.weight <= 0 or STAGE in request.without or not asked.matters or not found.candidates:
            return found
        started = time.perf_counter()
        head = found.candidates[:_DEPTH]
        chunks = await self.library.chunks(request.tenant, [each.chunk_id for each in head])
        agreement = _compare_texts(asked, {each.id: each.text for each in chunks.values()})
        candidates = found.candidates
        if agreement:
            candidates = reorder(candidates, {each.chunk_id: self._score(each, agreement) for each in head}, STAGE)
        report = StageReport(
            stage=STAGE,
            entered=len(found.candidates),
            left=len(candidates),
            duration_ms=round((time.perf_counter() - started) * 1000, 3),
            parameters={"weight": self.weight, "negated": asked.is_negated, "agree": agreement},
            note=f"{list(agreement.values()).count(1)} say it as it is asked, {list(agreement.values()).count(-1)} the opposite.",
        )
        return found.model_copy(update={"candidates": candidates, "reports": [*found.reports, report]})

    def _score(self, candidate: Candidate, agreement: dict[int, int]) -> float:
        return candidate.score * (1 + self.weight * agreement.get(candidate.chunk_id, 0))


def _compare_texts(asked: AskedPolarity, texts: Mapping[int, str]) -> dict[int, int]:
    """Return 1 for texts that say it as it is asked, -1 for those that say the opposite, of as many things; {} where not both are among them."""
    negates = {number: states_negation(text, asked) for number, text in texts.items()}
    shared = {number: count_shared(texts[number], asked) for number, said in negates.items() if said is not None}
    least = _LEAST_SHARED * max(shared.values(), default=0)
    agreement = {number: 1 if negates[number] is asked.is_negated else -1 for number, count in shared.items() if count >= least}
    return agreement if len(set(agreement.values())) == 2 else {}
