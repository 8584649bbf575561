"""A part of a document that is asked for by what it is about."""

from __future__ import annotations

import pytest

from tests.support.evidence import evidence
from tests.support.extractive_answers import compose_answer, lead_text

COURSE = evidence(
    "# Module One: Tides\n\nThis module explains why the sea rises and falls, and how tide tables are read.\n\n"
    "# Module Two: Ropes\n\nThis module teaches knots and splices, and how a rope is tested before use.\n\n"
    "# Module Three: Lights\n\nThis module looks at lighthouses.",
    document="course",
    title="Harbour course",
)


@pytest.mark.parametrize(
    ("question", "lead"),
    [
        ("Which module of the harbour course is about knots and splices?", "Module Two: Ropes"),
        ("In which module are tide tables explained?", "Module One: Tides"),
    ],
)
async def test_the_heading_leads_and_its_sentence_shows_why(question: str, lead: str) -> None:
    answer = await compose_answer(question, [COURSE])
    assert lead_text(answer).endswith(lead)
    assert "This module" in answer.text


@pytest.mark.parametrize("question", ["Which module is about engines and oil?", "Which section of the crew knots ropes?"])
async def test_no_heading_where_none_holds_it(question: str) -> None:
    assert "Module" not in lead_text(await compose_answer(question, [COURSE]))
