"""The offer with the least or the most of something: how it is asked, what each side says, and which leads."""

from __future__ import annotations

import pytest

from agents.comparison.cell_selection import fill_row
from agents.comparison.comparison_request import ComparisonRequest, parse_comparison
from agents.comparison.extreme_sides import extreme_sides, parse_superlative
from agents.comparison.sides import Side, SideText, resolve_sides
from agents.german.task_requests import translate_task
from agents.query_classifier.intent_rules import apply_rules
from agents.sources.quotable_units import ChosenUnit, quotable_units
from core.search import Intent
from tests.support.graphs import make_paragraphs
from tests.support.ports import make_document


@pytest.mark.parametrize(
    ("question", "group", "attribute", "superlative"),
    [
        ("Which offer has the shortest delivery time?", "offer", "delivery time", "least"),
        ("Which of the three offers has the longest warranty?", "offer", "warranty", "most"),
        ("Which supplier offers the cheapest reach trucks?", "quote", "total price", "least"),
        ("What is the cheapest quote?", "quote", "total price", "least"),
        ("Which offer is the most expensive?", "offer", "total price", "most"),
        ("Which offer is the least expensive for the trucks?", "offer", "total price", "least"),
        ("Which contract asks for the highest deposit?", "contract", "deposit", "most"),
    ],
)
def test_a_superlative_of_a_group(question: str, group: str, attribute: str, superlative: str) -> None:
    found = parse_superlative(question)
    assert found is not None
    assert (found.group, found.attributes, found.superlative) == (group, (attribute,), superlative)
    assert apply_rules(question).intent is Intent.COMPARISON


@pytest.mark.parametrize(
    "question", ["What is the latest report?", "Which carrier has the highest freight?", "Which offer was chosen?", "What is the cheapest?"]
)
def test_no_superlative_of_a_group(question: str) -> None:
    assert parse_superlative(question) is None
    assert apply_rules(question).intent is Intent.DOCUMENT_SEARCH


def test_comparatives_and_german() -> None:
    cheaper = parse_comparison("Which is cheaper, Alder or Birch?")
    assert (cheaper.names, cheaper.attributes, cheaper.superlative) == (("Alder", "Birch"), ("total price",), "least")
    for asked in ("Welches Angebot ist am günstigsten?", "Welcher Lieferant ist der billigste?"):
        german = parse_superlative(translate_task(asked))
        assert german is not None
        assert german.superlative == "least"


def cells_of(attribute: str, *texts: tuple[str, ...]) -> list[ChosenUnit | None]:
    sides = [
        Side(f"side {place}", make_document(str(place), f"/library/{place}.txt", f"Offer {place}", [("Terms", "Text.")])[0])
        for place in range(len(texts))
    ]
    return fill_row(attribute, sides, [SideText(str(place), quotable_units(make_paragraphs(*said))) for place, said in enumerate(texts)])


def asked(attribute: str, superlative: str) -> ComparisonRequest:
    return ComparisonRequest(group="offer", attributes=(attribute,), superlative="least" if superlative == "least" else "most")


ALDER = ("We deliver nine weeks after receipt of your order.", "The lifts carry a warranty of 36 months.", "Total net 82,720")
BIRCH = ("Delivery is 40 days after your written order.", "The lift has a warranty of three years.", "Total net 79,930")
CEDAR = ("The lifts arrive fourteen weeks after your order.", "The warranty runs for 24 months.", "Total net 71,580")


@pytest.mark.parametrize(
    ("attribute", "superlative", "places", "value"),
    [
        ("delivery time", "least", [1], "40 days"),  # less than nine weeks
        ("delivery time", "most", [2], "fourteen weeks"),
        ("total price", "least", [2], "71,580"),
        ("warranty", "least", [2], "24 months"),
    ],
)
def test_the_side_with_the_least_or_the_most(attribute: str, superlative: str, places: list[int], value: str) -> None:
    found = extreme_sides(asked(attribute, superlative), cells_of(attribute, ALDER, BIRCH, CEDAR))
    assert found is not None
    assert (found.places, found.value) == (places, value)


def test_sides_that_share_the_value_and_sides_that_say_none() -> None:
    tied = extreme_sides(asked("warranty", "most"), cells_of("warranty", ALDER, (*BIRCH[:1], "The lift has a warranty of 36 months."), CEDAR))
    assert tied is not None
    assert tied.places == [0, 1]
    assert extreme_sides(asked("warranty", "most"), cells_of("warranty", ALDER, BIRCH[:1])) is None
    assert extreme_sides(asked("warranty", "most"), cells_of("warranty", ALDER, ALDER)) is None


@pytest.mark.parametrize(
    "texts",
    [
        (("Total net 82,720",), ("Total to pay 79,930",)),
        (("The price is £500 in all.",), ("The price is €450 in all.",)),
        (("The price is 500 for 3 lifts.",), ("The price is 450 for 2 lifts.",)),
    ],
    ids=["net and gross", "two currencies", "which number is the price"],
)
def test_prices_that_cannot_be_compared_have_no_verdict(texts: tuple[tuple[str, ...], ...]) -> None:
    assert extreme_sides(asked("total price", "least"), cells_of("total price", *texts)) is None


def test_of_more_offers_than_can_be_compared_none_is_the_cheapest() -> None:
    offers = [make_document(str(place), f"/library/offer {place}.txt", f"Offer {place}", [("Terms", "Text.")])[0] for place in range(8)]
    assert resolve_sides(asked("total price", "least"), offers, {}) == []
    assert len(resolve_sides(ComparisonRequest(group="offer", attributes=("total price",)), offers, {})) == 6


def test_another_topic_of_the_heading_is_no_delivery_time() -> None:
    cells = cells_of("delivery time", ALDER, ("The lift has a warranty of 36 months.", "The lifts arrive fourteen weeks after your order."))
    assert [cell.unit.text if cell else "" for cell in cells] == [ALDER[0], "The lifts arrive fourteen weeks after your order."]
