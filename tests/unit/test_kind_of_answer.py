"""An answer of another kind than was asked for is never a sure one, and the less sure a lead is, the more is told beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.confidence.agent import label_of
from answers.calibration.answerability import (
    COVERAGE_SIGNALS,
    OTHER_KIND_AT_MOST,
    READER_SIGNALS,
    SENTENCES_ONLY,
    SENTENCES_ONLY_AT_MOST,
    SIGNALS,
    probability,
)
from answers.extractive.composer import ExtractiveComposer, OptionalParts
from answers.scoring.unit_selection import Bounds
from answers.scoring.unit_vectors import UnitVectors
from core.answers import OTHER_KIND, Answer, Evidence
from tests.support.evidence import CountingEmbedder, WordIndex, evidence
from tests.support.word_reader import LostReader, WordsReader


async def compose(question: str, items: Sequence[Evidence], words: Mapping[str, float]) -> Answer:
    parts = OptionalParts(reader=WordsReader(words))
    return await ExtractiveComposer(UnitVectors(CountingEmbedder()), WordIndex(), Bounds(), parts).compose("default", question, items)


FERRY = "The ferry to Orsund carries lorries and cars. The fare of the ferry to Orsund is paid on board."


@pytest.mark.parametrize(
    ("question", "text", "other"),
    [
        ("How much does the ferry to Orsund cost?", FERRY, True),
        ("How much does the ferry to Orsund cost?", f"{FERRY} The ferry to Orsund costs £14.", False),
        ("What percentage of the lorries go by ferry to Orsund?", FERRY, True),
        ("What percentage of the lorries go by ferry to Orsund?", "By ferry to Orsund go 40 % of the lorries.", False),
        ("How long does the ferry to Orsund take?", FERRY, True),
        ("How long does the ferry to Orsund take?", "The ferry to Orsund takes three hours.", False),
        ("Does the ferry to Orsund carry 40 lorries?", FERRY, False),  # yes or no is asked for, no figure
        ("What does the ferry to Orsund carry?", FERRY, False),
        ("When is the fare of the ferry to Orsund paid?", FERRY, False),  # "when" may ask for a condition
    ],
)
async def test_a_figure_that_is_asked_for_and_not_told_is_marked(question: str, text: str, other: bool) -> None:
    answer = await compose(question, [evidence(text, title="Ferries")], {"ferry": 6.0})
    assert answer.found
    assert (OTHER_KIND in answer.signals) is other


async def test_a_reader_that_is_sure_of_another_kind_makes_no_sure_answer() -> None:
    signals = dict.fromkeys(("dense_top1", "lexical_ratio", "coverage"), 1.0)
    answer = await compose("How much does the ferry to Orsund cost?", [evidence(FERRY)], {"paid on board": 8.0})
    likely = probability({**signals, **answer.signals, **dict.fromkeys((*READER_SIGNALS, *COVERAGE_SIGNALS), 0.999)})
    assert likely <= OTHER_KIND_AT_MOST
    assert label_of(likely) == "low"


@pytest.mark.parametrize(
    ("question", "words", "alone"),
    [
        ("What does the ferry to Orsund carry?", {"ferry": -9.0}, True),
        ("What does the ferry to Orsund carry?", {"lorries and cars": 8.0}, False),
        ("Does the ferry to Orsund go in winter?", {"paid on board": 8.0}, True),  # some words of a sentence are no yes and no no
    ],
)
async def test_sentences_without_a_lead_are_no_sure_answer(question: str, words: Mapping[str, float], alone: bool) -> None:
    answer = await compose(question, [evidence(FERRY, title="Ferries")], words)
    assert answer.found
    assert (SENTENCES_ONLY in answer.signals) is alone
    sure = dict.fromkeys(("dense_top1", "lexical_ratio", "coverage", *READER_SIGNALS, *COVERAGE_SIGNALS), 0.999)
    assert (probability({**answer.signals, **sure}) <= SENTENCES_ONLY_AT_MOST) is alone
    assert (label_of(probability({**answer.signals, **sure})) == "high") is not alone


async def test_a_reader_that_failed_speaks_against_nothing() -> None:
    composer = ExtractiveComposer(UnitVectors(CountingEmbedder()), WordIndex(), Bounds(), OptionalParts(reader=LostReader({})))
    answer = await composer.compose("default", "What does the ferry to Orsund carry?", [evidence(FERRY, title="Ferries")])
    assert [each.part for each in answer.degraded] == ["reader"]
    assert SENTENCES_ONLY not in answer.signals


async def test_a_clause_that_is_named_is_sure_without_a_lead() -> None:
    answer = await compose("Explain clause 4.", [evidence("4. Repairs: The tenant repairs the roof.", title="Lease")], {"nothing": -9.0})
    assert answer.found
    assert SENTENCES_ONLY not in answer.signals


@given(values=st.fixed_dictionaries({name: st.floats(0, 1) for name in (*SIGNALS, *READER_SIGNALS)}))
def test_no_signal_outweighs_the_kind(values: dict[str, float]) -> None:
    assert probability({**values, OTHER_KIND: 1.0}) == min(probability(values), OTHER_KIND_AT_MOST)
    assert probability({**values, OTHER_KIND: 0.0}) == probability(values)


async def test_the_less_sure_a_lead_is_the_more_is_told_beside_it() -> None:
    letter = evidence(
        "A sheet of paper was found on which Brandt had written his last letter. The letter was in Frisian, apart from “vale et ama”, which was in "
        "Latin. The mill was sold in May."
    )
    question = "Which part of Brandt's last letter was in Latin?"
    sure, unsure = [await compose(question, [letter], {"paper": score}) for score in (6.0, -1.0)]
    assert [len(sure.sentences), len(unsure.sentences)] == [1, 2]
    assert unsure.lead is not None
    assert unsure.lead.chance < 0.5
    assert "vale et ama" in unsure.sentences[1].text
