"""Fields of forms that a question asks for by the kind of thing they hold, and what stands beside them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from core.answers import Evidence
from core.documents import BlockKind
from tests.support.evidence import evidence
from tests.support.extractive_answers import compose_answer, lead_text

_LINES = [
    ("1. Number of the order:", BlockKind.LIST_ITEM),
    ("1295", BlockKind.PARAGRAPH),
    ("2. Particulars of any other firm that has a part in the contract, or that will receive a benefit under it:", BlockKind.LIST_ITEM),
    ("N/A", BlockKind.PARAGRAPH),
    ("3. Day on which the contract begins and its duration: Effective Date: 13 May 2013", BlockKind.LIST_ITEM),
    ("Duration: 15 weeks", BlockKind.PARAGRAPH),
    ("4. Goods or services that the contractor, Marl Ferry, is to provide under the contract:", BlockKind.LIST_ITEM),
    ("Repair of two landing stages", BlockKind.PARAGRAPH),
    ("5. Estimated amount payable under the contract: £314,800", BlockKind.LIST_ITEM),
    ("6. Provisions under which the amount may be varied:", BlockKind.LIST_ITEM),
    ("N/A", BlockKind.PARAGRAPH),
]


def _paper(lines: Sequence[tuple[str, BlockKind]], title: str = "Minutes") -> Evidence:
    text, blocks = "", list[tuple[BlockKind, int, int]]()
    for line, kind in lines:
        blocks.append((kind, len(text), len(text) + len(line)))
        text += f"{line}\n\n"
    return evidence(text, document="form", title=title, blocks=blocks)


def _form() -> Evidence:
    return _paper(_LINES, "Contract of Marl Ferry")


@pytest.mark.parametrize(
    ("question", "lead"),
    [
        ("How long does the contract with Marl Ferry run?", "15 weeks"),
        ("When does the contract with Marl Ferry start?", "13 May 2013"),
        ("How much is the contract of Marl Ferry worth?", "£314,800"),
    ],
)
async def test_a_field_is_told_by_what_its_label_calls_the_kind_of_thing(question: str, lead: str) -> None:
    answer = await compose_answer(question, [_form()])
    assert lead_text(answer) == lead
    assert "N/A" not in answer.text
    assert "Goods or services" not in answer.text


@pytest.mark.parametrize(
    ("question", "lead"),
    [
        ("Who is the secretary of the harbour committee?", "Ada Holm"),
        ("Qui est la secretary du harbour committee ?", "Ada Holm, clerk of the town"),
        ("What is the commission of the harbour committee?", "10%"),
        ("Who is the treasurer of the harbour committee?", ""),
        ("Who is the secretary of the bridge committee?", ""),  # nobody speaks of it
        ("What is the effective date of the harbour committee?", "01-17-2023"),  # a heading is its label, the brackets are none of it
        ("Who is the contact of the harbour committee?", ""),  # an address is nobody
        ("What is the contact of the harbour committee?", "bills@marl.example"),
    ],
)
async def test_a_field_is_told_by_its_very_label(question: str, lead: str) -> None:
    lines = [
        ("Minutes of the harbour committee", BlockKind.HEADING),
        ("Secretary:", BlockKind.PARAGRAPH),
        ("Ada Holm, clerk of the town", BlockKind.PARAGRAPH),
        ("Billing: Net 30 Terms: Corporate Commission: 10%", BlockKind.PARAGRAPH),
        ("EFFECTIVE DATE", BlockKind.HEADING),
        ("(01-17-2023)", BlockKind.PARAGRAPH),
        ("Contact: bills@marl.example", BlockKind.PARAGRAPH),
        ("The committee met on 4 May.", BlockKind.PARAGRAPH),
    ]
    assert lead_text(await compose_answer(question, [_paper(lines)])) == lead


async def test_two_contracts_with_different_durations_decide_nothing() -> None:
    other = evidence("Contract of Marl Ferry\n\nDuration: 40 weeks", document="other", title="Contract of Marl Ferry")
    answer = await compose_answer("How long does the contract with Marl Ferry run?", [_form(), other])
    assert answer.lead is None or answer.lead.text not in {"15 weeks", "40 weeks"}


async def test_a_line_with_its_label_in_brackets_below() -> None:
    report = evidence("Marl Ferry, Inc.\n\n64 Harbour Street, Marl\n\n(Address of principal executive offices)\n\n(702) 939\n\n(Telephone number)")
    answer = await compose_answer("Where is Marl Ferry located?", [report])
    assert answer.lead is not None
    assert answer.lead.text == "64 Harbour Street, Marl"


async def test_how_long_a_thing_is_is_no_duration() -> None:
    """No verb says that it runs: the length of a stage is asked for."""
    answer = await compose_answer("How long is the landing stage of Marl Ferry?", [_form()])
    assert lead_text(answer) != "15 weeks"


COVER = (
    "Marl Ferry, Inc.\n\n(Exact name of the firm)\n\n"
    "Oregon |  | 93-0011223\n(State or other jurisdiction of incorporation) |  | (Employer Number)\n\n"
    "64 Harbour Street, Marl\n\n( 503 ) 555-0144\n\n(Registrant's telephone number)\n\n"
    "The firm has 40 employees, and 20 of them are pilots."
    "\n\n6 May 2026\n\n(Date)"
)


@pytest.mark.parametrize(
    ("question", "lead"),
    [
        ("What is the telephone number of Marl Ferry?", "( 503 ) 555-0144"),
        ("In which state was Marl Ferry incorporated?", "Oregon"),
        ("What is the Employer Number of Marl Ferry?", "93-0011223"),
        ("What is the number of employees of Marl Ferry?", "40"),  # "number" alone is no label
        ("In which state was Osier Bank incorporated?", ""),
    ],
)
async def test_labels_in_brackets_say_what_stands_above_them(question: str, lead: str) -> None:
    report = evidence(COVER, title="Marl Ferry, Inc.")
    other = evidence("Osier Bank: Telephone (503) 555-0999", document="other", title="Osier Bank")
    assert lead_text(await compose_answer(question, [other, report], {"40": 4.0} if lead == "40" else {})) == lead
