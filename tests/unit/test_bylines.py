"""Who wrote a document, told by the line of names under its title, and by how much one thing is more than another."""

from __future__ import annotations

import pytest

from answers.composer import ExtractiveComposer, OptionalParts
from answers.selection import Bounds
from answers.vectors import UnitVectors
from core.answers import Answer, Evidence
from tests.support.evidence import CountingEmbedder, WordIndex, evidence
from tests.support.reading import WordsReader

PAPER = evidence(
    "Drift of Buoys in Narrow Straits\n\nAda Orme 1 ( ), Jon van Pike∗ , Wren Halloran† , and Mei-Ling Tao\n\n1 Institute of Tides, Marl\n\n"
    "Abstract. Buoys drift. Earlier work by Orme measured them by hand.",
    document="paper",
    title="Drift of Buoys in Narrow Straits",
)
OTHER = evidence("Keeping Bees in Towns\n\nRoofs are warm. Bees like them.", document="bees", title="Keeping Bees in Towns")
SPEEDS = evidence(
    "On one test our ferry is 25 times faster than the rowing boat, and almost 5 times faster than the steamer and the barge.", document="speeds"
)


async def _asked(question: str, *items: Evidence) -> Answer:
    composer = ExtractiveComposer(UnitVectors(CountingEmbedder()), WordIndex(), Bounds(), OptionalParts(reader=WordsReader({})))
    return await composer.compose("default", question, list(items))


@pytest.mark.parametrize("question", ["Who wrote the paper on the drift of buoys?", "Who are the authors of Drift of Buoys in Narrow Straits?"])
async def test_the_line_of_names_under_the_title(question: str) -> None:
    answer = await _asked(question, OTHER, PAPER)
    assert answer.lead is not None
    assert answer.lead.text.startswith("Ada Orme")
    assert "Mei-Ling Tao" in answer.text
    assert "Abstract" not in answer.text


async def test_a_document_without_such_a_line_has_no_author() -> None:
    answer = await _asked("Who wrote Keeping Bees in Towns?", OTHER, PAPER)
    assert answer.lead is None or "Orme" not in answer.lead.text


@pytest.mark.parametrize(
    ("question", "lead"),
    [("How much faster is the ferry than the rowing boat?", "25 times"), ("How many times faster is the ferry than the steamer?", "5 times")],
)
async def test_the_factor_is_that_of_what_is_compared_with(question: str, lead: str) -> None:
    answer = await _asked(question, SPEEDS)
    assert answer.lead is not None
    assert answer.lead.text == lead
