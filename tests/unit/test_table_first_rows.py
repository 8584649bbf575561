"""The first and the last row by its day, where it is and when, and the opposite of a cell that one word says."""

from __future__ import annotations

import pytest

from benchmarks.table_answers import ask, take_in_hand
from benchmarks.table_questions import MadeTable, parse_rows

TRIPS = take_in_hand(
    MadeTable(
        "trips.csv",
        parse_rows("""
Trip | Left | Back | Skipper | Berth town | State | Fee (EUR)
T-1 | 2025-04-02 | 2025-04-09 | Ole Brun | Varde | paid | 40
T-2 | 2025-05-11 | 2025-05-12 | Una Rost | Ribe | open | 25
T-3 | 2025-03-20 | 2025-03-28 | Ole Brun | Ribe | late | 55
"""),
        caption="Trips",
    ),
    "trips",
)
OTHERS = "other days of the table are “Back”."


def told(question: str) -> str:
    return "; ".join(" ".join([each.calculation.sentence, *each.calculation.notes]) for each in ask(question, [TRIPS]))


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("What was the first trip?", f"Earliest “Left” of 3 rows: 2025-03-20 (T-3). The time is taken by “Left”; {OTHERS}"),
        (
            "When was the last trip of Ole Brun?",
            f"Latest “Left” of 2 rows where “Skipper” is “Ole Brun”: 2025-04-02 (T-1). The time is taken by “Left”; {OTHERS}",
        ),
        ("Which skipper came back from the last trip?", "Latest “Back” of 3 rows: 2025-05-12 (Una Rost, T-2)."),
        ("Which trips cost over 30 EUR?", "“Trip” where “Fee (EUR)” is over 30 EUR: T-1; T-3 (2 rows of 3)."),
        ("Where is T-2?", "“Berth town” where “Trip” is “T-2”: Ribe."),
        ("Which trips are unpaid?", "“Trip” where “State” is not “paid”: T-2; T-3 (2 rows of 3)."),
        ("total fee of unpaid trips", "Sum of “Fee (EUR)” over 2 rows where “State” is not “paid”: 80."),
    ],
)
def test_what_is_first_where_and_not_so(question: str, sentence: str) -> None:
    assert told(question) == sentence


@pytest.mark.parametrize(
    "question",
    ["Who made the last payment?", "What was the last meeting?", "total fee of unpaid invoices", "What were the travel fees of T-1?", "When is T-2?"],
)
def test_what_the_rows_are_not_is_not_the_first_of_them(question: str) -> None:
    assert told(question) == ""


JOBS = take_in_hand(
    MadeTable("jobs.csv", parse_rows("Job | By | Pieces | Length (min)\nPaint | 2025-05-02 | 4 | 30\nSand | 2025-06-09 | 12 | 75"), caption="Jobs"),
    "jobs",
)


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("Which jobs are due after 1 June 2025?", "“Job” where “By” is after 1 June 2025: Sand."),
        ("jobs of at least 10 units", "“Job” where “Pieces” is at least 10: Sand (1 row of 2)."),
        ("Is the length of the sand job more than 60 minutes?", "Yes: “Length (min)” where “Job” is “Sand”: 75."),
    ],
)
def test_what_is_due_counted_and_measured(question: str, sentence: str) -> None:
    assert "; ".join(each.calculation.sentence for each in ask(question, [JOBS])) == sentence
