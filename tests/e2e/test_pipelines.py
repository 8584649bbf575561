"""The pipelines `basic`, `hybrid`, `graphrag` and `auto` and the scope `local` over HTTP on the sample library: without a model and with a scripted
one. The other scopes, and those that need a tree, have files of their own: `test_graph_answers.py` (global, hybrid), `test_summary_tree.py` (raptor).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.ollama_server import OllamaServer, Script, served_in_a_thread
from tests.support.sample_library import serve_sample
from tests.support.serving import ServedVantage

LIMIT = "What is the safe working load of crane C2?"
SAID = "Crane C2 may be used with a reduced safe working load of 3.2 tonnes"
WAYS = [*({"pipeline": name} for name in ("basic", "hybrid", "graphrag", "auto")), {"scope": "local"}]
LEGS = {"basic": {"dense"}, "hybrid": {"dense", "lexical"}, "graphrag": {"dense", "lexical", "graph"}}


def ask(client: httpx.Client, **fields: Any) -> dict[str, Any]:
    given: dict[str, Any] = client.post("/search", json={"query": LIMIT, **fields}).raise_for_status().json()
    return given


def check_quotes(client: httpx.Client, given: dict[str, Any]) -> None:
    assert given["citations"]
    for each in given["citations"]:
        content = client.get(f"/documents/{each['document_id']}/content", params={"start": each["start"], "end": each["end"]}).json()
        assert (content["text"], content["generation"]) == (each["quote"], each["generation"])


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_without_a_model_the_documents_own_words_answer(client: httpx.Client, way: dict[str, str]) -> None:
    given = ask(client, **way)
    assert (given["status"], given["generated_by"], given["degraded"]) == ("success", "extractive", [])
    assert "3.2 tonnes" in given["answer"]
    assert given["lazy_rag"] is None
    check_quotes(client, given)
    moves = client.get(f"/traces/{given['trace_id']}").json()["moves"]
    assert moves
    found_by = {leg for each in moves for leg in each["stages"] if leg in {"lexical", "dense", "graph", "tree"}}
    assert found_by == LEGS.get(way.get("pipeline", ""), found_by - {"tree"})


def test_graphrag_without_its_graph_says_so_over_http_and_in_the_stream(tmp_path: Path) -> None:
    served = serve_sample(tmp_path / "home", {"VANTAGE_GRAPH__ENABLED": "false"})
    try:
        with served.client() as client:
            given = ask(client, pipeline="graphrag")
            assert ("3.2 tonnes" in given["answer"], [each["part"] for each in given["degraded"]]) == (True, ["graph"])
            assert "graph.enabled" in given["degraded"][0]["reason"]
            streamed = client.post("/search/stream", json={"query": LIMIT, "pipeline": "graphrag"}).text
            assert "graph.enabled" in streamed.partition("event: answer")[2]
            assert ask(client, pipeline="auto")["degraded"] == []
    finally:
        served.stop()


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[ServedVantage, OllamaServer]]:
    """The sample library with a model that says what it is told to."""
    server = OllamaServer(scripts=[])
    with served_in_a_thread(server) as url:
        settings = {
            "VANTAGE_OLLAMA__ENABLED": "on",
            "VANTAGE_OLLAMA__BASE_URL": url,
            "VANTAGE_OLLAMA__UNIFIED_MODEL__NAME": "test-model",
            "VANTAGE_AGENTS__CLASSIFIER__USE_LLM_FALLBACK": "false",
        }
        vantage = serve_sample(tmp_path_factory.mktemp("written") / "home", settings)
        yield vantage, server
        vantage.stop()


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_a_model_writes_and_what_no_source_says_is_left_out(written: tuple[ServedVantage, OllamaServer], way: dict[str, str]) -> None:
    vantage, server = written
    server.scripts = [Script(pieces=[*(f"{SAID} [{number}]. " for number in range(1, 8)), "It was painted green by unicorns [1]."])]
    with vantage.client() as client:
        given = ask(client, **way, without=["plan", "correct"])
        assert (given["status"], given["generated_by"]) == ("success", "test-model")
        assert "3.2 tonnes" in given["answer"]
        assert "unicorns" not in given["answer"]
        check_quotes(client, given)
