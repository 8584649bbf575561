"""Answers computed from one table: known answers over made tables, what must not be computed, and what is said where two readings fit."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.table_qa.agent import may_hold_answer
from agents.table_qa.candidate_tables import CandidateTable
from agents.table_qa.operations import Operation
from agents.table_qa.result_wording import TableAnswer
from agents.table_qa.table_question import number_in, parse_table_question
from benchmarks.table_answers import ask, judge_answer, take_in_hand
from benchmarks.table_kinds import QUESTIONS as KINDS
from benchmarks.table_kinds import TABLES as KIND_TABLES
from benchmarks.table_questions import LATER_QUESTIONS, QUESTIONS, TABLES, MadeTable, TableQuestion, parse_rows

HANDS = {name: take_in_hand(made, name) for name, made in (TABLES | KIND_TABLES).items()}


def one(question: str, table: str) -> TableAnswer:
    (found,) = ask(question, [HANDS[table]])
    return found


@pytest.mark.parametrize("asked", [*QUESTIONS, *LATER_QUESTIONS, *KINDS], ids=lambda asked: asked.question[:60])
def test_every_known_answer_among_all_tables(asked: TableQuestion) -> None:
    verdict, said = judge_answer(asked, HANDS)
    assert verdict in {"right", "rightly not computed"}, said


def test_the_sentence_says_the_calculation_and_the_rows_are_those_used() -> None:
    found = one("What is the total amount of paid orders in Spain?", "orders")
    told = found.calculation
    assert told.sentence == "Sum of “Amount (EUR)” over 3 rows where “Status” is “paid” and “Country” is “Spain”: 5,941.25."
    assert (told.operation, told.column, told.rows_used, told.rows, told.row_ordinals) == ("sum", "Amount (EUR)", 3, 12, [0, 3, 10])
    assert [row.cells[0] for row in found.rows] == ["1041", "1044", "1051"]
    assert told.confidence == 1.0


def test_how_many_of_one_row_is_its_cell_and_cites_the_row() -> None:
    found = one("How many cases of marsh fever did Vessen report?", "outbreaks")
    told = found.calculation
    assert (told.operation, told.column, told.value, told.rows_used) == ("lookup", "Total (n)", "35", 1)
    assert told.sentence == "“Total (n)” where “Country” is “Vessen”: 35."
    assert [row.cells[0] for row in found.rows] == ["Vessen"]


def test_what_is_put_together_at_the_end_is_no_single_one() -> None:
    found = one("Which shareholder holds the largest percentage of Almadraba?", "owners").calculation
    assert found.sentence == "Highest “Percentage” of 4 rows: 8.9% (Halcyon Pension Fund)."
    assert found.notes == ["“Others” is no single one and not compared."]


def test_a_table_that_explains_every_word_and_leaves_a_column_open_is_asked_of() -> None:
    (found,) = ask("What is the total amount of the expense claims?", list(HANDS.values()))
    assert found.is_ambiguous
    assert found.candidate is HANDS["claims"].hand


def test_totals_are_never_counted_twice_and_are_compared() -> None:
    whole = one("What was the total cost of sea freight?", "freight").calculation
    assert (whole.rows_used, whole.value, whole.notes) == (6, "15,656.50 GBP", ["The table's own total row says the same."])
    wrong = MadeTable("Costs.csv", (("Item", "Cost"), ("a", "1"), ("b", "2"), ("Total", "4")))
    (found,) = ask("What is the total cost?", [take_in_hand(wrong)])
    assert (found.calculation.value, found.calculation.notes) == ("3", ["The table's own total row says 4."])


def test_rows_without_a_figure_are_told() -> None:
    found = one("What is the average in stock of the warehouse items?", "stock").calculation
    assert (found.rows_used, found.notes) == (8, ["1 more row has no figure there."])


def test_decimals_add_up_exactly() -> None:
    made = MadeTable("Fees.csv", (("Fee", "Amount"), *((f"f{place}", "0.10") for place in range(300))))
    (found,) = ask("What is the total amount?", [take_in_hand(made)])
    assert found.calculation.value == "30"


def test_two_columns_that_fit_equally_are_said() -> None:
    found = one("What is the total amount of the expense claims?", "claims")
    assert found.is_ambiguous
    assert "“Net amount” and “Gross amount”" in found.calculation.sentence
    where = one("How many shipments are of Averton?", "freight")
    assert where.is_ambiguous
    assert "“Origin” and “Destination”" in where.calculation.sentence


def test_a_name_in_two_columns_is_that_of_its_own_row_for_a_single_cell() -> None:
    rows = (
        ("Name", "Reports to", "Extension"),
        ("Tobias Renn", "Ines Okafor", "220"),
        ("Lucia Brandt", "Tobias Renn", "221"),
        ("Wren", "Tobias Renn", "222"),
    )
    (found,) = ask("What is the extension of Tobias Renn?", [take_in_hand(MadeTable("People.html", rows))])
    assert found.calculation.value == "220"


def test_outsiders_do_not_work_here() -> None:
    outside = MadeTable(
        "People outside.csv",
        (("Name", "Works for", "Reach"), ("Eva Dahl", "Falke", "by mail"), ("Jan Kuhn", "Meva", "by mail")),
        caption="People outside",
    )
    staff = MadeTable("Staff list.csv", (("Name", "Role"), ("Ada Holm", "Clerk"), ("Jon Ake", "Driver"), ("Mia Lund", "Head")), caption="Who is who")
    hands = [take_in_hand(outside), take_in_hand(staff)]
    assert [each.calculation.value for each in ask("How many people work here?", hands)] == ["3"]
    assert {each.calculation.value for each in ask("How many people are there?", hands)} >= {"2"}


def test_whom_somebody_reports_to_is_not_who_reports_to_them() -> None:
    rows = (("Name", "Reports to"), ("Tobias Renn", "Ines Okafor"), ("Lucia Brandt", "Tobias Renn"), ("Wren Holt", "Tobias Renn"))
    people = [take_in_hand(MadeTable("People.html", rows))]
    (upwards,) = ask("Who does Tobias Renn report to?", people)
    (downwards,) = ask("Who reports to Tobias Renn?", people)
    assert "Ines Okafor" in upwards.calculation.sentence
    assert "Lucia Brandt; Wren Holt" in downwards.calculation.sentence


def test_figures_for_each_of_something_are_added_up_and_prices_are_not() -> None:
    rows = (("Carrier", "Freight GBP", "Unit price GBP"), ("Blue", "10.00", "2.00"), ("Blue", "20.00", "3.00"), ("Red", "5.00", "4.00"))
    freight = [take_in_hand(MadeTable("Freight.csv", rows))]
    (found,) = ask("What was the freight per carrier?", freight)
    assert found.calculation.lines == ["Blue: 30", "Red: 5"]
    (spent,) = ask("What did freight cost per carrier?", freight)
    assert spent.calculation.lines == found.calculation.lines
    assert ask("What is the unit price per carrier?", freight) == []


def test_a_column_is_not_guessed_from_the_name_of_the_file() -> None:
    rows = (("Month", "Air budget", "Air actual"), ("July 2026", "4500", "7450"), ("August 2026", "4500", "8200"))
    assert ask("What did air freight cost in August 2026?", [take_in_hand(MadeTable("Budget 2026.xlsx", rows))]) == []


def test_of_many_groups_the_highest_are_told() -> None:
    rows = (("Customer", "Amount"), *((f"c{place % 40}", str(place)) for place in range(400)))
    (found,) = ask("Total amount per customer", [take_in_hand(MadeTable("Sales.csv", rows))])
    assert found.calculation.sentence == "Sum of “Amount” for each “Customer” over 400 rows, the 20 highest of 40:"
    assert (len(found.calculation.lines), found.calculation.lines[0]) == (20, "c39: 2,190")


def test_an_offer_of_trucks_has_other_rows_than_trucks() -> None:
    offer = (("Item", "Quantity"), ("NX reach truck with battery", "2"), ("Charger", "2"), ("Battery trolley", "1"))
    assert ask("How many reach trucks does Norland employ?", [take_in_hand(MadeTable("Offer of two reach trucks.csv", offer))]) == []
    trucks = (("Truck", "Built"), ("NX 1", "2020"), ("NX 2", "2021"))
    (found,) = ask("How many reach trucks are there?", [take_in_hand(MadeTable("Reach trucks.csv", trucks))])
    assert found.calculation.value == "2"


def test_the_price_of_one_is_not_the_sum_of_two() -> None:
    made = (("Area", "£ per year"), ("Overhead crane C1", "2,001"), ("Overhead crane C2", "2,002"), ("Yard", "500"))
    costs = [take_in_hand(MadeTable("Costs.csv", made))]
    assert ask("How much did the crane cost to buy?", costs) == []
    (yard,) = ask("How much does the yard cost?", costs)
    assert yard.calculation.value.startswith("500")


def test_a_name_that_no_cell_holds_rules_the_table_out() -> None:
    for question in ("How many orders came from Portugal?", "What is the total amount for Zenith?", "How many orders are in warehouse 9?"):
        assert ask(question, [HANDS["orders"]]) == [], question


def test_no_rows_are_counted_as_none() -> None:
    assert one("How many orders were placed in 2019?", "orders").calculation.value == "0"
    assert ask("What is the total amount of the orders in 2019?", [HANDS["orders"]]) == []


def test_tables_that_fit_equally_answer_each_for_itself() -> None:
    two = [take_in_hand(TABLES["orders"]._replace(filename=f"Orders {side}.csv"), side) for side in ("north", "south")]
    assert [each.candidate.filename for each in ask("How many orders are open?", two)] == ["Orders north.csv", "Orders south.csv"]
    (named,) = ask("How many orders are open in the file Orders north?", two)
    assert named.candidate.filename == "Orders north.csv"


def test_percentages_are_averaged_and_never_added_up() -> None:
    made = MadeTable("Shares.csv", (("Team", "Share"), ("a", "20%"), ("b", "40%")))
    assert ask("What is the average share?", [take_in_hand(made)])[0].calculation.value == "30%"
    assert ask("What is the total share?", [take_in_hand(made)]) == []


def test_a_number_of_things_is_one_row_that_is_called_so_or_as_many_rows() -> None:
    rows = (("Item", "Committed"), ("Two reach trucks for Quay 7", "79,930"), ("Hotel stay Falmouth", "310"), ("Hotel stay Truro", "200"))
    spent = [take_in_hand(MadeTable("Commitments.csv", rows))]
    (trucks,) = ask("How much was committed for the two reach trucks for Quay 7?", spent)
    assert trucks.calculation.value == "79,930"
    (stays,) = ask("How much was committed for the two hotel stays?", spent)
    assert stays.calculation.value == "510"
    assert ask("How much was committed for the three hotel stays?", spent) == []


def test_the_page_on_which_something_stands_is_no_figure_of_it() -> None:
    rows = (("Topic", "Year", "Page"), ("Group revenue", "FY 22", "2"), ("Segments", "FY 22", "3"), ("Cash flow", "FY 23", "7"))
    assert ask("What was the total group revenue in FY 22?", [take_in_hand(MadeTable("Contents.csv", rows))]) == []


def test_identifiers_and_years_are_not_added_up() -> None:
    made = MadeTable("Sales.csv", (("Year", "Invoice no", "Sales"), ("2023", "77", "5"), ("2024", "31", "7"), ("2025", "45", "9")))
    hand = take_in_hand(made)
    assert ask("What is the sum of invoice no?", [hand]) == []
    assert ask("What were the total sales in 2024?", [hand])[0].calculation.value == "7"
    assert ask("Total sales since 2024", [hand])[0].calculation.value == "16"
    assert ask("Which year had the highest sales?", [hand])[0].calculation.sentence.endswith("9 (2025).")


@pytest.mark.parametrize(
    ("question", "operation"),
    [
        ("How many orders are open?", Operation.COUNT),
        ("Total revenue per region", Operation.SUM),
        ("What is the mean price?", Operation.AVERAGE),
        ("Which city has the lowest rent?", Operation.LOWEST),
        ("What is the price of a hat?", Operation.LOOKUP),
        ("at most 5 people", Operation.LOOKUP),
        ("Why did sales fall?", None),
        ("What are the top 3 customers?", Operation.HIGHEST),
        ("Which customers have the two highest amounts?", Operation.HIGHEST),
        ("List all orders from Spain", Operation.LIST),
        ("What is the difference between March and April?", Operation.DIFFERENCE),
        ("Which is cheaper, the hat or the rope?", Operation.LOWEST),
        ("What are the first three orders?", None),
        ("What share of the budget is wages?", Operation.SHARE),
        ("", None),
    ],
)
def test_what_a_question_asks(question: str, operation: Operation | None) -> None:
    asked = parse_table_question(question)
    assert (asked.operation if asked else None) == operation


def test_times_and_comparisons_of_a_question() -> None:
    asked = parse_table_question("How many orders above 1,500.50 EUR came between 3 March 2024 and 5 June 2024?")
    assert asked is not None
    (compared,) = asked.comparisons
    assert (compared.low, compared.high, compared.currency, compared.open_low) == (1500.5, None, "EUR", True)
    (time,) = asked.times
    assert (time.first_day, time.last_day) == ("2024-03-03", "2024-06-05")
    for words, first, last, months in (
        ("in Q2 2024", "2024-04-01", "2024-06-30", ()),
        ("before 2024", "", "2023-12-31", ()),
        ("since March 2024", "2024-03-01", "", ()),
        ("after 29 February 2024", "2024-03-01", "", ()),
        ("in August", "", "", (8,)),
        ("before March", "", "", (1, 2)),
        ("from March to June 2024", "2024-03-01", "2024-06-30", ()),
        ("in the first half of 2025", "2025-01-01", "2025-06-30", ()),
    ):
        asked = parse_table_question(f"How many orders came {words}?")
        assert asked is not None
        assert [(each.first_day, each.last_day, each.months) for each in asked.times] == [(first, last, months)], words


def test_numbers_of_a_question() -> None:
    assert [number_in("1,000"), number_in("1.000,50"), number_in("2", "million"), number_in("3,5"), number_in("1’200")] == [
        1000,
        1000.5,
        2e6,
        3.5,
        1200,
    ]


def test_a_table_is_read_only_where_it_may_hold_the_answer() -> None:
    table = HANDS["orders"].hand.table
    for question, wanted in (
        ("What is the amount of order 1041?", True),
        ("What is the capital of Peru?", False),
        ("How many lions are there?", False),
        ("How many orders are there?", True),
    ):
        asked = parse_table_question(question)
        assert asked is not None
        assert may_hold_answer(asked, table.model_copy(update={"kept": 600}), "Orders 2025.csv") is wanted, question
    lions = parse_table_question("How many lions are there?")
    assert lions is not None
    assert may_hold_answer(lions, table, "Orders 2025.csv")  # a short table is read: a cell may say it


@settings(max_examples=120, deadline=None)
@given(
    st.text(max_size=120),
    st.sampled_from(["How many ", "What is the total ", "Which country has the highest ", "average ", "What is the amount of "]),
)
def test_no_question_is_too_odd(text: str, opening: str) -> None:
    for question in (text, opening + text):
        found = ask(question, list(HANDS.values()))
        assert all(isinstance(each.candidate, CandidateTable) and each.calculation.sentence for each in found)


_DOSES = MadeTable(
    "Wear.pdf", (("Agent dose (g)", "Slope (V/d)", "Wear rate (mm/year)"), ("0", "0.03", "2.81"), ("8", "0.12", "0.37"), ("10", "0.03", "0.09"))
)
_LOADS = MadeTable("Belt.csv", (("Load (kN)", "Stretch (mm)"), ("0.5", "1.2"), ("1.5", "3.9"), ("2.5", "8.1")))
_TERMS = MadeTable(
    "Offences.pdf",
    (
        ("No", "Offence", "Class", "Max Term", "Min Term", "Fine"),
        ("1", "Trespass by night", "Misd.", "5Y", "", "$5,000"),
        ("2", "Theft of livestock", "Felony", "10Y", "1Y", "$10,000"),
        ("3", "Arson of a barn", "Felony", "15Y", "", ""),
        ("4", "Harm to others Animal neglect by a keeper", "Misd.", "3Y", "", ""),
        ("7", "Harm to others Cruelty", "Felony", "Life", "", ""),
        ("5", "Harm to others Sale of an animal", "Misd.", "1Y", "", ""),
        ("6", "Neglect of a duty to report", "Misd.", "2Y", "", ""),
    ),
)
_EXCEPTIONS = MadeTable(
    "Exceptions.pdf",
    (
        (
            "",
            "State granted exceptions to districts in 2003",
            "State granted exceptions to districts in 2005",
            "Number of districts granted exceptions",
        ),
        ("VA", "Yes", "Yes", "53"),
        ("VT", "Yes", "No", "na"),
        ("OH", "No", "Yes", "~100"),
    ),
)
_GROWTH = MadeTable(
    "States.pdf",
    (("State", "1991-2001", "2001-2011"), ("Varn", "9.43", "4.86"), ("Ostrel", "15.21", "8.17"), ("Dell", "59.22", "55.50")),
    caption="Growth rate of population by state",
)
_OWNERS = MadeTable("Marl Ltd.html", (("Shareholder name", "Percentage"), ("The Fen Group", "8.9%"), ("Blackwater", "5.6%"), ("Hale Trust", "4.0%")))
_FEES = MadeTable(
    "Fees.pdf",
    (
        ("HALE LTD, PAYMENTS", "HALE LTD, PAYMENTS", "HALE LTD, PAYMENTS"),
        ("Physician", "Purpose", "Amount"),
        ("Orme, Ada", "Speaking fees", "$4,700"),
        ("Pike, Jon", "Meals", "$20"),
    ),
    header_rows=2,
)


@pytest.mark.parametrize(
    ("question", "table", "sentence"),
    [
        ("What is the wear rate at an agent dose of 10 g?", _DOSES, "“Wear rate (mm/year)” where “Agent dose (g)” is “10”: 0.09."),
        ("What is the stretch at a load of 1.5 kN?", _LOADS, "“Stretch (mm)” where “Load (kN)” is 1.5: 3.9."),
        ("What is the maximum term for theft of livestock?", _TERMS, "“Max Term” where “Offence” is “Theft of livestock”: 10Y."),
        ("What is the maximum term for animal neglect?", _TERMS, "“Max Term” where “Offence” holds “animal neglect”: 3Y."),
        ("In how many districts did VA grant exceptions?", _EXCEPTIONS, "“Number of districts granted exceptions” where the row is “VA”: 53."),
        ("Which state grew fastest between 2001 and 2011?", _GROWTH, "Highest “2001-2011” of 3 rows: 55.50 (Dell)."),
        ("Which physicians received speaking fees?", _FEES, "“Physician” where “Purpose” is “Speaking fees”: Orme, Ada."),
    ],
)
def test_a_cell_is_found_by_what_its_row_and_column_are_called(question: str, table: MadeTable, sentence: str) -> None:
    (found,) = ask(question, [take_in_hand(table)])
    assert found.calculation.sentence == sentence


_YEARS = [
    MadeTable(
        "Half-year 2023.xlsx",
        (("", "Sales (a)", "Profit (b)"), ("Area North", *figures), ("Area South", "9467", "1570"), ("Total", "31080", "6351")),
        caption=f"In thousands of EUR January–June {year}",
    )
    for year, figures in (("2023", ("12553", "2713")), ("2022", ("12138", "2284")))
]


def test_of_two_tables_that_of_the_year_is_asked() -> None:
    found = ask("Which area had the highest sales in 2023?", [take_in_hand(made, made.caption) for made in _YEARS])
    assert [each.calculation.value for each in found] == ["12,553"]


def test_rows_of_owners_are_no_people_who_work_there() -> None:
    assert ask("How many people does Marl employ?", [take_in_hand(_OWNERS)]) == []


def test_what_those_who_are_counted_did_has_a_column_of_its_own() -> None:
    rows = "Kind of sight | Members | Ballots completed | Ballots left\nBlind | 5 | 1 | 4\nLow sight | 7 | 3 | 4"
    tables = [take_in_hand(MadeTable("Trial.csv", parse_rows(rows)))]
    (done,) = ask("How many blind members completed the ballot?", tables)
    assert done.calculation.value == "1"
    (all_of_them,) = ask("How many blind members were there?", tables)
    assert all_of_them.calculation.value == "5"


def test_of_two_sheets_the_one_that_says_no_more_than_was_asked_comes_first() -> None:
    rows = "Team | Cups\nTerns | {}\nGulls | {}"
    recent = take_in_hand(MadeTable("Cups.xlsx", parse_rows(rows.format(0, 2)), caption="Cups Since 1967"), "cups")
    ever = take_in_hand(MadeTable("Cups.xlsx", parse_rows(rows.format(13, 4)), caption="Cups"), "cups")
    assert [each.calculation.value for each in ask("How many cups do the Terns have?", [recent, ever])] == ["13", "0"]
