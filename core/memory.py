"""Memory in five tiers: what is kept of a person, what is recalled for a question, and what forgetting takes away."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from core.search import Degradation, FrozenModel, StrategyName

Tier = Literal["working", "session", "episodic", "procedural", "profile", "notes"]


class Episode(FrozenModel):
    """A finished run (SPEC). `results` are document ids, best first; `response` is the answer's text, cut at 2,000 characters."""

    episode_id: str
    user_id: str
    session_id: str | None
    conversation_id: str | None = None
    query: str
    intent: str
    response: str
    results: list[str] = Field(default_factory=list)
    cited: list[str] = Field(default_factory=list)
    confidence: float = 0.0
    status: str = "success"
    search_strategy: str = "hybrid"
    weights: dict[str, float] = Field(default_factory=dict)
    used_multi_hop: bool = False
    expanded_entities: list[str] = Field(default_factory=list)
    thinking_steps: list[str] = Field(default_factory=list)
    timestamp: datetime


class NoteVersion(FrozenModel):
    """An earlier wording of a note, when it was changed and why, and what those words rested on."""

    content: str
    context: str = ""
    changed_at: datetime
    reason: str
    document_ids: list[str] = Field(default_factory=list)
    session_id: str | None = None
    trace_id: str | None = None


class Note(FrozenModel):
    """An agentic note. `source` says what it was made from (high_confidence, positive_feedback, remember, correction); `links` are ids of
    similar notes (.7 and more, at most 10); `document_ids`, `session_id` and `trace_id` are where its present words come from, `history` the
    words before them, oldest first."""

    id: str
    user_id: str
    content: str
    keywords: list[str] = Field(default_factory=list)
    tags: list[str] = Field(default_factory=list)
    context: str = ""
    source: Literal["high_confidence", "positive_feedback", "remember", "correction"]
    links: list[str] = Field(default_factory=list)
    document_ids: list[str] = Field(default_factory=list)
    session_id: str | None = None
    trace_id: str | None = None
    history: list[NoteVersion] = Field(default_factory=list)
    created_at: datetime
    updated_at: datetime


class UserPreferences(FrozenModel):
    """Preferences learned of a person (SPEC, user_preferences). `optimal_weights` are lexical and dense of the fusion and add up to 1, with
    `evidence` the effective number of observations behind them (decayed); None while there is too little of it."""

    optimal_weights: dict[str, float] | None = None
    best_strategy: StrategyName | None = None
    frequently_accessed: list[str] = Field(default_factory=list)
    should_rerank: bool | None = None
    topics: list[str] = Field(default_factory=list)
    evidence: float = 0.0
    reason: str = ""


class Observation(FrozenModel):
    """One sign of what worked for a person: from feedback on a run. `lexical_rank` and `dense_rank` say where the chosen result's best
    passage stood in each leg of that run (None where the leg did not find it), `fusion_rank` and `rerank_rank` where those stages put it;
    `reward` in -1..1."""

    user_id: str
    trace_id: str
    kind: str
    strategy: StrategyName
    lexical_rank: int | None = None
    dense_rank: int | None = None
    fusion_rank: int | None = None
    rerank_rank: int | None = None
    document_id: str | None = None
    reward: float
    observed_at: datetime


class RecalledMemory(FrozenModel):
    """A memory found for a question: evidence from memory, marked as such, never stored again as new. `score` in 0..1; `source` is a
    note's own ("remember", "correction", …)."""

    tier: Tier
    item_id: str
    text: str
    score: float
    at: datetime | None = None
    document_ids: list[str] = Field(default_factory=list)
    source: str = ""


class Recollection(FrozenModel):
    """All that memory offers to a run. `turns` are (question, answer) pairs, oldest first, of the tier named in `turns_from`; `degraded` says
    which tier did not answer."""

    turns: list[tuple[str, str]] = Field(default_factory=list)
    turns_from: str = ""
    episodes: list[RecalledMemory] = Field(default_factory=list)
    notes: list[RecalledMemory] = Field(default_factory=list)
    preferences: UserPreferences = Field(default_factory=UserPreferences)
    degraded: list[Degradation] = Field(default_factory=list)


class MemoryUsed(FrozenModel):
    """A memory that changed this answer. `used_for` is a sentence; `change` holds before and after of a number that was moved
    ({"lexical": [0.3, 0.45]}). Asking again with `use_memory: false` undoes all of them."""

    tier: Tier
    item_id: str = ""
    text: str = ""
    used_for: str
    score: float | None = None
    change: dict[str, list[float]] = Field(default_factory=dict)


class MemoryItem(FrozenModel):
    """A line of the memory page. `editable` items take new words; all can be removed. `detail` holds the tier's own fields."""

    id: str
    tier: Tier
    text: str
    at: datetime | None = None
    editable: bool = False
    detail: dict[str, Any] = Field(default_factory=dict)


class MemorySection(FrozenModel):
    """A tier: its lines, newest first, and how many there are."""

    items: list[MemoryItem]
    total: int


class ConsolidationRecord(FrozenModel):
    """Changes of one consolidation, in numbers and sentences; all zero when there was nothing to do (it is idempotent)."""

    id: str
    user_id: str
    at: datetime
    duration_ms: float
    sessions_read: int = 0
    episodes_made: int = 0
    observations_read: int = 0
    profile_changed: bool = False
    notes_merged: int = 0
    notes_pruned: int = 0
    changes: list[str] = Field(default_factory=list)


class MemoryOverview(FrozenModel):
    """GET /memory/{user_id}: a section for each tier (SPEC), what was learned, and the last consolidations."""

    user_id: str
    session: MemorySection
    episodic: MemorySection
    procedural: MemorySection
    profile: MemorySection
    notes: MemorySection
    preferences: UserPreferences
    consolidations: list[ConsolidationRecord] = Field(default_factory=list)


class Forgotten(FrozenModel):
    """Items that "forget" removed, by tier, so that a person can see what is gone."""

    user_id: str
    removed: dict[str, int]
    items: list[MemoryItem] = Field(default_factory=list)
