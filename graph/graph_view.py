"""`GraphView`: the knowledge graph as the product asks for it, over the view of each tenant that is kept in step with the store."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Awaitable, Callable, Sequence, Set
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import anyio
import anyio.to_thread

from core.errors import Conflict, NotFound, Unavailable, VantageError
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
from core.ports.graph_store import GraphStore, StoredGraph
from core.ports.ontology_store import EntityClasses
from core.search import Filters, GraphHit
from core.typings import SurfaceName
from graph import best_first_walk, chunk_links, entity_hits, entity_views
from graph.communities.community_graph import CommunityGraph, take_community_graph
from graph.entity_listing import EntityListing, ListingRequest, list_entities, listing_page
from graph.entity_matching import match_names
from graph.episode_scores import score_episodes
from graph.graph_distances import measure_distances
from graph.tenant_graph import TenantGraph

Result = TypeVar("Result")
log = logging.getLogger(__name__)
_LOAD = 100  # documents that are read and taken in at a time: others read the graph between


class _LoadedView:
    """A tenant's view with the version of the store that it shows."""

    def __init__(self, tenant: str) -> None:
        self.graph = TenantGraph(tenant)
        self.version: tuple[int, int] | None = None
        self.graph_lock = threading.Lock()  # the arrays change in a thread
        self.loading_lock = anyio.Lock()  # one catches up, the others wait for it
        self.listing: tuple[tuple[int, int], EntityListing] | None = None


@dataclass(frozen=True, slots=True)
class ViewLimit:
    """The limits of a view: `entity_hits` are the most that a tenant may have for its graph to be held in memory (about 3 MB a thousand),
    `count_passages` says how many it has; `wait_seconds` is how many seconds callers wait for a view that is loaded for the first time, counted
    from the first of them.
    """

    passages: int
    count_passages: Callable[[str], Awaitable[int]]
    wait_seconds: float = 5.0


class _FirstLoad(NamedTuple):
    """The first loading of a view, and the time (of `time.monotonic`) until which callers wait for it."""

    task: asyncio.Task[_LoadedView]
    awaited_until: float


