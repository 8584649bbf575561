"""Plans over several searches, their hops, and the tries of corrective retrieval."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from core.answers import Citation
from core.search import FrozenModel, Retrieval, RetrievalRequest

Complexity = Literal["simple", "moderate", "complex"]


class SubQuery(FrozenModel):
    """One question of a plan. `query` may hold "{sq1}" where the entity that sq1 finds belongs; `dependencies` are ids that come before."""

    id: str
    query: str
    purpose: str
    priority: int = 1
    dependencies: list[str] = Field(default_factory=list)


class Plan(FrozenModel):
    """Odysseus's result. `kind` names the rule (comparison, conjunction, sequence, bridge) or is "" for a single search; `score` is SPEC's."""

    complexity: Complexity = "simple"
    score: int = 0
    indicators: list[str] = Field(default_factory=list)
    kind: str = ""
    sub_queries: list[SubQuery] = Field(default_factory=list)
    by: str = "rules"
    reason: str = ""


class Hop(FrozenModel):
    """One sub-query as it was asked, and what it brought. `asked` has its bridging entities filled in; `bridge` is what it found for the
    next ones ("" for nothing), `because` the sentence that named it, with where it stands."""

    sub_query: SubQuery
    asked: str
    retrieval: Retrieval
    quality: float = 0.0
    bridge: str = ""
    because: str = ""
    citation: Citation | None = None


class ReasoningStep(FrozenModel):
    """A line of the reasoning trace for people: what was asked, what was found, and the citation numbers of the answer that carry it."""

    id: str
    asked: str
    purpose: str
    found: str
    citations: list[int] = Field(default_factory=list)


class Reasoning(FrozenModel):
    """SPEC's SynthesizedAnswer beside the answer itself: how the parts came together."""

    complexity: Complexity
    kind: str
    by: str
    confidence: float
    reasoning_trace: list[ReasoningStep]


class Attempt(FrozenModel):
    """One try of retrieval: what was asked, what came, how good the critic finds it (0..1), and what was changed against the first.

    `reach` is how good it would be if the best of its first passages stood first; 1 where that was not looked at, or cannot be told."""

    request: RetrievalRequest
    retrieval: Retrieval
    quality: float
    reach: float = 1.0
    change: str = ""
    duration_ms: float = 0.0
