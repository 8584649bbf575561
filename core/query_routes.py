"""The scope of a question: whether passages answer it, the library as a whole, or both."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from core.search import FrozenModel

QueryType = Literal["global", "local", "hybrid"]
Scope = Literal["global", "local", "hybrid", "auto"]  # what a request may ask for
Aspect = Literal["", "themes", "risks", "deadlines", "summary"]  # what answers in the place of passages


class ScopeSignal(FrozenModel):
    """What speaks for a scope, in words, and how much it counts."""

    scope: Literal["global", "local"]
    reason: str
    weight: int = 1


class QueryRoute(FrozenModel):
    """The router's result. The weights add up to 1: the share of the signals that speak for each side. `by` is "rules", "request" or the name of the
    model that was asked. `aspect` names what answers a global question in the place of passages: an overview of the themes,
    risks or deadlines, or a summary of the graph."""

    query_type: QueryType
    confidence: float
    reasoning: str
    global_weight: float
    local_weight: float
    by: str = "rules"
    aspect: Aspect = ""
    signals: list[ScopeSignal] = Field(default_factory=list)
