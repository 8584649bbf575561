"""Figures of a row: which column is asked for, and when a row's figure may be another one than is asked for."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from answers.extractive.composer import ExtractiveComposer, OptionalParts
from answers.scoring.unit_selection import Bounds
from answers.scoring.unit_vectors import UnitVectors
from core.answers import OTHER_KIND, Answer
from tests.support.evidence import CountingEmbedder, WordIndex, evidence
from tests.support.word_reader import WordsReader

TRADE = "Category | Weight (in billions of tons) | Sales (in billions of dollars)\nProduction | 1.3 | 7.0\nExports | 0.5 | 2.6\nImports | 0.2 | 2.2"
VARIETIES = "Harlow | K2-1901 | 1.9 | 56.4 | 7.6\nHarlow | K2-2002 | 2.0 | 52.4 | 7.9\nBrewster | 19RA02 | 1.9 | 55.3 | 7.6"
COHORTS = (
    "Group | Stayed | Left\nYounger | | \nHelped group | 85 | 14\nOther group | 17 | 82\nOlder | | \nHelped group | 79 | 20\nOther group | 13 | 86"
)


async def compose(question: str, text: str, words: Mapping[str, float]) -> Answer:
    composer = ExtractiveComposer(UnitVectors(CountingEmbedder()), WordIndex(), Bounds(), OptionalParts(reader=WordsReader(words)))
    return await composer.compose("default", question, [evidence(text)])


async def test_the_cell_of_the_column_of_which_the_question_says_more_leads() -> None:
    answer = await compose("How high were the exports of wool in billions of dollars?", TRADE, {"0.5": 8.0})
    assert answer.lead is not None
    assert answer.lead.text == "2.6"


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("How high is the yield of Harlow K2-1901?", "7.6"),  # no column has a name
        ("How high is the yield of Harlow K2-1901?", "52.4"),  # of another row
    ],
)
async def test_of_figures_without_a_name_none_leads_and_the_answer_is_weak(question: str, read: str) -> None:
    answer = await compose(question, VARIETIES, {read: 8.0})
    assert answer.lead is None
    assert answer.signals[OTHER_KIND] == 1.0


async def test_of_two_rows_that_say_the_same_none_leads() -> None:
    answer = await compose("How many of the helped group stayed?", COHORTS, {"85": 8.0})
    assert answer.lead is None
    assert answer.signals[OTHER_KIND] == 1.0


async def test_rows_that_the_question_tells_apart_may_lead() -> None:
    text = "Product | Year | Revenue\nAnvil | 2022 | 510\nAnvil | 2023 | 640"
    answer = await compose("How high was the revenue of Anvil in 2023?", text, {"640": 8.0})
    assert answer.lead is not None
    assert answer.lead.text == "640"
    assert OTHER_KIND not in answer.signals


async def test_a_row_of_a_table_without_the_sum_that_is_asked_for_does_not_lead() -> None:
    text = "Zone | Sales | Profit\nNorth | 9060 | 2068\n\nImpairment\n\nZone | First half | Second half\nNorth | -6 | -14"
    answer = await compose("What were the sales of the zone North in the first half?", text, {"-6": 9.0, "9060": 2.0})
    assert answer.lead is None or answer.lead.text == "9060"


async def test_the_number_of_a_row_is_no_figure_of_it() -> None:
    answer = await compose("How many bananas are in stock?", "Item | Type | Quantity\n1 | Apple | 50\n2 | Banana | 200", {})
    assert OTHER_KIND not in answer.signals


FINES = (
    "Code | Offence | Term | Fine\n4 | Abuse, neglect of an adult | 10Y | 10,000\n5 | Child neglect | 5Y | 5,000\n6 | Sale of a child | 5Y | 7,000\n"
    "7 | Report of child abuse or neglect | 3Y | 900"
)


@pytest.mark.parametrize("question", ["What is the fine for child neglect in the sentencing tables?", "fine for child neglect?"])
async def test_the_cell_whose_row_and_column_are_named_leads_though_the_reader_is_unsure(question: str) -> None:
    answer = await compose(question, FINES, {"5Y": -4.0})
    assert answer.lead is not None
    assert (answer.lead.text, answer.lead.kind) == ("5,000", "cell")


@pytest.mark.parametrize(
    "question",
    [
        "What is the fine for neglect in the sentencing tables?",  # two rows
        "What is the highest fine for child neglect?",  # nothing that a cell says
        "What is the parole for child neglect?",  # no column
        "What are the term and the fine for child neglect?",  # two columns
    ],
)
async def test_a_cell_that_is_not_named_by_both_does_not_lead(question: str) -> None:
    assert (await compose(question, FINES, {"5Y": -4.0})).lead is None
