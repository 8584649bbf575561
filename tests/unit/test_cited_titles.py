"""Titles in a list of references say nothing of what they are about."""

from __future__ import annotations

import pytest

from answers.units.line_kinds import is_cited_title


@pytest.mark.parametrize(
    ("before", "text", "cited"),
    [
        ("Lee, Y. & Larsen, K. (2003). ", "The acceptance model: past and future.", True),
        ("Holm, A., 1998. ", "Tides of the north.", True),
        ("The limit was raised (2003). ", "The limit is eight.", False),
        ("We met in the harbour. ", "The acceptance model: past and future.", False),
    ],
)
def test_a_title_behind_a_year_without_a_verb(before: str, text: str, *, cited: bool) -> None:
    assert is_cited_title(before, text) is cited
