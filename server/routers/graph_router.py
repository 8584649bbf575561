"""The knowledge graph: its entities, what surrounds one, and what a document mentions."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field

from core.communities import Community, CommunityPage, SummaryCosts
from core.graph import DocumentEntities, EntityPage, EntityType, Neighbourhood
from core.search_schemas import Schema
from core.trees import TreePage
from server.auth import AppServices, Caller
from server.job_view import job_out
from server.schemas import JobOut

router = APIRouter(tags=["graph"])


class EntityQuery(Schema):
    """The query string of GET /graph/entities; `text` is part of a name or an alias, `type` the name, a label or the address of a class of a loaded
    ontology, which includes its subclasses."""

    text: Annotated[str, Field(max_length=200)] = ""
    entity_type: EntityType | None = None
    type: Annotated[str | None, Field(min_length=1, max_length=500)] = None
    limit: Annotated[int, Field(ge=1, le=500)] = 50
    cursor: Annotated[str | None, Field(max_length=8192)] = None


@router.get("/graph/entities")
async def list_entities(query: Annotated[EntityQuery, Query()], caller: Caller, services: AppServices) -> EntityPage:
    """The entities, most mentioned first, with their classes."""
    return await services.graph.entities(
        caller.library, text=query.text, entity_type=query.entity_type, class_name=query.type, limit=query.limit, cursor=query.cursor
    )


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


@router.get("/graph/communities")
async def list_communities(
    caller: Caller,
    services: AppServices,
    level: Annotated[int | None, Query(ge=0, le=20)] = None,
    q: Annotated[str, Query(max_length=200)] = "",
    themes: bool = False,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
) -> CommunityPage:
    """The communities of the graph, the largest first: of one `level` (0 is the finest), with `q` in a member's name or a keyword, or the `themes`
    alone, which are no part of another.
    """
    return await services.communities.list_communities(caller.library, level=level, text=q, themes=themes, limit=limit)


@router.get("/graph/cost")
async def read_costs(caller: Caller, services: AppServices) -> SummaryCosts:
    """What summarising every level of communities with a language model would take, beside a lazy summary."""
    return await services.communities.estimate_costs(caller.library)


@router.get("/graph/communities/{community_id}")
async def read_community(community_id: str, caller: Caller, services: AppServices) -> Community:
    """A community: its members, keywords, and a summary of sentences that documents say."""
    return await services.communities.get(caller.library, community_id)


@router.post("/graph/communities/refresh", status_code=202)
async def refresh_communities(caller: Caller, services: AppServices) -> JobOut:
    """Find the communities anew, as a job: only parts of the graph that changed are divided again."""
    return job_out(await services.communities.queue_refresh(caller.library))


@router.get("/documents/{document_id}/entities")
async def read_document_entities(document_id: str, caller: Caller, services: AppServices) -> DocumentEntities:
    """Return the entities that a document mentions, most often first, and the relationships that it states."""
    return await services.graph.document_entities(caller.library, document_id)


@router.get("/graph/tree")
async def list_summaries(
    caller: Caller,
    services: AppServices,
    level: Annotated[int | None, Query(ge=1, le=10)] = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
) -> TreePage:
    """The groups of the tree of summaries, the top level first, or those of one `level` (1 groups passages), with their cited sentences."""
    return await services.trees.list_summaries(caller.library, level=level, limit=limit)


@router.post("/graph/tree/build", status_code=202)
async def build_tree(caller: Caller, services: AppServices) -> JobOut:
    """Build the tree of summaries anew, as a job; nothing is done where it is that of the present passages."""
    return job_out(await services.trees.queue_build(caller.library, caller.user_id))
