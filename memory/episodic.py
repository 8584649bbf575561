"""The episodic tier: finished runs as lines that can be searched, and the offer of those that are like a question."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime

from core.memory import Episode, RecalledMemory
from memory.line_index import MemoryLine, RankedLine
from memory.session_tier import SessionEntry

_CITED = re.compile(r"\s*\[\d+\]")
_KEPT = ("success", "not_found")
_OFFERED_WORDS = 300  # characters of an answer in an offer


def is_kept(episode: Episode) -> bool:
    """Return whether a run is kept as an episode: one that came to an end, not one that was stopped or waits for an answer."""
    return episode.status in _KEPT and bool(episode.query.strip())


def group_of(episode: Episode) -> str:
    """Return the conversation, else the session, else the run by itself: what makes two episodes neighbours."""
    if episode.conversation_id:
        return f"conversation {episode.conversation_id}"
    return f"session {episode.session_id}" if episode.session_id else f"run {episode.episode_id}"


def episode_line(episode: Episode) -> MemoryLine:
    """Return the episode's line: question and answer."""
    return MemoryLine(episode.episode_id, group_of(episode), f"{one_line(episode.query)}\n{strip_citations(episode.response)}", episode.timestamp)


def text_to_embed(line: MemoryLine, previous: MemoryLine | None) -> str:
    """Return the question before it, then question and answer."""
    before = previous.spoken_text.split("\n", 1)[0] + "\n" if previous is not None and previous.id != line.id else ""
    return before + line.spoken_text


def strip_citations(answer: str) -> str:
    """Return an answer on one line without the marks of its citations."""
    return one_line(_CITED.sub("", answer))


def one_line(text: str) -> str:
    return " ".join(text.split())


def relevance(found: RankedLine) -> float:
    """Return how like a line is to the question, comparable between questions, in 0..1: half meaning, half the weight of the shared words."""
    return 0.5 * found.cosine + 0.5 * found.coverage


def offer_episodes(found: Sequence[RankedLine], episodes: Mapping[str, Episode], limit: int) -> list[RecalledMemory]:
    """Return the episodes as memories, best first; of one question asked twice only the better one."""
    offered: dict[str, RecalledMemory] = {}
    for each in found:
        episode = episodes.get(each.id)
        if episode is not None and len(offered) < limit:
            offered.setdefault(one_line(episode.query).casefold(), _make_offer(episode, relevance(each)))
    return list(offered.values())


def _make_offer(episode: Episode, score: float) -> RecalledMemory:
    answer = strip_citations(episode.response)
    excerpt = answer if len(answer) <= _OFFERED_WORDS else answer[:_OFFERED_WORDS].rsplit(" ", 1)[0] + " …"
    return RecalledMemory(
        tier="episodic",
        item_id=episode.episode_id,
        text=f"{one_line(episode.query)} → {excerpt}" if excerpt else one_line(episode.query),
        score=round(score, 4),
        at=episode.timestamp,
        document_ids=list(episode.cited or episode.results),
    )


def episode_from_turn(entry: SessionEntry, user_id: str, session_id: str) -> Episode | None:
    """Return the episode that a turn of a session tells of; None where the turn is not one of ours."""
    try:
        at = datetime.fromisoformat(str(entry["at"]))
        return Episode(
            episode_id=str(entry["trace_id"]),
            user_id=user_id,
            session_id=session_id,
            conversation_id=entry.get("conversation_id"),
            query=str(entry["query"]),
            intent=str(entry.get("intent", "document_search")),
            response=str(entry.get("answer", "")),
            results=[str(each) for each in entry.get("results", [])],
            cited=[str(each) for each in entry.get("cited", [])],
            confidence=float(entry.get("confidence", 0.0)),
            status=str(entry.get("status", "success")),
            search_strategy=str(entry.get("strategy", "hybrid")),
            timestamp=at,
        )
    except (KeyError, TypeError, ValueError):
        return None
