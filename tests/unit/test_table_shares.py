"""Shares and ratios that are computed: of rows by their number, of a column that adds up, and what none is computed of."""

from __future__ import annotations

import pytest

from agents.table_qa.share_parser import parse_share
from benchmarks.table_answers import ask, take_in_hand
from benchmarks.table_questions import MadeTable, parse_rows

CATCHES = take_in_hand(
    MadeTable(
        "catches.csv",
        parse_rows("""
Catch | Boat | Fish | Weight (kg) | Value (EUR) | Sold
C1 | Linnea | cod | 300 | 1500 | yes
C2 | Linnea | hake | 100 | 700 | no
C3 | Orion | cod | 500 | 2500 | yes
C4 | Orion | sole | 100 | 1300 | yes
"""),
        caption="Catches",
    ),
    "catches",
)
OWNERS = take_in_hand(
    MadeTable("owners.csv", parse_rows("Owner | Share (%)\nAva Lind | 60\nOda Brant | 40"), caption="Owners of the Linnea"), "owners"
)


def told(question: str) -> str:
    return "; ".join(each.calculation.sentence for each in ask(question, [CATCHES, OWNERS]))


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("What share of the catches is sold?", "Share of rows where “Sold” is yes: 75% (3 of 4 rows)."),
        ("What percentage of the total weight was cod?", "Share of “Weight (kg)” where “Fish” is “cod”: 80% (800 of 1,000)."),
        ("What percentage of the value came from Orion?", "Share of “Value (EUR)” where “Boat” is “Orion”: 63.33% (3,800 of 6,000)."),
        ("share of hake in total value", "Share of “Value (EUR)” where “Fish” is “hake”: 11.67% (700 of 6,000)."),
        (
            "How many per cent of the catches by Orion were sole?",
            "Share of rows where “Fish” is “sole”, of those where “Boat” is “Orion”: 50% (1 of 2 rows).",
        ),
        ("What percentage of the catches are not sold?", "Share of rows where “Sold” is no: 25% (1 of 4 rows)."),
        ("What share of the catches weighed at least 300 kg?", "Share of rows where “Weight (kg)” is at least 300: 50% (2 of 4 rows)."),
        ("What share of the Linnea does Ava Lind own?", "“Share (%)” where “Owner” is “Ava Lind”: 60."),
    ],
)
def test_a_share_says_of_what_it_is(question: str, sentence: str) -> None:
    assert told(question) == sentence


@pytest.mark.parametrize(
    "question", ["What share of the harbour is sold?", "What percentage of the budget was cod?", "What share of the catches of cod was hake?"]
)
def test_a_share_of_what_the_table_does_not_hold_is_not_computed(question: str) -> None:
    assert told(question) == ""


def test_a_ratio_is_of_two_rows_or_columns() -> None:
    pools = take_in_hand(MadeTable("pools.csv", parse_rows("Pool | Guests\nIndoor | 300\nOutdoor | 120"), caption="Pools"), "pools")
    (found,) = ask("What is the ratio of indoor to outdoor guests?", [pools])
    assert found.calculation.sentence == "“Guests”: Indoor 300, Outdoor 120; Indoor is 2.5 times Outdoor."


def test_no_share_is_read_where_none_is_asked_for() -> None:
    assert parse_share("Who has a share of the boat?") is None
