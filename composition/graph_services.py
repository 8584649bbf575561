"""The knowledge graph with its reranker, and its communities with their refreshes by themselves and as jobs."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AsyncExitStack

from core.ports import Communities, KnowledgeGraph
from core.schedule import parse_schedule
from graph.communities.library_communities import CommunityOptions, LibraryCommunities, Wanted
from graph.communities.refresh_jobs import CommunityRefreshes
from graph.graph_view import GraphView, ViewLimit
from graph.shared_graph import SharedGraph
from retrieval.graph_reranking import GraphReranker
from settings import Settings
from storage.database import Database
from storage.sql_communities import SqlCommunities
from storage.sql_episodes import SqlEpisodeHistory
from storage.sql_graph import SqlGraphStore
from storage.sql_jobs import SqlJobs


async def open_graph(
    stack: AsyncExitStack, settings: Settings, database: Database, settings_of: Callable[[str], Settings], *, resume: bool
) -> tuple[KnowledgeGraph, Communities]:
    """Return the graph and its communities, closed with `stack`; `resume` refreshes these by themselves from now on, for each tenant whose settings
    want them. Raises ConfigurationError where the algorithm's package is missing.
    """
    store = SqlGraphStore(database)
    graph = GraphView(store, ViewLimit(settings.graph.max_passages, store.passages, settings.graph.wait_seconds))
    stack.push_async_callback(graph.close)
    graph.start()
    communities = _make_communities(settings, database, graph, settings_of)
    await communities.open(resume=resume)
    stack.push_async_callback(communities.close)
    return SharedGraph(graph), communities


def make_graph_reranker(settings: Settings, database: Database, graph: KnowledgeGraph) -> GraphReranker | None:
    """Return the reranker by the graph where the settings want it."""
    if not (settings.graph.enabled and settings.graph_reranker.enabled):
        return None
    return GraphReranker(graph, SqlEpisodeHistory(database, has_runs=settings.memory.enabled), settings.graph_reranker)


def _make_communities(settings: Settings, database: Database, graph: GraphView, settings_of: Callable[[str], Settings]) -> CommunityRefreshes:
    chosen, store = settings.community, SqlCommunities(database)
    options = CommunityOptions(chosen.detection_enabled, chosen.algorithm, chosen.min_size, chosen.max_levels)

    def wanted(tenant: str) -> Wanted:
        return settings_of(tenant).community.detection_enabled

    communities = LibraryCommunities(graph, SqlGraphStore(database), store, options, store.count_documents, wanted)
    schedule = parse_schedule(chosen.refresh_schedule) if chosen.refresh_schedule.strip() else None
    return CommunityRefreshes(communities, SqlJobs(database), graph.tenants, schedule)
