"""The composition root: Settings become adapters, adapters become the graph and the services. A back end is swapped here and nowhere else."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache

import anyio

from agents.comparison import model_wording
from agents.lazy_rag import agent as lazy_rag
from agents.summarization import agent as summarization
from answers.calibration.answerability import not_found_answer, probability
from answers.extractive.composer import ExtractiveComposer, OptionalParts
from answers.generative.cited_writer import CitedWriter
from answers.scoring.cross_language_units import CrossLanguageScorer
from answers.scoring.unit_selection import Bounds
from answers.scoring.unit_vectors import UnitVectors
from composition.active_search import ActiveSearch, open_active_search
from composition.answer_reader import ReaderService
from composition.early_models import EarlyModels
from composition.embedders import MakeEmbedder
from composition.eraser import Eraser
from composition.evaluation_records import KeptEvaluations
from composition.evaluation_search import EvaluationRuns
from composition.graph_services import make_graph_reranker, open_graph
from composition.health_parts import OptionalServices, make_parts
from composition.housekeeping import RetainedStores, Retention, open_housekeeping
from composition.image_describer import make_describer
from composition.ingestion_services import GRAPH_READER, IngestionInputs, open_ingestion
from composition.json_logs import log_run, write_json_logs
from composition.model_choice import open_model_choice
from composition.model_factories import make_embedder, reader_opener
from composition.model_switch import OpenedLibrary, SwitchTargets
from composition.multilingual_service import MultilingualService, open_multilingual
from composition.named_models import SUMMARY_TEMPERATURE, NamedModels, open_named_models
from composition.question_languages import LibraryQuestionLanguages
from composition.question_translation import LibraryQuestionTranslator, translate_topic
from composition.run_options import make_memory_options, make_run_options
from composition.search_engine import SearchEngine, ignorable_tokens, known_words, make_cross_encoder
from composition.session_stores import open_sessions
from composition.settings_service import SettingsService
from composition.shared_servers import (
    SharedServers,
    open_shared_servers,
    open_tries,
    sessions_known_for,
    share_memory,
    share_preferences,
    share_tokens,
    take_duties,
)
from core.ports import ChatModel, Communities, Embedder, KnowledgeGraph, SessionMemory, TreeBuilds
from core.prompts import load_prompt
from graph.title_links import TitleLinks
from ingestion.indexing.index_jobs import IndexJobs
from ingestion.workers.malloc_tuning import tune_malloc
from ingestion.workers.pool import ExtractionPool
from llm.tracing import switch_tracing_off
from memory.manager import MemoryBackends, TieredMemory
from memory.procedural import learn_preferences
from orchestration.dependencies import Dependencies
from orchestration.run_registry import Runs
from orchestration.trace_inspector import TraceInspector
from orchestration.zeus import Zeus
from retrieval.language_crossing import CrossLanguageSearch
from retrieval.language_identification import LanguageIdentification
from retrieval.library_speller import LibrarySpeller
from retrieval.mention_finder import TextMentionFinder
from retrieval.reranking import PairScorer
from retrieval.retriever import HybridRetriever
from retrieval.topic_search import TopicSearch
from server.open_streams import OpenStreams
from server.services import SAMPLE, Evaluation, Metrics, Services
from server.session_cookies import BrowserSessions
from settings import Settings, settings_of_tenant
from settings_features import read_flags
from storage.database import Database, open_database
from storage.deletions import SqlDeletions
from storage.document_lists import SqlDocumentLists
from storage.home import Home, LibraryLock, SharedLibraryLock
from storage.ledger_reports import SqlLedgerReports
from storage.retention import SqlRetention
from storage.sql_conversations import SqlConversations
from storage.sql_feedback import SqlFeedback
from storage.sql_history import SqlHistory
from storage.sql_insights import SqlInsights, UploadedFiles
from storage.sql_memory import SqlMemory
from storage.sql_places import SqlPlaces
from storage.sql_references import SqlReferences
from storage.sql_sessions import SqlSessions
from storage.sql_tables import SqlTables
from storage.sql_traces import SqlTraces, TracePruner

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class FixedDependencies:
    """The dependencies of Zeus that no change of the embedding model touches."""

    database: Database
    memory: TieredMemory
    graph: KnowledgeGraph
    communities: Communities
    trees: TreeBuilds
    cross_encoder: PairScorer | None
    cross_language: CrossLanguageSearch | None
    reader: ReaderService
    models: NamedModels


@dataclass(slots=True)
class CurrentSettings:
    """The settings of the present moment: a few may be changed while the server runs."""

    settings: Settings

    def of_tenant(self, tenant: str) -> Settings:
        return settings_of_tenant(self.settings, tenant)


__all__ = ["GRAPH_READER", "SAMPLE", "open_services"]


@asynccontextmanager
async def open_services(
    settings: Settings,
    *,
    resume_jobs: bool = True,
    watch: bool = True,
    warm: bool = True,
    make: MakeEmbedder = make_embedder,
    early: EarlyModels | None = None,
) -> AsyncIterator[Services]:
    """Open everything that serves one library, in order and closed in reverse. Raises Conflict where another process owns it.

    `resume_jobs` goes on with what an earlier process left unfinished; `watch` follows the indexed folders; `warm` opens at once what a question
    needs, rather than when it is asked. `make` opens the embedding model that the settings name; `early` are models that are opened already.
    """
    async with AsyncExitStack() as stack:
        home, database, pruner, shared = await _open_home(stack, settings)
        serving = await _open_serving(stack, settings, home, database, early.make_embedder if early is not None else make)
        memory = _open_memory(stack, live := CurrentSettings(settings), database, serving, sessions := open_sessions(stack, settings), shared)
        graph, communities, trees, ontologies = await open_graph(stack, settings, database, serving, live.of_tenant, resume=resume_jobs)
        multilingual = open_multilingual(settings, database, serving)
        models = _models(stack, settings, early, _cross_language(serving, multilingual), start=warm)
        dependencies = _dependency_maker(live, fixed := FixedDependencies(database, memory, graph, communities, trees, *models))
        runs = _open_runs(stack, settings, zeus := Zeus(dependencies(serving.embedder, serving.engine)), shared)
        eraser = serving.engine.stores.eraser = Eraser(SqlDeletions(database), memory, runs, home.uploads)
        reading_parts = IngestionInputs(home, database, serving, make_describer(stack, settings), shared.runs.name if shared is not None else "")
        reading = await open_ingestion(stack, settings, reading_parts, resume_jobs=resume_jobs, watch=watch and shared is None)
        retention = Retention(settings, RetainedStores(SqlRetention(database), SqlConversations(database), memory, reading.jobs, home.uploads))
        housekeeping = open_housekeeping(stack, retention, eraser, serving.engine.stores, start=resume_jobs and shared is None)
        _start_multilingual(stack, multilingual, reading.jobs, unasked=resume_jobs)
        optional = OptionalServices(reading_parts.describer, multilingual, fixed.reader, reading.queue, shared)
        targets = SwitchTargets(zeus, memory, reading.indexer, reading.jobs, reading.watcher, dependencies)
        take_duties(stack, shared, (memory, housekeeping, reading.watcher), begin=resume_jobs and watch)
        yield Services(
            settings=settings,
            library=serving.engine.stores.library,
            document_lists=SqlDocumentLists(database),
            runs=runs,
            jobs=reading.jobs,
            watcher=reading.watcher,
            ledger=SqlLedgerReports(database),
            conversations=SqlConversations(database),
            traces=SqlTraces(database),
            history=SqlHistory(database),
            feedback=SqlFeedback(database),
            memory=memory,
            graph=graph,
            communities=communities,
            ontologies=ontologies,
            trees=trees,
            tables=SqlTables(database),
            references=SqlReferences(database),
            places=SqlPlaces(database),
            inspector=TraceInspector(zeus, runs),
            evaluation=Evaluation(EvaluationRuns(zeus, live.of_tenant), KeptEvaluations(settings.home)),
            embedder=await open_model_choice(stack, OpenedLibrary(settings, home, database, serving), targets, make, start=resume_jobs),
            preferences=_open_preferences(live, zeus, lambda: dependencies(serving.embedder, serving.engine), (retention, pruner), shared),
            parts=make_parts(lambda: live.settings, database, serving, sessions, optional),
            streams=(streams := OpenStreams(settings.server.max_streams, settings.server.max_streams_per_person)),
            metrics=_open_metrics(database, serving, runs, streams, reading.readers) if watch else None,
            sessions=BrowserSessions(SqlSessions(database), settings.server.session_hours, known_for=sessions_known_for(settings)),
            tries=open_tries(settings, shared),
            members=reading.member_files,
            uploads=home.uploads,
        )


async def _open_home(stack: AsyncExitStack, settings: Settings) -> tuple[Home, Database, TracePruner, SharedServers | None]:
    """Return the folder of the library, locked, its database, of which old runs are pruned, and what is shared with other servers. Raises Conflict
    where another process owns it."""
    is_shared = settings.workers.queue != "in_process"
    tune_malloc()
    home = Home(settings.home)
    if settings.server.log_format == "json":
        write_json_logs(home)
    home.create()
    stack.enter_context(SharedLibraryLock(home) if is_shared else LibraryLock(home))
    database = await anyio.to_thread.run_sync(open_database, home.path, settings.storage.url)
    stack.push_async_callback(database.close)
    await SqlConversations(database).interrupt_running(is_shared=is_shared)  # whoever was answering these questions is gone
    pruner = await _open_pruner(stack, settings, database)
    return home, database, pruner, await open_shared_servers(stack, settings, home, database)


async def _open_pruner(stack: AsyncExitStack, settings: Settings, database: Database) -> TracePruner:
    """Start the removal of old runs in the background."""
    pruner = TracePruner(SqlTraces(database), days=settings.storage.traces_days, keep_bytes=settings.storage.traces_mb * 1_000_000)
    await pruner.start()
    stack.push_async_callback(pruner.close)
    return pruner


def _open_preferences(
    live: CurrentSettings, zeus: Zeus, dependencies: Callable[[], Dependencies], kept: tuple[Retention, TracePruner], shared: SharedServers | None
) -> SettingsService:
    """Return what changes settings and passes them on to the parts that use them; runs that began before end with the old ones."""

    def adopt(settings: Settings) -> None:
        live.settings = settings
        retention, pruner = kept
        retention.use_settings(settings)
        pruner.set_limits(days=settings.storage.traces_days, keep_bytes=settings.storage.traces_mb * 1_000_000)
        zeus.leases.exchange(dependencies())

    return share_preferences(SettingsService(live.settings, adopt), shared)


async def _open_serving(stack: AsyncExitStack, settings: Settings, home: Home, database: Database, make: MakeEmbedder) -> ActiveSearch:
    serving = await open_active_search(share_tokens(stack, settings, home), home, database, make)
    stack.push_async_callback(serving.close)
    return serving


def _models(
    stack: AsyncExitStack, settings: Settings, early: EarlyModels | None, languages: CrossLanguageSearch | None, *, start: bool
) -> tuple[PairScorer | None, CrossLanguageSearch | None, ReaderService, NamedModels]:
    """Return the models that answer, as `FixedDependencies` has them."""
    reader = _open_answer_reader(stack, settings, early, start=start)
    return make_cross_encoder(settings.search.rerank.cross_encoder), languages, reader, open_named_models(stack, settings)


def _open_answer_reader(stack: AsyncExitStack, settings: Settings, early: EarlyModels | None, *, start: bool) -> ReaderService:
    """Return the reader of answers, closed with `stack`; `start` loads it now, in the background, rather than with the first question."""
    reader = ReaderService(early.open_reader if early is not None else reader_opener(settings))
    stack.push_async_callback(reader.close)
    if start and settings.answers.reader_enabled:
        reader.start()
    return reader


def _cross_language(serving: ActiveSearch, multilingual: MultilingualService | None) -> CrossLanguageSearch | None:
    if multilingual is None:
        return None
    return CrossLanguageSearch(LibraryQuestionLanguages(lambda: serving.engine.index, LanguageIdentification()), multilingual)


def _crossed(settings: Settings, fixed: FixedDependencies) -> CrossLanguageSearch | None:
    return fixed.cross_language if settings.search.cross_language != "never" else None


def _translator(cross_language: CrossLanguageSearch | None, engine: SearchEngine) -> LibraryQuestionTranslator | None:
    if cross_language is None:
        return None
    return LibraryQuestionTranslator(cross_language.languages, lambda: engine.index)


def _topics(cross_language: CrossLanguageSearch | None, embedder: Embedder, engine: SearchEngine) -> TopicSearch:
    others = (cross_language.languages, cross_language.multilingual) if cross_language is not None else None
    mentions = TextMentionFinder(engine.index, engine.stores.library)
    return TopicSearch(engine.index, engine.stores.library, embedder, mentions, translate_topic, others)


def _crossing(cross_language: CrossLanguageSearch | None) -> CrossLanguageScorer | None:
    return CrossLanguageScorer(cross_language.languages, cross_language.multilingual) if cross_language is not None else None


def _dependency_maker(live: CurrentSettings, fixed: FixedDependencies) -> Callable[[Embedder, SearchEngine], Dependencies]:
    """Return the function that makes Zeus's dependencies, for one embedding model after the other: a change of the settings makes them anew."""

    def make(embedder: Embedder, engine: SearchEngine) -> Dependencies:
        @cache
        def own(tenant: str) -> Dependencies | None:
            settings = live.of_tenant(tenant)
            return _dependencies(settings, fixed, embedder, engine) if settings is not live.settings else None

        return replace(_dependencies(live.settings, fixed, embedder, engine), find_own=own)

    return make