class GraphView:
    """core.ports.KnowledgeGraph, entities with the classes that `classes` knows. A tenant's view is loaded when it is first asked for, and follows
    the store before every answer: only documents whose graph changed are read. All work happens in threads. Every method raises Unavailable while a
    large view is loaded for the first time, and where it would be larger than `bound` allows; a run then goes on without the graph, and says so.
    """

    def __init__(self, store: GraphStore, bound: ViewLimit | None = None, classes: EntityClasses | None = None) -> None:
        self._store, self._bound, self._classes = store, bound, classes
        self._first: dict[str, _FirstLoad] = {}
        self._views: dict[str, _LoadedView] = {}
        self._threads = anyio.CapacityLimiter(4)
        self._loading: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Load the views of all tenants in the background, so that the first question need not wait for its own."""
        self._loading = asyncio.create_task(self._load_all())

    async def close(self) -> None:
        tasks = [task for task in (self._loading, *(first.task for first in self._first.values())) if task is not None]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    async def _load_all(self) -> None:
        try:
            for tenant in await self._store.tenants():
                if not await self._is_too_large(tenant):
                    await self._follow_store(tenant)
        except VantageError as error:
            log.warning("The knowledge graph was not loaded ahead: %s", error)  # the first question tries again

    # -- Apollo --------------------------------------------------------------------------------------------------------------------------

    async def match(self, tenant: str, names: Sequence[str], text: str, limit: int = 8) -> list[EntityMatch]:
        return await self._read_graph(tenant, lambda graph: match_names(graph, names, text, limit))

    async def walk(self, tenant: str, entity_ids: Sequence[str], hops: int, limit: int = 20) -> list[ExpandedEntity]:
        found = await self._read_graph(tenant, lambda graph: best_first_walk.walk(graph, entity_ids, hops, limit))
        sentences = await self._store.evidence(tenant, list({place for each in found for place in each.places}))
        return [each.to_expanded_entity(sentences) for each in found]

    async def facts(self, tenant: str, entity_ids: Sequence[str], hops: int, filters: Filters, limit: int = 50) -> list[GraphFact]:
        allowed = None if filters.is_empty() else await self._store.filter_documents(tenant, filters)
        found = await self._read_graph(
            tenant,
            lambda graph: [*best_first_walk.find_direct(graph, entity_ids), *best_first_walk.walk(graph, entity_ids, hops, limit)][:limit],
        )
        sentences = await self._store.evidence(tenant, list({place for each in found for place in each.places}))
        told = [(each, sentences[each.places[-1]]) for each in found if each.places[-1] in sentences]
        return [GraphFact(each.to_expanded_entity(sentences), said) for each, said in told if allowed is None or said.document_id in allowed]

    async def chunk_entities(self, tenant: str, chunk_ids: Sequence[int], limit_per_chunk: int = 3) -> dict[int, list[Entity]]:
        return await self._read_graph(tenant, lambda graph: entity_hits.find_chunk_entities(graph, chunk_ids, limit_per_chunk))

    async def chunk_distances(self, tenant: str, entity_ids: Sequence[str], chunk_ids: Sequence[int], limits: WalkLimits) -> GraphDistances:
        return await self._read_graph(tenant, lambda graph: measure_distances(graph, entity_ids, chunk_ids, limits))

    async def chunk_episodes(
        self, tenant: str, chunk_ids: Sequence[int], episodes: Sequence[WeighedEpisode], max_mentions: int, hub_share: float
    ) -> ChunkEpisodes:
        return await self._read_graph(tenant, lambda graph: score_episodes(graph, chunk_ids, episodes, max_mentions, hub_share))

    async def hits(self, tenant: str, weights: dict[str, float], filters: Filters, limit: int = 50) -> list[GraphHit]:
        allowed = None if filters.is_empty() else await self._store.filter_documents(tenant, filters)
        return await self._read_graph(tenant, lambda graph: entity_hits.find_hits(graph, weights, allowed, limit))

    # -- links ---------------------------------------------------------------------------------------------------------------------------

    async def links(self, tenant: str, chunk_ids: Sequence[int], limit_per_chunk: int = 30) -> list[ChunkLink]:
        texts = await self._store.texts(tenant, chunk_ids)
        return await self._read_graph(tenant, lambda graph: chunk_links.find_links(graph, chunk_ids, texts, limit_per_chunk))

    async def titles(self, tenant: str, text: str) -> dict[str, list[str]]:
        return await self._read_graph(tenant, lambda graph: chunk_links.find_titles(graph, text))

    async def question_names(self, tenant: str, names: Sequence[str], text: str, limit: int = 8) -> QuestionNames:
        return await self._read_graph(
            tenant, lambda graph: QuestionNames(match_names(graph, names, text, limit), chunk_links.find_document_names(graph, text)[:limit])
        )

    # -- routes --------------------------------------------------------------------------------------------------------------------------

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
        kept = await self._current_view(tenant)
        among = await self._find_surfaces(tenant, class_name) if class_name is not None else None

        def work(graph: TenantGraph) -> EntityPage:
            if kept.listing is None or kept.version is None or kept.listing[0] != kept.version:
                kept.listing = (kept.version or (0, 0), list_entities(graph))
            return listing_page(graph, kept.listing[1], ListingRequest(text, entity_type, limit, cursor, among))

        page = await self._run_locked(kept, work)
        return page.model_copy(update={"entities": await self._with_classes(tenant, page.entities)})

    async def neighbourhood(self, tenant: str, entity_id: str, *, hops: int = 1, limit: int = 60) -> Neighbourhood:
        found = await self._read_graph(tenant, lambda graph: entity_views.collect_neighbourhood(graph, entity_id, hops, limit))
        if found is None:
            raise NotFound("There is no such entity in this library; the documents that named it may have been removed.")
        around = found.to_neighbourhood(await self._store.evidence(tenant, found.places))
        (centre,) = await self._with_classes(tenant, [around.centre])
        return around.model_copy(update={"centre": centre})

    async def document_entities(self, tenant: str, document_id: str) -> DocumentEntities:
        pages = await self._store.pages(tenant, document_id)
        stored = await self._store.load(tenant, [document_id])
        if not stored:
            return DocumentEntities(document_id=document_id, generation=0, generated_by="", entities=[], relationships=[])
        found = await self._read_graph(tenant, lambda graph: entity_views.collect_document_facts(graph, stored[0], pages))
        evidence = await self._store.evidence(tenant, found.places)
        return found.to_document_entities(evidence)

    async def class_documents(self, tenant: str, class_name: str) -> set[str]:
        surfaces = await self._find_surfaces(tenant, class_name)
        return await self._read_graph(tenant, lambda graph: entity_views.mentioning_documents(graph, surfaces))

    async def _find_surfaces(self, tenant: str, class_name: str) -> set[SurfaceName]:
        if self._classes is None:
            raise Conflict("Entities have no classes here. Set ontology.auto_type: true and start Vantage anew.")
        return await self._classes.find_surfaces(tenant, class_name)

    async def _with_classes(self, tenant: str, entities: Sequence[Entity]) -> list[Entity]:
        if self._classes is None:
            return list(entities)
        names = await self._read_graph(tenant, lambda graph: entity_views.surface_names(graph, entities))
        found = await self._classes.find_classes(tenant, names)
        return [each.model_copy(update={"classes": found[each.id]}) if each.id in found else each for each in entities]

    async def counts(self, tenant: str) -> GraphCounts:
        return await self._read_graph(tenant, TenantGraph.counts)

    # -- communities ---------------------------------------------------------------------------------------------------------------------

    async def community_graph(self, tenant: str, among: Set[str] | None = None) -> CommunityGraph:
        """Return the related entities as they are now, to find communities in: those of the documents `among` alone, where some are given."""
        kept = await self._current_view(tenant)
        return await self._run_locked(kept, lambda graph: take_community_graph(graph, kept.version or (0, 0), among))

    async def tenants(self) -> list[str]:
        """Return the tenants that have a graph."""
        return await self._store.tenants()

    async def version(self, tenant: str) -> tuple[int, int]:
        """Return what differs whenever the tenant's graph does."""
        return await self._store.version(tenant)

    # -- keeping in step -----------------------------------------------------------------------------------------------------------------

    async def _read_graph(self, tenant: str, work: Callable[[TenantGraph], Result]) -> Result:
        return await self._run_locked(await self._current_view(tenant), work)

    async def _run_locked(self, kept: _LoadedView, work: Callable[[TenantGraph], Result]) -> Result:
        def locked() -> Result:
            with kept.graph_lock:
                return work(kept.graph)

        return await anyio.to_thread.run_sync(locked, limiter=self._threads)

    async def _current_view(self, tenant: str) -> _LoadedView:
        """Return the tenant's view, no older than the store was at the time of the call."""
        kept = self._views.get(tenant)
        if self._bound is None or (kept is not None and kept.version is not None):
            return await self._follow_store(tenant)
        if await self._is_too_large(tenant):
            raise Unavailable(
                f"This library has more than {self._bound.passages:,} passages, so its knowledge graph is not in memory. Raise graph.max_passages."
            )
        if tenant not in self._first:
            self._first[tenant] = _FirstLoad(asyncio.create_task(self._follow_store(tenant)), time.monotonic() + self._bound.wait_seconds)
        first = self._first[tenant]
        await asyncio.wait({first.task}, timeout=max(0.0, first.awaited_until - time.monotonic()))
        if not first.task.done():
            raise Unavailable("The knowledge graph is still being loaded. Ask again in a moment.")
        self._first.pop(tenant, None)  # several callers may have waited for it
        return first.task.result()

    async def _is_too_large(self, tenant: str) -> bool:
        return self._bound is not None and await self._bound.count_passages(tenant) > self._bound.passages

    async def _follow_store(self, tenant: str) -> _LoadedView:
        kept = self._views.get(tenant)
        if kept is None:
            kept = self._views[tenant] = _LoadedView(tenant)
        if await self._store.version(tenant) != kept.version:
            async with kept.loading_lock:
                if await self._store.version(tenant) != kept.version:
                    await self._load_changes(tenant, kept)
        return kept

    async def _load_changes(self, tenant: str, kept: _LoadedView) -> None:
        state = await self._store.state(tenant)
        held = kept.graph.sequences()
        gone = [document_id for document_id in held if document_id not in state.sequences]
        changed = [document_id for document_id, sequence in state.sequences.items() if held.get(document_id) != sequence]
        await self._run_locked(kept, lambda graph: _drop_documents(graph, gone))
        for start in range(0, len(changed), _LOAD):
            stored = await self._store.load(tenant, changed[start : start + _LOAD])
            await self._run_locked(kept, lambda graph, stored=stored: _put_documents(graph, stored))  # type: ignore[misc]
        # What changed while this was read shows in the store's version, so the next call catches up with it.
        kept.version = state.version


def _drop_documents(graph: TenantGraph, document_ids: Sequence[str]) -> None:
    for document_id in document_ids:
        graph.drop(document_id)
    graph.regroup_entities()


def _put_documents(graph: TenantGraph, stored: Sequence[StoredGraph]) -> None:
    for each in stored:
        graph.put(each)
    graph.regroup_entities()
