"""The scope of a question in the whole graph: what a request fixes, what the response says, and what a model decides."""

from __future__ import annotations

import json

import pytest
from pydantic import ValidationError

from core.search import Filters, Intent
from core.search_schemas import SearchRequest, SearchResponse
from orchestration.run_registry import Runs
from orchestration.zeus import Dependencies, Options, Zeus
from tests.support.models import ScriptedModel
from tests.support.ports import make_dependencies
from tests.support.stores import MemoryTraces
from tests.unit.test_overview_answer import FakeCommunities

NOTICE = "How much notice must the tenant give?"


async def ask(deps: Dependencies, query: str, scope: str = "auto") -> SearchResponse:
    runs = Runs(Zeus(deps))
    return await runs.result("default", await runs.start(SearchRequest.model_validate({"query": query, "scope": scope}), "default", "ann"))


async def test_the_route_stands_in_the_response_and_in_the_trace() -> None:
    deps = make_dependencies()
    response = await ask(deps, "What are the main themes?")
    assert response.route is not None
    assert (response.intent, response.route.query_type, response.route.aspect) == (Intent.SYSTEM_META, "global", "themes")
    step = next(each for each in response.steps if each.node == "classify" and each.outcome == "ok")
    assert step.details.endswith("Scope: global (0.80). It asks for the themes of the library.")
    assert isinstance(deps.traces, MemoryTraces)
    node = next(each for each in (await deps.traces.get("default", response.trace_id)).nodes if each.node == "classify")
    assert node.writes["route"]["query_type"] == "global"


async def test_themes_that_cannot_be_told_within_limits_are_named_in_the_trace() -> None:
    deps = make_dependencies(communities=FakeCommunities([], fails=True))
    runs = Runs(Zeus(deps))
    asked = SearchRequest(query="What are the main themes?", filters=Filters(path_prefix="/library/legal"))
    response = await runs.result("default", await runs.start(asked, "default", "ann"))
    assert response.answer.startswith("1 document of 1 kind:")
    assert [each.part for each in response.degraded] == ["communities"]
    assert "The knowledge graph is still being loaded." in response.degraded[0].reason
    assert isinstance(deps.traces, MemoryTraces)
    (node,) = (each for each in (await deps.traces.get("default", response.trace_id)).nodes if each.node == "general_answer")
    assert node.outcome == "degraded"
    step = next(each for each in response.steps if each.node == "general_answer" and each.outcome == "degraded")
    assert step.details.startswith("Answered from files in /library/legal alone. The themes of the documents within your limits cannot be told now:")


async def test_a_request_fixes_the_scope() -> None:
    passages = await ask(make_dependencies(), "What are the main themes?", "local")
    assert passages.route is not None
    assert (passages.intent, passages.route.by) == (Intent.DOCUMENT_SEARCH, "request")
    whole = await ask(make_dependencies(), NOTICE, "global")
    assert (whole.intent, whole.answer.splitlines()[0]) == (Intent.SYSTEM_META, "3 documents of 1 kind:")
    both = await ask(make_dependencies(), NOTICE, "hybrid")
    assert both.route is not None
    assert (both.intent, both.route.query_type) == (Intent.DOCUMENT_SEARCH, "hybrid")
    with pytest.raises(ValidationError):
        SearchRequest.model_validate({"query": NOTICE, "scope": "galactic"})


async def test_where_the_rules_are_unsure_the_model_decides() -> None:
    model = ScriptedModel(json.dumps({"query_type": "local", "confidence": 0.9, "reasoning": "It wants one rule."}))
    response = await ask(make_dependencies(routing_model=model, model=model, options=Options(use_llm_fallback=False)), "zebras in the stable")
    assert response.route is not None
    assert (response.route.query_type, response.route.by) == ("local", "scripted")


async def test_without_the_router_everything_is_searched() -> None:
    response = await ask(make_dependencies(options=Options(routing_enabled=False)), "What are the main themes?")
    assert response.intent is Intent.DOCUMENT_SEARCH


async def test_a_scope_that_nobody_reads_is_said_to_be_lost() -> None:
    off = make_dependencies(options=Options(classifier_enabled=False))
    assert [each.part for each in (await ask(off, NOTICE, "global")).degraded] == ["router"]
    assert (await ask(off, NOTICE)).degraded == []
