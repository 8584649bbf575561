"""The memory manager as the graph, the server and the commands see it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from core.memory import ConsolidationRecord, Episode, Forgotten, MemoryItem, MemoryOverview, Recollection
from core.ports.records import FeedbackRecord


@dataclass(frozen=True, slots=True)
class MemoryQuestion:
    """What memory is asked at the start of a run. `session_id` None: no session tier."""

    tenant: str
    user_id: str
    text: str
    session_id: str | None = None
    exclude: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class RunMemory:
    """What memory is given at the end of a run: the episode, the session's entry, and whether the answer came from memory itself
    (then nothing of it becomes a new note). `remember` is what a person asked to keep in so many words ("remember that …"), "" for nothing."""

    tenant: str
    episode: Episode
    from_memory: bool = False
    remember: str = ""
    answer_sentences: tuple[str, ...] = ()


class MemoryManager(Protocol):
    """Five tiers behind one door. Every method is bound to one tenant and one person: nobody else's rows can be reached."""

    async def recall(self, question: MemoryQuestion) -> Recollection:
        """What is remembered for this question; p95 at most 15 ms at 10,000 memories of one person."""
        ...

    async def keep(self, run: RunMemory) -> list[str]:
        """The session's window, the episode and, where SPEC says so, a note; returns what was kept, in words ("a note was made")."""
        ...

    async def learn(self, record: FeedbackRecord) -> None:
        """Turn feedback about a run into an observation (and a note for positive feedback or a correction)."""
        ...

    async def overview(self, tenant: str, user_id: str, limit: int = 100) -> MemoryOverview: ...
    async def edit(self, tenant: str, user_id: str, item_id: str, text: str) -> MemoryItem:
        """Raises NotFound, and InvalidInput for an item that has no words to change."""
        ...

    async def remove(self, tenant: str, user_id: str, item_id: str) -> MemoryItem:
        """Raises NotFound."""
        ...

    async def forget(self, tenant: str, user_id: str, *, session_id: str | None = None, document_id: str | None = None) -> Forgotten:
        """Everything of the person, or of one session, or all that rests on one document, from every tier."""
        ...

    async def forget_document(self, tenant: str, document_id: str) -> int:
        """A document was deleted: what rests on it alone goes from every person of the tenant."""
        ...

    async def consolidate(self, tenant: str | None = None, user_id: str | None = None) -> list[ConsolidationRecord]:
        """session -> episodic -> procedural -> profile; notes merged and pruned. Idempotent."""
        ...

    async def close(self) -> None: ...
