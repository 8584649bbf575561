"""Conversations: list, search, make, read, rename, pin, branch, export, delete."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Literal
from urllib.parse import quote

from fastapi import APIRouter, Query, Response

from core.search_schemas import Identifier
from server.auth import AppServices, Caller
from server.conversation_export import export_json, export_markdown
from server.request_identity import Identity
from server.schemas import (
    BranchRequest,
    ConversationCreate,
    ConversationDetail,
    ConversationList,
    ConversationOut,
    ConversationPatch,
    ConversationsDeleted,
    TurnOut,
)
from server.services import Services

router = APIRouter(prefix="/conversations", tags=["conversations"])
_MOST = 500  # that are deleted at once


@router.get("")
async def list_conversations(
    caller: Caller,
    services: AppServices,
    user_id: Annotated[str | None, Query(max_length=200)] = None,
    text: Annotated[str, Query(max_length=400, description="Words that stand in the title, or in one question with its answer.")] = "",
) -> ConversationList:
    found = await services.conversations.list_conversations(caller.tenant, caller.person(user_id) if caller.has_key or user_id else None, text)
    return ConversationList(conversations=[ConversationOut(**asdict(item)) for item in found])


@router.post("", status_code=201)
async def create_conversation(body: ConversationCreate, caller: Caller, services: AppServices) -> ConversationOut:
    return ConversationOut(**asdict(await services.conversations.create(caller.tenant, caller.user_id, body.title)))


@router.delete("")
async def delete_conversations(
    caller: Caller, services: AppServices, ids: Annotated[list[Identifier], Query(alias="id", min_length=1, max_length=_MOST)]
) -> ConversationsDeleted:
    """Remove several conversations as `DELETE /conversations/{id}` does, or none where one of them is unknown."""
    return await _delete_conversations(list(dict.fromkeys(ids)), caller, services)


@router.get("/{conversation_id}")
async def read_conversation(conversation_id: str, caller: Caller, services: AppServices) -> ConversationDetail:
    found, turns = await services.conversations.get(caller.tenant, conversation_id, user_id=caller.owner)
    return ConversationDetail(**asdict(found), items=[TurnOut(**asdict(turn)) for turn in turns])


@router.patch("/{conversation_id}")
async def change_conversation(conversation_id: str, body: ConversationPatch, caller: Caller, services: AppServices) -> ConversationOut:
    """Another title, or pinned in front of the others."""
    found, _ = await services.conversations.get(caller.tenant, conversation_id, user_id=caller.owner)
    if body.title is not None:
        found = await services.conversations.rename(caller.tenant, conversation_id, body.title, user_id=caller.owner)
    if body.pinned is not None:
        found = await services.conversations.pin(caller.tenant, conversation_id, body.pinned, user_id=caller.owner)
    return ConversationOut(**asdict(found))


@router.post("/{conversation_id}/branch", status_code=201)
async def branch_conversation(conversation_id: str, body: BranchRequest, caller: Caller, services: AppServices) -> ConversationOut:
    """A new conversation with what stands before a question; this one stays as it is."""
    return ConversationOut(**asdict(await services.conversations.branch(caller.tenant, conversation_id, body.before, user_id=caller.owner)))


@router.get("/{conversation_id}/export", response_class=Response, responses={200: {"content": {"text/markdown": {}, "application/json": {}}}})
async def export_conversation(
    conversation_id: str, caller: Caller, services: AppServices, format: Annotated[Literal["markdown", "json"], Query()] = "markdown"
) -> Response:
    """The conversation as a file: Markdown with its sources, or JSON with everything that was stored."""
    found, turns = await services.conversations.get(caller.tenant, conversation_id, user_id=caller.owner)
    text, kind, ending = (
        (export_markdown(found, turns), "text/markdown; charset=utf-8", "md")
        if format == "markdown"
        else (export_json(found, turns), "application/json", "json")
    )
    name = quote("".join(each if each.isalnum() or each in " -_" else " " for each in found.title).strip()[:80] or "conversation")
    return Response(text, media_type=kind, headers={"Content-Disposition": f"attachment; filename*=UTF-8''{name}.{ending}"})


@router.delete("/{conversation_id}", status_code=204)
async def delete_conversation(conversation_id: str, caller: Caller, services: AppServices) -> None:
    """Remove a conversation with its turns and their traces, and what memory has of it; notes that a person asked for stay. What is being answered in
    it is stopped first."""
    await _delete_conversations([conversation_id], caller, services)


async def _delete_conversations(ids: list[str], caller: Identity, services: Services) -> ConversationsDeleted:
    for each in ids:
        await services.conversations.get(caller.tenant, each, user_id=caller.owner)
    for each in ids:
        await services.runs.stop_runs(caller.tenant, conversation_id=each)
    turns = await services.conversations.delete_all(caller.tenant, ids, user_id=caller.owner)
    for each in ids:
        await services.memory.forget_conversation(caller.tenant, each)
    return ConversationsDeleted(conversations=len(ids), turns=turns)
