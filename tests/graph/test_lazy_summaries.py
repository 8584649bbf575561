"""Lazy summaries in the whole graph: when they are made, what a model makes of them, and what the response holds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from agents.lazy_rag.agent import PROMPT, LazyOptions
from answers.generative.cited_writer import CitedWriter
from answers.scoring.unit_vectors import UnitVectors
from core.errors import ModelUnavailable, Unavailable
from core.graph import GraphFact
from core.prompts import load_prompt
from core.search_schemas import SearchRequest, SearchResponse
from graph.graph_view import GraphView
from orchestration.run_registry import Runs
from orchestration.zeus import Dependencies, Options, Zeus
from tests.support.evidence import CountingEmbedder, WordIndex
from tests.support.graph_answers import QUESTION, harbour_library
from tests.support.graphs import MemoryGraphStore
from tests.support.models import ScriptedModel
from tests.support.ports import make_dependencies

SAID = "Mara Ellison found a crack in the gate of Elver Lock [1]. Pigs fly over it [2]."


def dependencies(model: ScriptedModel | None = None, lazy: LazyOptions | None = LazyOptions()) -> Dependencies:  # noqa: B008
    library, view = harbour_library()
    writer = CitedWriter(model, load_prompt(PROMPT), UnitVectors(CountingEmbedder()), WordIndex()) if model is not None else None
    return make_dependencies(library, graph=view, model=model, lazy_writer=writer, options=Options(lazy_rag=lazy, use_llm_fallback=False))


async def ask(deps: Dependencies, query: str = QUESTION, **fields: Any) -> SearchResponse:
    runs = Runs(Zeus(deps))
    return await runs.result("default", await runs.start(SearchRequest(query=query, scope="global", **fields), "default", "ann"))


async def test_a_global_question_is_answered_by_a_summary() -> None:
    response = await ask(dependencies())
    assert (response.status, response.generated_by) == ("success", "extractive")
    lazy = response.lazy_rag
    assert lazy is not None
    assert response.route is not None
    assert (response.route.aspect, lazy.query, lazy.summary) == ("summary", QUESTION, response.answer)
    assert (lazy.citations, lazy.confidence) == (response.citations, response.confidence)
    assert (lazy.cost.model_calls, lazy.cost.prompt_tokens, lazy.cost.completion_tokens) == (0, 0, 0)
    assert lazy.cost.sentences_read > 0
    assert lazy.generation_time_ms > 0
    assert {"Elver Lock", "Mara Ellison"} <= {each.name for each in lazy.entities}
    assert all(step.source and step.target for step in lazy.relationships)
    assert "Lazy summary:" in next(each.details for each in response.steps if each.node == "document_search" and each.outcome == "ok")
    assert response.confidence_label != "high"


async def test_a_model_rewrites_it_and_what_no_sentence_supports_is_left_out() -> None:
    model = ScriptedModel(SAID)
    response = await ask(dependencies(model), without=["plan", "correct"])
    assert response.generated_by == "scripted"
    assert "crack in the gate" in response.answer
    assert "Pigs" not in response.answer
    assert response.lazy_rag is not None
    assert response.lazy_rag.cost.model_dump(exclude={"sentences_read"}) == {"model_calls": 1, "prompt_tokens": 10, "completion_tokens": 5}
    assert "at most 150 words" in model.calls[0][1].content


async def test_the_sentences_stand_where_the_model_fails() -> None:
    response = await ask(dependencies(ScriptedModel(ModelUnavailable("It is gone."))), without=["plan", "correct"])
    assert response.generated_by == "extractive"
    assert [each.part for each in response.degraded] == ["model"]
    assert response.lazy_rag is not None
    assert response.lazy_rag.summary == response.answer


async def test_switched_off_the_themes_answer_what_a_request_asks_of_the_whole() -> None:
    response = await ask(dependencies(lazy=None))
    assert response.lazy_rag is None
    assert response.answer.startswith("4 documents of 1 kind")


async def test_where_the_graph_leads_to_nothing_passages_answer() -> None:
    response = await ask(dependencies(), "What do all documents say about soup?")
    assert response.lazy_rag is not None  # the search's passages mention somebody of the graph
    silent = await ask(dependencies(), "What do all documents say about unicorns?")
    assert (silent.lazy_rag, silent.status) == (None, "not_found")


class LoadingView(GraphView):
    async def facts(self, *given: Any, **fields: Any) -> list[GraphFact]:
        raise Unavailable("The knowledge graph is still being loaded.")


async def test_a_graph_that_cannot_be_asked_is_said() -> None:
    library, view = harbour_library()
    loading = LoadingView(view._store)  # the same documents
    response = await ask(replace(dependencies(), library=library, graph=loading))
    assert response.lazy_rag is None
    assert "was answered from passages" in next(each.reason for each in response.degraded if each.part == "graph")


@pytest.mark.parametrize("store", [MemoryGraphStore()])
async def test_an_empty_graph_answers_from_passages(store: MemoryGraphStore) -> None:
    response = await ask(replace(dependencies(), graph=GraphView(store)))
    assert response.status in {"success", "not_found"}
    assert response.degraded == []
