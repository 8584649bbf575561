"""Limits on one figure: which side a text speaks of."""

from __future__ import annotations

import pytest

from answers.questions.figure_limits import limits_of, speaks_of_other_side


@pytest.mark.parametrize(
    ("text", "limits"),
    [
        ("a repair above £5,000", {"5000": {"above"}}),
        ("any repair that costs £5,000 or less", {"5000": {"below"}}),
        ("not more than 600 litres are kept", {"600": {"below"}}),
        ("orders over 50000", {"50000": {"above"}}),
        ("20 tonnes or more", {"20": {"above"}}),
        ("more than 5,000 and not exceeding 5,000", {"5000": {"above", "below"}}),
        ("ab über 3 t", {"3": {"above"}}),
        ("The rent is £5,000.", {}),
    ],
)
def test_sides_of_a_figure(text: str, limits: dict[str, set[str]]) -> None:
    assert limits_of(text) == limits


def test_the_other_side_is_another_case() -> None:
    question = "Who pays for a crane repair above £5,000?"
    assert speaks_of_other_side(question, "The Tenant pays for any single repair that costs £5,000 or less.")
    assert not speaks_of_other_side(question, "The cost of a single repair above £5,000 is borne by the Landlord.")
    assert not speaks_of_other_side(question, "Repairs of £2,000 or less are paid by the Tenant.")
    assert not speaks_of_other_side("Who pays for repairs?", "Repairs of £5,000 or less are paid by the Tenant.")
