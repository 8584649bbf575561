"""Traces and conversations kept in memory, with the promises of their ports."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from core.errors import NotFound
from core.ports import Conversation, Turn
from core.runs import Trace, TraceView

THEN = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)


class MemoryTraces:
    def __init__(self) -> None:
        self.saved: dict[tuple[str, str], Trace] = {}

    async def save(self, trace: Trace) -> None:
        self.saved[(trace.tenant, trace.id)] = trace

    async def get(self, tenant: str, trace_id: str, *, user_id: str | None = None) -> Trace:
        if (tenant, trace_id) not in self.saved or user_id not in (None, self.saved[(tenant, trace_id)].user_id):
            raise NotFound(f"There is no trace {trace_id}.")
        return self.saved[(tenant, trace_id)]

    async def list_recent(
        self, tenant: str, *, limit: int, cursor: str | None, conversation_id: str | None = None, user_id: str | None = None
    ) -> tuple[list[Trace], str | None]:
        own = [trace for (owner, _), trace in self.saved.items() if owner == tenant and user_id in (None, trace.user_id)]
        found = [trace for trace in own if conversation_id in (None, trace.conversation_id)]
        return sorted(found, key=lambda trace: trace.started_at, reverse=True)[:limit], None

    async def delete(self, tenant: str, trace_id: str, *, user_id: str | None = None) -> str:
        owner = (await self.get(tenant, trace_id, user_id=user_id)).user_id
        del self.saved[(tenant, trace_id)]
        return owner

    async def record_view(self, tenant: str, trace_ids: Sequence[str], view: TraceView) -> None:
        for key in [(tenant, each) for each in trace_ids if (tenant, each) in self.saved]:
            self.saved[key] = self.saved[key].model_copy(update={"viewed_by": [*self.saved[key].viewed_by, view]})

    async def prune(self, *, older_than: datetime, keep_bytes: int) -> int:
        old = [key for key, trace in self.saved.items() if trace.started_at < older_than]
        for key in old:
            del self.saved[key]
        return len(old)


class MemoryConversations:
    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], tuple[Conversation, list[Turn]]] = {}
        self.people: dict[tuple[str, str], str] = {}

    async def create(self, tenant: str, user_id: str, title: str, conversation_id: str | None = None) -> Conversation:
        made = Conversation(conversation_id or uuid.uuid4().hex, title, THEN, THEN, 0)
        self.kept[(tenant, made.id)] = (made, [])
        self.people[(tenant, made.id)] = user_id
        return made

    async def list_conversations(self, tenant: str, user_id: str | None, text: str = "") -> list[Conversation]:
        found = [conversation for (owner, _), (conversation, _) in self.kept.items() if owner == tenant]
        return sorted((each for each in found if text in each.title), key=lambda each: not each.pinned)

    async def get(self, tenant: str, conversation_id: str, *, user_id: str | None = None) -> tuple[Conversation, list[Turn]]:
        if (tenant, conversation_id) not in self.kept or user_id not in (None, self.people[(tenant, conversation_id)]):
            raise NotFound(f"There is no conversation {conversation_id}.")
        return self.kept[(tenant, conversation_id)]

    async def rename(self, tenant: str, conversation_id: str, title: str, *, user_id: str | None = None) -> Conversation:
        conversation, turns = await self.get(tenant, conversation_id, user_id=user_id)
        renamed = replace(conversation, title=title)
        self.kept[(tenant, conversation_id)] = (renamed, turns)
        return renamed

    async def pin(self, tenant: str, conversation_id: str, pinned: bool, *, user_id: str | None = None) -> Conversation:
        conversation, turns = await self.get(tenant, conversation_id, user_id=user_id)
        self.kept[(tenant, conversation_id)] = (replace(conversation, pinned=pinned), turns)
        return self.kept[(tenant, conversation_id)][0]

    async def branch(self, tenant: str, conversation_id: str, before: str, *, user_id: str | None = None) -> Conversation:
        conversation, turns = await self.get(tenant, conversation_id, user_id=user_id)
        place = [turn.id for turn in turns].index(before)
        made = await self.create(tenant, self.people[(tenant, conversation_id)], conversation.title)
        for turn in turns[:place]:
            await self.append_turn(tenant, made.id, replace(turn, id=uuid.uuid4().hex))
        return self.kept[(tenant, made.id)][0]

    async def delete_all(self, tenant: str, conversation_ids: Sequence[str], *, user_id: str | None = None) -> int:
        for each in conversation_ids:
            await self.get(tenant, each, user_id=user_id)
        return sum([await self.delete(tenant, each) for each in conversation_ids])

    async def delete(self, tenant: str, conversation_id: str, *, user_id: str | None = None) -> int:
        _, turns = await self.get(tenant, conversation_id, user_id=user_id)
        del self.kept[(tenant, conversation_id)]
        return len(turns)

    async def append_turn(self, tenant: str, conversation_id: str, turn: Turn) -> None:
        conversation, turns = await self.get(tenant, conversation_id)
        turns[:] = [turn if each.id == turn.id else each for each in turns] if any(each.id == turn.id for each in turns) else [*turns, turn]
        self.kept[(tenant, conversation_id)] = (replace(conversation, turns=len(turns)), turns)

    async def interrupt_running(self, *, is_shared: bool = False) -> int:
        left = 0
        for _, turns in self.kept.values():
            left += sum(turn.state == "running" for turn in turns)
            turns[:] = [replace(turn, state="interrupted") if turn.state == "running" else turn for turn in turns]
        return left
