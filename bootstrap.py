"""The composition root: Settings become adapters, adapters become the graph and the services. A back end is swapped here and nowhere else."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import anyio

from agents.comparison import rewriting
from agents.confidence_scorer import HIGH
from agents.summarization import agent as summarization
from answers.answerability import not_found_answer, probability
from answers.composer import ExtractiveComposer, OptionalParts
from answers.crossing import Crossing
from answers.selection import Bounds
from answers.vectors import UnitVectors
from answers.writer import CitedWriter
from composition.answer_reader import ReaderService, make_reader
from composition.early_models import EarlyModels
from composition.embedders import MakeEmbedder
from composition.encoders import make_embedder, reader_opener
from composition.engine import Engine, ignorable, known_words, make_cross_encoder
from composition.erasing import Eraser
from composition.health import Models, make_parts
from composition.housekeeping import Kept, Retention, open_housekeeping
from composition.model_choice import open_model_choice
from composition.multilingual import MultilingualService, open_multilingual
from composition.question_languages import LibraryQuestionLanguages
from composition.question_translation import LibraryQuestionTranslator, topic_in_english
from composition.reading import GRAPH_READER, Parts, open_reading
from composition.serving import Serving, open_serving
from composition.settings_desk import SettingsDesk
from composition.switching import Opened, Served
from composition.vision import make_describer
from core.ports import Embedder, KnowledgeGraph, SessionMemory
from core.prompts import load_prompt
from core.search import Strategy
from core.version import VERSION
from graph.knowledge import Bound, GraphView
from graph.links import TitleLinks
from graph.owned import SharedGraph
from ingestion.allocator import keep_little
from ingestion.jobs import IndexJobs
from llm.tracing import switch_tracing_off
from memory.manager import Reached, TieredMemory
from memory.notes import NoteOptions
from memory.parts import MemoryOptions
from memory.procedural import learn
from memory.session import InProcessSessionMemory
from orchestration.dependencies import Dependencies, Options
from orchestration.inspection import TraceInspector
from orchestration.runs import Runs
from orchestration.zeus import Zeus
from retrieval.cross_language import CrossLanguage
from retrieval.language_identification import LanguageIdentification
from retrieval.mentions import TextMentions
from retrieval.passages import Parents
from retrieval.reranking import PairScorer
from retrieval.retriever import HybridRetriever
from retrieval.spelling import LibrarySpeller
from retrieval.topics import TopicSearch
from server.services import Services
from server.sessions import BrowserSessions
from server.streams import OpenStreams
from server.tries import FailedTries
from settings import Settings
from storage.conversations import SqlConversations
from storage.deletions import SqlDeletions
from storage.document_lists import SqlDocumentLists
from storage.engine import Database, open_database
from storage.feedback import SqlFeedback
from storage.graph import SqlGraphStore
from storage.hierarchy import SqlHierarchy
from storage.history import SqlHistory
from storage.home import Home, LibraryLock
from storage.insights import SqlInsights, UploadedFiles
from storage.ledger_reports import SqlLedgerReports
from storage.memory import SqlMemory
from storage.places import SqlPlaces
from storage.references import SqlReferences
from storage.retention import SqlRetention
from storage.sessions import SqlSessions
from storage.tables import SqlTables
from storage.traces import SqlTraces, TracePruner

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Fixed:
    """What Zeus goes by whatever the embedding model is."""

    database: Database
    memory: TieredMemory
    graph: KnowledgeGraph
    cross_encoder: PairScorer | None
    cross_language: CrossLanguage | None
    reader: ReaderService | None


@dataclass(slots=True)
class Live:
    """The settings of the present moment: a few may be changed while the server runs."""

    settings: Settings


SAMPLE = Path(__file__).resolve().parent / "examples" / "library"
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
    """Everything that serves one library, opened in order and closed in reverse. Raises Conflict where another process owns it.

    `resume_jobs` goes on with the indexing that an earlier process left unfinished; `watch` follows the indexed folders; `warm` opens at once what a
    question needs, rather than when it is asked. `make` opens the embedding model that the settings name; `early` are models that are being opened
    already.
    """
    keep_little()
    async with AsyncExitStack() as stack:
        home, database, pruner = await _open_home(stack, settings)
        serving = await _open_serving(stack, settings, home, database, early.make_embedder if early is not None else make)
        sessions = _open_sessions(stack, settings)
        memory = _open_memory(stack, settings, database, serving, sessions)
        graph = _open_graph(stack, settings, database)
        multilingual = open_multilingual(settings, database, serving)
        reader = _open_answer_reader(stack, settings, early, start=warm)
        fixed = Fixed(database, memory, graph, _cross_encoder(settings), _cross_language(serving, multilingual), reader)
        dependencies = _dependencies_of(live := Live(settings), fixed)
        runs = _open_runs(stack, zeus := Zeus(dependencies(serving.embedder, serving.engine)))
        eraser = serving.engine.stores.eraser = Eraser(SqlDeletions(database), memory, runs, home.uploads)
        reading_parts = Parts(home, database, serving, make_describer(stack, settings))
        reading = await open_reading(stack, settings, reading_parts, resume_jobs=resume_jobs, watch=watch)
        retention = Retention(settings, Kept(SqlRetention(database), SqlConversations(database), memory, reading.jobs, home.uploads))
        open_housekeeping(stack, retention, eraser, serving.engine.stores, start=resume_jobs)
        _start_multilingual(stack, multilingual, reading.jobs, unasked=resume_jobs)
        served = Served(zeus, memory, reading.indexer, reading.jobs, reading.watcher, dependencies)
        choice = await open_model_choice(stack, Opened(settings, home, database, serving), served, make, start=resume_jobs)
        yield Services(
            settings=settings,
            version=VERSION,
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
            tables=SqlTables(database),
            references=SqlReferences(database),
            places=SqlPlaces(database),
            inspector=TraceInspector(zeus, runs),
            embedder=choice,
            preferences=SettingsDesk(settings, _adopting(live, zeus, lambda: dependencies(serving.embedder, serving.engine), (retention, pruner))),
            parts=make_parts(settings, database, serving, sessions, Models(reading_parts.describer, multilingual, reader)),
            streams=OpenStreams(settings.server.max_streams, settings.server.max_streams_per_person),
            sessions=BrowserSessions(SqlSessions(database), settings.server.session_hours),
            tries=FailedTries(settings.server.failed_tries, settings.server.failed_tries_seconds),
            ready=lambda: True,
            members=reading.members,
            uploads=home.uploads,
            sample=SAMPLE,
        )


async def _open_home(stack: AsyncExitStack, settings: Settings) -> tuple[Home, Database, TracePruner]:
    """The folder of the library, locked, and its database, of which old runs are pruned. Raises Conflict where another process owns it."""
    home = Home(settings.home)
    home.create()
    stack.enter_context(LibraryLock(home))
    database = await anyio.to_thread.run_sync(open_database, home.path, settings.storage.url)
    stack.push_async_callback(database.close)
    await SqlConversations(database).interrupt_running()  # whoever asked these questions is gone: the library has one owner
    return home, database, await _open_pruner(stack, settings, database)


async def _open_pruner(stack: AsyncExitStack, settings: Settings, database: Database) -> TracePruner:
    """What removes old runs in the background."""
    pruner = TracePruner(SqlTraces(database), days=settings.storage.traces_days, keep_bytes=settings.storage.traces_mb * 1_000_000)
    await pruner.start()
    stack.push_async_callback(pruner.close)
    return pruner


def _adopting(live: Live, zeus: Zeus, dependencies: Callable[[], Dependencies], kept: tuple[Retention, TracePruner]) -> Callable[[Settings], None]:
    """What hands settings that changed to those who go by them; runs that began before end with the old ones."""

    def adopt(settings: Settings) -> None:
        live.settings = settings
        retention, pruner = kept
        retention.adopt(settings)
        pruner.adopt(days=settings.storage.traces_days, keep_bytes=settings.storage.traces_mb * 1_000_000)
        zeus.leases.exchange(dependencies())

    return adopt


async def _open_serving(stack: AsyncExitStack, settings: Settings, home: Home, database: Database, make: MakeEmbedder) -> Serving:
    serving = await open_serving(settings, home, database, make)
    stack.push_async_callback(serving.close)
    return serving


def _level(settings: Settings) -> int:
    """The level of the largest chunks that are no longer than a passage."""
    chosen = settings.ingestion
    return sum(chosen.chunk_tokens < tokens <= settings.search.passage_tokens for tokens in chosen.chunk_levels)


def _cross_encoder(settings: Settings) -> PairScorer | None:
    return make_cross_encoder(settings.search.rerank.cross_encoder)


def _open_answer_reader(stack: AsyncExitStack, settings: Settings, early: EarlyModels | None, *, start: bool) -> ReaderService | None:
    """What reads passages for the answer itself; `start` loads it now, in the background, rather than with the first question."""
    reader = make_reader(early.open_reader if early is not None else reader_opener(settings), enabled=settings.answers.reader_enabled)
    if reader is not None:
        stack.push_async_callback(reader.close)
        if start:
            reader.start()
    return reader


def _cross_language(serving: Serving, multilingual: MultilingualService | None) -> CrossLanguage | None:
    if multilingual is None:
        return None
    return CrossLanguage(LibraryQuestionLanguages(lambda: serving.engine.index, LanguageIdentification()), multilingual)


def _translator(cross_language: CrossLanguage | None, engine: Engine) -> LibraryQuestionTranslator | None:
    if cross_language is None:
        return None
    return LibraryQuestionTranslator(cross_language.languages, lambda: engine.index)


def _topics(cross_language: CrossLanguage | None, embedder: Embedder, engine: Engine) -> TopicSearch:
    others = (cross_language.languages, cross_language.multilingual) if cross_language is not None else None
    mentions = TextMentions(engine.index, engine.stores.library)
    return TopicSearch(engine.index, engine.stores.library, embedder, mentions, topic_in_english, others)


def _crossing(cross_language: CrossLanguage | None) -> Crossing | None:
    return Crossing(cross_language.languages, cross_language.multilingual) if cross_language is not None else None


def _dependencies_of(live: Live, fixed: Fixed) -> Callable[[Embedder, Engine], Dependencies]:
    """What makes Zeus's dependencies, for one embedding model after the other."""
    return lambda embedder, engine: _dependencies(live.settings, fixed, embedder, engine)


