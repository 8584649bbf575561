"""Cells that a question names by row and column, though it says of what the table is, too; and how far two cells are apart."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agents.table_qa.result_wording import TableAnswer
from benchmarks.table_answers import MadeTableInHand, ask, take_in_hand
from benchmarks.table_questions import MadeTable, parse_rows

_TESTED = "State | Halt days | Persons counselled | Persons tested\nOrmland | 17 | 2,409 | 1,000\nHesk | 26 | 9,027 | 4,153\nVarl | 17 | 2,173 | 855"
_AROUND = "The Blue Lantern Train travels through five states and stops at every station. Lantern staff speak to people in small towns."
_MEANS = "Server class | 2007 | 2011\nMid-range | 4,921 | 7,185\nHigh-end | 76,295 | 98,864"


def hold(rows: str, *, caption: str = "", around: str = "", name: str = "Annual report.pdf", title: str = "") -> MadeTableInHand:
    held = take_in_hand(MadeTable(name, parse_rows(rows), caption=caption), title or name)
    return replace(held, hand=replace(held.hand, surroundings=around))


def value_of(question: str, *tables: MadeTableInHand) -> str | None:
    found: list[TableAnswer] = ask(question, list(tables))
    return found[0].calculation.value if found else None


def test_the_text_around_a_table_says_of_what_it_is() -> None:
    question = "How many persons were counselled in Varl by the Blue Lantern Train?"
    assert value_of(question, hold(_TESTED, around=_AROUND)) == "2,173"
    assert value_of(question, hold(_TESTED)) is None
    assert value_of("How many persons were counselled in Varl by the Red Lantern Ship?", hold(_TESTED, around=_AROUND)) is None


def test_the_text_around_a_table_restricts_no_rows() -> None:
    assert value_of("How many persons were counselled by the Blue Lantern Train?", hold(_TESTED, around=_AROUND)) is None
    assert value_of("Which state had the most persons tested in towns?", hold(_TESTED, around=_AROUND)) is None


def test_of_several_rows_only_the_first_line_says_of_what_they_are() -> None:
    rows = "Order | Status | Amount\n1 | open | 5\n2 | open | 7\n3 | paid | 9"
    question = "What is the total amount of the open orders of the Torfhof warehouse?"
    assert value_of(question, hold(rows, around="Orders of the Torfhof warehouse\nAll of them.")) == "12"
    assert value_of(question, hold(rows, around="Orders\nNot all of them are of the Torfhof warehouse.")) is None


def test_people_are_persons_in_a_heading() -> None:
    (found,) = ask("In which state did the Blue Lantern Train test the most people?", [hold(_TESTED, around=_AROUND)])
    assert (found.asked, found.calculation.value) == ("Hesk", "4,153")


def test_two_cells_of_a_row_that_are_averages_themselves() -> None:
    caption = "Projected average use (in kWh/year)"
    question = "By how many kWh a year is the average consumption of high-end servers projected to rise between 2007 and 2011?"
    assert value_of(question, hold(_MEANS, caption=caption)) == "22,569"
    assert value_of(question, hold(_MEANS, caption="Projected use (in kWh/year)")) is None


def test_the_column_called_a_total_is_compared_where_no_other_is_named() -> None:
    rows = "Year | Q1 | Q2 | Total\n2005 | 58.1 | 63.4 | 121.5\n2006 | 74.7 | 84.1 | 158.8\n2007 | 148.8 | 142.3 | 291.1"
    assert value_of("By how much did total bond issuance rise from 2006 to 2007?", hold(rows, caption="Bond issuance")) == "132.3"


def test_one_or_the_other_has_more() -> None:
    rows = "Country | Corundum 2010 | Carbide 2010\nOrmland | 700 | 455\nHesk | 900 | 80\nVarl | 30 | 16"
    (found,) = ask("Did Ormland or Hesk have more carbide in 2010?", [hold(rows)])
    assert (found.asked, found.calculation.value) == ("Ormland", "455")
    assert ask("Did Ormland or Hesk have more carbide than in 2009?", [hold(rows)]) == []


def test_the_latest_of_those_that_are_named_is_one_of_them() -> None:
    rows = "Customer id | Last name | Subscription date\nA7 | Baxter | 2020-08-24\nB3 | Lozano | 2021-04-23\nC9 | Berry | 2022-03-25"
    (found,) = ask("Which of the customers Baxter and Lozano subscribed most recently?", [hold(rows)])
    assert found.asked == "Lozano"


def test_a_name_is_known_in_any_order() -> None:
    rows = "Payee | Office | Paid (EUR)\nBain, J Matthew | Director | 370\nBain, Ann | Clerk | 210\nCampbell, Clay D | Director | 311"
    assert value_of("What is the office of Matthew Bain?", hold(rows)) == "Director"


@pytest.mark.parametrize(("year", "sales"), [("2023", "900"), ("2022", "800")])
def test_a_caption_names_the_very_months_that_are_asked_for(year: str, sales: str) -> None:
    tables = [
        hold(f"Zone | Sales\nNorth | {figure}\nSouth | 5", caption=f"EUR m January–June {of}") for of, figure in (("2023", "900"), ("2022", "800"))
    ]
    assert value_of(f"What were the sales of the North in the first half of {year}?", *tables) == sales
    assert value_of("What were the sales of the North in the second half of 2023?", *tables) is None


def test_a_name_of_another_column_is_not_passed_over() -> None:
    rows = "Age | Ormish men | Ormish women | Total population\n20-29 | 17 | 14 | 390\n30-39 | 12 | 11 | 300"
    assert value_of("What population total was given for Ormish people aged 20-29?", hold(rows)) is None
    assert value_of("What was the total population aged 20-29?", hold(rows)) == "390"


def test_which_countries_asks_for_no_figure_per_country() -> None:
    rows = "Country | Researchers per country | Accuracy level\nOrmland | 800 | Low\nHesk | 500 | High\nVarl | 410 | Low"
    (found,) = ask("Which countries had a low accuracy level in the survey of researchers?", [hold(rows, caption="Survey")])
    assert found.calculation.value == "Ormland; Varl"


def test_a_cell_that_may_stand_for_the_rows_around_it_restricts_nothing() -> None:
    rows = "Country | Replies | Accuracy level\nA | 1 | \nB | 2 | \nC | 3 | Low\nD | 4 | \nE | 5 | \nF | 6 | \nG | 7 | High\nH | 8 | "
    assert ask("Which countries had a low accuracy level?", [hold(rows)]) == []


def test_a_heading_inside_a_table_is_led_to() -> None:
    rows = "Rooms | 2010 | 2011\nClosets | 15 | 16\nHalls | 17 | 18\nBest practice scenario | | \nClosets | 5 | 6\nHalls | 7 | 8"
    question = "What use was projected for halls in 2010 under the best practice scenario?"
    assert value_of(question, hold(rows, caption="Projected use")) == "7"


def test_copies_that_agree_are_nearest_together_and_a_longer_caption_is_not() -> None:
    rows = "Team | Cups\nTerns | {}\nGulls | 4"
    held = [
        take_in_hand(MadeTable("Cups.xlsx", parse_rows(rows.format(cups)), caption=caption), "cups")
        for cups, caption in ((0, "Cups since 1967"), (13, "Cups"))
    ]
    found = ask("How many cups do the Terns have?", [*held, take_in_hand(MadeTable("Cups.csv", parse_rows(rows.format(13))), "copy")])
    assert [(each.calculation.value, each.is_nearest) for each in found] == [("13", True), ("0", False), ("13", True)]


def test_a_figure_in_a_currency_stands_in_front_of_its_column() -> None:
    report = "Prevent or interfere with the making of a report of suspected abuse of a child or neglect of an adult"
    rows = f"Code | Offence | Fine\nA1 | Abuse of a child | $10,000\nA2 | Child abuse | $5,000\nA3 | False report | $10,000\nA4 | {report} | $10,000"
    assert value_of("Which abuse offences carry a 10,000 dollar fine?", hold(rows)) == f"Abuse of a child; {report}"
