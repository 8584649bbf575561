"""Each feature that can be switched now, over the real composition: what a tenant without it goes by, and what its runs and traces say."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from answers.extractive.composer import ExtractiveComposer
from core.errors import NotFound
from core.search_schemas import SearchRequest
from orchestration.dependencies import Dependencies
from retrieval.retriever import HybridRetriever
from server.health_report import make_report
from server.request_identity import Identity
from server.services import Services
from settings_features import FEATURES
from tests.support.model_switch import ModelOpener, ask_question, index_folder, open_model_library, question_of, write_files

LOCAL = Identity("default", "local", has_key=False)


@pytest.fixture
async def services(tmp_path: Path) -> AsyncIterator[Services]:
    async with open_model_library(tmp_path, "alpha", ModelOpener({"alpha": 128}), reads=True) as opened:
        yield opened


def retriever(deps: Dependencies) -> HybridRetriever:
    assert isinstance(deps.retriever, HybridRetriever)
    return deps.retriever


def _reads(deps: Dependencies) -> bool:
    assert isinstance(deps.composer, ExtractiveComposer)
    return deps.reader is not None and deps.composer._reader is not None


# What is there of a feature in the dependencies of a run; memory's and the communities' are asked for by tenant, below.
WORKS: dict[str, Callable[[Dependencies], bool]] = {
    "hybrid_search": lambda deps: deps.options.hybrid_enabled,
    "rerank": lambda deps: deps.options.rerank_enabled and retriever(deps).options.rerank.enabled,
    "feedback": lambda deps: deps.options.feedback > 0,
    "recounted_words": lambda deps: retriever(deps).options.recounted_enabled,
    "spelling": lambda deps: deps.speller is not None,
    "cross_language": lambda deps: deps.translator is not None and retriever(deps).cross_language is not None,
    "graph": lambda deps: deps.graph is not None and retriever(deps).links is not None,
    "links": lambda deps: retriever(deps).links is not None,
    "classifier": lambda deps: deps.options.classifier_enabled,
    "classifier_model": lambda deps: deps.options.use_llm_fallback,
    "query_routing": lambda deps: deps.options.routing_enabled,
    "planner": lambda deps: deps.options.planner_enabled,
    "correction": lambda deps: deps.options.correction_enabled,
    "reader": _reads,
    "tables": lambda deps: deps.tables is not None,
}
OFF_UNLESS_SWITCHED: dict[str, Callable[[Dependencies], bool]] = {
    "structure": lambda deps: retriever(deps).options.structure.enabled,
    "graph_rerank": lambda deps: retriever(deps).graph_reranker is not None,
    "lazy_rag": lambda deps: deps.options.lazy_rag is not None,
    "dual_level": lambda deps: deps.options.dual_level is not None,
    "raptor": lambda deps: retriever(deps).trees is not None,
}
ELSEWHERE = {"language_model", "memory", "notes", "notes_from_answers", "communities"}


def test_each_that_can_be_switched_now_is_looked_at() -> None:
    assert set(WORKS) | set(OFF_UNLESS_SWITCHED) | ELSEWHERE == {feature.name for feature in FEATURES if feature.switch == "now"}


async def test_without_a_feature_a_tenant_s_runs_do_without_what_makes_it(services: Services) -> None:
    inspected = services.inspector
    for name, works in WORKS.items():
        await services.preferences.switch(LOCAL, {name: False})
        present: Dependencies = inspected.dependencies  # type: ignore[attr-defined] # TraceInspector's
        assert not works(present.of_tenant("default")), name
        assert works(present.of_tenant("other")), name
        assert not present.of_tenant("default").features[name]
        await services.preferences.switch(LOCAL, {name: None})
        assert inspected.dependencies.of_tenant("default") is inspected.dependencies  # type: ignore[attr-defined]


async def test_what_is_off_works_for_the_tenant_that_switched_it_on(services: Services) -> None:
    for name, works in OFF_UNLESS_SWITCHED.items():
        await services.preferences.switch(LOCAL, {name: True})
        present: Dependencies = services.inspector.dependencies  # type: ignore[attr-defined] # TraceInspector's
        assert works(present.of_tenant("default")), name
        assert not works(present.of_tenant("other")), name
        await services.preferences.switch(LOCAL, {name: None})


async def test_a_run_and_its_trace_go_by_what_is_switched_when_it_begins(services: Services, tmp_path: Path) -> None:
    assert (await index_folder(services, write_files(tmp_path / "docs"))).state == "done"
    before = await ask_question(services, question_of(7))
    await services.preferences.switch(LOCAL, {"rerank": False, "planner": False, "hybrid_search": False})
    after = await ask_question(services, question_of(7))
    traces = [await services.traces.get("default", each.trace_id) for each in (before, after)]
    assert [trace.features["rerank"] for trace in traces] == [True, False]
    nodes = [{node.node: node for node in trace.nodes} for trace in traces]
    assert [each["rerank"].outcome for each in nodes] == ["ok", "skipped"]
    assert "agents.planner.enabled" in nodes[1]["plan"].details
    assert [trace.retrieval_request["use_hybrid"] for trace in traces] == [True, False]
    said = (await services.inspector.compare("default", before.trace_id, after.trace_id)).differences
    assert "The feature rerank: on → off." in said or any("The feature rerank" in each for each in said)
    report = {each.name: each for each in (await make_report(services, "default")).features}
    assert (report["rerank"].enabled, report["rerank"].source) == (False, "tenant")
    assert (report["language_model"].enabled, report["language_model"].running) == (True, False)  # ollama.enabled is off in tests


async def test_memory_is_switched_for_one_tenant(services: Services, tmp_path: Path) -> None:
    assert (await index_folder(services, write_files(tmp_path / "docs"))).state == "done"

    async def episodes_after(number: int) -> int:
        request = SearchRequest.model_validate({"query": question_of(number)})
        await services.runs.result("default", await services.runs.start(request))
        return (await services.memory.overview("default", "local")).episodic.total

    assert await episodes_after(1) == 1
    await services.preferences.switch(LOCAL, {"memory": False})
    assert await episodes_after(2) == 1
    await services.preferences.switch(LOCAL, {"memory": True})
    assert await episodes_after(3) == 2


async def test_communities_are_hidden_while_they_are_off_and_there_again_after_it(services: Services) -> None:
    await services.preferences.switch(LOCAL, {"communities": False})
    page = await services.communities.list_communities("default")
    assert (page.communities, "switched off" in page.reason) == ([], True)
    await services.preferences.switch(LOCAL, {"communities": None})
    assert "switched off" not in (await services.communities.list_communities("default")).reason
    with pytest.raises(NotFound):
        await services.communities.get("default", "none")
