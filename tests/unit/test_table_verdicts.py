"""Yes or no to a figure, and who does what a heading says of him."""

from __future__ import annotations

import pytest

from benchmarks.table_answers import ask, take_in_hand
from benchmarks.table_questions import MadeTable, parse_rows

STALLS = take_in_hand(
    MadeTable(
        "stalls.csv",
        parse_rows("""
Stall | Row | Rent 2025 (EUR) | Takings ($) | Market keeper | Sweeper
Cheese | A | 120 | 900 | Edda Moor | Finn Rask
Bread | A | 95 | 1100 | Edda Moor | Gil Ware
Fish | B | 140 | 400 | Pia Holt | Gil Ware
"""),
        caption="Stalls",
    ),
    "stalls",
)


def told(question: str) -> str:
    return "; ".join(each.calculation.sentence for each in ask(question, [STALLS]))


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("Is the rent of the cheese stall more than 100?", "Yes: “Rent 2025 (EUR)” where “Stall” is “Cheese”: 120."),
        ("Is the rent for fish below 140?", "No: “Rent 2025 (EUR)” where “Stall” is “Fish”: 140."),
        ("Did bread take over $1,000?", "Yes: “Takings ($)” where “Stall” is “Bread”: 1,100."),
        ("Were more than two stalls in row A?", ""),
        ("Are there more than 2 stalls in row A?", "No: number of rows of “Stalls” in stalls.csv where “Row” is “A”: 2 of 3."),
        ("Is the total rent at least 355?", "Yes: sum of “Rent 2025 (EUR)” over 3 rows: 355."),
    ],
)
def test_a_figure_is_held_against_the_one_that_is_asked(question: str, sentence: str) -> None:
    assert told(question) == sentence


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("Who keeps the fish stall?", "“Market keeper” where “Stall” is “Fish”: Pia Holt."),
        ("Who sweeps at the bread stall?", "“Sweeper” where “Stall” is “Bread”: Gil Ware."),
    ],
)
def test_who_does_it_stands_under_the_heading_made_of_the_verb(question: str, sentence: str) -> None:
    assert told(question) == sentence


@pytest.mark.parametrize(
    "question", ["Who takes the rent of the fish stall?", "Who paid the rent of the fish stall?", "Is the fish stall more than 5 km away?"]
)
def test_a_figure_is_no_answer_to_who(question: str) -> None:
    assert told(question) == ""


CREW = take_in_hand(
    MadeTable(
        "crew.csv",
        parse_rows("""
Name | Post | Base
Ada Holm | Workshop Manager, North yard | North
Ben Reis | Deputy Workshop Manager | North
Cy Vold | IT and Networks Lead | South
Di Arne | Welder | South
"""),
        caption="Crew",
    ),
    "crew",
)


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Who is in charge of the workshop?", "Ada Holm"),
        ("Who runs the workshop?", "Ada Holm"),
        ("Who is responsible for IT?", "Cy Vold"),
        ("Who leads the kitchen?", ""),
    ],
)
def test_who_leads_a_thing_has_the_office_of_it_and_no_deputy(question: str, name: str) -> None:
    assert "; ".join(each.calculation.value for each in ask(question, [CREW])) == name
