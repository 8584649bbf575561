"""Diogenes: quality, support, and the verdict."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.critic.agent import AnsweredRetrieval, answer_quality, criticise, retrieval_quality
from core.answers import Answer, AnswerSentence, Support
from tests.support.ports import coverage_probability


def answer(*supports: Support, found: bool = True) -> Answer:
    return Answer(text="x", sentences=[AnswerSentence(text="A.", citations=[1], support=support) for support in supports], found=found)


def case(probability: float, given: Answer, passages: int = 3) -> AnsweredRetrieval:
    return AnsweredRetrieval(signals={"dense_top1": 0.8, "lexical_ratio": 0.4, "coverage": probability}, passages=passages, answer=given)


@pytest.mark.parametrize(
    ("probability", "given_answer", "passages", "verdict"),
    [
        (0.9, answer("quoted"), 3, "answered"),
        (0.36, answer("quoted"), 3, "weak"),
        (0.2, answer("quoted"), 3, "not_found"),
        (0.9, answer("quoted"), 0, "not_found"),
        (0.9, answer(found=False), 3, "not_found"),
        (0.9, answer("unsupported", "unsupported", "supported"), 3, "weak"),
        (0.9, answer("supported", "weak"), 3, "answered"),
    ],
)
async def test_verdict(probability: float, given_answer: Answer, passages: int, verdict: str) -> None:
    assert (await criticise(case(probability, given_answer, passages), probability=coverage_probability, threshold=0.35)).verdict == verdict


async def test_unsupported_sentences_are_named() -> None:
    critique = await criticise(case(0.9, answer("supported", "unsupported", "weak")), probability=coverage_probability, threshold=0.35)
    assert critique.unsupported == [1]
    assert "1 of 3 sentences have no support" in " ".join(critique.reasons)
    assert critique.answer_quality == pytest.approx(0.5)
    assert critique.retrieval_quality == pytest.approx((0.8 + 0.4 + 0.9) / 3)


async def test_without_passages_nothing_is_probable() -> None:
    critique = await criticise(case(0.9, answer(), passages=0), probability=coverage_probability, threshold=0.35)
    assert (critique.probability_answerable, critique.retrieval_quality, critique.reasons) == (0.0, 0.0, ["No passage was found."])


@given(st.dictionaries(st.sampled_from(["dense_top1", "lexical_ratio", "coverage", "other"]), st.floats(-1, 2)))
def test_retrieval_quality_is_a_share(signals: dict[str, float]) -> None:
    assert 0.0 <= retrieval_quality(signals) <= 1.0


def test_quality_of_no_sentence_is_nothing() -> None:
    assert answer_quality([]) == 0.0
