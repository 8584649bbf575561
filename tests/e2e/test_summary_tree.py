"""The pipeline `raptor` over HTTP on the sample library: without a tree, with one, by command, and with a scripted model."""

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
SWITCHED_ON = {"VANTAGE_RAPTOR__ENABLED": "true"}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedVantage]:
    server = serve_sample(tmp_path_factory.mktemp("tree") / "home", SWITCHED_ON)
    yield server
    server.stop()


def ask(client: httpx.Client, query: str, **fields: Any) -> dict[str, Any]:
    given: dict[str, Any] = client.post("/search", json={"query": query, "pipeline": "raptor", **fields}).raise_for_status().json()
    return given


def check_quotes(client: httpx.Client, cited: list[dict[str, Any]], text: str) -> None:
    assert cited
    for each in cited:
        content = client.get(f"/documents/{each['document_id']}/content", params={"start": each["start"], "end": each["end"]}).json()
        assert (content["text"], content["generation"]) == (each[text], each["generation"])


def test_without_a_tree_the_answer_says_so_and_with_one_it_cites_passages(served: ServedVantage) -> None:
    with served.client() as client:
        before = ask(client, LIMIT)
        assert [each["part"] for each in before["degraded"]] == ["raptor"]
        assert "vantage rag build-tree" in client.get("/graph/tree").json()["reason"]
        printed = run_vantage(served.home, "rag", "build-tree")
        assert printed.returncode == 0, printed.stderr
        assert "groups on" in printed.stdout
        after = ask(client, LIMIT)
        assert (after["status"], after["degraded"]) == ("success", [])
        assert "3.2 tonnes" in after["answer"]
        check_quotes(client, after["citations"], "quote")
        moves = client.get(f"/traces/{after['trace_id']}").json()["moves"]
        assert any("tree" in each["stages"] for each in moves)
        page = client.get("/graph/tree", params={"level": 1, "limit": 500}).raise_for_status().json()
        assert {each["level"] for each in page["summaries"]} == {1}
        check_quotes(client, [cited for each in page["summaries"][:10] for cited in each["citations"]], "text")


def test_the_job_is_one_of_the_jobs_and_building_again_does_nothing(served: ServedVantage) -> None:
    first = json.loads(run_vantage(served.home, "rag", "build-tree", "--json").stdout)
    again = json.loads(run_vantage(served.home, "rag", "build-tree", "--json").stdout)
    assert (first["job"]["kind"], first["job"]["state"]) == ("tree", "done")
    assert first["tree"]["built_at"] == again["tree"]["built_at"]
    with served.client() as client:
        assert client.get(f"/jobs/{again['job']['id']}").json() == again["job"]


def test_a_stage_that_is_left_out_is_left_out_here_too(served: ServedVantage) -> None:
    with served.client() as client:
        given = ask(client, LIMIT, without=["tree"])
        assert all("tree" not in each["stages"] for each in client.get(f"/traces/{given['trace_id']}").json()["moves"])
        assert client.post("/search", json={"query": LIMIT, "pipeline": "raptors"}).status_code == 422


def test_switched_off_the_command_says_what_to_do(tmp_path: Path) -> None:
    server = serve_sample(tmp_path / "home")
    try:
        refused = run_vantage(server.home, "rag", "build-tree")
        assert refused.returncode != 0
        assert "raptor.enabled" in refused.stderr
    finally:
        server.stop()


def test_a_model_writes_from_what_the_tree_found(tmp_path: Path) -> None:
    said = "Crane C2 may be used with a reduced safe working load of 3.2 tonnes"
    script = Script(pieces=[*(f"{said} [{number}]. " for number in range(1, 8)), "It was painted green by unicorns [1]."])
    with served_in_a_thread(OllamaServer(scripts=[script])) as url:
        model = {"VANTAGE_OLLAMA__ENABLED": "on", "VANTAGE_OLLAMA__BASE_URL": url, "VANTAGE_OLLAMA__UNIFIED_MODEL__NAME": "test-model"}
        vantage = serve_sample(tmp_path / "home", {**SWITCHED_ON, **model, "VANTAGE_AGENTS__CLASSIFIER__USE_LLM_FALLBACK": "false"})
        try:
            assert run_vantage(vantage.home, "rag", "build-tree").returncode == 0
            with vantage.client() as client:
                given = ask(client, LIMIT, without=["plan", "correct"])
                assert "raptor" not in {each["part"] for each in given["degraded"]}
                assert "3.2 tonnes" in given["answer"]
                assert "unicorns" not in given["answer"]
                assert given["generated_by"] == "test-model"
                check_quotes(client, given["citations"], "quote")
        finally:
            vantage.stop()
