"""How far apart two figures of a table are: two columns of one row, one column of two rows, in per cent where that is asked."""

from __future__ import annotations

import pytest

from agents.table_qa.difference_parser import parse_difference
from benchmarks.table_answers import MadeTableInHand, ask, take_in_hand
from benchmarks.table_questions import MadeTable, parse_rows

KITCHEN = take_in_hand(
    MadeTable(
        "Kitchen costs.xlsx",
        parse_rows("""
Item | Budget (EUR) | Actual (EUR) | Share of budget (%) | Variance note
Flour | 900 | 1,080 | 36 | dear harvest
Butter | 1,600 | 1,200 | 64 | none
Total | 2,500 | 2,280 | 100 |
"""),
        caption="Costs of the kitchen",
    ),
    "kitchen",
)
GAS = take_in_hand(
    MadeTable(
        "Gas.csv",
        parse_rows("""
Month | Gas bill (EUR) | Cubic metres
May 2025 | 400 | 900
June 2025 | 500 | 1000
July 2025 | 450 | 1100
"""),
    ),
    "gas",
)
MILL = take_in_hand(
    MadeTable(
        "Mill.csv",
        parse_rows("""
Year | Turnover | Yield
2020 | 800 | 4.5%
2021 | 1000 | 6.0%
"""),
    ),
    "mill",
)
HARBOURS = take_in_hand(
    MadeTable("Crates.csv", parse_rows("Harbour | 2019 | 2020\nMarl | 40 | 50\nOsyn | 60 | 45"), caption="Crates by harbour"), "harbours"
)
TWICE = take_in_hand(
    MadeTable(
        "Road and rail.csv", parse_rows("Month | Road budget | Road actual | Rail budget | Rail actual\nMay | 10 | 13 | 5 | 4\nJune | 11 | 9 | 6 | 7")
    ),
    "twice",
)
HELD = {"kitchen": KITCHEN, "gas": GAS, "mill": MILL, "harbours": HARBOURS, "twice": TWICE}


def told(question: str, hand: MadeTableInHand) -> str:
    found = [each.calculation for each in ask(question, [hand]) if not each.is_ambiguous]
    return found[0].value if found else "declined"


@pytest.mark.parametrize(
    ("question", "table", "value"),
    [
        ("What is the difference between budget and actual for flour?", "kitchen", "180"),
        ("By how much did actual exceed budget for flour?", "kitchen", "180"),
        ("How much lower was the actual than the budget for butter?", "kitchen", "400"),
        ("By how many per cent did actual exceed budget for flour?", "kitchen", "20%"),
        ("What is the difference in budget between flour and butter?", "kitchen", "700"),
        ("How much more did June cost than May?", "gas", "100"),
        ("By how many percent did the gas bill rise from May to June?", "gas", "25%"),
        ("How many more cubic metres were there in July than in June?", "gas", "100"),
        ("By how much did turnover grow from 2020 to 2021?", "mill", "200"),
        ("What was the percentage change in turnover between 2020 and 2021?", "mill", "25%"),
        ("By how much did the turnover of 2021 exceed the turnover of 2020?", "mill", "200"),
        ("By how much did the yield rise from 2020 to 2021?", "mill", "1.5 percentage points"),
        ("By how much did Osyn fall from 2019 to 2020?", "harbours", "15"),
        ("How many more crates did Marl have in 2020 than in 2019?", "harbours", "10"),
        ("What is the difference between road budget and actual in June?", "twice", "2"),
        ("What is the difference between budget and actual for rail in May?", "twice", "1"),
    ],
)
def test_two_figures_that_are_named_surely_are_set_apart(question: str, table: str, value: str) -> None:
    assert told(question, HELD[table]) == value


@pytest.mark.parametrize(
    ("question", "table"),
    [
        ("What is the difference between budget and actual?", "kitchen"),  # of which row
        ("What is the difference between actual and share of budget for flour?", "kitchen"),  # two units
        ("What is the difference between flour and butter?", "kitchen"),  # by which column
        ("What is the percentage difference between May and June gas bill?", "gas"),  # of which
        ("By how many per cent is the yield of 2021 higher than that of 2020?", "mill"),  # points or per cent
        ("What was the growth in turnover from 2020 to 2021?", "mill"),
        ("What is the difference between budget and actual in May?", "twice"),  # road or rail
        ("How much more did May cost than August?", "gas"),
        ("What is the variance between budget and actual for flour?", "kitchen"),  # a column is called so
        ("What is the difference between May, June and July?", "gas"),
        ("What is the difference between the highest and the lowest gas bill?", "gas"),
    ],
)
def test_what_is_not_linked_surely_is_not_set_apart(question: str, table: str) -> None:
    assert told(question, HELD[table]) == "declined"


def test_the_sentence_says_both_figures_and_which_is_higher() -> None:
    (columns,) = ask("By how many per cent was actual lower than budget for butter?", [KITCHEN])
    said = "Where “Item” is “Butter”: “Budget (EUR)” 1,600, “Actual (EUR)” 1,200; “Actual (EUR)” is lower by 25% of 1,600."
    assert columns.calculation.sentence == said
    assert [row.cells[0] for row in columns.rows] == ["Butter"]
    (rows,) = ask("By how much did the gas bill fall from May to June?", [GAS])
    assert rows.calculation.sentence == "“Gas bill (EUR)”: June 2025 500, May 2025 400; June 2025 is higher by 100."


@pytest.mark.parametrize(
    "text", ["How many orders are larger than 500?", "What per cent of orders exceed 500?", "What changed?", "How much is the rise?"]
)
def test_other_questions_set_nothing_apart(text: str) -> None:
    assert parse_difference(text) is None