def _retriever(settings: Settings, fixed: FixedDependencies, embedder: Embedder, engine: SearchEngine) -> HybridRetriever:
    search = settings.search
    return HybridRetriever(
        index=engine.index,
        embedder=embedder,
        library=engine.stores.library,
        options=search,
        tokens=engine.tokens,
        ignored_token_ids=ignorable_tokens(embedder),
        cross_encoder=fixed.cross_encoder,
        links=TitleLinks(fixed.graph) if settings.graph.enabled and settings.graph.links_enabled else None,
        graph_reranker=make_graph_reranker(settings, fixed.database, fixed.graph),
        cross_language=_crossed(settings, fixed),
        trees=fixed.trees if settings.raptor.enabled else None,
    )


def _dependencies(settings: Settings, fixed: FixedDependencies, embedder: Embedder, engine: SearchEngine) -> Dependencies:
    database, chosen = fixed.database, settings.answers
    vectors = UnitVectors(embedder)
    bounds = Bounds(max_words=chosen.max_words, max_sentences=chosen.max_sentences)
    crossed, model = _crossed(settings, fixed), engine.model if settings.llm.enabled else None
    reader = fixed.reader if chosen.reader_enabled else None
    parts = OptionalParts(_crossing(crossed), reader, SqlReferences(database))
    return Dependencies(
        retriever=_retriever(settings, fixed, embedder, engine),
        library=engine.stores.library,
        composer=ExtractiveComposer(vectors, engine.index, bounds, parts),
        traces=SqlTraces(database),
        conversations=SqlConversations(database),
        probability=probability,
        not_found_answer=not_found_answer,
        memory=fixed.memory,
        graph=fixed.graph if settings.graph.enabled else None,
        communities=fixed.communities,
        reader=reader,
        mentions=TextMentionFinder(engine.index, engine.stores.library),
        topics=_topics(crossed, embedder, engine),
        speller=LibrarySpeller(engine.index, engine.stores.library, known_words(embedder)) if settings.search.spelling else None,
        translator=_translator(crossed, engine),
        insights=SqlInsights(database),
        tables=SqlTables(database) if chosen.tables_enabled else None,
        references=SqlReferences(database),
        attachments=UploadedFiles(database, Home(settings.home).uploads),
        model=model,
        writer=_writer("writer", vectors, engine, model),
        summary_writer=_writer(summarization.PROMPT, vectors, engine, model),
        comparison_writer=_writer(model_wording.PROMPT, vectors, engine, model),
        lazy_writer=_writer(lazy_rag.PROMPT, vectors, engine, fixed.models.find(settings.lazy_rag.summary_model, model, SUMMARY_TEMPERATURE)),
        routing_model=fixed.models.find(settings.query_routing.llm_model, model) if settings.query_routing.use_llm else None,
        embedder=embedder.name,
        features=read_flags(settings),
        options=make_run_options(settings),
    )


