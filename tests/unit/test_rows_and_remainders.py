"""How many are left, whom a row sets beside a name, what somebody has to do, and why: answers that are no words of the sentence nearest to them."""

from __future__ import annotations

import pytest

from core.answers import Evidence
from core.documents import BlockKind
from tests.support.evidence import evidence
from tests.support.extractive_answers import compose_answer, lead_text

FIRMS = "People outside\n\nName | Works for | What for\nMia Lund | Holm & Ake, 4 Quay Street | Leases\nBo Berg | Tarn Lifts | Cranes"
ACTIONS = """Actions

No. | Action | Who | By
1 | Order the pump | Ada Holm | 9 May
2 | Paint the ferry | Jon Ake | 1 June
3 | Ask for prices | Ada Holm | 3 June"""


def made(text: str, document: str, title: str = "") -> Evidence:
    heading, _, rest = text.partition("\n\n")
    kind = BlockKind.TABLE if " | " in rest else BlockKind.PARAGRAPH
    blocks = ((BlockKind.HEADING, 0, len(heading)), (kind, len(heading) + 2, len(text)))
    return evidence(text, document=document, title=title, section=(heading,), blocks=blocks)


@pytest.mark.parametrize(
    ("question", "told", "lead"),
    [
        ("How many guards still need the first aid course?", "The first aid course is complete for 21 of 26 guards.", "5 (26 less 21)"),
        ("How many drivers still need refresher training?", "Refresher training under version 2 is complete for 21 of 26 drivers.", "5 (26 less 21)"),
        ("How many boats have not been inspected?", "So far seven of the twelve boats were inspected.", "5 (12 less 7)"),
        ("How many invoices are still open?", "Of the nine invoices six are paid.", "3 (9 less 6)"),
        ("How many guards did the first aid course?", "The first aid course is complete for 21 of 26 guards.", ""),
        ("How many boats have not been inspected?", "Seven of the twelve boats are not inspected.", ""),
        ("How many boats have not been inspected?", "Seven of the twelve boats were painted.", ""),
        ("How many invoices are still open?", "Of the nine letters six are answered.", ""),
        ("How many invoices are still open?", "Of the nine invoices six are paid. In June five of nine invoices were paid.", ""),
    ],
)
async def test_what_is_left_is_counted(question: str, told: str, lead: str) -> None:
    answer = await compose_answer(question, [made(f"Report\n\n{told}", "report")])
    assert lead_text(answer) == lead or (not lead and " less " not in answer.text)
    assert told.partition(". ")[0].rstrip(".") in answer.text


@pytest.mark.parametrize(
    ("question", "lead"),
    [
        ("Who works for Holm & Ake?", "Mia Lund"),
        ("Who works for Tarn Lifts?", "Bo Berg"),
        ("Who works for Tarn?", ""),
        ("Who works with Tarn Lifts?", ""),
    ],
)
async def test_whom_a_row_sets_beside_a_name(question: str, lead: str) -> None:
    letter = evidence("Yours sincerely\nHolm & Ake, agents for the Mill Trust", document="letter")
    assert lead_text(await compose_answer(question, [letter, made(FIRMS, "people")])) == lead


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What are Ada Holm's tasks?", ["Order the pump", "Ask for prices"]),
        ("What are Jon's actions?", ["Paint the ferry"]),
        ("What does Ada have to do?", ["Order the pump", "Ask for prices"]),
        ("What must Jon Ake do until June?", ["Paint the ferry"]),
        ("What are the actions?", ["Order the pump", "Paint the ferry", "Ask for prices"]),
    ],
)
async def test_what_somebody_has_to_do(question: str, told: list[str]) -> None:
    answer = await compose_answer(
        question, [made(ACTIONS, "minutes", "Harbour meeting"), evidence("Ada Holm: harbour master, desk 12.", document="list")]
    )
    assert [words for words in ("Order the pump", "Paint the ferry", "Ask for prices") if words in answer.text] == told


async def test_a_figure_is_no_reason() -> None:
    text = "The crane works with a reduced load of 3.2 tonnes."
    assert lead_text(await compose_answer("Why does the crane work with a reduced load?", [evidence(text)], {"3.2 tonnes": 9.0})) == ""
    assert lead_text(await compose_answer("With which load does the crane work?", [evidence(text)], {"3.2 tonnes": 9.0})) == "3.2 tonnes"


@pytest.mark.parametrize("asked", ["What are Ann O’Brien’s tasks?", "What are Ann O'Brien's tasks?", "Which are the actions of Ann O’Brien?"])
async def test_a_name_with_an_apostrophe_is_a_name(asked: str) -> None:
    held = "O'Brien" if "O'Brien" in asked else "O’Brien"
    text = ACTIONS.replace("Ada Holm", f"Ann {held}").replace("Jon Ake", "Ann Low")
    answer = await compose_answer(asked, [made(text, "minutes", "Harbour meeting")])
    assert [words for words in ("Order the pump", "Paint the ferry", "Ask for prices") if words in answer.text] == [
        "Order the pump",
        "Ask for prices",
    ]
