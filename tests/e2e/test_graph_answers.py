"""Answers that are made of the graph, over HTTP on the sample library: without a model and with a scripted one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.ollama_server import OllamaServer, Script, served_in_a_thread
from tests.support.sample_library import serve_sample
from tests.support.serving import ServedVantage, run_vantage

LIMIT = "What is the safe working load of crane C2?"
CRANE = "What do all documents say about crane C2?"
LIMITED = "Crane C2 is limited to 3.2 tonnes until the runway joint is repaired"
SWITCHED_ON = {"VANTAGE_LAZY_RAG__ENABLED": "true", "VANTAGE_DUAL_LEVEL__RETRIEVAL_ENABLED": "true"}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedVantage]:
    server = serve_sample(tmp_path_factory.mktemp("graph") / "home", SWITCHED_ON)
    yield server
    server.stop()


def ask(client: httpx.Client, query: str, **fields: Any) -> dict[str, Any]:
    given: dict[str, Any] = client.post("/search", json={"query": query, **fields}).raise_for_status().json()
    return given


def check_quotes(client: httpx.Client, given: dict[str, Any]) -> None:
    for each in given["citations"]:
        content = client.get(f"/documents/{each['document_id']}/content", params={"start": each["start"], "end": each["end"]}).json()
        assert (content["text"], content["generation"]) == (each["quote"], each["generation"])


def test_a_global_question_is_answered_by_a_lazy_summary(served: ServedVantage) -> None:
    with served.client() as client:
        given = ask(client, "What problems with the crane come up across all documents?")
        lazy = given["lazy_rag"]
        assert (given["status"], given["route"]["query_type"], given["generated_by"]) == ("success", "global", "extractive")
        assert (lazy["summary"], lazy["citations"], lazy["confidence"]) == (given["answer"], given["citations"], given["confidence"])
        assert len({each["document_id"] for each in given["citations"]}) >= 3
        assert lazy["cost"]["model_calls"] == 0
        assert 20 <= lazy["cost"]["sentences_read"] <= 150
        check_quotes(client, given)
        assert ask(client, "Who signed the lease for Quay 7?")["lazy_rag"] is None


def test_a_hybrid_question_is_answered_on_two_levels(served: ServedVantage) -> None:
    with served.client() as client:
        given = ask(client, CRANE)
        found = given["dual_level"]
        assert (given["status"], given["route"]["query_type"], given["lazy_rag"]) == ("success", "hybrid", None)
        assert (found["synthesized_answer"], found["confidence"]) == (given["answer"], given["confidence"])
        assert 1 <= len(found["low_level_results"]) <= 10
        assert 1 <= len(found["high_level_results"]) <= 5
        assert all(len(each["entities"]) <= 3 for each in found["low_level_results"])
        for each in found["high_level_results"]:
            assert client.get(f"/graph/communities/{each['id']}").json()["entity_count"] == each["entity_count"]
        assert any(given["answer"].startswith(each["name"]) for each in found["high_level_results"])
        check_quotes(client, given)


def test_the_pipeline_graphrag_answers_on_two_levels(served: ServedVantage) -> None:
    with served.client() as client:
        given = ask(client, LIMIT, pipeline="graphrag")
        assert (given["status"], given["route"]["query_type"], given["degraded"]) == ("success", "hybrid", [])
        assert given["dual_level"]["synthesized_answer"] == given["answer"]
        assert "3.2 tonnes" in given["answer"]
        assert ask(client, LIMIT)["dual_level"] is None
        check_quotes(client, given)


def test_a_search_that_is_measured_is_no_answer_on_two_levels(served: ServedVantage) -> None:
    with served.client() as client:
        asked = {"query": LIMIT, "pipeline": "graphrag", "top_k": 10, "answers": False}
        measured = client.post("/evaluation/search", json=asked).raise_for_status().json()
        assert (measured["dual_level"], measured["degraded"], len(measured["results"])) == (None, [], 10)
        answered = client.post("/evaluation/search", json={**asked, "answers": True}).raise_for_status().json()
        assert answered["dual_level"]["synthesized_answer"] == answered["answer"]


def test_what_no_document_says_is_not_found(served: ServedVantage) -> None:
    with served.client() as client:
        given = ask(client, "What do all documents say about unicorns?", scope="global")
        assert (given["status"], given["lazy_rag"], given["citations"]) == ("not_found", None, [])


def test_a_model_rewrites_it_from_its_sentences(tmp_path: Path) -> None:
    server = OllamaServer(scripts=[Script(pieces=[f"{LIMITED} [1]. ", "It was painted green by unicorns [1]."])])
    with served_in_a_thread(server) as url:
        settings = {
            **SWITCHED_ON,
            "VANTAGE_OLLAMA__ENABLED": "on",
            "VANTAGE_OLLAMA__BASE_URL": url,
            "VANTAGE_OLLAMA__UNIFIED_MODEL__NAME": "test-model",
        }
        vantage = serve_sample(tmp_path / "home", {**settings, "VANTAGE_AGENTS__CLASSIFIER__USE_LLM_FALLBACK": "false"})
        try:
            with vantage.client() as client:
                given = ask(client, CRANE, scope="global", without=["plan", "correct"])
                assert given["generated_by"] == "test-model"
                assert given["answer"].startswith(LIMITED)
                assert "unicorns" not in given["answer"]
                assert given["lazy_rag"]["cost"]["model_calls"] == 1
                assert given["lazy_rag"]["cost"]["prompt_tokens"] > 0
                server.scripts = [Script(pieces=["The crane may be used with a reduced safe working load of 3.2 tonnes [4]."])]
                both = ask(client, CRANE, scope="hybrid", without=["plan", "correct"])
                assert (both["generated_by"], "3.2 tonnes" in both["dual_level"]["synthesized_answer"]) == ("test-model", True)
                server.scripts = [Script(pieces=[f"{LIMITED} [{number}]. " for number in range(1, 8)])]
                piped = ask(client, LIMIT, pipeline="graphrag", without=["plan", "correct"])
                assert (piped["generated_by"], piped["dual_level"]["synthesized_answer"]) == ("test-model", piped["answer"])
                check_quotes(client, given)
        finally:
            vantage.stop()


def test_the_command_prints_what_summarising_everything_would_take(served: ServedVantage) -> None:
    with served.client() as client:
        client.post("/graph/communities/refresh").raise_for_status()
    printed = run_vantage(served.home, "graph", "cost")
    assert printed.returncode == 0, printed.stderr
    assert "every level, while indexing" in printed.stdout
    assert "lazy, while indexing" in printed.stdout
    costs = json.loads(run_vantage(served.home, "graph", "cost", "--json").stdout)
    assert costs["calls"] == sum(each["communities"] for each in costs["levels"]) > 10
    assert costs["prompt_tokens"] == sum(each["prompt_tokens"] for each in costs["levels"])
    assert costs["lazy_prompt_tokens"] + costs["lazy_completion_tokens"] < (costs["prompt_tokens"] + costs["completion_tokens"]) / 10
