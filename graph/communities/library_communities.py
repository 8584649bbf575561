"""`LibraryCommunities`: the communities of each tenant, read over its present graph, and found anew when the graph changed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence, Set
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Literal, Protocol

import anyio.to_thread

from core.communities import (
    Community,
    CommunityPage,
    CommunityQuery,
    CommunityState,
    RefreshResult,
    StoredCommunity,
    SummaryCosts,
    ThemeSurvey,
)
from core.errors import NotFound, Unavailable
from core.ownership import shared_library
from core.ports.community_store import CommunityStore
from core.ports.graph_store import GraphStore
from core.search import EVERYTHING, Filters
from graph.communities.community_graph import CommunityGraph
from graph.communities.community_view import CommunityView
from graph.communities.folder_themes import FolderView
from graph.communities.hierarchy import Detection, HierarchyLimits
from graph.communities.leiden import detect_leiden, require_leiden
from graph.communities.library_folders import find_folders, places_within
from graph.communities.louvain import detect_louvain
from graph.communities.refresh import DividedGraph, build_communities, divide_graph, outline, wanted_places
from graph.communities.summary_costs import estimate_costs, statement_places

log = logging.getLogger(__name__)
ENOUGH = 50  # entities, from which `auto` is on
_FORMAT = "2"  # changed where what is kept is made in another way
_NOT_DIVIDED = "These documents are too many to be divided while you wait: their themes are those of the whole library, by what they say themselves."
_FIRST_WAIT = 5.0  # seconds that a question waits for the first communities of its library


class GraphSource(Protocol):
    """The graph that communities are found in."""

    async def community_graph(self, tenant: str, among: Set[str] | None = None) -> CommunityGraph: ...
    async def version(self, tenant: str) -> tuple[int, int]: ...


Wanted = Literal["auto", "on", "off"]


@dataclass(frozen=True, slots=True)
class CommunityOptions:
    """The settings of section `community`. `divided_while_asked`, no setting: the relationships that are divided for a question at most, in about a
    second.
    """

    enabled: Wanted = "auto"
    algorithm: Literal["louvain", "leiden"] = "louvain"
    min_size: int = 3
    max_levels: int = 3
    divided_while_asked: int = 20_000

    @property
    def mark(self) -> str:
        """What stands for them: communities of other settings are all found anew."""
        return f"{_FORMAT} {self.algorithm} {self.min_size} {self.max_levels}"


@dataclass(frozen=True, slots=True)
class _Reading:
    """What a question reads: communities over `documents` documents; `among` are these, None for the whole library. `note`: core.ThemeSurvey."""

    state: CommunityState | None
    view: CommunityView
    documents: int
    among: frozenset[str] | None = None
    note: str = ""


class LibraryCommunities:
    """core.ports.community_store.Communities: everybody's in a tenant, over the tenant's documents alone. Refreshes of one tenant follow each other.
    Raises ConfigurationError at once where the algorithm's package is missing. `wanted` is whether a tenant wants them, where tenants may differ.
    """

    def __init__(
        self,
        source: GraphSource,
        graphs: GraphStore,
        store: CommunityStore,
        options: CommunityOptions,
        count_documents: Callable[[str], Awaitable[int]],
        wanted: Callable[[str], Wanted] | None = None,
    ) -> None:
        if options.algorithm == "leiden":
            require_leiden()
        self._wanted = wanted or (lambda _: options.enabled)
        self._source, self._graphs, self._store, self._options = source, graphs, store, options
        self._count_documents = count_documents
        self._locks: dict[str, asyncio.Lock] = {}
        self._views: dict[str, tuple[CommunityState | None, CommunityView]] = {}
        self._first: dict[str, asyncio.Task[RefreshResult]] = {}

    async def close(self) -> None:
        for task in self._first.values():
            task.cancel()
        if self._first:
            await asyncio.wait(self._first.values())

    # -- reading -------------------------------------------------------------------------------------------------------------------------

    async def list_communities(
        self, tenant: str, *, level: int | None = None, text: str = "", themes: bool = False, limit: int = 50
    ) -> CommunityPage:
        library = shared_library(tenant)
        state, view = await self._view(library)
        found = view.find_themes() if themes else view.standing
        found = [each for each in found if level in (None, each.level) and (not text.strip() or view.matches(each, text))]
        return await self._show_page(library, _Reading(state, view, await self._count_documents(library)), found, limit)

    async def survey_themes(self, tenant: str, *, limit: int, filters: Filters = EVERYTHING) -> ThemeSurvey:
        library = shared_library(tenant)
        read = await self._read_part(library, filters)
        page = await self._show_page(library, read, read.view.find_themes(), limit)
        places = await self._store.document_places(library) if page.communities else []
        folders = await anyio.to_thread.run_sync(find_folders, library, places_within(places, read.among, filters.path_prefix))
        if len(folders) < 2:
            return ThemeSurvey(page, note=read.note)
        inside = FolderView(read.view, tuple(folders))
        chosen = await anyio.to_thread.run_sync(inside.choose_all)
        citations = await self._store.citations(library, [each for found in chosen for each in found])
        return replace(inside.survey(page, chosen, citations), note=read.note)

    async def _show_page(self, library: str, read: _Reading, found: Sequence[StoredCommunity], limit: int) -> CommunityPage:
        state, view, shown = read.state, read.view, found[:limit]
        citations = await self._store.citations(library, shown)
        return CommunityPage(
            communities=[view.show(each, citations) for each in shown],
            total=len(found),
            levels=max((each.level + 1 for each in view.standing), default=0),
            stale=view.stale,
            refreshed_at=state.refreshed_at if state else None,
            smaller_groups=state.smaller_groups if state else 0,
            smaller_group_entities=state.smaller_group_entities if state else 0,
            covered_documents=len(view.collect_documents(view.find_themes())),
            documents=read.documents,
            reason="" if view.standing else self._explain_none(library, view.graph, state),
        )

    async def _read_part(self, library: str, filters: Filters) -> _Reading:
        """Return the communities of the documents that filters let through, as if the library held no others. What is larger than can be divided
        while somebody waits keeps the communities of the whole library, by what its own documents say of them.
        """
        state, view = await self._view(library)
        if filters.is_empty():
            return _Reading(state, view, await self._count_documents(library))
        among = frozenset(await self._graphs.filter_documents(library, filters))
        if not view.standing:
            return _Reading(state, view, len(among), among)
        graph = await self._source.community_graph(library, among)
        if len(graph.relations) > self._options.divided_while_asked:
            kept = [replace(each, shares=tuple(share for share in each.shares if share.document_id in among)) for each in view.stored]
            return _Reading(state, CommunityView(graph, tuple(kept), view.stale), len(among), among, _NOT_DIVIDED)
        found = await anyio.to_thread.run_sync(divide_graph, graph, (), self._detection, self._limits)
        return _Reading(state, CommunityView(graph, tuple(await self._describe(library, found, ())), stale=False), len(among), among)

    async def find_communities(self, tenant: str, query: CommunityQuery) -> list[Community]:
        library = shared_library(tenant)
        _, view = await self._view(library)
        found = await anyio.to_thread.run_sync(view.find_nearest, query)
        citations = await self._store.citations(library, found)
        return [view.show(each, citations) for each in found]

    async def get(self, tenant: str, community_id: str) -> Community:
        library = shared_library(tenant)
        _, view = await self._view(library)
        found = [each for each in view.standing if each.id == community_id]
        if not found:
            raise NotFound("There is no such community in this library; a refresh may have replaced it.")
        return view.show(found[0], await self._store.citations(library, found))

    async def estimate_costs(self, tenant: str) -> SummaryCosts:
        library = shared_library(tenant)
        await self.ensure_current(library)
        _, view = await self._view(library)
        said = await self._graphs.evidence(library, await anyio.to_thread.run_sync(statement_places, view))
        return await anyio.to_thread.run_sync(estimate_costs, view, {place: len(each.text) for place, each in said.items()})

    async def _view(self, library: str) -> tuple[CommunityState | None, CommunityView]:
        """Return what is kept, where it is wanted, with the graph of now. It is made again only where one of these changed."""
        state, version = await self._store.state(library), await self._source.version(library)
        if self._wanted(library) == "off":
            state = None
        held = self._views.get(library)
        if held is None or held[0] != state or held[1].graph.version != version:
            graph = await self._source.community_graph(library)
            stored = await self._store.load(library) if state is not None else []
            held = self._views[library] = (state, CommunityView(graph, tuple(stored), stale=not self._is_current(state, graph.version)))
        return held

    def _is_current(self, state: CommunityState | None, version: tuple[int, int]) -> bool:
        return state is not None and state.version == version and state.options == self._options.mark

    def _explain_none(self, library: str, graph: CommunityGraph, state: CommunityState | None) -> str:
        if reason := self._reason(library, graph):
            return reason
        if state is None:
            return "The communities of this library were not looked for yet; that happens by itself soon after indexing."
        return f"No group of {self._options.min_size} entities or more is related among itself in these documents."

    def _reason(self, library: str, graph: CommunityGraph) -> str:
        """Return why no communities are looked for, "" where they are."""
        if self._wanted(library) == "off":
            return "Communities are switched off (community.detection_enabled)."
        if self._wanted(library) == "auto" and graph.entities < ENOUGH:
            return f"The documents name {graph.entities} entities; communities are looked for from {ENOUGH} on (community.detection_enabled: auto)."
        return ""

    # -- finding anew --------------------------------------------------------------------------------------------------------------------

    async def version(self, tenant: str) -> tuple[int, int]:
        """Return what differs whenever the tenant's graph does."""
        return await self._source.version(tenant)

    async def is_due(self, tenant: str) -> bool:
        """Return whether the graph or the settings changed since the last refresh."""
        if self._wanted(tenant) == "off":
            return False
        return not self._is_current(await self._store.state(tenant), await self._source.version(tenant))

    async def ensure_current(self, tenant: str) -> None:
        library = shared_library(tenant)
        if self._wanted(library) == "off" or await self._store.state(library) is not None:
            return
        task = self._first.get(library)
        if task is None:
            task = self._first[library] = asyncio.create_task(self.refresh(library))
            task.add_done_callback(lambda _: self._first.pop(library, None))
        try:
            await asyncio.wait_for(asyncio.shield(task), _FIRST_WAIT)
        except TimeoutError as error:
            raise Unavailable("They are being found for the first time. Ask again in a minute.") from error

    async def refresh(self, tenant: str) -> RefreshResult:
        """Find the communities anew. What did not change since the last time costs nothing; a failure leaves the earlier ones."""
        library = shared_library(tenant)
        async with self._locks.setdefault(library, asyncio.Lock()):
            state, before = await self._store.state(library), await self._store.load(library)
            graph = await self._source.community_graph(library)
            if reason := self._reason(library, graph):
                if self._wanted(library) != "off":  # what was found before is there again as soon as they are wanted
                    await self._keep(library, graph, [], None)
                return RefreshResult(0, 0, 0, 0, reason)
            if self._is_current(state, graph.version):
                return RefreshResult(len(before), 0, 0, len(before))
            same_options = state is not None and state.options == self._options.mark
            found = await anyio.to_thread.run_sync(divide_graph, graph, before if same_options else [], self._detection, self._limits)
            made = await self._describe(library, found, before)
            await self._keep(library, graph, made, found)
            kept = {each.id for each in before} & {each.id for each in made}
            return RefreshResult(len(made), found.parts, found.divided, len(kept))

    async def _describe(self, library: str, found: DividedGraph, before: Sequence[StoredCommunity]) -> list[StoredCommunity]:
        outlines = await anyio.to_thread.run_sync(outline, found)
        evidence = await self._graphs.evidence(library, wanted_places(outlines))
        return await anyio.to_thread.run_sync(build_communities, library, found, outlines, evidence, before)

    async def _keep(self, library: str, graph: CommunityGraph, made: Sequence[StoredCommunity], found: DividedGraph | None) -> None:
        smaller = (found.smaller_groups, found.smaller_group_entities) if found else (0, 0)
        await self._store.replace(library, CommunityState(graph.version, self._options.mark, datetime.now(UTC), *smaller), made)

    @property
    def _detection(self) -> Detection:
        return detect_leiden if self._options.algorithm == "leiden" else detect_louvain

    @property
    def _limits(self) -> HierarchyLimits:
        return HierarchyLimits(self._options.min_size, self._options.max_levels)
