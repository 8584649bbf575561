"""A memory manager for the graph's tests: the session's window in this process, and every run that it was given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from core.errors import NotFound
from core.memory import ConsolidationRecord, Forgotten, MemoryItem, MemoryOverview, MemorySection, Recollection, UserPreferences
from core.ports import FeedbackRecord, MemoryQuestion, RunMemory


class PlainMemory:
    """core.ports.MemoryManager. `offers` is what every recall brings besides the session's turns."""

    def __init__(self, offers: Recollection | None = None) -> None:
        self.offers = offers or Recollection()
        self.kept: list[RunMemory] = []
        self.learned: list[FeedbackRecord] = []

    async def recall(self, question: MemoryQuestion) -> Recollection:
        turns = [
            (run.episode.query, run.episode.response)
            for run in self.kept
            if (run.tenant, run.episode.user_id, run.episode.session_id) == (question.tenant, question.user_id, question.session_id)
        ]
        if question.session_id is None or not turns:
            return self.offers
        return self.offers.model_copy(update={"turns": turns[-10:], "turns_from": "session"})

    async def keep_run(self, run: RunMemory) -> list[str]:
        self.kept.append(run)
        return ["Kept as an episode."]

    async def learn_from_feedback(self, record: FeedbackRecord) -> None:
        self.learned.append(record)

    async def overview(self, tenant: str, user_id: str, limit: int = 100) -> MemoryOverview:
        nothing = MemorySection(items=[], total=0)
        return MemoryOverview(
            user_id=user_id, session=nothing, episodic=nothing, procedural=nothing, profile=nothing, notes=nothing, preferences=UserPreferences()
        )

    async def edit_item(self, tenant: str, user_id: str, item_id: str, text: str) -> MemoryItem:
        raise NotFound("There is no such item.")

    async def remove_item(self, tenant: str, user_id: str, item_id: str) -> MemoryItem:
        raise NotFound("There is no such item.")

    async def forget(self, tenant: str, user_id: str, *, session_id: str | None = None, document_id: str | None = None) -> Forgotten:
        self.kept = [run for run in self.kept if (run.tenant, run.episode.user_id) != (tenant, user_id)]
        return Forgotten(user_id=user_id, removed={})

    async def forget_documents(self, tenant: str, document_ids: Sequence[str]) -> int:
        return 0

    async def forget_copies(self, tenant: str, copies: Callable[[str], bool]) -> int:
        return 0

    async def forget_run(self, tenant: str, user_id: str, trace_id: str) -> int:
        before = len(self.kept)
        self.kept = [run for run in self.kept if (run.tenant, run.episode.episode_id) != (tenant, trace_id)]
        return before - len(self.kept)

    async def forget_conversation(self, tenant: str, conversation_id: str) -> int:
        return 0

    async def prune_episodes(self, before: datetime) -> int:
        return 0

    async def consolidate(self, tenant: str | None = None, user_id: str | None = None) -> list[ConsolidationRecord]:
        return []

    async def close(self) -> None:
        self.kept.clear()
