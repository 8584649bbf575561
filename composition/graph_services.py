"""The knowledge graph with its reranker, its communities and the trees of summaries, with what makes them anew by itself and as jobs."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AsyncExitStack

from composition.active_search import ActiveSearch
from core.ports import TYPING_JOB, Communities, KnowledgeGraph, Ontologies, TreeBuilds
from core.schedule import parse_schedule
from core.trees import TreeOptions
from graph.communities.library_communities import CommunityOptions, LibraryCommunities, Wanted
from graph.communities.refresh_jobs import CommunityRefreshes
from graph.derived_jobs import end_unfinished
from graph.graph_view import GraphView, ViewLimit
from graph.ontologies.library_typings import LibraryTypings, TypingSources
from graph.ontologies.tenant_ontologies import TenantOntologies
from graph.shared_graph import SharedGraph
from graph.trees.build_jobs import TreeJobs
from graph.trees.library_trees import LibraryTrees, TreeEngine
from retrieval.graph_reranking import GraphReranker
from settings import Settings
from storage.database import Database
from storage.home import Home
from storage.sql_communities import SqlCommunities
from storage.sql_episodes import SqlEpisodeHistory
from storage.sql_graph import SqlGraphStore
from storage.sql_jobs import SqlJobs
from storage.sql_library import SqlLibrary
from storage.sql_ontologies import SqlOntologies
from storage.sql_typings import SqlTypings
from storage.tree_files import TreeFiles


async def open_graph(
    stack: AsyncExitStack, settings: Settings, database: Database, serving: ActiveSearch, settings_of: Callable[[str], Settings], *, resume: bool
) -> tuple[KnowledgeGraph, Communities, TreeBuilds, Ontologies]:
    """Return the graph, its communities, the trees of summaries and the ontologies, closed with `stack`; `resume` refreshes the communities and
    types entities by themselves from now on, for each tenant whose settings want them, and goes on with jobs that an earlier process left
    unfinished. Raises ConfigurationError where a package is missing.
    """
    store = SqlGraphStore(database)
    typings = await _open_typings(stack, settings, database, resume=resume)
    graph = GraphView(store, ViewLimit(settings.graph.max_passages, store.passages, settings.graph.wait_seconds), typings)
    stack.push_async_callback(graph.close)
    graph.start()
    communities = _make_communities(settings, database, graph, settings_of)
    await communities.open(resume=resume)
    stack.push_async_callback(communities.close)
    trees = _make_trees(settings, database, serving, settings_of)
    await trees.open(resume=resume)
    stack.push_async_callback(trees.close)
    ontologies = TenantOntologies(SqlOntologies(database), enabled=settings.ontology.support_enabled, typings=typings)
    return SharedGraph(graph), communities, trees, ontologies


async def _open_typings(stack: AsyncExitStack, settings: Settings, database: Database, *, resume: bool) -> LibraryTypings | None:
    """Return what types entities by ontologies, closed with `stack`; None where the settings do not want it."""
    if not settings.ontology.auto_type:
        if resume:
            await end_unfinished(TYPING_JOB, SqlJobs(database), "ontology.auto_type was switched off.")
        return None
    sources = TypingSources(SqlTypings(database), SqlOntologies(database), SqlGraphStore(database), SqlLibrary(database).contents)
    typings = LibraryTypings(sources, SqlJobs(database))
    await typings.open(resume=resume)
    stack.push_async_callback(typings.close)
    return typings


def _make_trees(settings: Settings, database: Database, serving: ActiveSearch, settings_of: Callable[[str], Settings]) -> TreeJobs:
    raptor = settings.raptor
    options = TreeOptions(raptor.max_levels, raptor.cluster_size, raptor.include_summaries)

    def engine() -> TreeEngine:
        return TreeEngine(serving.embedder.name, serving.engine.index)

    trees = LibraryTrees(TreeFiles(Home(settings.home).trees), SqlLibrary(database), engine, options)
    return TreeJobs(trees, SqlJobs(database), lambda tenant: settings_of(tenant).raptor.enabled)


def make_graph_reranker(settings: Settings, database: Database, graph: KnowledgeGraph) -> GraphReranker | None:
    """Return the reranker by the graph where the settings want it."""
    if not (settings.graph.enabled and settings.graph_reranker.enabled):
        return None
    return GraphReranker(graph, SqlEpisodeHistory(database, has_runs=settings.memory.enabled), settings.graph_reranker)


def _make_communities(settings: Settings, database: Database, graph: GraphView, settings_of: Callable[[str], Settings]) -> CommunityRefreshes:
    community, store = settings.community, SqlCommunities(database)
    options = CommunityOptions(community.detection_enabled, community.algorithm, community.min_size, community.max_levels)

    def wanted(tenant: str) -> Wanted:
        return settings_of(tenant).community.detection_enabled

    communities = LibraryCommunities(graph, SqlGraphStore(database), store, options, store.count_documents, wanted)
    schedule = parse_schedule(community.refresh_schedule) if community.refresh_schedule.strip() else None
    return CommunityRefreshes(communities, SqlJobs(database), graph.tenants, schedule)
