"""The second highest and the third lowest; and what the highest is not taken of."""

from __future__ import annotations

import pytest

from agents.table_qa.table_question import parse_table_question
from benchmarks.table_answers import ask, take_in_hand
from benchmarks.table_questions import MadeTable, parse_rows
from core.tables import Calculation
from ingestion.readers.base.table_grid import guess_header_rows

ROOMS = take_in_hand(
    MadeTable(
        "Rooms.csv",
        parse_rows("""
Room | Floor | Rent (EUR) | Free from
Alder | 1 | 500 | 2025-03-01
Birch | 2 | 700 | 2025-01-01
Cedar | 2 | 700 | 2025-06-01
Doum | 3 | 650 | 2025-02-01
Elm | 3 | 900 | 2025-04-01
Total | | 3,450 |
"""),
        caption="Rooms to let",
    ),
    "rooms",
)


def told(question: str) -> Calculation:
    (found,) = ask(question, [ROOMS])
    return found.calculation


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("Which is the second most expensive room?", "Second highest “Rent (EUR)” of 5 rows: 700 (Birch; Cedar)."),
        ("What is the second-lowest rent?", "Second lowest “Rent (EUR)” of 5 rows: 650 (Doum)."),
        ("2nd cheapest room", "Second lowest “Rent (EUR)” of 5 rows: 650 (Doum)."),
        ("Room with the second highest rent", "Second highest “Rent (EUR)” of 5 rows: 700 (Birch; Cedar)."),
    ],
)
def test_a_place_behind_the_first_is_told_with_all_that_share_it(question: str, sentence: str) -> None:
    assert told(question).sentence == sentence


def test_where_several_share_a_place_before_it_all_are_told() -> None:
    third = told("What is the third highest rent?")
    assert (third.value, third.lines) == ("", ["Elm: 900", "Birch: 700", "Cedar: 700"])
    assert third.notes == ["Several share a place: no row alone has the one that is asked for."]


def test_groups_have_places_too_and_a_sum_among_them_has_none() -> None:
    rows = "Carrier | Freight\nBlue | 10\nRed | 30\nBlue | 25\nTotal road | 65\nGreen | 7\nRed | 1\nTotal rail | 8"
    carriers = [take_in_hand(MadeTable("Freight.csv", parse_rows(rows)))]
    (found,) = ask("Which carrier has the second highest total freight?", carriers)
    assert found.calculation.value == "Red: 31"
    (best,) = ask("What is the highest freight?", carriers)
    assert best.calculation.value == "30"


def test_a_place_that_is_not_there_and_several_places_are_not_told() -> None:
    assert ask("Which is the sixth cheapest room?", [ROOMS]) == []
    assert parse_table_question("the second and third cheapest rooms") is None
    assert told("the two largest rents").lines == ["Elm: 900", "Birch: 700", "Cedar: 700"]


def test_the_highest_of_one_column_is_not_asked_of_another() -> None:
    made = parse_rows("Offence | Longest term | Kind of offence | Fine\nTheft | 6 months | minor | 500\nArson | 20 years | major | 25,000")
    offences = [take_in_hand(MadeTable("Penalties.pdf", made, caption="Terms and fines by offence"))]
    assert ask("What is the max term per kind of offence?", offences) == []
    assert ask("Which offence has the longest term?", offences) == []
    (fine,) = ask("What is the highest fine?", offences)
    assert fine.calculation.value == "25,000"
    laps = [take_in_hand(MadeTable("Race.csv", parse_rows("Rider | Laps | Time\nAda | 21 | retired\nJon | 30 | 40 min")))]
    assert ask("Who had the lowest lap time?", laps) == []


def test_of_columns_without_names_none_is_guessed() -> None:
    rows = (("Team", "Cups", "1999"), ("Blues", "one", "7"), ("Flyers", "two", "9"), ("Kings", "six", "11"))
    assert ask("Which team won the most cups?", [take_in_hand(MadeTable("Cups.csv", rows, header_rows=0))]) == []


def test_a_title_over_the_names_names_the_table() -> None:
    rows = (("Club cups", "", ""), ("Club", "Town", "Club cups"), ("Blues", "STL", "1"), ("Leafs", "TOR", "13"))
    (found,) = ask("Which club won the most club cups?", [take_in_hand(MadeTable("Clubs.csv", rows, header_rows=2))])
    assert found.calculation.sentence == "Highest “Club cups” of 2 rows: 13 (Leafs)."


def test_a_title_in_a_row_of_its_own_stands_over_the_names_only_where_figures_stand_below() -> None:
    assert guess_header_rows([["Club cups", "", ""], ["Club", "Town", "Cups"], ["Blues", "STL", "1"]]) == 2
    assert guess_header_rows([["Spain", "", ""], ["Bolts", "big", "loose"], ["Nuts", "small", "boxed"]]) == 0
    assert guess_header_rows([["Club", "Town", "Cups"], ["Blues", "STL", "1"]]) == 1


