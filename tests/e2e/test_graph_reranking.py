"""The reranker by the knowledge graph over HTTP on the sample library: graph_context, the stage in the trace, its time, and `without`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.support.sample_library import serve_sample
from tests.support.serving import ServedVantage

QUESTION = "Who is the landlord of Quay 7?"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedVantage]:
    server = serve_sample(tmp_path_factory.mktemp("graph") / "home", {"VANTAGE_GRAPH_RERANKER__ENABLED": "true"})
    yield server
    server.stop()


def ask(client: httpx.Client, query: str, **fields: Any) -> dict[str, Any]:
    given: dict[str, Any] = client.post("/search", json={"query": query, **fields}).raise_for_status().json()
    return given


def contexts_of(given: dict[str, Any]) -> list[dict[str, Any]]:
    return [each["graph_context"] for each in given["results"] if each["graph_context"] is not None]


def test_results_have_their_context_and_the_trace_the_stage(served: ServedVantage) -> None:
    with served.client() as client:
        given = ask(client, QUESTION)
        nearest = contexts_of(given)[0]
        assert (nearest["min_distance"], nearest["distance_score"]) == (0, 1.0)
        assert all(0 <= each["graph_score"] <= 1 for each in contexts_of(given))
        trace = client.get(f"/traces/{given['trace_id']}").json()
        (report,) = [each for each in trace["reports"] if each["stage"] == "graph_rerank"]
        assert "The question names" in report["note"]
        assert "Quay 7" in report["note"]
        assert nearest in report["parameters"]["context"].values()
        assert any("graph_rerank" in move["stages"] for move in trace["moves"])
        assert trace["features"]["graph_rerank"] is True
        seconds = [line for line in client.get("/metrics").text.splitlines() if line.startswith("vantage_graph_rerank_seconds_count")]
        assert float(seconds[0].split()[1]) >= 1


def test_an_earlier_question_is_an_episode_and_not_without_memory(served: ServedVantage) -> None:
    with served.client() as client:
        before = contexts_of(ask(client, QUESTION, use_memory=False))[0]["episode_mentions"]
        ask(client, QUESTION)
        assert contexts_of(ask(client, QUESTION))[0]["episode_mentions"] > before
        assert contexts_of(ask(client, QUESTION, use_memory=False))[0]["episode_mentions"] == before


def test_it_can_be_left_out_and_a_question_that_names_nothing_is_left_alone(served: ServedVantage) -> None:
    with served.client() as client:
        assert contexts_of(ask(client, QUESTION, without=["graph_rerank"])) == []
        given = ask(client, "How much notice is needed?")
        assert contexts_of(given) == []
        reports = client.get(f"/traces/{given['trace_id']}").json()["reports"]
        assert any("names nothing" in each["note"] for each in reports if each["stage"] == "graph_rerank")
