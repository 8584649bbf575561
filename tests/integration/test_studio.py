"""langgraph.json opens the graph that the server runs."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

from orchestration.nodes import ROWS

ROOT = Path(__file__).resolve().parents[2]


async def test_the_named_factory_builds_the_same_graph(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VANTAGE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("VANTAGE_OLLAMA__ENABLED", "off")
    named = json.loads((ROOT / "langgraph.json").read_text(encoding="utf-8"))["graphs"]["zeus"]
    file, _, factory = named.partition(":")
    spec = importlib.util.spec_from_file_location("studio", ROOT / file)
    assert spec is not None
    assert spec.loader is not None
    studio = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(studio)
    try:
        graph = await getattr(studio, factory)()
        assert set(graph.get_graph().nodes) == {"__start__", "__end__", *(row.name for row in ROWS)}
        assert await getattr(studio, factory)() is graph
        assert graph.checkpointer is None
    finally:
        await studio.close()
