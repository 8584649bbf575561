"""Feedback: of a topic the passages that were found first say more than the question does.

The question's vector is moved towards the mean of the first passages (Rocchio 1971, "Relevance feedback in information retrieval", with what ranks
first taken for relevant), and its words towards the words of these (`topic_words`). Meaning and words of all candidates are measured again with
them, and they are fused again. That costs no second search: what neither leg found is not looked for. It helps where a question names nothing and
loses where it does (docs/decisions/0030, 0043), so the strategy says whether it is done.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.documents import StoredChunk
from core.ports import Library, SearchIndex, SimilarityScale
from core.search import Retrieval, RetrievalRequest, StageReport
from retrieval.leg_runner import LegResults
from retrieval.lexical_schema import add_headings
from retrieval.options import FeedbackOptions
from retrieval.topic_words import find_topic_words, mix_topic_scores, score_topic_words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]

STAGE = "feedback"
# The cosine of the last of the first passages, as a share of the nearest one's: where only that one is about the question, and where all are.
_ONE_PASSAGE, _MANY_PASSAGES = 0.7, 0.8
_FEWEST = 2  # passages; towards a single one the question would only ask for that one again


@dataclass(frozen=True, slots=True)
class RelevanceFeedback:
    """The first passages of a list are taken for relevant, as many as the options say."""

    index: SearchIndex
    library: Library
    scale: SimilarityScale
    options: FeedbackOptions

    async def remeasure_candidates(self, request: RetrievalRequest, legs: LegResults, fused: Mapping[int, float]) -> bool:
        """Give the legs' candidates their meaning and words anew, and the report of it; False where there is nothing to measure them by.
        `fused` are the scores of the first list. Raises VantageError as index and library do."""
        weight, started = request.strategy.feedback, time.perf_counter()
        if weight <= 0 or legs.vector is None or legs.crossing is not None or not {"lexical", "dense"} <= legs.hits.keys():
            return False
        vectors = await self.index.vectors(request.tenant, list(legs.documents))
        first = sorted((number for number in fused if number in vectors), key=lambda number: (-fused[number], number))[: self.options.passages]
        if len(first) < _FEWEST:
            return False
        question = move_question(legs.vector, {number: vectors[number] for number in first}, weight)
        legs.moved_cosines = {number: self.scale.rescale(float(vector @ question)) for number, vector in vectors.items()}
        terms = await self._remeasure_words(request, legs, {number: fused[number] for number in first})
        legs.reports.append(
            StageReport(
                stage=STAGE,
                entered=len(vectors),
                left=len(vectors),
                duration_ms=round((time.perf_counter() - started) * 1000, 3),
                parameters={"weight": weight, "passages": first, "best": max(legs.moved_cosines.values()), "terms": terms},
                note=_write_note(weight, len(first), terms),
            )
        )
        return True

    async def _remeasure_words(self, request: RetrievalRequest, legs: LegResults, first: Mapping[int, float]) -> int:
        """Give the candidates the score of the question's words mixed with those of the first passages; return how many words these are, 0 where too
        few passages are about it. Which they are is not reported: a report is kept when the document that they are from is deleted.
        """
        weight = self.options.words * topic_share([hit.score for hit in legs.hits["dense"]], self.options.passages)
        if weight <= 0:
            return 0
        chunks = await self.library.chunks(request.tenant, list(legs.documents))
        texts = {number: _whole_text(chunk) for number, chunk in chunks.items()}
        passages = [(texts[number], score) for number, score in first.items() if number in texts and score > 0]
        topic = find_topic_words(passages, self.index.terms, self.options.terms)
        if not topic.shares:
            return 0
        idf = await self.index.idf(request.tenant, " ".join(topic.words.values()))
        asked = {hit.chunk_id: hit.score for hit in legs.hits["lexical"]} | legs.recounted_words
        scores = score_topic_words(topic, idf, texts, self.index.terms)
        legs.moved_words = mix_topic_scores(asked, len(self.index.terms(request.text)), scores, weight)
        return len(topic.words)


def _whole_text(chunk: StoredChunk) -> str:
    """Return a chunk's text below what stands above it."""
    return add_headings(chunk.prefix, chunk.text)


def _write_note(weight: float, passages: int, terms: int) -> str:
    meant = f"The question names nothing: its meaning is moved by {weight:.2f} towards the first {passages} passages"
    return f"{meant}, its words towards the {terms} likeliest of theirs." if terms else f"{meant}."


def move_question(question: Vector, first: Mapping[int, Vector], weight: float) -> Vector:
    """Return the unit vector that lies by `weight` (0..1) of the way from the question to the mean of the first passages."""
    mean = np.mean(list(first.values()), axis=0)
    found = (1 - weight) * question + weight * mean / max(float(np.linalg.norm(mean)), 1e-9)
    return np.asarray(found / max(float(np.linalg.norm(found)), 1e-9), dtype=np.float32)


def topic_share(nearest: Sequence[float], passages: int) -> float:
    """Return how far (0..1) a question is about a topic that many passages are about, by the scaled cosines of the nearest, best first. Where a
    question has one answer a single passage lies near, and the words of the others lead away from it.
    """
    if not nearest or nearest[0] <= 0:
        return 0.0
    evenness = nearest[min(passages, len(nearest)) - 1] / nearest[0]
    return min(max((evenness - _ONE_PASSAGE) / (_MANY_PASSAGES - _ONE_PASSAGE), 0.0), 1.0)


def feedback_report(found: Retrieval) -> StageReport | None:
    """Return the report of the feedback, where a retrieval was measured again."""
    return next((report for report in found.reports if report.stage == STAGE), None)
