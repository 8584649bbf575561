"""The real graph on fake ports: its shape, its ways, and its trace, compared with snapshots (VANTAGE_SNAPSHOTS=write renews them)."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.answers import Answer
from core.errors import ModelUnavailable, Unavailable
from core.language.document_vocabularies import read_vocabularies
from core.prompts import load_prompt
from core.runs import Outcome, Trace
from core.search import Intent
from core.search_schemas import RunAnswer, SearchRequest, SearchResponse
from orchestration.run_registry import Runs
from orchestration.zeus import Dependencies, Options, Zeus, build_graph
from tests.support.models import ScriptedModel, ScriptedWriter
from tests.support.ports import FakeRetriever, make_dependencies, sample_library
from tests.support.stores import MemoryTraces

SNAPSHOTS = Path(__file__).parent / "snapshots"
QUESTIONS = {
    "found": "How much notice must the tenant give?",
    "not_found": "Who feeds the zebras?",
    "system": "How many PDFs are indexed?",
    "general": "Who invented paper?",
    "clarification": "it?",
    "comparison": "Compare hotels and trains for journeys under four hours",
    "folder": "roof from the legal folder",
}


def compare(name: str, value: Any) -> None:
    path = SNAPSHOTS / f"{name}.json"
    text = json.dumps(value, indent=1, ensure_ascii=False) + "\n"
    if os.environ.get("VANTAGE_SNAPSHOTS") == "write":
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8"), f"{name} changed; look at the difference, then run with VANTAGE_SNAPSHOTS=write"


async def ask(deps: Dependencies, query: str, **fields: Any) -> tuple[SearchResponse, Trace]:
    runs = Runs(Zeus(deps))
    run_id = await runs.start(SearchRequest(query=query, **fields), "default", "ann")
    response = await runs.result("default", run_id)
    if response.clarification_of:
        await runs.answer("default", run_id, RunAnswer(choice=0))
        response = await runs.result("default", run_id)
    traces = deps.traces
    assert isinstance(traces, MemoryTraces)
    return response, await traces.get("default", run_id)


def outline(response: SearchResponse, trace: Trace) -> dict[str, Any]:
    """A run without times and raw scores."""
    return {
        "status": response.status,
        "intent": response.intent,
        "path": response.routing_path,
        "nodes": [[node.node, node.outcome, node.details] for node in trace.nodes],
        "results": [result.id for result in response.results],
        "cited": [f"{each.document_id}:{each.start}-{each.end}" for each in response.citations],
        "moves": [[move.label, move.cited_as, move.ended] for move in trace.moves],
        "followups": response.suggested_followups,
        "choices": response.clarification_questions,
        "degraded": [each.part for each in response.degraded],
        "message": response.response_message,
    }


def test_topology() -> None:
    graph = build_graph(make_dependencies).get_graph()
    compare("topology", sorted([edge.source, edge.target, edge.conditional] for edge in graph.edges))


@pytest.mark.parametrize("name", QUESTIONS)
async def test_every_way(name: str) -> None:
    response, trace = await ask(make_dependencies(), QUESTIONS[name])
    compare(name, outline(response, trace))


@pytest.mark.parametrize("name", QUESTIONS)
async def test_every_way_ends_in_remember(name: str) -> None:
    response, trace = await ask(make_dependencies(), QUESTIONS[name])
    assert trace.nodes[-1].node == "remember"
    assert [step.node for step in response.steps] == [node.node for node in trace.nodes]
    assert trace.response == response.model_dump(mode="json")


async def test_quotes_are_the_documents_own_words() -> None:
    library = sample_library()
    response, _ = await ask(make_dependencies(library), QUESTIONS["found"])
    assert response.citations
    for each in response.citations:
        assert library.texts[each.document_id].text[each.start : each.end] == each.quote


async def test_a_document_that_changed_meanwhile_is_left_out() -> None:
    library = sample_library()
    library.change_text("lease", "Something else stands here now.")
    response, trace = await ask(make_dependencies(library), "roof of the Halden building")
    assert [result.id for result in response.results] == ["notes"]
    assert "left out" in next(node.details for node in trace.nodes if node.node == "document_search")


async def test_attached_documents_restrict_the_search() -> None:
    response, _ = await ask(make_dependencies(), "roof", attached_documents=["notes"])
    assert {result.id for result in response.results} == {"notes"}


async def test_the_request_names_the_strategy_and_the_leg() -> None:
    deps = make_dependencies()
    await ask(deps, "latest hotel price", strategy="precise", use_hybrid=False, diversity_weight=0.4, top_k=2)
    assert isinstance(deps.retriever, FakeRetriever)
    asked = deps.retriever.requests[0]
    assert (asked.strategy.name, asked.use_hybrid, asked.diversity_weight, asked.top_k) == ("precise", False, 0.4, 2)


async def test_the_plan_is_told_where_it_is_asked_for() -> None:
    library = sample_library()
    library.by_id["lease"] = library.by_id["lease"].model_copy(update={"doc_type": "contract"})
    deps = make_dependencies(library)
    deps = replace(deps, options=replace(deps.options, vocabularies=read_vocabularies()))
    response, trace = await ask(deps, "Which clause lets the tenant end the lease?", explain=True)
    assert response.query_plan is not None
    assert (response.query_plan.original, response.query_plan.intent) == ("Which clause lets the tenant end the lease?", "factual")
    assert response.query_plan.document_types == ["contract"]
    assert "documents of the kind contract (contract: “clause”, “tenant”)" in next(node.details for node in trace.nodes if node.node == "plan")
    unexplained, _ = await ask(deps, "Which clause lets the tenant end the lease?")
    assert unexplained.query_plan is None
    left_out, _ = await ask(deps, "Which clause lets the tenant end the lease?", explain=True, without=["plan"])
    assert left_out.query_plan is None


async def test_what_the_minimum_dropped_is_shown_as_the_nearest() -> None:
    from core.search import DroppedCandidate, Retrieval, RetrievalRequest, StageReport

    class Strict(FakeRetriever):
        async def retrieve(self, request: RetrievalRequest) -> Retrieval:
            found = await super().retrieve(request)
            dropped = [
                DroppedCandidate(
                    chunk_id=each.chunk_id, document_id=each.document_id, stage="fusion", score=each.score, reason="below the minimum .30"
                )
                for each in found.candidates
            ]
            report = StageReport(stage="fusion", entered=len(dropped), left=0, duration_ms=0.1, dropped=dropped)
            return found.model_copy(update={"candidates": [], "reports": [report]})

    library = sample_library()
    response, trace = await ask(make_dependencies(library, retriever=Strict(library)), "roof")
    assert response.status == "not_found"
    assert {result.id for result in response.results} == {"lease", "notes"}
    assert {move.ended for move in trace.moves} == {"dropped at fusion: below the minimum .30"}


# ---------------------------------------------------------------------------------------------------------------- failing parts
async def test_an_optional_step_that_fails_is_said() -> None:
    deps = make_dependencies()
    assert isinstance(deps.retriever, FakeRetriever)
    deps.retriever.fail["rerank"] = Unavailable("The reranker has no memory left.")
    response, trace = await ask(deps, QUESTIONS["found"])
    assert response.status == "success"
    assert [(each.part, each.reason) for each in response.degraded] == [
        ("rerank", "The reranker has no memory left. The order is that of the first search.")
    ]
    assert next(node for node in trace.nodes if node.node == "rerank").outcome is Outcome.DEGRADED
    assert trace.degraded == [each.model_dump() for each in response.degraded]


async def test_a_bug_in_an_optional_step_does_not_show_its_insides() -> None:
    deps = make_dependencies()
    assert isinstance(deps.retriever, FakeRetriever)
    deps.retriever.fail["rerank"] = ValueError("secret /path/to/thing")
    response, trace = await ask(deps, QUESTIONS["found"])
    assert "secret" not in response.model_dump_json()
    assert "secret" not in trace.model_dump_json()
    assert response.degraded[0].reason.startswith("Something went wrong inside Vantage.")


async def test_a_model_that_breaks_off_gives_way_to_quotes() -> None:
    writer = ScriptedWriter(["The tenant ", "must"], ModelUnavailable("The model stopped answering."))
    deps = make_dependencies(model=ScriptedModel(), writer=writer, options=Options(use_llm_fallback=False))
    runs = Runs(Zeus(deps))
    run_id = await runs.start(SearchRequest(query=QUESTIONS["found"]), "default", "ann")
    tokens = [event.data async for event in runs.events("default", run_id) if event.kind == "token"]
    response = await runs.result("default", run_id)
    assert response.generated_by == "extractive"
    assert response.degraded[0].reason == "The model stopped answering. The answer is quoted from the documents instead."
    assert tokens[2] == {"text": "", "reset": True}
    assert "".join(token["text"] for token in tokens[3:]) == response.answer
    assert writer.closed


async def test_a_written_answer_is_streamed() -> None:
    written = Answer(text="Six months [1].", generated_by="scripted", tokens={"output": 7})
    deps = make_dependencies(model=ScriptedModel(), writer=ScriptedWriter(["Six ", "months [1]."], written), options=Options(use_llm_fallback=False))
    response, trace = await ask(deps, QUESTIONS["found"])
    assert (response.answer, response.generated_by, trace.tokens) == ("Six months [1].", "scripted", {"output": 7})
    assert response.degraded == []


async def test_the_writing_prompt_is_in_the_trace() -> None:
    writer = ScriptedWriter([], Answer(text="Six months [1].", generated_by="scripted"))
    writer.prompt = load_prompt("writer")
    deps = make_dependencies(model=ScriptedModel(), writer=writer, options=Options(use_llm_fallback=False))
    _, trace = await ask(deps, QUESTIONS["found"])
    assert trace.prompts == {"writer": writer.prompt.sha}


async def test_without_the_classifier_everything_is_searched() -> None:
    response, trace = await ask(make_dependencies(options=Options(classifier_enabled=False)), QUESTIONS["system"])
    assert response.intent is Intent.DOCUMENT_SEARCH
    assert next(node for node in trace.nodes if node.node == "classify").outcome is Outcome.SKIPPED


async def test_a_model_that_should_answer_and_does_not_is_said() -> None:
    model = ScriptedModel(answers=False)
    response, _ = await ask(make_dependencies(model=model, options=Options(model_required=True)), QUESTIONS["found"])
    assert [each.part for each in response.degraded] == ["model"]
    silent, _ = await ask(make_dependencies(model=model), QUESTIONS["found"])
    assert silent.degraded == []


async def test_general_knowledge_with_a_model_is_marked() -> None:
    response, trace = await ask(make_dependencies(model=ScriptedModel("Cai Lun.")), "Who invented paper?")
    assert response.intent is Intent.GENERAL_KNOWLEDGE
    assert "not from your documents" in response.answer
    assert (response.generated_by, response.citations, list(trace.prompts)) == ("scripted", [], ["general_answer"])


async def test_general_knowledge_without_a_model_offers_what_the_library_has() -> None:
    response, _ = await ask(make_dependencies(), "how do i bake the roof of the outer walls")
    assert response.status == "success"
    assert response.response_message.startswith("No language model is connected")
    assert response.citations[0].document_id == "lease"


async def test_no_passage_alone_has_to_cover_a_comparison() -> None:
    judged: list[dict[str, float]] = []

    def watch(signals: Mapping[str, float]) -> float:
        judged.append(dict(signals))
        return 0.9

    await ask(make_dependencies(probability=watch), QUESTIONS["comparison"])
    assert all("coverage" not in signals for signals in judged[:2])  # the answer's and the critic's; follow-ups are plain questions
    judged.clear()
    await ask(make_dependencies(probability=watch), QUESTIONS["found"])
    assert all("coverage" in signals for signals in judged)


async def test_silence_is_judged_before_a_word_is_streamed() -> None:
    runs = Runs(Zeus(make_dependencies()))
    run_id = await runs.start(
        SearchRequest(query="hotels for zebras, ostriches, lions, tigers, camels, llamas, bears, wolves and giraffes"), "default"
    )
    tokens = [event.data async for event in runs.events("default", run_id) if event.kind == "token"]
    response = await runs.result("default", run_id)
    assert (response.status, tokens) == ("not_found", [])
    assert response.results
    assert response.answer == "I did not find this in your documents."