def _retriever(settings: Settings, fixed: Fixed, embedder: Embedder, engine: Engine) -> HybridRetriever:
    search = settings.search
    return HybridRetriever(
        index=engine.index,
        embedder=embedder,
        library=engine.stores.library,
        options=search,
        tokens=engine.tokens,
        ignored=ignorable(embedder),
        cross_encoder=fixed.cross_encoder,
        links=TitleLinks(fixed.graph),
        parents=Parents(SqlHierarchy(fixed.database), _level(settings)) if search.parents == "stored" else None,
        cross_language=fixed.cross_language,
    )


def _dependencies(settings: Settings, fixed: Fixed, embedder: Embedder, engine: Engine) -> Dependencies:
    database, chosen = fixed.database, settings.answers
    vectors = UnitVectors(embedder)
    bounds = Bounds(max_words=chosen.max_words, max_sentences=chosen.max_sentences)
    parts = OptionalParts(_crossing(fixed.cross_language), fixed.reader, SqlReferences(database))
    return Dependencies(
        retriever=_retriever(settings, fixed, embedder, engine),
        library=engine.stores.library,
        composer=ExtractiveComposer(vectors, engine.index, bounds, parts),
        traces=SqlTraces(database),
        conversations=SqlConversations(database),
        probability=probability,
        not_found_answer=not_found_answer,
        memory=fixed.memory,
        graph=fixed.graph,
        reader=fixed.reader,
        mentions=TextMentions(engine.index, engine.stores.library),
        topics=_topics(fixed.cross_language, embedder, engine),
        speller=LibrarySpeller(engine.index, engine.stores.library, known_words(embedder)) if settings.search.spelling else None,
        translator=_translator(fixed.cross_language, engine),
        insights=SqlInsights(database),
        tables=SqlTables(database),
        references=SqlReferences(database),
        attachments=UploadedFiles(database, Home(settings.home).uploads),
        model=engine.model,
        writer=_writer("writer", vectors, engine),
        summary_writer=_writer(summarization.PROMPT, vectors, engine),
        comparison_writer=_writer(rewriting.PROMPT, vectors, engine),
        embedder=embedder.name,
        options=_options(settings),
    )


