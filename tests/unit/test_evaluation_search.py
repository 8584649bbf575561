"""Settings of the search for one question alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from composition.evaluation_search import override_search
from core.errors import InvalidInput
from settings import Settings


def test_values_hold_beside_all_others(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path)
    found = override_search(settings, {"search.fusion": "rrf", "search.rerank.weight": 1.5, "search.semantic.bm25_weight": 0.9})
    assert (found.search.fusion, found.search.rerank.weight, found.search.semantic.bm25_weight) == ("rrf", 1.5, 0.9)
    assert found.search.rerank.candidates == settings.search.rerank.candidates
    assert found.search.hybrid == settings.search.hybrid
    assert settings.search.fusion == "weighted"
    assert override_search(settings, {}) is settings


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"server.port": 1}, "server.port cannot be set for one question"),
        ({"search.fusion": "best"}, "search.fusion: Input should be"),
        ({"search.rerank.weight": {"a": 1}}, "search.rerank.weight"),
        ({"search.hybrid.bm25_weight": 2}, "search.hybrid.bm25_weight"),
    ],
)
def test_what_cannot_be_set_is_named(tmp_path: Path, values: dict[str, object], said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        override_search(Settings(home=tmp_path), values)
