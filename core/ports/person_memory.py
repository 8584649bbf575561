"""The memory manager as the graph, the server and the commands see it, and the store that it keeps its rows in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from core.memory import ConsolidationRecord, Episode, Forgotten, MemoryItem, MemoryOverview, Note, Observation, Recollection, UserPreferences
from core.ports.stored_records import FeedbackRecord

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class MemoryQuestion:
    """The question that memory is asked at the start of a run. `session_id` None: no session tier."""

    tenant: str
    user_id: str
    text: str
    session_id: str | None = None
    exclude: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class RunMemory:
    """The record that memory is given at the end of a run: the episode, the session's entry, and whether the answer came from memory itself (then
    nothing of it becomes a new note). `words_to_remember` is what a person asked to keep in so many words ("remember that …"), "" for nothing."""

    tenant: str
    episode: Episode
    from_memory: bool = False
    words_to_remember: str = ""
    answer_sentences: tuple[str, ...] = ()


class MemoryManager(Protocol):
    """Five tiers behind one interface. Every method is bound to one tenant and one person: nobody else's rows can be reached."""

    async def recall(self, question: MemoryQuestion) -> Recollection:
        """Return what is remembered for this question; p95 at most 15 ms at 10,000 memories of one person."""
        ...

    async def keep_run(self, run: RunMemory) -> list[str]:
        """Keep a run in the session's window, as an episode and, where SPEC says so, as a note; return what was kept, in words ("a note was
        made")."""
        ...

    async def learn_from_feedback(self, record: FeedbackRecord) -> None:
        """Turn feedback about a run into an observation (and a note for positive feedback or a correction)."""
        ...

    async def overview(self, tenant: str, user_id: str, limit: int = 100) -> MemoryOverview: ...
    async def edit_item(self, tenant: str, user_id: str, item_id: str, text: str) -> MemoryItem:
        """Give an item new words and return it. Raises NotFound, and InvalidInput for an item that has no words to change."""
        ...

    async def remove_item(self, tenant: str, user_id: str, item_id: str) -> MemoryItem:
        """Remove an item and return it. Raises NotFound."""
        ...

    async def forget(self, tenant: str, user_id: str, *, session_id: str | None = None, document_id: str | None = None) -> Forgotten:
        """Forget everything of the person, or of one session, or all that rests on one document, from every tier."""
        ...

    async def forget_documents(self, tenant: str, document_ids: Sequence[str]) -> int:
        """Forget what rests on deleted documents alone, of every person of the tenant; return how many memories that were."""
        ...

    async def forget_copies(self, tenant: str, copies: Callable[[str], bool]) -> int:
        """Forget what names no document and copies the words of deleted ones, where `copies` tells whether a text does; return how many memories that
        were."""
        ...

    async def forget_run(self, tenant: str, user_id: str, trace_id: str) -> int:
        """Forget a deleted run's turn, its episode and what was made of it; what a person asked to keep stays. Returns how many memories that
        were."""
        ...

    async def forget_conversation(self, tenant: str, conversation_id: str) -> int:
        """Forget a deleted conversation's episodes and what was made of them; what a person asked to keep stays. Returns how many memories that
        were."""
        ...

    async def prune_episodes(self, before: datetime) -> int:
        """Remove the episodes of all people that are older, with what was learned from them; return how many memories that were."""
        ...

    async def consolidate(self, tenant: str | None = None, user_id: str | None = None) -> list[ConsolidationRecord]:
        """Consolidate session -> episodic -> procedural -> profile; notes merged and pruned. Idempotent."""
        ...

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class MemoryVector:
    """A vector [dimension] with the name of the embedder that made it; both empty where there is none yet."""

    embedder: str
    vector: NDArray[np.float16]


@dataclass(frozen=True, slots=True)
class StoredEpisode:
    episode: Episode
    memory_vector: MemoryVector


@dataclass(frozen=True, slots=True)
class StoredNote:
    note: Note
    memory_vector: MemoryVector


@dataclass(frozen=True, slots=True)
class StoredObservation:
    """An observation with the place where it was made, so that forgetting a session or a conversation finds it."""

    id: str
    observation: Observation
    session_id: str | None = None
    conversation_id: str | None = None


@dataclass(frozen=True, slots=True)
class StoredSession:
    """A session that the session store may hold. `read_until`: the time of the last turn that consolidation has read."""

    session_id: str
    seen_at: datetime
    read_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class LearnedProfile:
    """The profile learned of a person, and the topics that the person took out of it."""

    preferences: UserPreferences = field(default_factory=UserPreferences)
    hidden_topics: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PersonMemory:
    """Every row of one person, each list oldest first."""

    episodes: Sequence[StoredEpisode] = ()
    notes: Sequence[StoredNote] = ()
    observations: Sequence[StoredObservation] = ()
    sessions: Sequence[StoredSession] = ()
    learned: LearnedProfile = field(default_factory=LearnedProfile)


@dataclass(frozen=True, slots=True)
class MemoryChange:
    """The rows that one step puts in (a row with a known id is replaced) and takes out, wholly or not at all. `gone_feedback` are runs and documents
    whose feedback goes with them."""

    episodes: Sequence[StoredEpisode] = ()
    notes: Sequence[StoredNote] = ()
    observations: Sequence[StoredObservation] = ()
    sessions: Sequence[StoredSession] = ()
    learned: LearnedProfile | None = None
    record: ConsolidationRecord | None = None
    gone_episodes: Sequence[str] = ()
    gone_notes: Sequence[str] = ()
    gone_observations: Sequence[str] = ()
    gone_sessions: Sequence[str] = ()
    gone_feedback: Sequence[str] = ()


class MemoryStore(Protocol):
    """The rows of memory. Every method is bound to one tenant, and to one person where it takes a `user_id`."""

    async def person(self, tenant: str, user_id: str) -> PersonMemory: ...
    async def episodes(self, tenant: str, user_id: str, ids: Sequence[str]) -> dict[str, Episode]: ...
    async def notes(self, tenant: str, user_id: str, ids: Sequence[str]) -> dict[str, Note]: ...
    async def recent_episodes(self, tenant: str, user_id: str, limit: int) -> tuple[list[Episode], int]:
        """Return the newest episodes first, and how many there are."""
        ...

    async def recent_notes(self, tenant: str, user_id: str, limit: int) -> tuple[list[Note], int]: ...
    async def recent_observations(self, tenant: str, user_id: str, limit: int) -> tuple[list[StoredObservation], int]: ...
    async def sessions(self, tenant: str, user_id: str) -> list[StoredSession]: ...
    async def load_learned(self, tenant: str, user_id: str) -> LearnedProfile: ...
    async def consolidations(self, tenant: str, user_id: str, limit: int) -> list[ConsolidationRecord]:
        """Return the consolidations, newest first."""
        ...

    async def apply_change(self, tenant: str, user_id: str, change: MemoryChange) -> None: ...
    async def forget_person(self, tenant: str, user_id: str) -> None:
        """Remove every row of the person, feedback and consolidations too."""
        ...

    async def people(self, tenant: str | None = None, mentioning: str | None = None) -> list[tuple[str, str]]:
        """Return (tenant, person) of everybody with a memory; with `mentioning` (the id of a document or a conversation) those whose rows may name
        it, and those who have sessions."""
        ...
