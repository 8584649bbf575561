"""The options of the retrieval stages; `settings.SearchSettings` has this shape."""

from __future__ import annotations

from typing import Literal, Protocol

FusionName = Literal["rrf", "weighted", "min_max", "z_score"]


class RerankOptions(Protocol):
    """Late interaction over the first `candidates`; at most `budget_ms` go into encoding what has no stored token vectors."""

    @property
    def enabled(self) -> bool: ...
    @property
    def candidates(self) -> int: ...
    @property
    def weight(self) -> float: ...
    @property
    def budget_ms(self) -> int: ...
    @property
    def store_token_vectors(self) -> bool: ...


class FeedbackOptions(Protocol):
    """The first `passages` of the fusion are what a question that names nothing is moved towards: its meaning, and by `words` (0..1) its words,
    towards the likeliest `terms` of theirs."""

    @property
    def passages(self) -> int: ...
    @property
    def words(self) -> float: ...
    @property
    def terms(self) -> int: ...


class RoutingOptions(Protocol):
    """What a plan moves up moves by `weight` (0..1)."""

    @property
    def weight(self) -> float: ...


class SearchOptions(Protocol):
    @property
    def fusion(self) -> FusionName: ...
    @property
    def rrf_k(self) -> int: ...
    @property
    def recall_top_k(self) -> int: ...
    @property
    def recounted(self) -> int: ...
    @property
    def passage_tokens(self) -> int: ...
    @property
    def negation_weight(self) -> float: ...
    @property
    def rerank(self) -> RerankOptions: ...
    @property
    def feedback(self) -> FeedbackOptions: ...
    @property
    def routing(self) -> RoutingOptions: ...
