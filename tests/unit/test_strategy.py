"""Proteus: SPEC's table, the indicators, ties, and the request's own word."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.query_classifier.agent import Athena, classify
from agents.strategy.agent import STRATEGIES, StrategyChoice, choose_strategy, indicators, normalise_scores
from benchmarks.routing_questions import QUESTIONS, LabelledQuestion
from core.search import Classification, Intent, Query, Strategy, StrategyName, TimeFilter
from tests.unit.test_classifier import NOW

HYBRID = Strategy(name="hybrid", lexical=0.35, dense=0.65, min_score=0.25)


def choice(text: str, requested: StrategyName | None = None, quoted: list[str] | None = None, time: TimeFilter | None = None) -> StrategyChoice:
    found = Classification(intent=Intent.DOCUMENT_SEARCH, confidence=0.6, rule="default", quoted=quoted or [], time=time)
    return StrategyChoice(text=text, classification=found, requested=requested)


@pytest.mark.parametrize("labelled", [each for each in QUESTIONS if each.strategy], ids=lambda labelled: labelled.question)
async def test_labelled_phrasing(labelled: LabelledQuestion) -> None:
    found = await classify(Query(text=labelled.question), athena=Athena(llm=None, now=NOW))
    chosen = await choose_strategy(StrategyChoice(text=found.search_text, classification=found), hybrid=HYBRID)
    assert chosen.name == labelled.strategy, chosen.indicators


@pytest.mark.parametrize(
    ("name", "lexical", "dense", "graph", "time", "min_score"),
    [("precise", 1.0, 0, 0, 0, 0.5), ("semantic", 0.3, 0.7, 0, 0, 0.3), ("exploratory", 0.2, 0.5, 0.3, 0, 0.2), ("temporal", 0.4, 0.4, 0, 0.2, 0.3)],
)
def test_the_table_is_specs(name: StrategyName, lexical: float, dense: float, graph: float, time: float, min_score: float) -> None:
    row = STRATEGIES[name]
    assert (row.lexical, row.dense, row.graph, row.time, row.min_score) == (lexical, dense, graph, time, min_score)
    assert row.prefer_recent is (name == "temporal")
    assert row.hops == (2 if name == "exploratory" else 0)


async def test_a_tie_is_hybrid_with_the_settings_weights() -> None:
    chosen = await choose_strategy(choice("What does “right of way” mean in the deed of sale?", quoted=["right of way"]), hybrid=HYBRID)
    assert (chosen.name, chosen.lexical, chosen.dense, chosen.min_score) == ("hybrid", 0.35, 0.65, 0.25)
    assert "precise as for semantic" in chosen.reason


async def test_nothing_found_is_hybrid() -> None:
    chosen = await choose_strategy(choice("the crane on the northern building site"), hybrid=HYBRID)
    assert (chosen.name, chosen.indicators) == ("hybrid", {})


@pytest.mark.parametrize("name", ["precise", "semantic", "exploratory", "temporal", "hybrid"])
async def test_the_request_decides(name: StrategyName) -> None:
    chosen = await choose_strategy(choice("latest news", requested=name), hybrid=HYBRID)
    assert (chosen.name, chosen.reason) == (name, "The request asks for it.")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("how strong is the current in the coil", "semantic"),
        ("heating by an induced current, in a free stream", "hybrid"),
        ("the current of the river at the pier", "semantic"),
        ("the current price of the berth", "temporal"),
        ("who is currently the harbour master", "temporal"),
    ],
)
async def test_a_current_that_flows_is_no_time(text: str, name: StrategyName) -> None:
    assert (await choose_strategy(choice(text), hybrid=HYBRID)).name == name


async def test_a_time_that_became_a_filter_still_speaks() -> None:
    chosen = await choose_strategy(choice("emails about the crane from", time=TimeFilter(time_range="last_month")), hybrid=HYBRID)
    assert chosen.name == "temporal"


@given(st.text(max_size=200))
def test_shares_add_up_to_one_or_nothing(text: str) -> None:
    shares = normalise_scores(indicators(choice(text)))
    assert list(shares) == ["precise", "temporal", "exploratory", "semantic"]
    assert sum(shares.values()) == pytest.approx(1.0) or not any(shares.values())


@pytest.mark.parametrize(
    "text",
    [
        "what is known regarding asymptotic solutions to the exact boundary layer equations",
        "Nanoparticles can be targeted against specific cell types",
        "specific heat of water at constant pressure and exact boiling point",
        "precise measurements of the drag",
    ],
)
async def test_an_exact_or_specific_thing_is_searched_by_meaning_too(text: str) -> None:
    """The word belongs to what is searched as often as it says how to search: alone it must not leave meaning out."""
    chosen = await choose_strategy(choice(text), hybrid=STRATEGIES["hybrid"])
    assert chosen.name != "precise"
    assert chosen.dense > 0


@pytest.mark.parametrize(
    "text",
    [
        "exact wording clause 8.2",
        "what does the lease say exactly about notice",
        "the exact phrase used for penalties",
        "the precise terms of payment",
    ],
)
async def test_an_exact_wording_is_searched_by_words(text: str) -> None:
    assert (await choose_strategy(choice(text), hybrid=STRATEGIES["hybrid"])).name == "precise"


@pytest.mark.parametrize(
    "text",
    [
        "what similarity laws must be obeyed when constructing models of heated aircraft",
        "How much notice must be given before leaving the building?",
        "anything about flow past blunt bodies",
    ],
)
async def test_a_question_that_names_nothing_is_about_a_topic(text: str) -> None:
    assert (await choose_strategy(choice(text), hybrid=HYBRID, feedback=0.4)).feedback == 0.4
    assert (await choose_strategy(choice(text), hybrid=HYBRID)).feedback == 0.0


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("Which firm does the landlord's agent for Quay 7 work for?", []),
        ("what was decided about INV-20417", []),
        ("what does the deed say of the right of way", ["right of way"]),
        ("the latest report on cranes", []),
        ("the exact wording of the clause on notice", []),
    ],
    ids=["a name", "an identifier", "a quotation", "a time", "an exact wording"],
)
async def test_a_question_that_looks_for_something_certain_stays_as_it_is(text: str, quoted: list[str]) -> None:
    assert (await choose_strategy(choice(text, quoted=quoted), hybrid=HYBRID, feedback=0.4)).feedback == 0.0
