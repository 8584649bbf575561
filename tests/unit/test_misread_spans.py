"""What a reader takes for an answer by its shape; lists of what a document says of a name; and rows that are no things to count."""

from __future__ import annotations

import pytest

from benchmarks.table_answers import ask, take_in_hand
from benchmarks.table_questions import MadeTable, parse_rows
from tests.support.evidence import evidence
from tests.support.extractive_answers import compose_answer, lead_text


@pytest.mark.parametrize(
    ("question", "text", "read", "leads"),
    [
        ("When did the harbour board meet?", "The harbour board met at 1309 S. Mary Avenue in Elver.", "1309", False),
        ("When did the harbour board meet?", "The harbour board met in 1909 on Mary Avenue in Elver.", "1909", True),
        ("In which season do most boats come?", "Most boats came in 2007, and more of them in summer.", "2007", False),
        ("How many children sailed?", "4-year-old children sailed with their mothers.", "4", False),
        ("How many children sailed?", "In May 40 children sailed with their mothers.", "40", True),
        ("What is the tide of the harbour?", "Spring tide 4 m, harbour of Elver.", "Spring", False),
        ("What kind of tide has the harbour?", "The harbour has a spring tide.", "spring", True),
        ("What is the clamp made of?", "The clamp may be spun on and off by hand as it is seated.", "spun on and off by hand", False),
        ("What is the clamp made of?", "The clamp is made of cast bronze.", "cast bronze", True),
        ("What is the tensile strength of KR-7?", "Density and tensile strength of KR-7.", "tensile strength of KR-7", False),
        ("What is the tensile strength of KR-7?", "The sheet tells the density of KR-7, and more.", "density of KR-7", False),
        ("What is the head of the Marl board?", "The chair of the Marl board leads the sailors.", "chair", True),
        ("What are the faults of the ferry?", "The ferry has two faults. First, it is slow.", "two faults", False),
        ("How can I get a berth on the ferry?", "Write to the office two days before, by letter.", "two", False),
        ("How long are wrecks kept?", "Wrecks are kept until they are sold, for 90 days.", "until", False),
        ("Which wrecks are kept?", "None of the wrecks in the harbour are kept.", "None", True),
        ("What is the crane intensity?", "The crane intensity fell in 2022 by a half.", "2022", False),
        ("What is the year of the crane?", "The crane was built by Marl in 2022.", "2022", True),
        ("Which census is the standard of Marl?", "It was decided that the 1980 census is the standard of Marl.", "1980", True),
        ("Which census is the standard of Marl?", "The standard of Marl covers those of 60-69 by census.", "60-69", False),
        ("What was MARL set up to do?", "Talks led to the MARL initiative, which helps harbours.", "MARL initiative", False),
        ("Where are the Skua fields?", "The Skua fields export their gas to neighbouring Elver.", "Elver", False),
        ("Where are the Skua fields?", "The Skua fields lie close to Elver, in the sea.", "Elver", True),
    ],
)
async def test_words_beside_a_span_say_that_it_is_none(question: str, text: str, read: str, *, leads: bool) -> None:
    assert (lead_text(await compose_answer(question, [evidence(text)], {read: 8.0})) == read) is leads


async def test_what_a_document_says_of_a_name_is_each_sentence_with_it() -> None:
    report = evidence(
        "The fields of Skua and Tern export gas to Elver. Tern was found in 1999. Nothing else is exported.", document="report", title="Marl report"
    )
    answer = await compose_answer("What does the Marl report say about Tern?", [report])
    assert [sentence.text for sentence in answer.sentences] == ["The fields of Skua and Tern export gas to Elver.", "Tern was found in 1999."]


def test_rows_of_a_table_of_numbers_are_not_what_is_counted() -> None:
    rows = parse_rows("Crew group | Crew\nDeck | 20 (19.9%)\nEngine | 30 (30.1%)\nGalley | 50 (50%)")
    sailors = take_in_hand(MadeTable("Crews.csv", rows, caption="Table 2: Number of sailors by crew group"), "crews")
    assert all(found.calculation.operation != "count" for found in ask("How many sailors are in the Deck group?", [sailors]))


def test_tables_of_a_document_are_not_summed_up() -> None:
    cases = take_in_hand(MadeTable("Cases.csv", parse_rows("Country | Total (n)\nElver | 4\nMarl | 7"), caption="Cases"), "cases")
    assert ask("How many tables are in the document about the cases?", [cases]) == []


SEAMEN = "Year | Fare in EUR | Sailors\n2021 | 1,200 | 30\n2022 | 1,400 | 34\n2023 | 1,500 | 41"


@pytest.mark.parametrize(
    ("question", "operations"),
    [
        ("How many sailors does Marl Ferry have?", set()),  # no sum over years
        ("How many sailors were there in 2022?", {"lookup"}),
        ("How many sailors were there in total?", {"sum"}),
        ("What is the mean number of sailors?", {"average"}),
        ("What do the sailors mean?", set()),
    ],
)
def test_figures_of_years_are_added_up_only_where_a_sum_is_asked_for(question: str, operations: set[str]) -> None:
    ferry = take_in_hand(MadeTable("Marl Ferry.csv", parse_rows(SEAMEN), caption="Marl Ferry"), "ferry")
    assert {found.calculation.operation for found in ask(question, [ferry])} == operations


DUES = "Dues | Cost\nBerth | 300\nWater | 40\nMoor | 30\nTotal | 270"


@pytest.mark.parametrize(("question", "values"), [("How much are the dues?", []), ("What is the total cost of the dues?", ["370"])])
def test_a_sum_that_the_tables_own_total_denies_is_told_only_where_a_sum_is_asked_for(question: str, values: list[str]) -> None:
    dues = take_in_hand(MadeTable("Dues.csv", parse_rows(DUES), caption="Dues"), "dues")
    assert [found.calculation.value for found in ask(question, [dues])] == values
    right = take_in_hand(MadeTable("Dues.csv", parse_rows(DUES.replace("270", "370")), caption="Dues"), "dues")
    assert [found.calculation.value for found in ask(question, [right])] == ["370"]
