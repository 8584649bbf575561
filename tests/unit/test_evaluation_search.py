"""Settings of the search, and weights of its legs, for one question alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from composition.evaluation_search import override_search
from core.errors import InvalidInput
from core.search import WEIGHTED, Classification, Intent
from core.search_schemas import SearchRequest
from orchestration.dependencies import Options
from orchestration.nodes.classification import choose_run_strategy
from server.evaluation_schemas import LegWeights
from settings import Settings

WORDS = {"search.semantic.bm25_weight": 0.9, "search.semantic.vector_weight": 0.1}


def test_values_hold_beside_all_others(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path)
    found = override_search(settings, {"search.fusion": "rrf", "search.rerank.weight": 1.5, **WORDS})
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
        ({"search.semantic.bm25_weight": 0.9}, "search.semantic: vector_weight 0.7 and bm25_weight 0.9 sum to 1.6"),
    ],
)
def test_what_cannot_be_set_is_named(tmp_path: Path, values: dict[str, object], said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        override_search(Settings(home=tmp_path), values)


def test_every_weight_of_a_strategy_can_be_given() -> None:
    assert set(LegWeights.model_fields) == set(WEIGHTED)


@pytest.mark.parametrize("values", [{"lexical": 0, "dense": 0}, {"lexical": -0.1, "dense": 1}, {"lexical": 1, "dense": float("nan")}, {"dense": 1}])
def test_weights_that_cannot_be_are_refused(values: dict[str, float]) -> None:
    with pytest.raises(ValidationError):
        LegWeights.model_validate(values)


@pytest.mark.parametrize("strategy", ["auto", "temporal"])
async def test_weights_of_the_request_stand_in_the_place_of_the_strategy_s(strategy: str) -> None:
    request = SearchRequest.model_validate({"query": "Which ferry leaves at noon?", "strategy": strategy})
    read = Classification(intent=Intent.DOCUMENT_SEARCH, confidence=0.9, rule="words", search_text=request.query)
    given = {"lexical": 0.2, "dense": 0.1, "graph": 0.6, "time": 0.0}
    result = await choose_run_strategy({"request": request, "classification": read}, tenant="harbour", user_id="ann", options=Options(weights=given))  # type: ignore[typeddict-item] # the keys that it reads
    chosen = result.writes["retrieval_request"].strategy
    assert ({name: getattr(chosen, name) for name in WEIGHTED}, chosen.prefer_recent) == (given, False)
    assert chosen.reason.endswith("The weights are those of the request.")