def _writer(prompt: str, vectors: UnitVectors, engine: Engine) -> CitedWriter | None:
    return CitedWriter(engine.model, load_prompt(prompt), vectors, engine.index) if engine.model is not None else None


def _open_graph(stack: AsyncExitStack, settings: Settings, database: Database) -> KnowledgeGraph:
    store = SqlGraphStore(database)
    graph = GraphView(store, Bound(settings.graph.max_passages, store.passages))
    stack.push_async_callback(graph.close)
    graph.start()
    return SharedGraph(graph)


def _open_sessions(stack: AsyncExitStack, settings: Settings) -> SessionMemory:
    """Where sessions are kept."""
    chosen = settings.memory.session
    if chosen.backend == "process" or (chosen.backend == "auto" and not chosen.redis_url):
        return InProcessSessionMemory(chosen.window_size, chosen.ttl_seconds)
    from memory.redis_session import RedisSessionMemory

    shared = RedisSessionMemory(chosen.redis_url, chosen.window_size, chosen.ttl_seconds)
    stack.push_async_callback(shared.close)
    return shared


def _open_runs(stack: AsyncExitStack, zeus: Zeus) -> Runs:
    switch_tracing_off()  # before any run: LangChain refuses to begin one where the environment asks for its oldest tracing
    runs = Runs(zeus)
    stack.push_async_callback(runs.close)
    return runs


