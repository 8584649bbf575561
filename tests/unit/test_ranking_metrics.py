"""The measures by hand-worked examples and by what holds for any ranking."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.ranking_metrics import all_relevant_found, ndcg, recall, reciprocal_rank

GRADES = {"a": 3.0, "b": 2.0, "c": 0.0, "d": 1.0}
rankings = st.permutations(["a", "b", "c", "d", "x", "y"])


def test_ndcg_by_hand() -> None:
    dcg = 2 / math.log2(2) + 3 / math.log2(4)
    ideal = 3 / math.log2(2) + 2 / math.log2(3) + 1 / math.log2(4)
    assert ndcg(["b", "x", "a"], GRADES, 3) == pytest.approx(dcg / ideal)
    assert ndcg(["b", "x", "a"], GRADES, 1) == pytest.approx(2 / 3)


def test_recall_and_ranks_by_hand() -> None:
    assert recall(["x", "a", "b"], GRADES, 2) == pytest.approx(1 / 3)
    assert recall(["d", "a", "b"], GRADES, 3) == 1.0
    assert all_relevant_found(["d", "a", "b"], GRADES, 3) == 1.0
    assert all_relevant_found(["d", "a", "b"], GRADES, 2) == 0.0
    assert reciprocal_rank(["x", "c", "b"], GRADES, 3) == pytest.approx(1 / 3)
    assert reciprocal_rank(["x", "c", "b"], GRADES, 2) == 0.0


def test_nothing_relevant_counts_nothing() -> None:
    for measure in (ndcg, recall, reciprocal_rank, all_relevant_found):
        assert measure(["a"], {}, 5) == 0.0
        assert measure([], {"a": 1.0}, 5) == 0.0


@given(ranking=rankings, k=st.integers(1, 8))
def test_measures_stay_in_range_and_the_best_order_is_one(ranking: list[str], k: int) -> None:
    for measure in (ndcg, recall, reciprocal_rank, all_relevant_found):
        assert 0.0 <= measure(ranking, GRADES, k) <= 1.0 + 1e-12
    assert ndcg(["a", "b", "d", *ranking], GRADES, 3) == pytest.approx(1.0)


@given(ranking=rankings)
def test_recall_grows_with_depth(ranking: list[str]) -> None:
    values = [recall(ranking, GRADES, k) for k in range(1, 7)]
    assert values == sorted(values)
    assert values[-1] == 1.0
