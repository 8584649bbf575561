"""Memory on the real application: what a run leaves, how the next one gains by it, and what forgetting takes, over HTTP and by command."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.sample_library import serve_sample
from tests.support.serving import ServedVantage, run_vantage

QUESTION = "What is the rent of Quay 7?"


@pytest.fixture
def served(tmp_path: Path) -> Iterator[ServedVantage]:
    made = serve_sample(tmp_path / "home")
    yield made
    made.stop()


def ask(client: httpx.Client, query: str, **more: object) -> dict[str, Any]:
    found: dict[str, Any] = client.post("/search", json={"query": query, **more}).raise_for_status().json()
    return found


def totals(client: httpx.Client, person: str) -> dict[str, int]:
    seen = client.get(f"/memory/{person}").raise_for_status().json()
    return {tier: seen[tier]["total"] for tier in ("session", "episodic", "procedural", "notes")}


def loaded(response: dict[str, Any]) -> str:
    return str(next(step["details"] for step in response["steps"] if step["node"] == "load_context" and step["outcome"] != "running"))


def praise(client: httpx.Client, response: dict[str, Any]) -> None:
    client.post("/feedback", json={"trace_id": response["trace_id"], "kind": "thumbs_up"}).raise_for_status()


def test_a_run_is_remembered_recalled_and_forgotten(served: ServedVantage) -> None:
    with served.client() as client:
        first = ask(client, QUESTION, user_id="ann", session_id="s1")
        assert totals(client, "ann") == {"session": 1, "episodic": 1, "procedural": 0, "notes": 0}  # nobody praised it
        assert "1 similar question remembered" in loaded(ask(client, QUESTION, user_id="ann"))
        praise(client, first)
        assert totals(client, "ann")["notes"] == 1
        assert "1 similar question and 1 note remembered" in loaded(ask(client, QUESTION, user_id="ann"))
        assert "remembered" not in loaded(ask(client, QUESTION, user_id="ben"))
        assert "remembered" not in loaded(ask(client, QUESTION, user_id="ann", use_memory=False))
        client.post("/feedback", json={"trace_id": first["trace_id"], "kind": "open_citation", "result_id": first["results"][0]["id"]})
        assert totals(client, "ann")["procedural"] == 2
        assert totals(client, "local")["procedural"] == 0
        note = client.get("/memory/ann").json()["notes"]["items"][0]
        edited = client.patch(f"/memory/ann/items/{note['id']}", json={"text": "£341,500 since 1 May 2026."}).raise_for_status().json()
        assert edited["detail"]["history"][0]["content"] == note["text"]
        assert client.post("/memory/ann/consolidate").raise_for_status().json()[0]["user_id"] == "ann"
        gone = client.delete("/memory/ann", params={"session_id": "s1"}).raise_for_status().json()
        assert gone["removed"] == {"session": 1, "episodic": 1, "procedural": 2, "notes": 1}
        assert totals(client, "ann") == {"session": 0, "episodic": 2, "procedural": 0, "notes": 0}
        assert client.get("/memory/ann/items/none").status_code == 405
        assert client.delete("/memory/ann/items/none").status_code == 404


def test_a_deleted_document_and_a_deleted_conversation_leave_memory(served: ServedVantage) -> None:
    with served.client() as client:
        talk = client.post("/conversations", json={"title": ""}).json()["id"]
        in_talk = ask(client, QUESTION, conversation_id=talk)
        assert totals(client, "local")["episodic"] == 1
        client.delete(f"/conversations/{talk}").raise_for_status()
        assert totals(client, "local") == {"session": 0, "episodic": 0, "procedural": 0, "notes": 0}
        praise(client, ask(client, QUESTION, session_id="s"))
        assert totals(client, "local")["notes"] == 1
        document = in_talk["citations"][0]["document_id"]
        assert document in client.get("/memory/local").text
        client.delete(f"/documents/{document}").raise_for_status()
        assert document not in client.get("/memory/local").text
        assert totals(client, "local")["notes"] == 0


def test_the_command_shows_and_forgets(served: ServedVantage) -> None:
    with served.client() as client:
        praise(client, ask(client, QUESTION))
    shown = run_vantage(served.home, "memory", "show")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert QUESTION in shown.stdout
    seen = json.loads(run_vantage(served.home, "memory", "show", "--json").stdout)
    removed = run_vantage(served.home, "memory", "forget", "--item", seen["notes"]["items"][0]["id"])
    assert removed.stdout.startswith("Forgotten: 1 of notes.")
    assert run_vantage(served.home, "memory", "forget", "--item", "none").returncode == 1
    assert run_vantage(served.home, "memory", "forget").returncode == 2
    assert run_vantage(served.home, "memory", "consolidate").returncode == 0
    gone = json.loads(run_vantage(served.home, "memory", "forget", "--all", "--json").stdout)
    assert gone["removed"] == {"episodic": 1, "procedural": 1}
    assert run_vantage(served.home, "memory", "show", "--person", "nobody").returncode == 3
    assert run_vantage(served.home, "memory", "forget", "--all").returncode == 3


def test_memory_outlives_the_server(served: ServedVantage, tmp_path: Path) -> None:
    with served.client() as client:
        praise(client, ask(client, QUESTION))
    served.stop()
    copy = tmp_path / "copy"
    shutil.copytree(served.home, copy)
    seen = json.loads(run_vantage(copy, "memory", "show", "--json").stdout)
    assert (seen["episodic"]["total"], seen["notes"]["total"]) == (1, 1)
