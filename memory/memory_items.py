"""Rows of every tier as the lines of the memory page."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from core.memory import Episode, MemoryItem, Note, UserPreferences
from core.ports import StoredObservation
from memory.session_tier import SessionEntry

SESSION, PROFILE = "session:", "profile:"
_SIGNS = {
    "click": "You opened a result",
    "open_citation": "You opened a source of an answer",
    "thumbs_up": "You liked an answer",
    "thumbs_down": "You did not like an answer",
    "reask": "You asked again",
    "correction": "You corrected an answer",
}


def session_item(session_id: str, entry: SessionEntry) -> MemoryItem:
    at = entry.get("at")
    shown = ("answer", "intent", "topic", "results", "trace_id")
    return MemoryItem(
        id=f"{SESSION}{entry.get('trace_id', '')}",
        tier="session",
        text=str(entry.get("query", "")),
        at=datetime.fromisoformat(at) if isinstance(at, str) else None,
        detail={"session_id": session_id, **{name: entry.get(name) for name in shown}},
    )


def episode_item(episode: Episode) -> MemoryItem:
    detail = episode.model_dump(mode="json", exclude={"episode_id", "user_id", "query", "timestamp"})
    return MemoryItem(id=episode.episode_id, tier="episodic", text=episode.query, at=episode.timestamp, detail=detail)


def observation_item(kept: StoredObservation) -> MemoryItem:
    seen = kept.observation
    ranks = (("by words", seen.lexical_rank), ("by meaning", seen.dense_rank))
    places = " and ".join(f"{leg} at {rank}" if rank else f"not {leg}" for leg, rank in ranks)
    return MemoryItem(
        id=kept.id,
        tier="procedural",
        text=f"{_SIGNS.get(seen.kind, seen.kind)} that was found {places}.",
        at=seen.observed_at,
        detail=seen.model_dump(mode="json", exclude={"user_id"}),
    )


def note_item(note: Note) -> MemoryItem:
    detail = note.model_dump(mode="json", exclude={"id", "user_id", "content"})
    return MemoryItem(id=note.id, tier="notes", text=note.content, at=note.updated_at, editable=True, detail=detail)


def profile_items(learned: UserPreferences) -> list[MemoryItem]:
    """Return the learned facts, a line each."""
    found: list[tuple[str, str, dict[str, object]]] = []
    if learned.optimal_weights:
        weights = ", ".join(f"{name} {value:.2f}" for name, value in learned.optimal_weights.items())
        found.append(("weights", f"Your clicks moved the weights to {weights}.", {"weights": learned.optimal_weights, "reason": learned.reason}))
    if learned.best_strategy:
        found.append(("strategy", f"The strategy {learned.best_strategy} worked best for you.", {"strategy": learned.best_strategy}))
    if learned.should_rerank is not None:
        found.append(("rerank", f"Reranking {'helped' if learned.should_rerank else 'did not help'} you.", {"should_rerank": learned.should_rerank}))
    found += [(f"topic:{topic}", f"You often ask about {topic}.", {"topic": topic}) for topic in learned.topics]
    found += [(f"document:{each}", "You often use this document.", {"document_id": each}) for each in learned.frequently_accessed]
    return [MemoryItem(id=PROFILE + key, tier="profile", text=text, detail=detail) for key, text, detail in found]


def count_by_tier(items: Sequence[MemoryItem]) -> dict[str, int]:
    """Return how many items each tier has."""
    found: dict[str, int] = {}
    for item in items:
        found[item.tier] = found.get(item.tier, 0) + 1
    return found
