"""LoCoMo's conversations through the index of the episodic tier: the evidence of its questions is found again."""

from __future__ import annotations

import pytest

from benchmarks import conversations
from benchmarks.memory import VARIANTS, make_analyser
from tests.support.embedding import shared_embedder

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not conversations.is_available(), reason="no evaluation data: LoCoMo is not there (set VANTAGE_DATA)"),
]


async def test_the_recipe_finds_three_quarters_of_the_evidence_and_beats_its_parts() -> None:
    found = await conversations.load(shared_embedder(), 3)  # of ten, with 495 questions: the benchmark measures all
    recalled = {name: conversations.measure(found, make_analyser(), weights).at_10 for name, weights in VARIANTS.items()}
    assert recalled["the recipe"] >= 0.75
    assert recalled["the recipe"] > recalled["both"] > max(recalled["words alone (BM25)"], recalled["meaning alone"])
