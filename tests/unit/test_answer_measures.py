"""Measures of answers against small cases worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from evaluation.answer_metrics import auroc, expected_calibration_error, f1, fit_logistic, holds_answer


@pytest.mark.parametrize(
    ("text", "gold", "held"),
    [
        ("It fell in May, 1705.", ["May 1705"], True),
        ("It fell in 17051.", ["1705"], False),
        ("Anything", ["", "  "], False),
        ("STRASSE 5", ["straße"], True),
    ],
)
def test_an_answer_is_held_word_for_word(text: str, gold: list[str], held: bool) -> None:
    assert holds_answer(text, gold) is held


def test_f1_of_sets() -> None:
    assert f1({1, 2, 3}, {2, 3, 4, 5}) == pytest.approx(4 / 7)
    assert f1(set(), {1}) == f1({1}, set()) == 0.0


def test_auroc_counts_ties_half() -> None:
    assert auroc([0.9, 0.4, 0.4, 0.1], [True, True, False, False]) == pytest.approx(3.5 / 4)
    assert auroc([1, 2], [True, False]) == 0.0
    assert math.isnan(auroc([1], [True]))


def test_calibration_error_is_the_weighted_gap() -> None:
    assert expected_calibration_error([0.85, 0.85, 0.25, 0.25], [True, False, False, False]) == pytest.approx((2 * 0.35 + 2 * 0.25) / 4)
    assert expected_calibration_error([1.0], [True]) == 0.0


def test_logistic_regression_finds_the_weights_it_was_drawn_from() -> None:
    random = np.random.default_rng(5)
    rows = random.normal(size=(20_000, 2))
    chance = 1 / (1 + np.exp(-(0.5 + rows @ np.array([2.0, -1.0]))))
    weights = fit_logistic(rows, (random.random(20_000) < chance).tolist())
    assert weights == pytest.approx([0.5, 2.0, -1.0], abs=0.1)