def _writer(prompt: str, vectors: UnitVectors, engine: SearchEngine, model: ChatModel | None) -> CitedWriter | None:
    return CitedWriter(model, load_prompt(prompt), vectors, engine.index) if model is not None else None


def _open_metrics(database: Database, serving: ActiveSearch, runs: Runs, streams: OpenStreams, readers: ExtractionPool) -> Metrics:
    from composition.metrics import MetricSources, ServerMetrics  # their library is not worth the time of a command that asks once

    return ServerMetrics(MetricSources(database, runs, streams, readers, serving))


def _open_runs(stack: AsyncExitStack, settings: Settings, zeus: Zeus, shared: SharedServers | None) -> Runs:
    switch_tracing_off()  # before any run: LangChain refuses to begin one where the environment asks for its oldest tracing
    runs = Runs(zeus, [log_run] if settings.server.log_format == "json" else [], shared.runs if shared is not None else None)
    if settings.telemetry.exporter != "none":
        from composition.otel_traces import open_spans

        spans = open_spans(settings.telemetry)
        runs.observers.append(spans.record)
        stack.push_async_callback(anyio.to_thread.run_sync, spans.close)
    stack.push_async_callback(runs.close)
    return runs


def _start_multilingual(stack: AsyncExitStack, multilingual: MultilingualService | None, jobs: IndexJobs, *, unasked: bool) -> None:
    if multilingual is not None:
        stack.push_async_callback(multilingual.close)
        multilingual.start(lambda: jobs.is_job_running, unasked=unasked)


def _open_memory(
    stack: AsyncExitStack, live: CurrentSettings, database: Database, serving: ActiveSearch, sessions: SessionMemory, shared: SharedServers | None
) -> TieredMemory:
    backends = MemoryBackends(SqlMemory(database), sessions, SqlTraces(database), serving.embedder, serving.engine.index.analysis, learn_preferences)
    opened = TieredMemory(
        backends, make_memory_options(live.settings), lambda: datetime.now(UTC), lambda tenant: make_memory_options(live.of_tenant(tenant))
    )
    stack.push_async_callback(opened.close)
    if shared is None:  # else one of the servers does it for all
        opened.start()
    share_memory(opened, shared)
    return opened
