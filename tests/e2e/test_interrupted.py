"""A question over the real server that is killed while it is answered: it is there at the next start, and can be asked again in its place."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.ollama_server import OllamaServer, Script
from tests.support.serving import Served

QUESTION = "What is photosynthesis?"


@contextmanager
def _model_without_an_end() -> Iterator[str]:
    """The address of a model that takes ten minutes for a word. It lives in a thread with its own loop."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    server = OllamaServer(models=("qwen3-vl:8b",), scripts=[Script(first_delay=600.0)])
    listener = asyncio.run_coroutine_threadsafe(asyncio.start_server(server.handle, "127.0.0.1", 0), loop).result(10)
    try:
        yield f"http://127.0.0.1:{listener.sockets[0].getsockname()[1]}"
    finally:
        asyncio.run_coroutine_threadsafe(_close(listener), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()


async def _close(listener: asyncio.Server) -> None:
    listener.close()
    others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)


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
        served = Served(home, {"VANTAGE_OLLAMA__ENABLED": "auto", "VANTAGE_OLLAMA__BASE_URL": model}).start()
        try:
            with served.client() as client:
                conversation = client.post("/conversations", json={"title": ""}).raise_for_status().json()["id"]
                _begin(client, conversation)
                assert [turn["state"] for turn in _turns(client, conversation)] == ["running"]
        finally:
            served.stop(signal.SIGKILL)
    again = Served(home).start()
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
