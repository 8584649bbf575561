"""Answers on two levels in the whole graph: when they are made, what a model makes of them, and what the response holds."""

from __future__ import annotations

from typing import Any

from agents.dual_level.agent import DualLevelOptions
from agents.lazy_rag.agent import PROMPT
from answers.generative.cited_writer import CitedWriter
from answers.scoring.unit_vectors import UnitVectors
from core.prompts import load_prompt
from core.search_schemas import SearchRequest, SearchResponse
from orchestration.run_registry import Runs
from orchestration.zeus import Dependencies, Options, Zeus
from tests.support.evidence import CountingEmbedder, WordIndex
from tests.support.graph_answers import harbour_library
from tests.support.models import ScriptedModel
from tests.support.ports import make_dependencies

QUESTION = "What do all documents say about Elver Lock?"


def dependencies(model: ScriptedModel | None = None, dual: DualLevelOptions | None = None) -> Dependencies:
    library, view = harbour_library()
    writer = CitedWriter(model, load_prompt(PROMPT), UnitVectors(CountingEmbedder()), WordIndex()) if model is not None else None
    return make_dependencies(library, graph=view, model=model, lazy_writer=writer, options=Options(dual_level=dual, use_llm_fallback=False))


async def ask(deps: Dependencies, query: str = QUESTION, **fields: Any) -> SearchResponse:
    runs = Runs(Zeus(deps))
    asked = SearchRequest(query=query, without=["plan", "correct"], **fields)
    return await runs.result("default", await runs.start(asked, "default", "ann"))


async def test_a_hybrid_question_is_answered_on_two_levels() -> None:
    response = await ask(dependencies(dual=DualLevelOptions()))
    found = response.dual_level
    assert found is not None
    assert response.route is not None
    assert (response.route.query_type, found.query) == ("hybrid", QUESTION)
    assert (found.synthesized_answer, found.confidence) == (response.answer, response.confidence)
    assert {"audit", "minutes"} <= {each.document_id for each in found.low_level_results}
    assert found.high_level_results == []  # there are no communities here
    assert "found a crack in the gate" in response.answer
    assert response.generated_by == "extractive"
    assert "Two levels:" in next(each.details for each in response.steps if each.node == "document_search" and each.outcome == "ok")


async def test_a_model_rewrites_both_levels_and_is_checked() -> None:
    model = ScriptedModel("Mara Ellison found a crack in the gate of Elver Lock [1]. Pigs fly over it [2].")
    response = await ask(dependencies(model, DualLevelOptions()))
    assert (response.generated_by, response.dual_level is not None) == ("scripted", True)
    assert "crack in the gate" in response.answer
    assert "Pigs" not in response.answer


async def test_other_questions_and_without_the_switch_passages_answer() -> None:
    assert (await ask(dependencies())).dual_level is None
    assert (await ask(dependencies(dual=DualLevelOptions()), scope="local")).dual_level is None
    assert (await ask(dependencies(dual=DualLevelOptions()), "late pump delay")).dual_level is None  # nothing says that the whole is meant
    unicorns = await ask(dependencies(dual=DualLevelOptions()), "What do all documents say about unicorns?", scope="hybrid")
    assert (unicorns.dual_level, unicorns.status) == (None, "not_found")
