"""What Vantage remembers of a person: shown by tier, edited, removed, forgotten, consolidated."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from core.errors import NotFound
from core.memory import ConsolidationRecord, Forgotten, MemoryItem, MemoryOverview
from server.auth import AppServices, Caller
from server.request_identity import Identity
from server.schemas import MemoryPatch

router = APIRouter(prefix="/memory", tags=["memory"])
ME = "me"


def _resolve_person(caller: Identity, user_id: str) -> str:
    """The person whose memory it is; "me" is the caller. With API keys nobody reaches another's; it is as unknown as one that never was."""
    if user_id == ME:
        return caller.user_id
    if caller.has_key and caller.user_id != user_id:
        raise NotFound(f"There is no memory of {user_id[:80]!r} here: a key reaches its own person's memory only.")
    return user_id


@router.get("/{user_id}")
async def read_memory(user_id: str, caller: Caller, services: AppServices, limit: Annotated[int, Query(ge=1, le=10_000)] = 100) -> MemoryOverview:
    """All five tiers, newest first, with what was learned and the last consolidations."""
    return await services.memory.overview(caller.tenant, _resolve_person(caller, user_id), limit)


@router.delete("/{user_id}")
async def forget(
    user_id: str,
    caller: Caller,
    services: AppServices,
    session_id: Annotated[str | None, Query(max_length=200)] = None,
    document_id: Annotated[str | None, Query(max_length=200)] = None,
) -> Forgotten:
    """Forget the person, or one session, or all that rests on one document, in every tier; what was removed comes back."""
    return await services.memory.forget(caller.tenant, _resolve_person(caller, user_id), session_id=session_id, document_id=document_id)


@router.post("/{user_id}/consolidate")
async def consolidate(user_id: str, caller: Caller, services: AppServices) -> list[ConsolidationRecord]:
    """Consolidate now instead of at the next hour."""
    return await services.memory.consolidate(caller.tenant, _resolve_person(caller, user_id))


@router.patch("/{user_id}/items/{item_id}")
async def edit_item(user_id: str, item_id: str, body: MemoryPatch, caller: Caller, services: AppServices) -> MemoryItem:
    """New words for a note; the old ones stay in its history."""
    return await services.memory.edit_item(caller.tenant, _resolve_person(caller, user_id), item_id, body.text)


@router.delete("/{user_id}/items/{item_id}")
async def remove_item(user_id: str, item_id: str, caller: Caller, services: AppServices) -> MemoryItem:
    return await services.memory.remove_item(caller.tenant, _resolve_person(caller, user_id), item_id)
