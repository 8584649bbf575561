"""Which signals speak once a rerank has changed the order of passages that two encoders found."""

from __future__ import annotations

from core.search import Candidate, Retrieval, StageScore
from retrieval.retriever import select_signals


def test_the_signals_are_those_of_the_passage_that_is_first_now() -> None:
    """A rerank may put an English passage before one that was found across languages, and the other way round."""
    german = Candidate(chunk_id=1, document_id="de", score=0.9, stages={"multilingual": StageScore(rank=1, score=0.6)})
    english = Candidate(chunk_id=2, document_id="en", score=0.8)
    measured = {"dense_top1": 0.3, "multilingual_top1": 0.6, "lexical_ratio": 0.4}
    first_german = select_signals(Retrieval(candidates=[german, english], measured=measured))
    assert first_german.signals == {"multilingual_top1": 0.6}
    assert select_signals(first_german.model_copy(update={"candidates": [english, german]})).signals == {"dense_top1": 0.3, "lexical_ratio": 0.4}
    told = select_signals(first_german.model_copy(update={"words": "deposit"}))
    assert told.signals == {"multilingual_top1": 0.6, "lexical_ratio": 0.4}
    plain = Retrieval(candidates=[english], signals={"dense_top1": 0.3})
    assert select_signals(plain) is plain