def _start_multilingual(stack: AsyncExitStack, multilingual: MultilingualService | None, jobs: IndexJobs, *, unasked: bool) -> None:
    if multilingual is not None:
        stack.push_async_callback(multilingual.close)
        multilingual.start(lambda: jobs.working, unasked=unasked)


def _open_memory(stack: AsyncExitStack, settings: Settings, database: Database, serving: Serving, sessions: SessionMemory) -> TieredMemory:
    agentic_memory = settings.memory.agentic_memory
    reached = Reached(SqlMemory(database), sessions, SqlTraces(database), serving.embedder, serving.engine.index.analysis, learn)
    notes = NoteOptions(
        enabled=agentic_memory.enabled,
        max_keywords=agentic_memory.generation.max_keywords,
        similarity_threshold=agentic_memory.evolution.similarity_threshold,
        max_links=agentic_memory.evolution.max_links_per_note,
        most=agentic_memory.notes_max,
        high_confidence=HIGH,
        from_answers=agentic_memory.from_answers,
    )
    memory = settings.memory
    options = MemoryOptions(memory.enabled, memory.episodes_max, memory.consolidation_seconds, notes)
    opened = TieredMemory(reached, options, lambda: datetime.now(UTC))
    stack.push_async_callback(opened.close)
    opened.start()
    return opened


def _options(settings: Settings) -> Options:
    hybrid, classifier = settings.search.hybrid, settings.agents.classifier
    return Options(
        hybrid=Strategy(name="hybrid", lexical=hybrid.bm25_weight, dense=hybrid.vector_weight, min_score=settings.search.min_score),
        feedback=settings.search.feedback.weight,
        not_found_below=settings.answers.not_found_below,
        classifier_enabled=classifier.enabled,
        use_llm_fallback=classifier.use_llm_fallback,
        confidence_threshold=classifier.confidence_threshold,
        rerank_enabled=settings.search.rerank.enabled,
        model_required=bool(settings.llm.model) or settings.ollama.enabled == "on",
        max_query_characters=settings.server.max_query_characters,
        max_questions=settings.server.max_questions,
        max_questions_per_person=settings.server.max_questions_per_person,
        history_turns=settings.memory.session.window_size,
        attached_wait_seconds=settings.agents.attached.wait_seconds,
        correction_enabled=settings.agents.correction.enabled,
        correction_max_tries=settings.agents.correction.max_tries,
        correction_budget_ms=settings.agents.correction.budget_ms,
        model_seconds=settings.llm.seconds_per_question,
    )
