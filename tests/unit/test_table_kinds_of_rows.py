"""What a table counts, spans of years as columns, and headings inside a table: which row and column a question means."""

from __future__ import annotations

import pytest

from benchmarks.table_answers import ask, take_in_hand
from benchmarks.table_questions import MadeTable, parse_rows

_PUPILS = MadeTable(
    "pupils.csv",
    parse_rows("Year | Total | Resident | Boarding\n2004 | 480 | 412 | 68\n2005 | 491 | 419 | 72"),
    caption="Table 2. Pupils in public schools",
)
_BALLOTS = MadeTable("ballots.csv", parse_rows("Group | Participants | Ballots completed\nBlind | 5 | 1\nDeaf | 7 | 4"))
_GROWTH = MadeTable(
    "growth.csv",
    parse_rows("State | 1991-2001 | 2001-2011\nVessen | 9.4 | 4.8\nMarl | 14.5 | 11.1\nHalden | 8.2 | 3.3"),
    caption="Growth rate of population",
)


def test_who_is_counted_by_what_they_are_is_the_figure_of_that_column() -> None:
    hand = take_in_hand(_PUPILS)
    (found,) = ask("How many public school pupils were boarding in 2005?", [hand])
    assert found.calculation.sentence == "“Boarding” where “Year” is in 2005: 72."
    assert [each.calculation.value for each in ask("How many years are there?", [hand])] == ["2"]


def test_nothing_is_told_of_what_the_table_does_not_count() -> None:
    hand = take_in_hand(_BALLOTS)
    assert ask("How many milliseconds did participants of the blind group need?", [hand]) == []
    assert [each.calculation.value for each in ask("How many blind participants completed ballots?", [hand])] == ["1"]


def test_a_span_of_years_is_no_year() -> None:
    hand = take_in_hand(_GROWTH)
    assert ask("What was the population of Vessen in 2011?", [hand]) == []
    assert [each.calculation.value for each in ask("What was the growth rate of Vessen from 2001 to 2011?", [hand])] == ["4.8"]


_BLOCKS = MadeTable(
    "energy.csv",
    parse_rows(
        "Usual operation scenario › Site | Usual operation scenario › 2009 | Usual operation scenario › 2010\nMill | 150 | 158\nYard | 151 | 159\n"
        "Best practice scenario | | \nMill | 145 | 129\nYard | 146 | 133"
    ),
    caption="Energy use of sites (in kWh), scenarios",
)


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What was the energy use of the mill in 2010 under best practice?", "129"),
        ("What was the energy use of the yard in 2009 in the usual operation scenario?", "151"),
    ],
)
def test_a_heading_inside_the_table_says_which_rows_are_meant(question: str, value: str) -> None:
    (found,) = ask(question, [take_in_hand(_BLOCKS)])
    assert found.calculation.value == value
    assert "the row stands under “" in found.calculation.sentence


def test_of_two_rows_under_two_headings_none_is_guessed() -> None:
    assert ask("What was the energy use of the mill in 2010?", [take_in_hand(_BLOCKS)]) == []
