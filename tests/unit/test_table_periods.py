"""Rows that are months: one is named without its year, and a figure over all of them says of which time it is."""

from __future__ import annotations

import pytest

from agents.table_qa.agent import LEAST_CONFIDENCE
from benchmarks.table_answers import ask, take_in_hand
from benchmarks.table_questions import MadeTable, parse_rows

FERRIES = take_in_hand(
    MadeTable(
        "Ferries.csv", parse_rows("Month | Day budget | Night budget\nMarch 2025 | 10 | 4\nApril 2025 | 12 | 5\nMay 2025 | 14 | 6"), caption="Ferries"
    ),
    "ferries",
)
TWO_YEARS = take_in_hand(MadeTable("Ferries.csv", parse_rows("Month | Day budget\nMay 2024 | 10\nMay 2025 | 14"), caption="Ferries"), "two")
TICKETS = take_in_hand(MadeTable("Tickets.csv", parse_rows("Month | Tickets\nJuly | 20\nAugust | 30\nSeptember | 10"), caption="Tickets"), "tickets")


@pytest.mark.parametrize("question", ["What was the budget for day ferries in April?", "What was the night budget in May?"])
def test_a_month_without_its_year_is_the_row_of_the_only_year(question: str) -> None:
    (found,) = ask(question, [FERRIES])
    assert found.calculation.sentence in {"“Day budget” where “Month” is “April 2025”: 12.", "“Night budget” where “Month” is “May 2025”: 6."}


def test_of_two_years_none_is_taken() -> None:
    assert ask("What was the day budget in May?", [TWO_YEARS]) == []


def test_a_sum_over_months_says_which() -> None:
    (found,) = ask("How many tickets were sold?", [TICKETS])
    assert found.calculation.sentence == "Sum of “Tickets” over 3 rows, July to September: 60."
    assert found.calculation.confidence >= LEAST_CONFIDENCE


def test_rows_that_are_no_times_have_no_period() -> None:
    crates = take_in_hand(MadeTable("Crates.csv", parse_rows("Ship | Crates\nMay Queen | 20\nJuno | 30"), caption="Crates"), "crates")
    (found,) = ask("How many crates are there in total?", [crates])
    assert found.calculation.sentence == "Sum of “Crates” over 2 rows: 50."


def test_the_row_that_is_named_is_no_list_of_what_is_in_it() -> None:
    crews = take_in_hand(
        MadeTable("Crews.csv", parse_rows("Crew group | Size\nDeck | 20 (19.9%)\nEngine | 30 (30.1%)\nGalley | 50 (50%)"), caption="Crews by group"),
        "crews",
    )
    assert ask("Which crews are in the Deck group?", [crews]) == []


SHIPMENTS = take_in_hand(
    MadeTable(
        "Shipments.csv",
        parse_rows("Shipment | Carrier | Weight\nS1 | Blue Line | 10\nS2 | Red Line | 20\nS3 | Blue Line | 5\nS4 | Red Line | 7"),
        caption="Shipments",
    ),
    "shipments",
)


@pytest.mark.parametrize("question", ["Which carriers do we use?", "What carriers are there?", "List the carriers."])
def test_each_text_of_a_column_is_told_once(question: str) -> None:
    (found,) = ask(question, [SHIPMENTS])
    assert found.calculation.sentence == "“Carrier” over 4 rows: Blue Line; Red Line (2 different)."
    assert [row.ordinal for row in found.rows] == [0, 1]


@pytest.mark.parametrize("question", ["Which shipments do we have?", "Which carriers were late?", "Which carrier do we use?"])
def test_what_is_no_category_or_not_all_of_it_is_not_told_so(question: str) -> None:
    assert all(found.calculation.value != "Blue Line; Red Line" for found in ask(question, [SHIPMENTS]))


WATER = take_in_hand(
    MadeTable(
        "Water 2025.csv",
        parse_rows(
            "Month | Pumped (m3) | Sold (m3) | Price (EUR)\n"
            "January | 50 | 44 | 2.10\nFebruary | 40 | 41 | 2.10\nMarch | 60 | 52 | 2.20\nApril | 70 | 66 | 2.30"
        ),
        caption="Water",
    ),
    "water",
)


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("How much water was pumped from January to March?", "Sum of “Pumped (m3)” over 3 rows where “Month” is from January to March: 150."),
        ("total sold in the first quarter", "Sum of “Sold (m3)” over 3 rows where “Month” is in first quarter: 137."),
        ("Average pumped since March 2025", "Average of “Pumped (m3)” over 2 rows where “Month” is since March 2025: 65."),
        ("What was sold before March?", "Sum of “Sold (m3)” over 2 rows where “Month” is before March: 85."),
        ("How much was pumped in February?", "“Pumped (m3)” where “Month” is “February”: 40."),
    ],
)
def test_a_time_of_several_months_is_all_of_them(question: str, sentence: str) -> None:
    (found,) = ask(question, [WATER])
    assert found.calculation.sentence == sentence


@pytest.mark.parametrize("question", ["total sold in the third quarter", "What was the price from January to March?"])
def test_months_that_are_not_there_and_prices_are_not_added_up(question: str) -> None:
    assert ask(question, [WATER]) == []


def test_two_months_that_are_set_apart_are_no_range() -> None:
    (found,) = ask("By how much did sold rise from January to April?", [WATER])
    assert found.calculation.value == "22"
