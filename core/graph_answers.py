"""Answers that are made of the knowledge graph and its communities."""

from __future__ import annotations

from typing import Literal

from core.answers import Citation
from core.graph import EntityType, PathStep
from core.search import FrozenModel


class SummaryEntity(FrozenModel):
    """An entity that an answer was found from: one of the question (`hops` 0) or one that is related to it; `score` in 0..1."""

    id: str
    name: str
    entity_type: EntityType
    hops: int = 0
    score: float = 1.0


class SummaryCost(FrozenModel):
    """The cost of a summary that was made for one question; nothing of it was made while indexing."""

    model_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    sentences_read: int = 0


class LazyRAGResult(FrozenModel):
    """A summary that was made when it was asked for. `summary` is the cited text, `missing` are words of the question that no cited sentence has,
    `confidence` is Themis's."""

    query: str
    entities: list[SummaryEntity]
    relationships: list[PathStep]
    summary: str
    confidence: float
    generation_time_ms: float
    citations: list[Citation]
    missing: list[str]
    cost: SummaryCost


class LowLevelResult(FrozenModel):
    """A passage of the search with the entities that it mentions, the rarest three."""

    type: Literal["passage"] = "passage"
    document_id: str
    filename: str
    content: str
    start: int
    end: int
    page: int | None
    score: float
    entities: list[SummaryEntity]


class HighLevelResult(FrozenModel):
    """A community that the question and its passages are about."""

    type: Literal["community"] = "community"
    id: str
    name: str
    summary: str
    keywords: list[str]
    entity_count: int


class DualLevelResult(FrozenModel):
    """An answer on two levels. `synthesized_answer` is the cited text, theme by theme; `confidence` is Themis's."""

    query: str
    low_level_results: list[LowLevelResult]
    high_level_results: list[HighLevelResult]
    synthesized_answer: str
    confidence: float
