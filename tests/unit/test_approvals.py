"""Who may decide over an amount, by a table of limits."""

from __future__ import annotations

import pytest

from core.documents import BlockKind
from tests.support.evidence import evidence
from tests.unit.test_stated_values import composed, lead_of

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
    assert lead_of(await composed(question, [TABLE])) == who


@pytest.mark.parametrize(
    "question", ["Who may approve an order?", "Who approved 3 of the orders?", "Who was paid £50,000?", "Who approves £10 or £90,000?"]
)
async def test_without_one_amount_nothing_is_decided(question: str) -> None:
    assert lead_of(await composed(question, [TABLE])) == ""


async def test_prices_are_no_limits() -> None:
    prices = LIMITS.replace("Limit for one order", "Price").replace("Approver", "Boat")
    table = evidence(prices, document="prices", title="Boats", blocks=[(BlockKind.TABLE, 0, len(prices))])
    assert lead_of(await composed("Who may buy one for £50,000?", [table])) == ""


async def test_who_does_it_on_the_other_side_of_a_limit_is_no_answer() -> None:
    rule = evidence("The tenant pays for any repair that costs £5,000 or less. A repair above £5,000 is borne by the owner.", title="Lease")
    answer = await composed("Who pays for a repair above £5,000?", [rule])
    assert lead_of(answer) != "The tenant"
    assert answer.sentences[0].text == "A repair above £5,000 is borne by the owner."
