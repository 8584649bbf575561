"""Consolidation: session to episodic, episodic and procedural to profile, notes merged and pruned. Doing it twice changes nothing more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from core.memory import Episode, Note, Observation, UserPreferences
from core.ports import REFERENCE_SCALE, LearnedProfile, PersonMemory, SimilarityScale, StoredEpisode, StoredNote, StoredSession
from memory.deletion import STALE_VECTOR
from memory.episodic import episode_from_turn, is_kept
from memory.line_index import TermAnalyser
from memory.notes import SAME_MEANING_COSINE, NoteOptions, is_said_by_person, join_documents
from memory.session_tier import SessionEntry
from memory.statements import is_same_statement, parse_statement

LearnFunction: TypeAlias = Callable[[Sequence[Observation], datetime], UserPreferences]

TOPICS = 8
_ASKED_TWICE = 2
_RECENT = 200  # episodes that topics are read from
OBSERVATIONS = 1000  # the newest; older ones have decayed to nothing


# ------------------------------------------------------------------------------------------------------------ session to episodic
@dataclass(frozen=True, slots=True)
class SessionFindings:
    """Episodes that only a session knew, sessions as they were read now, and sessions that are over."""

    sessions_read: int = 0
    episodes: list[Episode] = field(default_factory=list)
    sessions: list[StoredSession] = field(default_factory=list)
    ended: list[str] = field(default_factory=list)


def read_sessions(memory: PersonMemory, entries: Mapping[str, Sequence[SessionEntry]], user_id: str) -> SessionFindings:
    """Return the turns since the last reading that have no episode: the store was full or the process died between the two."""
    known = {kept.episode.episode_id for kept in memory.episodes}
    found = SessionFindings(sessions_read=len(memory.sessions))
    for session in memory.sessions:
        turns = [each for entry in entries.get(session.session_id, ()) if (each := episode_from_turn(entry, user_id, session.session_id))]
        if not turns:
            found.ended.append(session.session_id)
            continue
        unread = [each for each in turns if session.read_until is None or each.timestamp > session.read_until]
        found.episodes.extend(each for each in unread if each.episode_id not in known and is_kept(each))
        latest = max(each.timestamp for each in turns)
        if session.read_until is None or latest > session.read_until:
            found.sessions.append(replace(session, read_until=latest))
    return found


# ------------------------------------------------------------------------------------------------------------ procedural and profile
def learn_profile(memory: PersonMemory, episodes: Sequence[Episode], learn: LearnFunction, terms: TermAnalyser, now: datetime) -> LearnedProfile:
    """Learn the profile from the observations and the last questions."""
    observations = [kept.observation for kept in memory.observations][-OBSERVATIONS:]
    found = learn(observations, now)
    topics = topics_of(episodes, terms, memory.learned.hidden_topics)
    return replace(memory.learned, preferences=found.model_copy(update={"topics": topics}))


def topics_of(episodes: Sequence[Episode], terms: TermAnalyser, hidden: Sequence[str]) -> list[str]:
    """Return the words that most of the last questions share, those of two questions at least, as they are written most often."""
    asked: dict[str, set[str]] = {}
    forms: dict[str, Counter[str]] = {}
    for episode in episodes[-_RECENT:]:
        if episode.status == "success" and episode.cited:
            for word in dict.fromkeys(episode.query.split()):
                bare = word.strip(".,;:!?\"'“”‘’()[]{}«»¿¡")
                for stem in terms(bare)[:1] if len(bare) > 3 and any(map(str.isalpha, bare)) and "/" not in bare else ():
                    asked.setdefault(stem, set()).add(" ".join(episode.query.split()).casefold())
                    forms.setdefault(stem, Counter())[bare] += 1
    barred = {stem for word in hidden for stem in terms(word)}
    order = sorted((stem for stem in asked if len(asked[stem]) >= _ASKED_TWICE and stem not in barred), key=lambda stem: (-len(asked[stem]), stem))
    return [forms[stem].most_common(1)[0][0] for stem in order[:TOPICS]]


def differs(one: UserPreferences, other: UserPreferences) -> bool:
    """Return whether a person would see the difference: decay moves the last digits all the time."""
    return _round_preferences(one) != _round_preferences(other)


def _round_preferences(learned: UserPreferences) -> UserPreferences:
    weights = {name: round(value, 2) for name, value in learned.optimal_weights.items()} if learned.optimal_weights else None
    return learned.model_copy(update={"optimal_weights": weights, "evidence": round(learned.evidence, 1), "reason": ""})


# ------------------------------------------------------------------------------------------------------------ notes
@dataclass(frozen=True, slots=True)
class NoteVectors:
    """`matrix` [notes, dimension] of unit rows, zeros for a note without a vector; `scale` is their embedder's."""

    matrix: NDArray[np.float32]
    scale: SimilarityScale = REFERENCE_SCALE

    def cosines(self, rows: slice) -> NDArray[np.float32]:
        """Return the scaled cosines of these rows with all: [rows, notes]."""
        return self.scale.rescale(self.matrix[rows] @ self.matrix.T)


