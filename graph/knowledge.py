"""`GraphView`: the knowledge graph as the product asks for it, over the view of each tenant that is kept in step with the store."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import anyio
import anyio.to_thread

from core.errors import NotFound, Unavailable, VantageError
from core.graph import (
    ChunkLink,
    DocumentEntities,
    EntityMatch,
    EntityPage,
    EntityType,
    ExpandedEntity,
    GraphCounts,
    Neighbourhood,
)
from core.ports.graph_store import GraphStore, StoredGraph
from core.search import Filters, GraphHit
from graph import listing, passages, phrases, walking
from graph.matching import match_names
from graph.view import TenantGraph

Result = TypeVar("Result")
log = logging.getLogger(__name__)
_LOAD = 100  # documents that are read and taken in at a time: others read the graph between


class _Kept:
    """A tenant's view with the version of the store that it shows."""

    def __init__(self, tenant: str) -> None:
        self.graph = TenantGraph(tenant)
        self.version: tuple[int, int] | None = None
        self.reading = threading.Lock()  # networkx and the indexes change in a thread
        self.loading = anyio.Lock()  # one catches up, the others wait for it
        self.listed: tuple[tuple[int, int], list[listing.Listed]] | None = None


@dataclass(frozen=True, slots=True)
class Bound:
    """What a view may take: `passages` are the most that a tenant may have for its graph to be held in memory (about 20 MB a thousand),
    `count` says how many it has; `patience` is how many seconds a caller waits for a view that is loaded for the first time."""

    passages: int
    count: Callable[[str], Awaitable[int]]
    patience: float = 1.0


