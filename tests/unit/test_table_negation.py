"""Questions that deny something: the rows without it are told, and never those with it."""

from __future__ import annotations

import pytest

from benchmarks.table_answers import ask, take_in_hand
from benchmarks.table_questions import MadeTable, parse_rows

BERTHS = take_in_hand(
    MadeTable(
        "berths.csv",
        parse_rows("""
Berth | Quay | Length (m) | Tenant | Metered | Arrears (EUR)
B1 | North | 12 | Ida Quist | yes | 0
B2 | North | 9 | | no | 40
B3 | South | 14 | Omar Said | yes | 0
B4 | South | 8 | Ida Quist | no | 15
B5 | East | 11 | | yes | 0
"""),
        caption="Berths",
    ),
    "berths",
)
LESSONS = take_in_hand(
    MadeTable(
        "lessons.csv",
        parse_rows("""
Learner | Lesson | Held | Result
Ana Petit | Knots | 2025-01-10 | passed
Ana Petit | Radio | 2025-02-11 | failed
Bo Lund | Knots | 2025-01-10 | passed
Cleo Marsh | Radio | 2025-02-11 | passed
Cleo Marsh | Charts | 2025-03-04 | not held
"""),
        caption="Lessons",
    ),
    "lessons",
)


def told(question: str) -> str:
    return "; ".join(each.calculation.sentence for each in ask(question, [BERTHS, LESSONS]))


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("Which berths have no tenant?", "“Berth” where “Tenant” is empty: B2; B5 (2 rows of 5)."),
        ("Which berths are not in the South?", "“Berth” where “Quay” is not “South”: B1; B2; B5 (3 rows of 5)."),
        ("Which berths are not metered yet?", "“Berth” where “Metered” is no: B2; B4 (2 rows of 5)."),
        ("Which berths have no arrears?", "“Berth” where “Arrears (EUR)” is 0: B1; B3; B5 (3 rows of 5)."),
        ("How many berths are not in the North?", "Number of rows of “Berths” in berths.csv where “Quay” is not “North”: 3 of 5."),
        ("Which berths with a length that does not exceed 9?", "“Berth” where “Length (m)” is not above 9: B2; B4 (2 rows of 5)."),
        ("total arrears excluding South", "Sum of “Arrears (EUR)” over 3 rows where “Quay” is not “South”: 40."),
        ("Which learners have not passed?", "“Learner” without a row where “Result” is “passed”: none (0 of 3)."),
        ("Which learners never had radio?", "“Learner” without a row where “Lesson” is “Radio”: Bo Lund (1 of 3)."),
        ("How many learners have no failed lesson?", "“Learner” without a row where “Result” is “failed”: 2 of 3 (Bo Lund; Cleo Marsh)."),
        ("Which lessons were not held?", "“Lesson” where “Result” is “not held”: Charts."),
    ],
)
def test_what_is_denied_is_left_out(question: str, sentence: str) -> None:
    assert told(question) == sentence


@pytest.mark.parametrize(
    "question",
    [
        "Which berths are not rented to fishermen?",
        "Which learners have neither knots nor radio?",
        "Which berths have no heating?",
        "How many learners were not taught by Bo Lund?",
    ],
)
def test_what_the_table_does_not_hold_is_not_told_as_its_opposite(question: str) -> None:
    assert told(question) == ""
