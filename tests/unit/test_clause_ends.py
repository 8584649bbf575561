"""Where a description in a question ends, and what is no description of anything."""

from __future__ import annotations

import pytest

from agents.planner.decomposition import decompose


@pytest.mark.parametrize(
    ("text", "queries"),
    [
        (
            "Who leads the town where the architect of Quay House was a councillor?",
            ["Who is the architect of Quay House?", "What is the town where {sq1} was a councillor?", "Who leads {sq2}?"],
        ),
        ("What country was the author of Brand a citizen of?", ["Who is the author of Brand?", "What country was {sq1} a citizen of?"]),
        (
            "When did the country where the town where Jory Pascoe was born is located refuse to join?",
            ["What is the town where Jory Pascoe was born?", "What is the country where {sq1} is located?", "When did {sq2} refuse to join?"],
        ),
        (
            "What part of the county where the regatta is held are the moors?",
            ["What is the county where the regatta is held?", "What part of {sq1} are the moors?"],
        ),
        (
            "Where was the person who wrote The Trials of Mr. Hale born?",
            ["Who is the person who wrote The Trials of Mr. Hale?", "Where was {sq1} born?"],
        ),
        (
            "Who owns the ship that the pilot born in 1952 in Fowey was known for?",
            ["Who is the pilot born in 1952 in Fowey?", "What is the ship that {sq1} was known for?", "Who owns {sq2}?"],
        ),
        (
            "Which county has the birthplace of Ines Duarte as its seat?",
            ["What is the birthplace of Ines Duarte?", "Which county has {sq1} as its seat?"],
        ),
    ],
)
def test_the_verb_behind_a_description_is_not_its_own(text: str, queries: list[str]) -> None:
    found = decompose(text)
    assert found is not None
    assert [step.query for step in found.sub_queries] == queries


@pytest.mark.parametrize(
    "text",
    ["The Gannet is a ferry that crosses the bay, which is Falmouth's oldest?", "What is a firm that rents, mends and sells cranes for quays?"],
)
def test_what_something_is_said_to_be_names_nothing_to_look_up(text: str) -> None:
    assert decompose(text) is None
