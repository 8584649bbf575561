"""What one query over a table can be asked for beside counts and sums: rows, the first few, two rows, groups, several days, plans and results."""

from __future__ import annotations

import pytest

from agents.table_qa.result_wording import TableAnswer
from benchmarks.table_answers import ask, take_in_hand
from benchmarks.table_questions import MadeTable, parse_rows

FERRIES = take_in_hand(
    MadeTable(
        "Crossings 2026.csv",
        parse_rows("""
crossing | left | skipper | port | boat | passengers | takings (EUR) | arrived | state
C-01 | 2026-03-02 | Ada Holm | Tern Bay | Skua | 40 | 410.50 | 2026-03-02 | on time
C-02 | 2026-03-09 | Jon Ake | Marl | Skua | 12 | 90.00 | 2026-03-09 | late
C-03 | 2026-04-01 | Ada Holm | Marl | Petrel | 75 | 800.25 | 2026-04-01 | on time
C-04 | 2026-04-20 | Jon Ake | Tern Bay | Petrel | 75 | 640.00 | 2026-04-21 | late
C-05 | 2026-05-05 | Ada Holm | Marl | Skua | 8 | 70.00 | 2026-05-05 | on time
C-06 | 2026-05-06 | Mia Lund | Osyn | Petrel | 33 | 300.00 | 2026-05-06 | on time
"""),
    ),
    "ferries",
)
FUEL = take_in_hand(
    MadeTable(
        "Fuel.csv",
        parse_rows("""
Month | Diesel budget | Diesel actual | Gas budget | Gas actual
March | 900 | 1010 | 200 | 180
April | 900 | 870 | 200 | 260
"""),
    ),
    "fuel",
)


def told(question: str, hand: object = FERRIES) -> TableAnswer:
    (found,) = ask(question, [FERRIES if hand is FERRIES else FUEL])
    return found


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("List all crossings to Marl", "C-02; C-03; C-05"),
        ("Which crossings were late?", "C-02; C-04"),
        ("late crossings in April", "C-04"),
        ("Which crossings had more than 70 passengers?", "C-03; C-04"),
        ("Which crossings had 33 passengers?", "C-06"),
        ("Who is the skipper of crossings to Osyn?", "Mia Lund"),
        ("Which boats went to Marl?", "Skua; Petrel"),
    ],
)
def test_all_rows_that_match_are_listed_by_what_is_asked_for(question: str, value: str) -> None:
    found = told(question)
    assert found.calculation.value == value
    assert len(found.rows) == found.calculation.rows_used


def test_a_list_says_how_many_rows_there_are_and_no_row_is_an_answer() -> None:
    assert told("List all crossings to Marl").calculation.sentence.endswith("C-02; C-03; C-05 (3 rows of 6).")
    none = told("Which crossings had more than 700 passengers?")
    assert none.calculation.sentence == "0 rows of 6 of Crossings 2026.csv where “passengers” is more than 700."
    assert none.rows == ()


def test_the_first_few_come_in_their_order_with_those_that_equal_the_last() -> None:
    assert told("top 2 crossings by takings").calculation.lines == ["C-03: 800.25", "C-04: 640"]
    assert told("the three cheapest crossings").calculation.lines == ["C-05: 70", "C-02: 90", "C-06: 300"]
    most = told("What are the top 2 crossings by passengers?").calculation
    assert most.lines == ["C-03: 75", "C-04: 75"]
    assert told("top 3 crossings by passengers in April").calculation.lines == ["C-03: 75", "C-04: 75"]


def test_all_that_share_the_first_place_are_counted() -> None:
    boats = take_in_hand(MadeTable("Boats.csv", (("Boat", "Crew"), *((f"b{at}", "9" if at < 14 else "2") for at in range(20)))), "boats")
    (best,) = ask("Which boat has the largest crew?", [boats])
    assert best.calculation.sentence == "Highest “Crew” of 20 rows: 9 (b0; b1; b2; b3; and 10 more)."
    (top,) = ask("top 3 boats by crew", [boats])
    assert top.calculation.notes == ["11 more have the same value as the last."]


