"""A question over the real server that is killed while it is answered: it is there at the next start, and can be asked again in its place."""

from __future__ import annotations

import signal
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.ollama_server import OllamaServer, Script, served_in_a_thread
from tests.support.serving import ServedVantage

QUESTION = "What is photosynthesis?"


def _model_without_an_end() -> AbstractContextManager[str]:
    """The address of a model that takes ten minutes for a word. It lives in a thread with its own loop."""
    return served_in_a_thread(OllamaServer(models=("qwen3-vl:8b",), scripts=[Script(first_delay=600.0)]))


def _begin(client: httpx.Client, conversation: str) -> None:
    """Ask, and leave when the stream says that the question runs."""
    body = {"query": QUESTION, "conversation_id": conversation, "filters": {"file_types": [".pdf"]}}
    with client.stream("POST", "/search/stream", json=body) as response:
        assert next(line for line in response.iter_lines() if line.startswith("event")) == "event: run"


def _turns(client: httpx.Client, conversation: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.get(f"/conversations/{conversation}").raise_for_status().json()["items"]
    return found


@pytest.mark.slow
def test_a_question_survives_the_death_of_the_server(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with _model_without_an_end() as model:
        served = ServedVantage(home, {"VANTAGE_OLLAMA__ENABLED": "auto", "VANTAGE_OLLAMA__BASE_URL": model}).start()
        try:
            with served.client() as client:
                conversation = client.post("/conversations", json={"title": ""}).raise_for_status().json()["id"]
                _begin(client, conversation)
                assert [turn["state"] for turn in _turns(client, conversation)] == ["running"]
        finally:
            served.stop(signal.SIGKILL)
    again = ServedVantage(home).start()
    try:
        with again.client() as client:
            (kept,) = _turns(client, conversation)
            assert (kept["state"], kept["query"], kept["response"]) == ("interrupted", QUESTION, {})
            assert kept["request"]["filters"]["file_types"] == [".pdf"]
            assert client.get("/conversations").json()["conversations"][0]["title"] == QUESTION
            body = {**kept["request"], "query": QUESTION, "conversation_id": conversation, "replaces": kept["trace_id"]}
            client.post("/search", json=body).raise_for_status()
            (answered,) = _turns(client, conversation)
            assert (answered["id"], answered["state"], answered["created_at"]) == (kept["id"], "answered", kept["created_at"])
            assert client.get(f"/runs/{kept['trace_id']}/events").status_code == 404
            assert client.delete(f"/traces/{answered['trace_id']}").status_code == 204
            assert _turns(client, conversation) == []
    finally:
        again.stop()
