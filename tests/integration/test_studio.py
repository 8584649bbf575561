"""langgraph.json opens the graph that the server runs, and a question goes through it."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest

from orchestration.nodes import ROWS

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def studio(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module that langgraph.json names, for a library of its own."""
    monkeypatch.setenv("VANTAGE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("VANTAGE_OLLAMA__ENABLED", "off")
    file, _, name = json.loads((ROOT / "langgraph.json").read_text(encoding="utf-8"))["graphs"]["zeus"].partition(":")
    spec = importlib.util.spec_from_file_location("studio", ROOT / file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert name == "graph"
    return module


def test_the_graph_shows_every_step_of_zeus(studio: ModuleType) -> None:
    assert set(studio.graph.get_graph(xray=True).nodes) == {"__start__", "__end__", *(f"zeus:{row.name}" for row in ROWS)}
    assert studio.graph.checkpointer is None
    assert list(studio.graph.get_input_jsonschema()["properties"]) == ["question"]


async def test_a_question_goes_through_it_with_its_steps(studio: ModuleType) -> None:
    try:
        parts = [part async for part in studio.graph.astream({"question": "Who keeps the harbour?"}, stream_mode="updates", subgraphs=True)]
    finally:
        await studio.library.close()
    steps = [name for within, update in parts if within for name in update]
    assert steps[:2] == ["load_context", "classify"]
    assert "generate_response" in steps
    assert parts[-1][0] == ()
    ended = parts[-1][1]["zeus"]
    assert "library is empty" in ended["answer"]
    assert ended["documents"] == []


def test_a_step_without_a_question_says_that_the_library_is_not_open(studio: ModuleType) -> None:
    with pytest.raises(RuntimeError, match="opened by a question"):
        _ = studio.library.deps
