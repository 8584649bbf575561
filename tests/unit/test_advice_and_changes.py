"""What is to be done in a case, and what something was changed to: found without a reader."""

from __future__ import annotations

import pytest

from tests.support.evidence import evidence
from tests.support.extractive_answers import compose_answer, lead_text

ALARM = (
    "If the bilge alarm rings at night, the pump may have failed. To start the spare one, you need to press the red lever twice.\n\n"
    "If the spare pump fails too, call the harbour office at once. The office has a boat."
)
PLAN = "Tarring: raise the heat from 80 °C to 95 °C for an hour. The heat of the tar kettle was 80 °C until May. Rowing: from 3 to 4 trips a day."


@pytest.mark.parametrize(
    ("question", "lead"),
    [
        ("What should I do if the bilge alarm rings at night?", "To start the spare one, you need to press the red lever twice"),
        ("What must we do when the spare pump fails?", "call the harbour office at once"),
        ("What should I do if the mast breaks?", ""),
    ],
)
async def test_the_advice_behind_the_case_leads(question: str, lead: str) -> None:
    assert lead_text(await compose_answer(question, [evidence(ALARM)])) == lead


@pytest.mark.parametrize(
    ("question", "lead"),
    [
        ("What is the new heat for tarring?", "95 °C (before: 80 °C)"),
        ("What is the heat of the tar kettle?", "80 °C"),
        ("How many new trips are there for rowing?", "4 trips"),
        ("What is the new heat for Marl?", ""),
    ],
)
async def test_the_second_value_is_the_new_one(question: str, lead: str) -> None:
    assert lead_text(await compose_answer(question, [evidence(PLAN)], {"80 °C": 4.0} if lead == "80 °C" else {})) == lead


@pytest.mark.parametrize(
    ("question", "lead"),
    [
        ("Who is the chief ferry pilot of Marl?", "Nancy Holm"),
        ("Who is the deputy chief ferry pilot of Marl?", ""),
        ("Who is the chief ferry pilot of Osier?", ""),
    ],
)
async def test_who_signs_above_an_office_holds_it(question: str, lead: str) -> None:
    letter = "The ferries of Marl go every hour.\n\nNancy Holm\n\nChief Ferry Pilot\n\nPolicy Owner: Chief Ferry Pilot."
    assert lead_text(await compose_answer(question, [evidence(letter)])) == lead


async def test_a_section_is_named_by_its_abbreviation() -> None:
    act = "Sec. 325. Mooring of boats.\n\nSec. 326. Checking of papers by the harbour master.\n\nSec. 327. Fees."
    answer = await compose_answer("What is section 326 about?", [evidence(act)])
    assert [sentence.text for sentence in answer.sentences] == ["Sec. 326. Checking of papers by the harbour master."]