def test_two_rows_are_compared() -> None:
    apart = told("How much more did C-03 cost than C-04?").calculation
    assert (apart.operation, apart.value) == ("difference", "160.25")
    assert apart.sentence == "“takings (EUR)”: C-03 800.25, C-04 640; C-03 is higher by 160.25."
    assert told("Which had more passengers, C-01 or C-06?").calculation.sentence.endswith("40 (C-01).")
    assert ask("Which had more passengers, C-01 or the bus?", [FERRIES]) == []


def test_groups_need_no_word_for_the_operation() -> None:
    assert told("crossings per boat").calculation.lines == ["Skua: 3", "Petrel: 3"]
    assert told("total of all crossings by port").calculation.lines == ["Tern Bay: 1,050.50", "Marl: 960.25", "Osyn: 300"]
    assert told("takings per skipper").calculation.lines == ["Ada Holm: 1,280.75", "Jon Ake: 730", "Mia Lund: 300"]
    assert told("passengers per month").calculation.lines == ["2026-03: 52", "2026-04: 150", "2026-05: 41"]
    assert told("How many crossings were there per month?").calculation.lines == ["2026-03: 2", "2026-04: 2", "2026-05: 2"]
    assert told("Which boat had the highest takings?").calculation.value == "Petrel: 1,740.25"


def test_of_several_days_the_first_is_taken_and_said() -> None:
    found = told("What are the average takings in April?").calculation
    assert (found.value, found.conditions) == ("720.13", ["“left” is in April"])
    assert found.notes == ["The time is taken by “left”; other days of the table are “arrived”."]


def test_what_came_of_it_is_meant_before_what_was_planned() -> None:
    found = told("Diesel in March?", FUEL).calculation
    assert (found.column, found.value, found.notes) == ("Diesel actual", "1,010", ["Beside it stands what was planned: “Diesel budget”."])
    assert told("Which month had the highest gas?", FUEL).calculation.sentence.startswith("Highest “Gas actual” of 2 rows: 260 (April).")
    assert told("What was the gas budget in March?", FUEL).calculation.column == "Gas budget"


def test_a_word_that_a_heading_breaks_names_its_column() -> None:
    rice = take_in_hand(
        MadeTable(
            "Rice surplus and deficit.pdf",
            parse_rows("""
District | Rice grown | Surplus/Defi cit
Vessen | 30 | 4
Lomar | 20 | -2
Osyn | 10 | 1
"""),
        ),
        "rice",
    )
    (found,) = ask("Which district has the largest deficit?", [rice])
    assert (found.calculation.column, found.calculation.value) == ("Surplus/Defi cit", "-2")
    assert found.calculation.sentence == "Lowest “Surplus/Defi cit” of 3 rows: -2 (Lomar)."
    assert ask("Which district has the largest surplus?", [rice])[0].calculation.sentence == "Highest “Surplus/Defi cit” of 3 rows: 4 (Vessen)."


def test_the_dearest_of_what_has_several_rows_is_asked_back() -> None:
    found = told("Which boat is the most expensive?")
    assert found.is_ambiguous
    assert "say whether the total or the average" in found.calculation.sentence


@pytest.mark.parametrize(
    "question",
    [
        "List all crossings to Lisbon",
        "Which crossings did the queen make?",
        "top 3 boats by passengers",
        "Who is the fastest skipper?",
        "Which crossings came after C-02?",
        "What is the same as C-02?",
    ],
)
def test_what_the_table_does_not_tell_is_left_to_the_passages(question: str) -> None:
    assert [each for each in ask(question, [FERRIES]) if not each.is_ambiguous] == []


def test_sql_in_a_question_and_odd_columns_are_only_words() -> None:
    odd = take_in_hand(MadeTable("Odd.csv", (("select", "drop table"), ("x'; DROP TABLE documents; --", "3"), ('a "b" \\ %_', "4"))), "odd")
    (found,) = ask("What is the total drop table?", [odd])
    assert found.calculation.value == "7"
    assert ask("List all rows'; DROP TABLE table_rows; --", [odd]) in ([], ask("List all rows'; DROP TABLE table_rows; --", [odd]))
    assert ask("What is the total drop table?", [odd])[0].calculation.value == "7"
