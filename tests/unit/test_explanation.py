"""Hermes: the phrase, the sentence and the bars of a result."""

from __future__ import annotations

import pytest

from agents.explanation import Journey, explain, phrase_of, sentence_of
from core.search import StageScore


def journey(rank: int = 1, citations: int = 0, **stages: tuple[int, float]) -> Journey:
    return Journey(
        document_id="d", rank=rank, citations=citations, stages={name: StageScore(rank=place, score=score) for name, (place, score) in stages.items()}
    )


@pytest.mark.parametrize(
    ("given", "phrase"),
    [
        (journey(lexical=(1, 9), dense=(3, 0.6), fusion=(1, 0.9)), "both legs agree"),
        (journey(lexical=(2, 9), dense=(30, 0.2), fusion=(4, 0.5)), "stronger by words"),
        (journey(lexical=(30, 2), dense=(2, 0.6), fusion=(4, 0.5)), "stronger by meaning"),
        (journey(lexical=(4, 5), fusion=(9, 0.3)), "found by its words alone"),
        (journey(dense=(4, 0.5), fusion=(9, 0.3)), "found by meaning alone"),
        (journey(dense=(4, 0.5), fusion=(6, 0.3), rerank=(2, 1.2)), "moved up 4 by the reranker"),
        (journey(), "beside a passage that was found"),
    ],
)
def test_phrase(given: Journey, phrase: str) -> None:
    assert phrase_of(given) == phrase


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (
            journey(lexical=(12, 3), dense=(1, 0.7), fusion=(3, 0.8), rerank=(1, 1.5), citations=2),
            "12th by its words and 1st by meaning, 3rd together; the reranker moved it up 2 to 1st; quoted 2 times.",
        ),
        (
            journey(lexical=(2, 3), fusion=(21, 0.1), rerank=(22, 0.1)),
            "2nd by its words, 21st together; the reranker moved it down 1 to 22nd; not quoted.",
        ),
        (journey(), "Not found by a leg of its own; not quoted."),
    ],
)
def test_sentence(given: Journey, sentence: str) -> None:
    assert sentence_of(given) == sentence


async def test_bars_are_relative_to_the_best() -> None:
    first, second = await explain([journey(lexical=(1, 8.0), dense=(2, 0.4)), journey(rank=2, lexical=(4, 2.0), dense=(1, 0.8))])
    assert first.bars == {"lexical": 1.0, "dense": 0.5, "links": 0.0}
    assert second.bars == {"lexical": 0.25, "dense": 1.0, "links": 0.0}


async def test_nothing_to_explain() -> None:
    assert await explain([]) == []
