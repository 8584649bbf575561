"""Hermes: the phrase, the sentence and the bars of a result."""

from __future__ import annotations

import pytest

from agents.explanation.agent import ResultTrace, explain, phrase_of, sentence_of
from core.search import StageScore


def journey(rank: int = 1, citations: int = 0, **stages: tuple[int, float]) -> ResultTrace:
    return ResultTrace(
        document_id="d", rank=rank, citations=citations, stages={name: StageScore(rank=place, score=score) for name, (place, score) in stages.items()}
    )


@pytest.mark.parametrize(
    ("given", "phrase"),
    [
        (journey(lexical=(1, 9), dense=(3, 0.6), fusion=(1, 0.9)), "matches by wording and meaning"),
        (journey(lexical=(2, 9), dense=(30, 0.2), fusion=(4, 0.5)), "stronger by words"),
        (journey(lexical=(30, 2), dense=(2, 0.6), fusion=(4, 0.5)), "stronger by meaning"),
        (journey(lexical=(4, 5), fusion=(9, 0.3)), "found by its words alone"),
        (journey(dense=(4, 0.5), fusion=(9, 0.3)), "found by meaning alone"),
        (journey(dense=(4, 0.5), fusion=(6, 0.3), rerank=(2, 1.2)), "moved up 4 by the reranker"),
        (journey(multilingual=(1, 0.6), dense=(40, 0.1), fusion=(1, 0.9)), "found across languages"),
        (journey(lexical=(2, 3), multilingual=(1, 0.6), dense=(40, 0.1), fusion=(1, 0.9)), "matches by wording and meaning"),
        (journey(), "beside a passage that was found"),
    ],
)
def test_phrase(given: ResultTrace, phrase: str) -> None:
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
        (journey(multilingual=(1, 0.6), fusion=(1, 0.9)), "1st by meaning across languages, 1st together; not quoted."),
        (journey(), "Not found by keyword or meaning search itself; not quoted."),
    ],
)
def test_sentence(given: ResultTrace, sentence: str) -> None:
    assert sentence_of(given) == sentence


async def test_bars_are_relative_to_the_best() -> None:
    first, second = await explain([journey(lexical=(1, 8.0), dense=(2, 0.4)), journey(rank=2, lexical=(4, 2.0), dense=(1, 0.8))])
    assert first.bars == {"lexical": 1.0, "dense": 0.5, "links": 0.0}
    assert second.bars == {"lexical": 0.25, "dense": 1.0, "links": 0.0}


async def test_across_languages_the_bar_of_meaning_is_the_multilingual_encoders() -> None:
    first, second = await explain([journey(dense=(30, 0.1), multilingual=(1, 0.8)), journey(rank=2, dense=(1, 0.4))])
    assert (first.bars["dense"], second.bars["dense"]) == (1.0, 0.5)


async def test_nothing_to_explain() -> None:
    assert await explain([]) == []


async def test_every_stage_that_moved_a_result_is_told_in_numbers() -> None:
    stages = {
        "lexical": StageScore(rank=9, score=4.0),
        "graph": StageScore(rank=2, score=0.8),
        "fusion": StageScore(rank=8, score=0.5),
        "rerank": StageScore(rank=6, score=0.6),
        "links": StageScore(rank=1, score=0.9),
    }
    told = (await explain([ResultTrace(document_id="d", rank=1, stages=stages)]))[0]
    assert [(move.stage, move.from_rank, move.to_rank, move.by) for move in told.moves] == [
        ("lexical", None, 9, 0),
        ("graph", None, 2, 0),
        ("fusion", None, 8, 0),
        ("rerank", 8, 6, 2),
        ("links", 6, 1, 5),
    ]
    assert told.phrase == "moved up 5 by a link from another document"
    assert "the reranker moved it up 2 to 6th; a link from another document moved it up 5 to 1st" in told.sentence
    assert "9th by its words and 2nd through the graph" in told.sentence


async def test_what_a_sub_question_brought_says_so() -> None:
    told = (await explain([ResultTrace(document_id="d", rank=3, stages={"hops": StageScore(rank=2, score=0.4)})]))[0]
    assert "a sub-question brought it in at 2nd" in told.sentence
    assert [(move.stage, move.by) for move in told.moves] == [("hops", 0), ("results", -1)]