def test_rows_that_are_only_called_a_total_are_neither_added_nor_ranked() -> None:
    rows = parse_rows("Land | Zinc 2024 | Tin 2024\nMarl | 4,210 | 1,900\nOsyn | 2,160 | 450\nTern | 980 | 610\nWorld total | 9,900 | 1,200")
    ores = [take_in_hand(MadeTable("Ores.pdf", rows, caption="Ores by land"))]
    (summed,) = ask("What is the sum of zinc in 2024?", ores)
    assert (summed.calculation.value, summed.calculation.notes) == ("7,350", ["Left out is what is called a total: “World total”."])
    (best,) = ask("Which land has the highest tin 2024?", ores)
    assert best.calculation.sentence == "Highest “Tin 2024” of 4 rows: 1,900 (Marl)."


def test_a_rounded_total_is_a_total() -> None:
    rows = parse_rows(
        "Land | Zinc | Tin\nMarl | 421,200 | 19,000\nOsyn | 216,100 | 45,000\nTern | 98,000 | 61,300\nWorld total (rounded) | 735,000 | 125,000"
    )
    (found,) = ask("What is the sum of zinc?", [take_in_hand(MadeTable("Ores.pdf", rows, caption="Ores by land"))])
    assert (found.calculation.value, found.calculation.notes) == ("735,300", ["The table's own total row says 735,000."])


def test_a_row_that_numbers_columns_in_one_cell_for_two_is_no_data() -> None:
    rows = parse_rows("Land | Zinc | Tin | Lead Iron\n1 | 2= (3 to 4) | 3 | 4 5\nMarl | 7 | 6 | 1 2\nOsyn | 9 | 4 | 5 3\nTern | 8 | 5 | 3 3")
    (found,) = ask("What is the sum of tin?", [take_in_hand(MadeTable("Ores.pdf", rows, caption="Ores by land"))])
    assert found.calculation.value == "15"


def test_a_column_that_the_question_speaks_of_and_no_condition_holds_is_not_passed_over() -> None:
    crates = [take_in_hand(MadeTable("Crates.csv", parse_rows("Crate code | State | Weight\nA1 | OK | 4\nA2 | OK | 5\nA3 | bad | 6\nA4 | bad | 2")))]
    assert ask("How many crate codes have state fine?", crates) == []
    assert ask("What is the total weight by good state?", crates) == []


def test_a_word_for_a_span_of_time_names_no_cell() -> None:
    rows = parse_rows("Age | People\nUnder 1 year | 30\n1 to 5 years | 90\n6 to 9 years | 60")
    found = ask("What is the sum of people by single year of age?", [take_in_hand(MadeTable("People by age.csv", rows))])
    assert [each for each in found if not each.is_ambiguous and each.calculation.conditions] == []


def test_a_running_number_is_not_what_a_row_is_called() -> None:
    made = parse_rows("No | Year | Rate\n1. | 2011 | 3.5\n2. | 2012 | 4.5\n3. | 2013 | 4.0")
    (found,) = ask("What was the highest rate?", [take_in_hand(MadeTable("Rates.csv", made))])
    assert found.calculation.sentence == "Highest “Rate” of 3 rows: 4.5 (2012)."


def test_a_noun_that_no_column_has_is_not_passed_over() -> None:
    health = [
        take_in_hand(MadeTable("Health.csv", parse_rows("State | Persons trained | Halts\nMarl | 50 | 3\nOsyn | 90 | 2"), caption="The health train"))
    ]
    assert ask("What is the highest trained loop figure?", health) == []
    (found,) = ask("Which state has the highest number of persons trained?", health)
    assert found.calculation.value == "90"


def test_what_the_rows_are_called_is_told_beside_what_they_share() -> None:
    shows = parse_rows("Screen | Film | Rate\nS1 | Fog | 250\nS2 | Ice | 150\nS1 | Sun | 300")
    (found,) = ask("What is the second highest rate?", [take_in_hand(MadeTable("Shows.csv", shows))])
    assert found.calculation.sentence == "Second highest “Rate” of 3 rows: 250 (S1, Fog)."


def test_the_single_highest_of_what_has_several_rows() -> None:
    rows = "shipment_no | carrier | weight_kg\nS1 | Blue | 4,420\nS2 | Red | 512\nS3 | Blue | 5,172\nS4 | Green | 19"
    shipments = [take_in_hand(MadeTable("Shipments.csv", parse_rows(rows)))]
    (one,) = ask("Which carrier had the heaviest shipment?", shipments)
    assert one.calculation.sentence == "Highest “weight_kg” of 4 rows: 5,172 (Blue, S3)."
    for open_question in ("Which carrier is the heaviest?", "Which carrier had the heaviest shipments?"):
        (asked_back,) = ask(open_question, shipments)
        assert asked_back.is_ambiguous, open_question
