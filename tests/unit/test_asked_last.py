"""Questions that end with their question word, about a thing that is only described."""

from __future__ import annotations

import pytest

from agents.planner.decomposition import decompose
from agents.planner.trailing_questions import split_trailing_question


@pytest.mark.parametrize(
    ("text", "queries"),
    [
        (
            "Marl House is a hall in a university located in what Danish city?",
            ["Which university is meant: Marl House is a hall in a university?", "{sq1} located in what Danish city?"],
        ),
        (
            "Ada Holm was the chair of a shipping company that is led by who?",
            ["Which shipping company is meant: Ada Holm was the chair of a shipping company?", "{sq1} is led by who?"],
        ),
        (
            "The overture of Sturm is by a Dutch composer whose teacher was whom?",
            ["Which Dutch composer is meant: The overture of Sturm is by a Dutch composer?", "{sq1}'s teacher was whom?"],
        ),
    ],
)
def test_what_is_asked_about_a_thing_at_the_end_is_asked_last(text: str, queries: list[str]) -> None:
    found = decompose(text)
    assert found is not None
    assert (found.kind, [each.query for each in found.sub_queries]) == ("bridge", queries)
    assert found.sub_queries[1].dependencies == ["sq1"]


@pytest.mark.parametrize(
    "text",
    [
        "Kestrel is a firm with how many employees?",  # it says what it is: nothing to look up
        "What is the rent of the house where Ada lives?",
        "Mount Ada, in the state where Silverton lies, is part of what range?",
    ],
)
def test_what_names_its_thing_is_not_asked_in_steps(text: str) -> None:
    assert split_trailing_question(text) is None
