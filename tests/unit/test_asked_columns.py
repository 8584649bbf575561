"""All rows of a table whose column is asked for, and what to do about a thing that is asked for by its name."""

from __future__ import annotations

import pytest

from agents.planner.decomposition import decompose
from core.documents import BlockKind
from tests.support.evidence import evidence
from tests.support.extractive_answers import compose_answer, lead_text

CALLS = "step | call | channel\n1 | Ada Holm | phone\n2 | Jon Ake | phone\n3 | Marl service line | phone"
ROOMS = "name | goods | target_celsius | alarm_above_celsius\nRoom 1 | fish | -21.0 | -18.0\nRoom 2 | bread | -20.0 | -17.0"
ALERTS = [
    evidence(text, document="alerts", title="cold store alerts", start=start, blocks=[(BlockKind.TABLE, 0, len(text))])
    for start, text in ((0, CALLS), (1000, ROOMS))
]
PRICES = "item | max_price\nrope | 30\nchain | 40"
SHOP = evidence(PRICES, document="shop", title="chandlery prices", blocks=[(BlockKind.TABLE, 0, len(PRICES))])


@pytest.mark.parametrize(
    "question",
    ["Whom do we call when the cold store alarm goes off?", "Who to call about the cold store?", "Who is called when the cold store is warm?"],
)
async def test_whom_to_call_is_the_whole_column(question: str) -> None:
    answer = await compose_answer(question, [SHOP, *ALERTS])
    assert [name in answer.text for name in ("Ada Holm", "Jon Ake", "Marl service line", "Room 1")] == [True, True, True, False]


@pytest.mark.parametrize("question", ["Cold store limits", "What are the limits of the cold store?", "Which thresholds does the cold store have?"])
async def test_limits_are_in_columns_of_what_is_above_and_below(question: str) -> None:
    answer = await compose_answer(question, [SHOP, *ALERTS])
    assert [name in answer.text for name in ("-18.0", "-17.0", "Ada Holm", "rope")] == [True, True, False, False]


async def test_one_of_them_is_asked_for_by_its_place() -> None:
    assert lead_text(await compose_answer("Who is called second?", ALERTS)) == "Jon Ake"


DUTIES = "task | responsible\nboat repairs | Ada Holm\nboat paint | Jon Ake\ntraining | Mia Lund"
PLAN = evidence(DUTIES, document="plan", title="Yard plan", blocks=[(BlockKind.TABLE, 0, len(DUTIES))])


async def test_where_a_row_is_named_the_others_are_not_told() -> None:
    one = await compose_answer("Who is responsible for training in the yard plan?", [PLAN])
    assert ("Mia Lund" in one.text, "Ada Holm" in one.text) == (True, False)
    some = await compose_answer("Who is responsible for the boat in the yard plan?", [PLAN])
    assert ("Ada Holm" in some.text, "Jon Ake" in some.text, "Mia Lund" in some.text) == (True, True, False)


async def test_the_limits_of_one_are_its_row() -> None:
    answer = await compose_answer("What are the limits of the cold store for bread?", ALERTS)
    assert ("-17.0" in answer.text, "-18.0" in answer.text) == (True, False)


async def test_two_tables_that_fit_are_told_by_nothing() -> None:
    other = evidence(ROOMS.replace("Room", "Vault"), document="other", title="cold store of Marl", blocks=[(BlockKind.TABLE, 0, len(ROOMS))])
    answer = await compose_answer("Cold store limits", [*ALERTS, other])
    assert not ("-18.0" in answer.text and "-17.0" in answer.text and "Vault" not in answer.text)


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("Cold store limits and whom to call?", ["Cold store limits", "Whom to call about the cold store?"]),
        ("The Quay 7 limits and where to report?", ["Quay 7 limits", "Where to report about Quay 7?"]),
        ("Limits and whom to call?", None),
        ("Rent and deposit", None),
    ],
)
def test_a_thing_by_its_name_and_what_to_do(question: str, parts: list[str] | None) -> None:
    found = decompose(question)
    assert (None if found is None else [step.query for step in found.sub_queries]) == parts