class GraphView:
    """core.ports.KnowledgeGraph. A tenant's view is loaded when it is first asked for, and follows the store before every answer: only documents
    whose graph changed are read. All work happens in threads. Every method raises Unavailable while a large view is loaded for the first time,
    and where it would be larger than `bound` allows; a run then goes on without the graph, and says so."""

    def __init__(self, store: GraphStore, bound: Bound | None = None) -> None:
        self._store, self._bound = store, bound
        self._first: dict[str, asyncio.Task[_Kept]] = {}
        self._views: dict[str, _Kept] = {}
        self._threads = anyio.CapacityLimiter(4)
        self._loading: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Load the views of all tenants in the background, so that the first question need not wait for its own."""
        self._loading = asyncio.create_task(self._load_all())

    async def close(self) -> None:
        tasks = [task for task in (self._loading, *self._first.values()) if task is not None]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    async def _load_all(self) -> None:
        try:
            for tenant in await self._store.tenants():
                if not await self._is_too_large(tenant):
                    await self._caught_up(tenant)
        except VantageError as error:
            log.warning("The knowledge graph was not loaded ahead: %s", error)  # the first question tries again

    # -- Apollo --------------------------------------------------------------------------------------------------------------------------

    async def match(self, tenant: str, names: Sequence[str], text: str, limit: int = 8) -> list[EntityMatch]:
        return await self._read(tenant, lambda graph: match_names(graph, names, text, limit))

    async def walk(self, tenant: str, entity_ids: Sequence[str], hops: int, limit: int = 20) -> list[ExpandedEntity]:
        found = await self._read(tenant, lambda graph: walking.walk(graph, entity_ids, hops, limit))
        sentences = await self._store.evidence(tenant, list({place for each in found for place in each.places}))
        return [each.expanded(sentences) for each in found]

    async def hits(self, tenant: str, weights: dict[str, float], filters: Filters, limit: int = 50) -> list[GraphHit]:
        allowed = None if filters.is_empty() else await self._store.selected(tenant, filters)
        return await self._read(tenant, lambda graph: passages.hits(graph, weights, allowed, limit))

    # -- links ---------------------------------------------------------------------------------------------------------------------------

    async def links(self, tenant: str, chunk_ids: Sequence[int], limit_per_chunk: int = 30) -> list[ChunkLink]:
        texts = await self._store.texts(tenant, chunk_ids)
        return await self._read(tenant, lambda graph: phrases.links(graph, chunk_ids, texts, limit_per_chunk))

    async def titles(self, tenant: str, text: str) -> dict[str, list[str]]:
        return await self._read(tenant, lambda graph: phrases.titles_in(graph, text))

    # -- routes --------------------------------------------------------------------------------------------------------------------------

    async def entities(
        self, tenant: str, *, text: str = "", entity_type: EntityType | None = None, limit: int = 50, cursor: str | None = None
    ) -> EntityPage:
        kept = await self._fresh(tenant)

        def work(graph: TenantGraph) -> EntityPage:
            if kept.listed is None or kept.version is None or kept.listed[0] != kept.version:
                kept.listed = (kept.version or (0, 0), listing.ordered(graph))
            return listing.page(graph, kept.listed[1], listing.Wanted(text, entity_type, limit, cursor))

        return await self._locked(kept, work)

    async def neighbourhood(self, tenant: str, entity_id: str, *, hops: int = 1, limit: int = 60) -> Neighbourhood:
        found = await self._read(tenant, lambda graph: listing.neighbourhood(graph, entity_id, hops, limit))
        if found is None:
            raise NotFound("There is no such entity in this library; the documents that named it may have been removed.")
        return found.shown(await self._store.evidence(tenant, found.places))

    async def document_entities(self, tenant: str, document_id: str) -> DocumentEntities:
        pages = await self._store.pages(tenant, document_id)
        stored = await self._store.load(tenant, [document_id])
        if not stored:
            return DocumentEntities(document_id=document_id, generation=0, generated_by="", entities=[], relationships=[])
        found = await self._read(tenant, lambda graph: listing.of_document(graph, stored[0], pages))
        evidence = await self._store.evidence(tenant, found.places)
        return found.shown(evidence)

    async def counts(self, tenant: str) -> GraphCounts:
        return await self._read(tenant, TenantGraph.counts)

    # -- keeping in step -----------------------------------------------------------------------------------------------------------------

    async def _read(self, tenant: str, work: Callable[[TenantGraph], Result]) -> Result:
        return await self._locked(await self._fresh(tenant), work)

    async def _locked(self, kept: _Kept, work: Callable[[TenantGraph], Result]) -> Result:
        def locked() -> Result:
            with kept.reading:
                return work(kept.graph)

        return await anyio.to_thread.run_sync(locked, limiter=self._threads)

    async def _fresh(self, tenant: str) -> _Kept:
        """The tenant's view, no older than the store was at the time of the call."""
        kept = self._views.get(tenant)
        if self._bound is None or (kept is not None and kept.version is not None):
            return await self._caught_up(tenant)
        if await self._is_too_large(tenant):
            raise Unavailable(
                f"This library has more than {self._bound.passages:,} passages, so its knowledge graph is not in memory. Raise graph.max_passages."
            )
        if tenant not in self._first:
            self._first[tenant] = asyncio.create_task(self._caught_up(tenant))
        task = self._first[tenant]
        await asyncio.wait({task}, timeout=self._bound.patience)
        if not task.done():
            raise Unavailable("The knowledge graph is still being loaded. Ask again in a moment.")
        self._first.pop(tenant, None)  # several callers may have waited for it
        return task.result()

    async def _is_too_large(self, tenant: str) -> bool:
        return self._bound is not None and await self._bound.count(tenant) > self._bound.passages

    async def _caught_up(self, tenant: str) -> _Kept:
        kept = self._views.get(tenant)
        if kept is None:
            kept = self._views[tenant] = _Kept(tenant)
        if await self._store.version(tenant) != kept.version:
            async with kept.loading:
                if await self._store.version(tenant) != kept.version:
                    await self._catch_up(tenant, kept)
        return kept

    async def _catch_up(self, tenant: str, kept: _Kept) -> None:
        state = await self._store.state(tenant)
        held = {record.id: record.sequence for record in kept.graph.records.values()}
        gone = [document_id for document_id in held if document_id not in state.sequences]
        changed = [document_id for document_id, sequence in state.sequences.items() if held.get(document_id) != sequence]
        await self._locked(kept, lambda graph: _drop(graph, gone))
        for start in range(0, len(changed), _LOAD):
            stored = await self._store.load(tenant, changed[start : start + _LOAD])
            await self._locked(kept, lambda graph, stored=stored: _put(graph, stored))  # type: ignore[misc]
        # What changed while this was read shows in the store's version, so the next call catches up with it.
        kept.version = state.version


def _drop(graph: TenantGraph, document_ids: Sequence[str]) -> None:
    for document_id in document_ids:
        graph.drop(document_id)
    graph.settle()


def _put(graph: TenantGraph, stored: Sequence[StoredGraph]) -> None:
    for each in stored:
        graph.put(each)
    graph.settle()
