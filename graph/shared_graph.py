"""The knowledge graph for a person who has a library of their own beside the tenant's."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from core.errors import NotFound
from core.graph import (
    ChunkEpisodes,
    ChunkLink,
    DocumentEntities,
    Entity,
    EntityMatch,
    EntityPage,
    EntityType,
    ExpandedEntity,
    GraphCounts,
    GraphDistances,
    GraphFact,
    Neighbourhood,
    QuestionNames,
    WalkLimits,
    WeighedEpisode,
)
from core.ownership import shared_library
from core.ports import KnowledgeGraph
from core.search import Filters, GraphHit


class SharedGraph:
    """core.ports.KnowledgeGraph: the tenant's graph for everybody in the tenant. What a person's own documents mention is no part of it: it is given
    for one of these documents alone, by `document_entities`, and only under the name of the person's own library."""

    def __init__(self, graph: KnowledgeGraph) -> None:
        self._graph = graph

    async def match(self, tenant: str, names: Sequence[str], text: str, limit: int = 8) -> list[EntityMatch]:
        return await self._graph.match(shared_library(tenant), names, text, limit)

    async def walk(self, tenant: str, entity_ids: Sequence[str], hops: int, limit: int = 20) -> list[ExpandedEntity]:
        return await self._graph.walk(shared_library(tenant), entity_ids, hops, limit)

    async def facts(self, tenant: str, entity_ids: Sequence[str], hops: int, filters: Filters, limit: int = 50) -> list[GraphFact]:
        return await self._graph.facts(shared_library(tenant), entity_ids, hops, filters, limit)

    async def chunk_entities(self, tenant: str, chunk_ids: Sequence[int], limit_per_chunk: int = 3) -> dict[int, list[Entity]]:
        return await self._graph.chunk_entities(shared_library(tenant), chunk_ids, limit_per_chunk)

    async def chunk_distances(self, tenant: str, entity_ids: Sequence[str], chunk_ids: Sequence[int], limits: WalkLimits) -> GraphDistances:
        return await self._graph.chunk_distances(shared_library(tenant), entity_ids, chunk_ids, limits)

    async def chunk_episodes(
        self, tenant: str, chunk_ids: Sequence[int], episodes: Sequence[WeighedEpisode], max_mentions: int, hub_share: float
    ) -> ChunkEpisodes:
        return await self._graph.chunk_episodes(shared_library(tenant), chunk_ids, episodes, max_mentions, hub_share)

    async def hits(self, tenant: str, weights: dict[str, float], filters: Filters, limit: int = 50) -> list[GraphHit]:
        return await self._graph.hits(shared_library(tenant), weights, filters, limit)

    async def links(self, tenant: str, chunk_ids: Sequence[int], limit_per_chunk: int = 30) -> list[ChunkLink]:
        return await self._graph.links(shared_library(tenant), chunk_ids, limit_per_chunk)

    async def titles(self, tenant: str, text: str) -> dict[str, list[str]]:
        return await self._graph.titles(shared_library(tenant), text)

    async def question_names(self, tenant: str, names: Sequence[str], text: str, limit: int = 8) -> QuestionNames:
        return await self._graph.question_names(shared_library(tenant), names, text, limit)

    async def entities(
        self,
        tenant: str,
        *,
        text: str = "",
        entity_type: EntityType | None = None,
        class_name: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> EntityPage:
        library = shared_library(tenant)
        return await self._graph.entities(library, text=text, entity_type=entity_type, class_name=class_name, limit=limit, cursor=cursor)

    async def neighbourhood(self, tenant: str, entity_id: str, *, hops: int = 1, limit: int = 60) -> Neighbourhood:
        return await self._graph.neighbourhood(shared_library(tenant), entity_id, hops=hops, limit=limit)

    async def document_entities(self, tenant: str, document_id: str) -> DocumentEntities:
        if tenant != shared_library(tenant):
            with suppress(NotFound):
                return await self._graph.document_entities(tenant, document_id)
        return await self._graph.document_entities(shared_library(tenant), document_id)

    async def class_documents(self, tenant: str, class_name: str) -> set[str]:
        return await self._graph.class_documents(shared_library(tenant), class_name)

    async def counts(self, tenant: str) -> GraphCounts:
        return await self._graph.counts(shared_library(tenant))
