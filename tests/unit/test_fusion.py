"""Fusion: worked examples and what holds for any scores."""

from __future__ import annotations

import math
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.fusion import FusionName, fuse, max_normalised_sum, min_max_sum, reciprocal_rank_fusion, z_score_sum

NAMES: tuple[FusionName, ...] = get_args(FusionName)
LEXICAL = {1: 8.0, 2: 4.0, 3: 2.0}
DENSE = {2: 0.9, 4: 0.6, 1: 0.45}
WEIGHTS = {"lexical": 0.4, "dense": 0.6}

scores = st.dictionaries(st.integers(1, 40), st.floats(-1.0, 60.0, allow_nan=False).map(lambda x: round(x, 4)), max_size=30)
weights = st.floats(0.0, 3.0)


def test_max_normalised_sum_is_the_recipe() -> None:
    fused = max_normalised_sum({"lexical": LEXICAL, "dense": DENSE}, WEIGHTS)
    assert fused == pytest.approx({1: 0.4 + 0.6 * 0.5, 2: 0.4 * 0.5 + 0.6, 3: 0.4 * 0.25, 4: 0.6 * 2 / 3})


def test_reciprocal_rank_fusion_by_hand() -> None:
    fused = reciprocal_rank_fusion({"lexical": LEXICAL, "dense": DENSE}, {"lexical": 1.0, "dense": 1.0}, k=60)
    assert fused == pytest.approx({1: 61 / 2 * (1 / 61 + 1 / 63), 2: 61 / 2 * (1 / 62 + 1 / 61), 3: 61 / 2 / 63, 4: 61 / 2 / 62})


def test_min_max_by_hand() -> None:
    fused = min_max_sum({"lexical": LEXICAL, "dense": DENSE}, WEIGHTS)
    assert fused == pytest.approx({1: 0.4, 2: 0.4 / 3 + 0.6, 3: 0.0, 4: 0.6 / 3})


def test_z_score_by_hand() -> None:
    fused = z_score_sum({"dense": {1: 3.0, 2: 1.0}}, {"dense": 1.0})
    assert fused[1] == pytest.approx(0.5 * (1 + math.erf(1 / math.sqrt(2))))
    assert fused[1] + fused[2] == pytest.approx(1.0)


@pytest.mark.parametrize("name", NAMES)
def test_a_leg_without_weight_or_without_hits_changes_nothing(name: FusionName) -> None:
    alone = fuse(name, {"dense": DENSE}, {"dense": 1.0})
    assert fuse(name, {"dense": DENSE, "lexical": {}}, {"dense": 0.6, "lexical": 0.4}) == pytest.approx(alone)
    assert fuse(name, {"dense": DENSE, "lexical": LEXICAL}, {"dense": 0.6, "lexical": 0.0}) == pytest.approx(alone)
    assert fuse(name, {}, WEIGHTS) == {}
    assert sorted(alone, key=lambda item: -alone[item]) == [2, 4, 1]


@pytest.mark.parametrize("name", NAMES)
@given(lexical=scores, dense=scores, a=weights, b=weights)
def test_scores_stay_between_0_and_1_and_nothing_is_lost(
    name: FusionName, lexical: dict[int, float], dense: dict[int, float], a: float, b: float
) -> None:
    fused = fuse(name, {"lexical": lexical, "dense": dense}, {"lexical": a, "dense": b})
    assert all(0.0 <= value <= 1.0 for value in fused.values())
    assert set(fused) == (set(lexical) if a > 0 else set()) | (set(dense) if b > 0 else set())


@pytest.mark.parametrize("name", NAMES)
@given(lexical=scores, dense=scores)
def test_being_better_in_both_legs_is_being_better(name: FusionName, lexical: dict[int, float], dense: dict[int, float]) -> None:
    fused = fuse(name, {"lexical": lexical, "dense": dense}, WEIGHTS)
    both = sorted(set(lexical) & set(dense))
    for first in both[:8]:
        for second in both[:8]:
            if lexical[first] >= lexical[second] and dense[first] >= dense[second]:
                assert fused[first] >= fused[second] - 1e-9


@pytest.mark.parametrize("name", NAMES)
@given(lexical=scores, dense=scores)
def test_the_order_of_the_input_does_not_matter(name: FusionName, lexical: dict[int, float], dense: dict[int, float]) -> None:
    one = fuse(name, {"lexical": lexical, "dense": dense}, WEIGHTS)
    other = fuse(name, {"dense": dict(reversed(dense.items())), "lexical": dict(reversed(lexical.items()))}, WEIGHTS)
    assert one == pytest.approx(other, abs=1e-9)


@given(leg=scores.filter(lambda leg: any(score > 0 for score in leg.values())), factor=st.floats(0.1, 50.0))
def test_the_scale_of_a_leg_does_not_matter_to_the_recipe(leg: dict[int, float], factor: float) -> None:
    plain = max_normalised_sum({"lexical": leg, "dense": DENSE}, WEIGHTS)
    scaled = max_normalised_sum({"lexical": {item: score * factor for item, score in leg.items()}, "dense": DENSE}, WEIGHTS)
    assert scaled == pytest.approx(plain, abs=1e-9)
