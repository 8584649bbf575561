"""The pipelines in the whole graph: which legs a search has, what stands for a missing graph, and a class as a filter for every caller."""

from __future__ import annotations

import re
from typing import Any, get_args

import pytest

from agents.dual_level.agent import DualLevelOptions
from commands.search_choices import PIPELINES as NAMES
from core.errors import Conflict, InvalidInput
from core.search import NO_DOCUMENT, Filters, RetrievalRequest
from core.search_pipelines import PIPELINES, apply_pipeline
from core.search_schemas import PipelineName, SearchRequest, SearchResponse
from graph.graph_view import GraphView
from orchestration.run_registry import Runs
from orchestration.trace_inspector import TraceInspector
from orchestration.zeus import Dependencies, Options, Zeus
from tests.support.graph_answers import harbour_library
from tests.support.graphs import MemoryGraphStore
from tests.support.ports import FakeRetriever, make_dependencies

QUESTION = "What did Mara Ellison find in the gate of Elver Lock?"


def dependencies(**changes: Any) -> tuple[Dependencies, FakeRetriever]:
    library, view = harbour_library()
    retriever = FakeRetriever(library)
    return make_dependencies(library, **{"graph": view, "retriever": retriever, **changes}), retriever


async def ask(deps: Dependencies, **fields: Any) -> SearchResponse:
    runs = Runs(Zeus(deps))
    return await runs.result("default", await runs.start(SearchRequest.model_validate({"query": QUESTION, **fields}), "default", "ann"))


def legs(asked: RetrievalRequest) -> dict[str, object]:
    """Return what a search has: the strategy, and each leg beside that for meaning."""
    follows = asked.use_links and "links" not in asked.without
    return {"strategy": asked.strategy.name, "words": asked.use_hybrid, "graph": bool(asked.graph_hits), "links": follows, "tree": asked.use_tree}


EXPECTED: dict[str, dict[str, object]] = {
    "basic": {"words": False, "graph": False, "links": False, "tree": False},
    "hybrid": {"strategy": "hybrid", "words": True, "graph": False, "links": False, "tree": False},
    "graphrag": {"strategy": "exploratory", "words": True, "graph": True, "links": True, "tree": False},
    "raptor": {"strategy": "hybrid", "words": True, "graph": False, "links": False, "tree": True},
    "auto": {"words": True, "graph": True, "links": True, "tree": False},
}


def test_every_name_has_a_row_and_the_command_has_the_same_ones() -> None:
    assert set(PIPELINES) == set(get_args(PipelineName)) == set(NAMES) == set(EXPECTED)


@pytest.mark.parametrize("pipeline", EXPECTED)
async def test_a_pipeline_has_its_legs(pipeline: str) -> None:
    deps, retriever = dependencies()
    response = await ask(deps, pipeline=pipeline)
    assert (response.status, response.degraded) == ("success", [])
    for asked in (each for each in retriever.requests if each.text == QUESTION):
        assert legs(asked) == {**legs(asked), **EXPECTED[pipeline]}


async def test_a_strategy_that_is_asked_for_stands_and_so_does_what_is_left_out() -> None:
    deps, retriever = dependencies()
    await ask(deps, pipeline="graphrag", strategy="semantic", without=["links"])
    assert legs(retriever.requests[0]) == {"strategy": "semantic", "words": True, "graph": True, "links": False, "tree": False}
    once = apply_pipeline(SearchRequest(query="?", pipeline="hybrid", without=["links", "plan"]))
    assert once == apply_pipeline(once)  # a run that is asked again
    assert once.without == ["links", "plan", "graph"]


@pytest.mark.parametrize(("graph", "said"), [(None, "switched off"), (GraphView(MemoryGraphStore()), "empty")])
async def test_graphrag_without_a_graph_says_so_and_the_others_do_not(graph: GraphView | None, said: str) -> None:
    deps, _ = dependencies(graph=graph)
    lost = await ask(deps, pipeline="graphrag")
    assert (lost.status, [each.part for each in lost.degraded]) == ("success", ["graph"])
    assert said in lost.degraded[0].reason
    for pipeline in ("auto", "hybrid"):
        assert (await ask(deps, pipeline=pipeline)).degraded == []


async def test_graphrag_answers_on_two_levels_where_these_are_switched_on() -> None:
    deps, _ = dependencies(options=Options(dual_level=DualLevelOptions()))
    both = await ask(deps, pipeline="graphrag")
    assert both.dual_level is not None
    assert both.route is not None
    assert (both.route.query_type, both.route.by) == ("hybrid", "request")
    assert "found a crack in the gate" in both.answer
    assert (await ask(deps, pipeline="auto")).dual_level is None
    assert (await ask(deps, pipeline="graphrag", scope="local")).dual_level is None
    whole = await ask(deps, pipeline="graphrag", query="What are the main themes?")
    assert (whole.route and whole.route.query_type, whole.dual_level) == ("global", None)
    assert (await ask(dependencies()[0], pipeline="graphrag")).dual_level is None


async def test_attached_files_are_searched_as_the_pipeline_says() -> None:
    for pipeline, said in (("graphrag", ["graph"]), ("basic", []), ("raptor", [])):
        deps, retriever = dependencies()
        response = await ask(deps, pipeline=pipeline, attached_documents=["audit"])
        assert [each.part for each in response.degraded] == said
        searched = next(each for each in retriever.requests if each.text == QUESTION)
        assert (searched.use_hybrid, searched.use_tree) == (pipeline != "basic", pipeline == "raptor")


# -------------------------------------------------------------------------------------------------------------- a class as a filter
class TypedView(GraphView):
    """A graph whose class Letter has two documents, the class Ship none."""

    async def class_documents(self, tenant: str, class_name: str) -> set[str]:
        if class_name not in {"Letter", "Ship"}:
            raise InvalidInput(f"There is no class {class_name}.")
        return {"letter", "menu"} if class_name == "Letter" else set()


@pytest.mark.parametrize(
    ("filters", "searched"),
    [
        (Filters(entity_class="Letter"), ["letter", "menu"]),
        (Filters(entity_class="Letter", document_ids=["audit", "menu"]), ["menu"]),
        (Filters(entity_class="Letter", document_ids=["audit"]), [NO_DOCUMENT]),
        (Filters(entity_class="Ship"), [NO_DOCUMENT]),
    ],
)
async def test_a_class_limits_every_run_and_one_that_is_asked_again(filters: Filters, searched: list[str]) -> None:
    deps, retriever = dependencies(graph=TypedView(MemoryGraphStore()))
    zeus = Zeus(deps)
    runs = Runs(zeus)
    first = await runs.result("default", await runs.start(SearchRequest(query=QUESTION, filters=filters), "default", "ann"))
    again = await TraceInspector(zeus, runs).replay("default", first.trace_id, ["rerank"], "ann")
    assert {each.id for each in [*first.results, *again.results]} <= set(searched)
    assert [each.filters.document_ids for each in retriever.requests] == [searched] * len(retriever.requests)
    assert (await deps.traces.get("default", first.trace_id)).request["filters"]["document_ids"] == filters.document_ids


async def test_a_class_that_nobody_can_look_up_is_refused() -> None:
    asked = SearchRequest(query=QUESTION, filters=Filters(entity_class="Dragon"))
    for graph, error, said in ((TypedView(MemoryGraphStore()), InvalidInput, "no class Dragon"), (None, Conflict, "graph.enabled")):
        runs = Runs(Zeus(dependencies(graph=graph)[0]))
        with pytest.raises(error, match=re.escape(said)):
            await runs.start(asked)
        assert runs.running == 0
