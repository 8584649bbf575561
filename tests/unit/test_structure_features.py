"""The reranker by where a passage stands: each feature, the sum, what is logged, and weights that are refused."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from pydantic import ValidationError

from agents.strategy.agent import STRATEGIES
from core.documents import DocumentState
from core.search import Candidate, QueryPlan, Retrieval, RetrievalRequest
from retrieval.structure_features import STAGE, StructureReranker
from settings_search import StructureSettings, StructureWeights
from tests.support.ports import FakeLibrary, make_document

ASKED = RetrievalRequest(text="Which brakes do red cranes need?", strategy=STRATEGIES["hybrid"])
ON = StructureSettings(enabled=True)


def library() -> FakeLibrary:
    """Chunks 1 to 4 are of a whole report, 5 of an older policy of which a part was read."""
    report = make_document("report", "/l/report.txt", "Report", [("Cranes", "a"), ("Brakes of cranes", "b"), ("Paint", "c"), ("Ropes", "d")])
    rules, content = make_document("rules", "/l/rules.txt", "Rules", [("Scope", "e")])
    older = rules.modified_at - timedelta(days=9) if rules.modified_at else None
    changes = {"doc_type": "policy", "state": DocumentState.PARTIAL, "modified_at": older}
    return FakeLibrary([report, (rules.model_copy(update=changes), content)])


def retrieval(*scores: float) -> Retrieval:
    owners = {chunk.id: chunk.document_id for chunk in library().chunk_list}
    ranked = sorted(enumerate(scores, start=1), key=lambda pair: -pair[1])
    return Retrieval(candidates=[Candidate(chunk_id=number, document_id=owners[number], score=score) for number, score in ranked])


async def features_of(request: RetrievalRequest, found: Retrieval) -> dict[int, dict[str, float]]:
    report = (await StructureReranker(library(), ON).rerank(request, found)).reports[-1]
    logged: dict[int, dict[str, float]] = report.parameters["features"]
    assert (report.stage, report.parameters["weights"]) == (STAGE, StructureWeights().model_dump())
    return logged


async def test_each_feature() -> None:
    logged = await features_of(ASKED, retrieval(0.9, 0.8, 0.2, 0.5, 0.4))
    assert logged[2] == {
        "text": 0.8, "parent": 0.9, "section_match": 0.6667, "confidence": 1.0, "adjacency": 0.2, "document_type": 0.5, "recency": 1.0,
        "position_in_doc": logged[2]["position_in_doc"],
    }  # fmt: skip
    assert [logged[number]["position_in_doc"] for number in range(1, 5)] == sorted(logged[number]["position_in_doc"] for number in range(1, 5))
    assert logged[1]["adjacency"] == 0.1  # chunk 3 is too weak, 4 too far
    assert (logged[5]["parent"], logged[5]["confidence"], logged[5]["recency"]) == (0.0, 0.5, 0.5)


async def test_the_plan_decides_type_and_heading() -> None:
    plan = QueryPlan(original="?", document_types=["policy"], boost_sections=["scope"])
    logged = await features_of(ASKED.model_copy(update={"query_plan": plan}), retrieval(0.9, 0.8, 0.2, 0.5, 0.4))
    assert (logged[5]["document_type"], logged[5]["section_match"], logged[1]["document_type"]) == (1.0, 1.0, 0.5)


async def test_the_order_is_that_of_the_sum() -> None:
    moved = await StructureReranker(library(), ON).rerank(ASKED, retrieval(0.62, 0.6, 0.61, 0.1, 0.1))
    assert moved.candidates[0].chunk_id == 2  # .24 + .062 + .1 + .1 + .02 + .05 + .05
    assert moved.candidates[0].score == pytest.approx(0.622)
    assert moved.candidates[0].stages[STAGE].rank == 1
    assert moved.reports[-1].note.endswith("changed places.")


@pytest.mark.parametrize("changes", [{"without": [STAGE]}, None])
async def test_off_is_off(changes: dict[str, Any] | None) -> None:
    found, settings = retrieval(0.9, 0.8, 0.2, 0.5, 0.4), ON if changes else StructureSettings()
    assert await StructureReranker(library(), settings).rerank(ASKED.model_copy(update=changes or {}), found) == found


@pytest.mark.parametrize(
    ("weights", "reason"),
    [
        ({"text": 0.5}, "add up to 1.100"),
        ({"text": 0.1, "section_match": 0.45}, "text .* at least as much"),
        ({"text": -0.1}, "greater than or equal"),
        ({"depth": 0.1}, "Extra inputs"),
    ],
)
def test_weights_that_are_not_sane_are_refused(weights: dict[str, float], reason: str) -> None:
    with pytest.raises(ValidationError, match=reason):
        StructureWeights.model_validate(weights)
