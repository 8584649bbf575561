"""Two columns of figures that are set against each other in each row: which rows, how many, how far, yes or no."""

from __future__ import annotations

import pytest

from agents.table_qa.relation_parser import parse_relation
from benchmarks.table_answers import ask, take_in_hand
from benchmarks.table_questions import MadeTable, parse_rows

WARDS = take_in_hand(
    MadeTable(
        "wards.csv",
        parse_rows("""
Ward | Budget 2025 (EUR) | Actual Jan to Jun (EUR) | Expected year (EUR)
Surgery | 900 | 470 | 940
Maternity | 600 | 280 | 590
Pharmacy | 300 | 310 | 650
Total | 1800 | 1060 | 2180
"""),
        caption="Wards",
    ),
    "wards",
)
TANKS = take_in_hand(
    MadeTable(
        "tanks.csv",
        parse_rows("Tank | Level (l) | Alarm level (l) | Site\nT1 | 400 | 500 | Ost\nT2 | 900 | 500 | West\nT3 | 450 | 450 | Ost"),
        caption="Tanks",
    ),
    "tanks",
)
VISITS = take_in_hand(
    MadeTable("visits.csv", parse_rows("Museum | 2023 | 2024\nHarbour | 120 | 150\nCastle | 90 | 80\nMine | 70 | 75"), caption="Visits"), "visits"
)


def told(question: str) -> str:
    return "; ".join(each.calculation.sentence for each in ask(question, [WARDS, TANKS, VISITS]))


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("Which wards are over budget?", "“Ward” where “Actual Jan to Jun (EUR)” is above “Budget 2025 (EUR)”: Pharmacy (1 row of 3)."),
        ("Which wards overspent?", "“Ward” where “Actual Jan to Jun (EUR)” is above “Budget 2025 (EUR)”: Pharmacy (1 row of 3)."),
        ("Which tanks are below the alarm level?", "“Tank” where “Level (l)” is below “Alarm level (l)”: T1 (1 row of 3)."),
        (
            "How many tanks in Ost are below their alarm level?",
            "Number of rows of “Tanks” in tanks.csv where “Level (l)” is below “Alarm level (l)” and “Site” is “Ost”: 1 of 3.",
        ),
        ("Which museums had more visits in 2024 than in 2023?", "“Museum” where “2024” is above “2023”: Harbour; Mine (2 rows of 3)."),
        ("Which museums had fewer visits in 2024 than in 2023?", "“Museum” where “2024” is below “2023”: Castle (1 row of 3)."),
        (
            "Was surgery over budget?",
            "No: where “Ward” is “Surgery”: “Budget 2025 (EUR)” 900, “Actual Jan to Jun (EUR)” 470; “Budget 2025 (EUR)” is higher by 430.",
        ),
        (
            "What did pharmacy spend over its budget?",
            "Where “Ward” is “Pharmacy”: “Actual Jan to Jun (EUR)” 310, “Budget 2025 (EUR)” 300; “Actual Jan to Jun (EUR)” is higher by 10.",
        ),
        ("Which museums got more in 2024 than in 2023?", "“Museum” where “2024” is above “2023”: Harbour; Mine (2 rows of 3)."),
        (
            "How much of the maternity budget is left?",
            "Where “Ward” is “Maternity”: “Budget 2025 (EUR)” 600, “Actual Jan to Jun (EUR)” 280; “Budget 2025 (EUR)” is higher by 320.",
        ),
        (
            "By how much was pharmacy over budget?",
            "Where “Ward” is “Pharmacy”: “Actual Jan to Jun (EUR)” 310, “Budget 2025 (EUR)” 300; “Actual Jan to Jun (EUR)” is higher by 10.",
        ),
        (
            "Did surgery exceed its budget?",
            "No: where “Ward” is “Surgery”: “Budget 2025 (EUR)” 900, “Actual Jan to Jun (EUR)” 470; “Budget 2025 (EUR)” is higher by 430.",
        ),
    ],
)
def test_one_column_is_measured_by_the_other(question: str, sentence: str) -> None:
    assert told(question) == sentence


def test_columns_of_other_times_are_said_to_be_so() -> None:
    (found,) = ask("What is the difference between budget and actual for surgery?", [WARDS])
    assert found.calculation.value == "430"
    assert found.calculation.notes == ["“Budget 2025 (EUR)” and “Actual Jan to Jun (EUR)” may be of different times."]


def test_half_a_year_below_a_years_budget_tells_not_how_far_over_it_something_was() -> None:
    assert told("How far over budget was surgery?") == ""
    assert "310" in told("How far over budget was pharmacy?")
    assert "280" in told("How far under budget was maternity?")


@pytest.mark.parametrize(
    "question",
    [
        "Which tanks are below the maximum pressure?",
        "Which museums are over budget?",
        "Was the mine over budget?",
        "What did the castle spend over its budget?",
    ],
)
def test_without_two_such_columns_nothing_is_set_against_each_other(question: str) -> None:
    assert told(question) == ""


def test_words_that_name_no_column_restrict_rows_as_before() -> None:
    assert told("Which tanks are within Ost?") == "“Tank” where “Site” is “Ost”: T1; T3 (2 rows of 3)."
    assert parse_relation("Where is the tank?") is None
