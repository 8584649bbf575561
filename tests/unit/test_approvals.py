"""Who may decide over an amount, by a table of limits."""

from __future__ import annotations

import pytest

from core.documents import BlockKind
from tests.support.evidence import evidence
from tests.support.extractive_answers import compose_answer, lead_text

LIMITS = "Approver | Limit for one order\nTeam leads | £2,500\nHarbour master | £15,000\nTreasurer | £100,000\nThe board | above £100,000"
TABLE = evidence(LIMITS, document="rules", title="Rules", blocks=[(BlockKind.TABLE, 0, len(LIMITS))])


@pytest.mark.parametrize(
    ("question", "who"),
    [
        ("Who may approve an order of £50,000?", "Treasurer"),
        ("who decides about purchases over 50000?", "Treasurer"),
        ("Who can approve £2,500?", "Team leads"),
        ("Who approves an order of 250k?", "The board"),
    ],
)
async def test_the_smallest_limit_that_covers_the_amount(question: str, who: str) -> None:
    assert lead_text(await compose_answer(question, [TABLE])) == who


@pytest.mark.parametrize(
    "question", ["Who may approve an order?", "Who approved 3 of the orders?", "Who was paid £50,000?", "Who approves £10 or £90,000?"]
)
async def test_without_one_amount_nothing_is_decided(question: str) -> None:
    assert lead_text(await compose_answer(question, [TABLE])) == ""


async def test_prices_are_no_limits() -> None:
    prices = LIMITS.replace("Limit for one order", "Price").replace("Approver", "Boat")
    table = evidence(prices, document="prices", title="Boats", blocks=[(BlockKind.TABLE, 0, len(prices))])
    assert lead_text(await compose_answer("Who may buy one for £50,000?", [table])) == ""


async def test_who_does_it_on_the_other_side_of_a_limit_is_no_answer() -> None:
    rule = evidence("The tenant pays for any repair that costs £5,000 or less. A repair above £5,000 is borne by the owner.", title="Lease")
    answer = await compose_answer("Who pays for a repair above £5,000?", [rule])
    assert lead_text(answer) != "The tenant"
    assert answer.sentences[0].text == "A repair above £5,000 is borne by the owner."


PEOPLE = "Name | Role | Extension\nAnn Low | Treasurer | 11\nBo Berg | Harbour master, east pier | 12\nIna Holt | Secretary | 13"
DIRECTORY = evidence(PEOPLE, document="people", title="People", blocks=[(BlockKind.TABLE, 0, len(PEOPLE))])


@pytest.mark.parametrize(
    ("question", "limit"),
    [
        ("What is Ann Low's approval limit?", "£100,000"),
        ("Up to what amount may Ann approve an order?", "£100,000"),
        ("How much may Bo Berg approve?", "£15,000"),
    ],
)
async def test_the_limit_of_somebodys_office(question: str, limit: str) -> None:
    answer = await compose_answer(question, [TABLE, DIRECTORY])
    assert lead_text(answer) == limit
    assert {citation.document_id for citation in answer.citations} == {"rules", "people"}


@pytest.mark.parametrize("question", ["What is Ina Holt's approval limit?", "How much may Zoe approve?", "How much may they approve?"])
async def test_whose_office_has_no_limit_gets_none(question: str) -> None:
    assert lead_text(await compose_answer(question, [TABLE, DIRECTORY])) not in {"£2,500", "£15,000", "£100,000"}


MINUTES = "The reach trucks were on the list again. Priya presented three offers. Hanna checked that the sum is within the budget, and approved it."


async def test_who_did_it_to_what_the_passage_is_about() -> None:
    minutes = evidence(MINUTES, document="minutes", title="Minutes")
    assert lead_text(await compose_answer("Who approved the reach trucks?", [minutes])) == "Hanna"
    assert lead_text(await compose_answer("Who approved the cranes?", [minutes])) != "Hanna"
    two = evidence(f"{MINUTES} Tobias read the offers and approved them.", document="minutes", title="Minutes")
    assert lead_text(await compose_answer("Who approved the reach trucks?", [two])) == ""


RENTS = "Area | £ per year until 30 April 2026 | £ per year from 1 May 2026\nBonded store | 34,560 | 36,700\nOffices | 20,000 | 22,000"


async def test_the_column_of_the_month_that_is_asked_for() -> None:
    rents = evidence(RENTS, document="rents", title="Rents", blocks=[(BlockKind.TABLE, 0, len(RENTS))])
    assert (
        lead_text(await compose_answer("What rent do we pay for the bonded store from May 2026?", [rents]))
        == "£36,700 since 1 May 2026 (before: £34,560)"
    )
    assert lead_text(await compose_answer("What was the rent of the bonded store in April 2026?", [rents])) == "34,560"


CHAMBERS = "name | goods | target_celsius | alarm_above_celsius\nChamber 1 | fish | -21.0 | -18.0\nChamber 2 | bread | -20.0 | -17.0"


async def test_what_must_be_kept_is_the_target() -> None:
    chambers = evidence(CHAMBERS, document="alarms", title="Alarms", blocks=[(BlockKind.TABLE, 0, len(CHAMBERS))])
    assert lead_text(await compose_answer("What temperature must chamber 2 keep?", [chambers])) == "-20.0"
    assert lead_text(await compose_answer("At what temperature is Chamber 1 kept?", [chambers])) == "-21.0"
    assert lead_text(await compose_answer("What temperature did chamber 2 reach?", [chambers])) == ""


TAM = "We describe the Theory of Reasoned Action proposed by Fishbein in a review of TAM. The lease is looked after by Hanna Lindqvist."


async def test_a_participle_speaks_of_what_stands_right_before_it() -> None:
    review = evidence(TAM, document="review", title="Review")
    assert lead_text(await compose_answer("Who proposed the Theory of Reasoned Action?", [review])) == "Fishbein"
    assert lead_text(await compose_answer("Who proposed TAM?", [review])) not in {"Fishbein", "Reasoned Action"}
    assert lead_text(await compose_answer("Who looks after the lease?", [review])) == "Hanna Lindqvist"
