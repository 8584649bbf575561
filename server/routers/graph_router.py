"""The knowledge graph: its entities, what surrounds one, and what a document mentions."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from core.graph import DocumentEntities, EntityPage, EntityType, Neighbourhood
from server.auth import AppServices, Caller

router = APIRouter(tags=["graph"])


@router.get("/graph/entities")
async def list_entities(
    caller: Caller,
    services: AppServices,
    text: Annotated[str, Query(max_length=200)] = "",
    entity_type: EntityType | None = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
    cursor: Annotated[str | None, Query(max_length=8192)] = None,
) -> EntityPage:
    """The entities, most mentioned first; `text` is part of a name or an alias."""
    return await services.graph.entities(caller.library, text=text, entity_type=entity_type, limit=limit, cursor=cursor)


@router.get("/graph/entities/{entity_id}/neighbourhood")
async def read_neighbourhood(
    entity_id: str,
    caller: Caller,
    services: AppServices,
    hops: Annotated[int, Query(ge=1, le=3)] = 1,
    limit: Annotated[int, Query(ge=1, le=300)] = 60,
) -> Neighbourhood:
    """Return the entities that are related to one, with the sentences that say so."""
    return await services.graph.neighbourhood(caller.library, entity_id, hops=hops, limit=limit)


@router.get("/documents/{document_id}/entities")
async def read_document_entities(document_id: str, caller: Caller, services: AppServices) -> DocumentEntities:
    """Return the entities that a document mentions, most often first, and the relationships that it states."""
    return await services.graph.document_entities(caller.library, document_id)
