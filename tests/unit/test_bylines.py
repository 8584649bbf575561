"""Who wrote a document, told by the line of names under its title, and by how much one thing is more than another."""

from __future__ import annotations

import pytest

from tests.support.evidence import evidence
from tests.support.extractive_answers import compose_answer, lead_text

PAPER = evidence(
    "Drift of Buoys in Narrow Straits\n\nAda Orme 1 ( ), Jon van Pike∗ , Wren Halloran† , and Mei-Ling Tao\n\n1 Institute of Tides, Marl\n\n"
    "Abstract. Buoys drift. Earlier work by Orme measured them by hand.",
    document="paper",
    title="Drift of Buoys in Narrow Straits",
)
PAGE = evidence(
    "• Home\n• Archive\n\n# Why Do Buoys Drift?\n\nApril 21, 2023 · 6 min read\n\nWren Halloran\n\n"
    "Wren Halloran\n\nKeeper of the Marl light\n\nBuoys drift.",
    document="page",
    title="Why Do Buoys Drift? | Marl",
)
OTHER = evidence("Keeping Bees in Towns\n\nRoofs are warm. Bees like them.", document="bees", title="Keeping Bees in Towns")
SPEEDS = evidence(
    "On one test our ferry is 25 times faster than the rowing boat, and almost 5 times faster than the steamer and the barge.", document="speeds"
)


@pytest.mark.parametrize(
    "question",
    [
        "Who wrote the paper on the drift of buoys?",
        "Who are the authors of Drift of Buoys in Narrow Straits?",
        "By whom was Drift of Buoys in Narrow Straits written?",
    ],
)
async def test_the_line_of_names_under_the_title(question: str) -> None:
    answer = await compose_answer(question, [OTHER, PAPER])
    assert answer.lead is not None
    assert answer.lead.text.startswith("Ada Orme")
    assert "Mei-Ling Tao" in answer.text
    assert "Abstract" not in answer.text


@pytest.mark.parametrize(
    "question",
    [
        "By whom was the drift of buoys in narrow straits measured?",
        "Wer hat die drift of buoys in narrow straits gemessen?",
    ],
)
async def test_who_did_something_else_is_no_question_about_authors(question: str) -> None:
    answer = await compose_answer(question, [PAPER])
    assert not lead_text(answer).startswith("Ada Orme 1")


async def test_the_name_beside_the_day_of_a_page() -> None:
    assert lead_text(await compose_answer("Who wrote the article on why buoys drift?", [OTHER, PAGE])) == "Wren Halloran"


async def test_a_document_without_such_a_line_has_no_author() -> None:
    answer = await compose_answer("Who wrote Keeping Bees in Towns?", [OTHER, PAPER])
    assert answer.lead is None or "Orme" not in answer.lead.text


@pytest.mark.parametrize(
    ("question", "lead"),
    [("How much faster is the ferry than the rowing boat?", "25 times"), ("How many times faster is the ferry than the steamer?", "5 times")],
)
async def test_the_factor_is_that_of_what_is_compared_with(question: str, lead: str) -> None:
    answer = await compose_answer(question, [SPEEDS])
    assert lead_text(answer) == lead
