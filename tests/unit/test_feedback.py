"""Feedback by meaning: the question moves towards what it finds first, and everything is weighed again."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.search import Filters, Retrieval, RetrievalRequest, Strategy
from retrieval.embedded_index import EmbeddedIndex
from retrieval.linked_scores import LinkedPassageScorer
from retrieval.relevance_feedback import feedback_report, move_question, topic_share
from retrieval.retriever import HybridRetriever
from settings import FeedbackSettings, SearchSettings
from tests.support.embedding import WordEmbedder
from tests.support.indexes import DIMENSION, chunk_library, document, vector_of

QUESTION = "flutter of thin wings"
DOCUMENTS = [
    document("first", "Flutter of thin wings at speed.", first_chunk=1),
    document("second", "Flutter of wings in a tunnel at speed.", first_chunk=10),
    document("third", "Panels in a tunnel at speed.", first_chunk=20),
    document("other", "The cook bakes bread.", first_chunk=30),
]
WEIGHT = 0.4
PASSAGES = 2
WITH_WORDS = SearchSettings(feedback=FeedbackSettings(passages=PASSAGES, words=0.5, terms=3))


def strategy(feedback: float = WEIGHT) -> Strategy:
    return Strategy(name="hybrid", lexical=0.3, dense=0.7, min_score=0.0, feedback=feedback)


@pytest.fixture
async def index(tmp_path: Path) -> AsyncIterator[EmbeddedIndex]:
    made = await EmbeddedIndex.open(tmp_path, dimension=DIMENSION, document_weight=0.1, faiss_above=10**6)
    await made.upsert(DOCUMENTS)
    await made.commit()
    yield made
    await made.close()


async def found_by(index: EmbeddedIndex, request: RetrievalRequest, options: SearchSettings | None = None) -> Retrieval:
    used = options or SearchSettings(feedback=FeedbackSettings(passages=PASSAGES, words=0.0))
    return await HybridRetriever(index, chunk_library(DOCUMENTS), WordEmbedder(), None, used).retrieve(request)


def asking(feedback: float = WEIGHT, **changes: Any) -> RetrievalRequest:
    return RetrievalRequest.model_validate({"text": QUESTION, "strategy": strategy(feedback), **changes})


def test_the_question_moves_by_its_weight_and_stays_a_unit_vector() -> None:
    question, passage = np.array([1.0, 0.0], np.float32), np.array([0.0, 1.0], np.float32)
    assert move_question(question, {1: passage}, 0.5) == pytest.approx([2**-0.5, 2**-0.5])
    assert move_question(question, {1: passage}, 0.0) == pytest.approx(question)
    assert move_question(question, {1: passage}, 1.0) == pytest.approx(passage)
    assert move_question(question, {1: -question, 2: question}, 0.3) == pytest.approx(question), "a mean without a direction moves nothing"


async def test_the_score_is_that_of_the_moved_question(index: EmbeddedIndex) -> None:
    plain = await found_by(index, asking(feedback=0.0))
    found = await found_by(index, asking())
    first = [candidate.chunk_id for candidate in plain.candidates[:PASSAGES]]
    vectors = {chunk.id: chunk.vector.astype(np.float32) for each in DOCUMENTS for chunk in each.chunks}
    question = move_question(vector_of(QUESTION), {number: vectors[number] for number in first}, WEIGHT)
    cosines = {number: float(vector @ question) for number, vector in vectors.items()}
    words = {hit.chunk_id: hit.score for hit in (await index.search_lexical("default", QUESTION, Filters(), 50)).hits}
    for candidate in found.candidates:
        number = candidate.chunk_id
        expected = 0.3 * words.get(number, 0.0) / max(words.values()) + 0.7 * max(cosines[number], 0.0) / max(cosines.values())
        assert candidate.score == pytest.approx(expected, abs=1e-3)
    scores = {candidate.document_id: candidate.score for candidate in found.candidates}
    before = {candidate.document_id: candidate.score for candidate in plain.candidates}
    assert scores["third"] > before["third"], "what is near the first passages rises though it shares no word with the question"


async def test_the_words_are_mixed_with_those_of_the_first_passages(index: EmbeddedIndex) -> None:
    meant, found = await found_by(index, asking()), await found_by(index, asking(), WITH_WORDS)
    report = feedback_report(found)
    assert report is not None
    assert report.parameters["terms"] == 3, "flutter, speed and wings stand in both of the first passages; the others in one"
    assert report.note.endswith("its words towards the 3 likeliest of theirs.")
    assert "flutter" not in f"{report.parameters} {report.note}".lower(), "a report outlives the document whose words these are"
    scores = {candidate.document_id: candidate.score for candidate in found.candidates}
    before = {candidate.document_id: candidate.score for candidate in meant.candidates}
    assert scores["third"] > before["third"], "it holds no word of the question, but one of the topic"
    assert scores["other"] == pytest.approx(before["other"], abs=1e-6)
    assert [candidate.score for candidate in found.candidates] == sorted(scores.values(), reverse=True)


def test_words_move_where_many_passages_are_about_it() -> None:
    assert topic_share([0.8, 0.5, 0.3], passages=3) == 0.0, "one passage answers"
    assert topic_share([0.8, 0.79, 0.7], passages=3) == 1.0, "a topic of many"
    assert topic_share([0.8, 0.7, 0.6, 0.1], passages=3) == pytest.approx(0.5)
    assert topic_share([0.8], passages=3) == 1.0
    assert topic_share([], passages=3) == topic_share([-0.1, -0.2], passages=2) == 0.0


async def test_the_trace_says_it_and_the_signals_are_those_of_the_question(index: EmbeddedIndex) -> None:
    plain, found = await found_by(index, asking(feedback=0.0)), await found_by(index, asking())
    report = feedback_report(found)
    assert report is not None
    assert report.parameters["weight"] == WEIGHT
    assert report.parameters["passages"] == [candidate.chunk_id for candidate in plain.candidates[:PASSAGES]]
    assert f"{WEIGHT:.2f}" in report.note
    assert feedback_report(plain) is None
    assert found.signals == plain.signals


@pytest.mark.parametrize(
    ("changes", "options"),
    [
        ({"use_hybrid": False}, SearchSettings()),
        ({"without": ["lexical"]}, SearchSettings()),
        ({"without": ["dense"]}, SearchSettings()),
        ({"filters": Filters(document_ids=["first"])}, SearchSettings()),
        ({}, SearchSettings(fusion="rrf")),
    ],
    ids=["meaning alone", "no words", "no meaning", "a single passage", "by ranks"],
)
async def test_where_there_is_nothing_to_move_towards_the_list_stays(index: EmbeddedIndex, changes: dict[str, Any], options: SearchSettings) -> None:
    plain = await found_by(index, asking(feedback=0.0, **changes), options)
    found = await found_by(index, asking(**changes), options)
    assert feedback_report(found) is None
    assert plain.candidates
    assert found.candidates == plain.candidates


async def test_what_links_bring_in_is_weighed_with_the_moved_question(index: EmbeddedIndex) -> None:
    request = asking()
    found = await found_by(index, request)
    owners = {candidate.chunk_id: candidate.document_id for candidate in found.candidates}
    scores = await LinkedPassageScorer(index, WordEmbedder(), "weighted").score(request, found, owners)
    assert len(scores) == len(found.candidates) == len(DOCUMENTS)
    for candidate in found.candidates:
        assert scores[candidate.chunk_id] == pytest.approx(candidate.score, abs=1e-6)
