"""Conversations: list, make, read, rename, delete."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Query

from server.auth import Caller, Reach
from server.schemas import ConversationCreate, ConversationDetail, ConversationList, ConversationOut, ConversationPatch, TurnOut

router = APIRouter(prefix="/conversations", tags=["conversations"])


@router.get("")
async def list_conversations(caller: Caller, services: Reach, user_id: Annotated[str | None, Query(max_length=200)] = None) -> ConversationList:
    found = await services.conversations.overview(caller.tenant, caller.person(user_id) if caller.keyed or user_id else None)
    return ConversationList(conversations=[ConversationOut(**asdict(item)) for item in found])


@router.post("", status_code=201)
async def create_conversation(body: ConversationCreate, caller: Caller, services: Reach) -> ConversationOut:
    return ConversationOut(**asdict(await services.conversations.create(caller.tenant, caller.user_id, body.title)))


@router.get("/{conversation_id}")
async def read_conversation(conversation_id: str, caller: Caller, services: Reach) -> ConversationDetail:
    found, turns = await services.conversations.get(caller.tenant, conversation_id, user_id=caller.owner)
    return ConversationDetail(**asdict(found), items=[TurnOut(**asdict(turn)) for turn in turns])


@router.patch("/{conversation_id}")
async def rename_conversation(conversation_id: str, body: ConversationPatch, caller: Caller, services: Reach) -> ConversationOut:
    return ConversationOut(**asdict(await services.conversations.rename(caller.tenant, conversation_id, body.title, user_id=caller.owner)))


@router.delete("/{conversation_id}", status_code=204)
async def delete_conversation(conversation_id: str, caller: Caller, services: Reach) -> None:
    """Remove a conversation with its turns and their traces, and what memory has of it; notes that a person asked for stay."""
    await services.conversations.delete(caller.tenant, conversation_id, user_id=caller.owner)
    await services.memory.forget_conversation(caller.tenant, conversation_id)