@dataclass(frozen=True, slots=True)
class TidiedNotes:
    """Notes to store, ids that go, and how many of these were merged into another and how many pruned."""

    notes: list[StoredNote] = field(default_factory=list)
    removed_ids: list[str] = field(default_factory=list)
    merged_count: int = 0
    pruned_count: int = 0


def tidy_notes(kept: Sequence[StoredNote], vectors: NoteVectors, terms: TermAnalyser, options: NoteOptions) -> TidiedNotes:
    """Merge what says the same, prune beyond the most, and mend links to notes that are gone. `vectors` has a row for each note."""
    left, into = _merge_notes(kept, vectors, terms)
    pruned = _select_pruned(left, options)
    stay = [each for each in left if each.note.id not in pruned]
    before = {each.note.id: each.note for each in kept}
    mended = [replace(each, note=_mend_links(each.note, into, {other.note.id for other in stay}, options)) for each in stay]
    changed = [each for each in mended if each.note != before[each.note.id]]
    return TidiedNotes(changed, [*into, *sorted(pruned)], len(into), len(pruned))


def _merge_notes(kept: Sequence[StoredNote], vectors: NoteVectors, terms: TermAnalyser) -> tuple[list[StoredNote], dict[str, str]]:
    """Return the notes that stay, and id -> id of those that went into another. A person's own words win, then the newer ones."""
    twins = _duplicate_rows(kept, vectors, terms)
    order = sorted(
        range(len(kept)), key=lambda row: (not is_said_by_person(kept[row].note), -kept[row].note.updated_at.timestamp(), kept[row].note.id)
    )
    stay: dict[int, StoredNote] = {}
    into: dict[str, str] = {}
    for row in order:
        winner = next((other for other in stay if other in twins.get(row, ())), None)
        if winner is None:
            stay[row] = kept[row]
        else:
            into[kept[row].note.id] = kept[winner].note.id
            stay[winner] = replace(stay[winner], note=_join_notes(stay[winner].note, kept[row].note))
    return [stay[row] for row in sorted(stay)], into


def _duplicate_rows(kept: Sequence[StoredNote], vectors: NoteVectors, terms: TermAnalyser) -> dict[int, set[int]]:
    """Return for each row the rows that say the same: the same words, or the same meaning with the same values."""
    found: dict[int, set[int]] = {}
    words: dict[str, int] = {}
    pairs = [(words.setdefault(" ".join(each.note.content.split()).casefold(), row), row) for row, each in enumerate(kept)]
    for start in range(0, len(kept), 512):
        near = np.argwhere(vectors.cosines(slice(start, start + 512)) >= SAME_MEANING_COSINE)
        alike = [(int(one) + start, int(other)) for one, other in near if one + start < other]
        pairs += [
            (one, other)
            for one, other in alike
            if is_same_statement(parse_statement(kept[one].note.content, terms), parse_statement(kept[other].note.content, terms))
        ]
    for one, other in pairs:
        if one != other:
            found.setdefault(one, set()).add(other)
            found.setdefault(other, set()).add(one)
    return found


def _join_notes(note: Note, other: Note) -> Note:
    documents = join_documents(note.document_ids, other.document_ids)
    links = [each for each in dict.fromkeys([*note.links, *other.links]) if each not in (note.id, other.id)]
    history = sorted([*other.history, *note.history], key=lambda version: version.changed_at)
    return note.model_copy(update={"document_ids": documents, "links": links, "history": history})


def _select_pruned(kept: Sequence[StoredNote], options: NoteOptions) -> set[str]:
    """Return the ids of the notes beyond the limit: answers that nobody confirmed go first, those without links before those with, the oldest
    first.
    """
    over = len(kept) - options.most
    if over <= 0:
        return set()
    free = [each.note for each in kept if not is_said_by_person(each.note)]
    order = sorted(free, key=lambda note: (note.source != "high_confidence", bool(note.links), note.updated_at, note.id))
    return {note.id for note in order[:over]}


def _mend_links(note: Note, into: Mapping[str, str], stay: set[str], options: NoteOptions) -> Note:
    links = [into.get(each, each) for each in note.links]
    kept = [each for each in dict.fromkeys(links) if each in stay and each != note.id][: options.max_links]
    return note if kept == note.links else note.model_copy(update={"links": kept})


def stale_episodes(memory: PersonMemory, embedder: str, limit: int) -> list[StoredEpisode]:
    """Return the episodes whose vector is missing or another embedder's, the newest first."""
    return [replace(kept, memory_vector=STALE_VECTOR) for kept in reversed(memory.episodes) if kept.memory_vector.embedder != embedder][:limit]


def stale_notes(memory: PersonMemory, embedder: str, limit: int) -> list[StoredNote]:
    return [replace(kept, memory_vector=STALE_VECTOR) for kept in memory.notes if kept.memory_vector.embedder != embedder][:limit]
