"""The composition root: Settings become adapters, adapters become the graph and the services. A back end is swapped here and nowhere else."""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import anyio
import anyio.lowlevel
from sqlalchemy import select

from agents import analysis, summarization
from agents.confidence_scorer import HIGH
from answers.answerability import not_found_answer, probability
from answers.composer import ExtractiveComposer
from answers.selection import Bounds
from answers.vectors import UnitVectors
from answers.writer import CitedWriter
from core.errors import Unavailable, VantageError
from core.ports import ChatModel, Embedder, KnowledgeGraph, SessionMemory, TokenStore
from core.prompts import load_prompt
from core.search import Strategy
from graph.enriching import ModelEnricher
from graph.knowledge import Bound, GraphView
from graph.links import TitleLinks
from ingestion.bookkeeping import Stores
from ingestion.extractors.source import MEBIBYTE
from ingestion.jobs import IndexJobs
from ingestion.pipeline import Indexer, IndexingOptions
from ingestion.replay import replay
from ingestion.worker_pool import ExtractionLimits, ExtractionPool
from llm.middleware import TokenCounts, wrap
from memory.manager import Reached, TieredMemory
from memory.notes import NoteOptions
from memory.parts import MemoryOptions
from memory.procedural import learn
from memory.session import InProcessSessionMemory
from orchestration.dependencies import Dependencies, Options
from orchestration.inspection import TraceInspector
from orchestration.runs import Runs
from orchestration.zeus import Zeus
from retrieval.embedded_index import EmbeddedIndex
from retrieval.reranking import PairScorer
from retrieval.retriever import HybridRetriever
from retrieval.token_store import SqliteTokenStore
from server.app import VERSION
from server.schemas import Part
from server.services import PartsReport, Services
from settings import Settings
from storage.conversations import SqlConversations
from storage.engine import Database, open_database
from storage.feedback import SqlFeedback
from storage.graph import SqlGraphStore
from storage.home import Home, LibraryLock
from storage.insights import SqlInsights, UploadedFiles
from storage.jobs import SqlJobs
from storage.library import SqlLibrary
from storage.memory import SqlMemory
from storage.traces import SqlTraces, TracePruner
from storage.writer import SqlLibraryWriter

logger = logging.getLogger(__name__)

SAMPLE = Path(__file__).resolve().parent / "examples" / "library"
DEFAULT_MODEL = "all-MiniLM-L6-v2"
# Run in the process that reads the file: the event loop never waits for it.
GRAPH_READER = "graph.extraction:extract_graph"


@asynccontextmanager
async def open_services(settings: Settings, *, resume_jobs: bool = True) -> AsyncIterator[Services]:
    """Everything that serves one library, opened in order and closed in reverse. Raises Conflict where another process owns it.

    `resume_jobs` goes on with the indexing that an earlier process left unfinished.
    """
    async with AsyncExitStack() as stack:
        home = Home(settings.home)
        home.create()
        stack.enter_context(LibraryLock(home))
        database = await anyio.to_thread.run_sync(open_database, home.path, settings.storage.url)
        stack.push_async_callback(database.close)
        pruner = TracePruner(SqlTraces(database), days=settings.storage.traces_days, keep_bytes=settings.storage.traces_mb * 1_000_000)
        await pruner.start()
        stack.push_async_callback(pruner.close)
        embedder = await anyio.to_thread.run_sync(make_embedder, settings)
        stack.push_async_callback(embedder.close)
        engine = await _open_engine(settings, home, database, embedder)
        stack.push_async_callback(engine.close)
        sessions, close_sessions = _open_sessions(settings)
        stack.push_async_callback(close_sessions)
        memory = _open_memory(settings, database, embedder, engine, sessions)
        stack.push_async_callback(memory.close)
        memory.start()
        graph = _open_graph(settings, database)
        stack.push_async_callback(graph.close)
        graph.start()
        zeus = Zeus(replace(_dependencies(settings, database, embedder, engine, graph), memory=memory))
        runs = Runs(zeus)
        stack.push_async_callback(runs.close)
        pool = ExtractionPool(settings.ingestion.workers, extraction_limits(settings), GRAPH_READER)
        stack.push_async_callback(pool.close)
        jobs = IndexJobs(_indexer(settings, engine, pool, embedder), engine.stores, SqlJobs(database), home.path)
        await jobs.open(resume=resume_jobs)
        stack.push_async_callback(jobs.close)
        yield Services(
            settings=settings,
            version=VERSION,
            started_at=time.time(),
            token=secrets.token_urlsafe(32),
            library=engine.stores.library,
            runs=runs,
            jobs=jobs,
            conversations=SqlConversations(database),
            traces=SqlTraces(database),
            feedback=SqlFeedback(database),
            memory=memory,
            graph=graph,
            inspector=TraceInspector(zeus, runs),
            parts=_parts(settings, database, embedder, engine, sessions),
            ready=lambda: True,
            uploads=home.uploads,
            sample=SAMPLE,
        )


@dataclass(frozen=True, slots=True)
class Engine:
    """The search engine of a library with the model that serves it."""

    stores: Stores
    index: EmbeddedIndex
    tokens: TokenStore | None
    model: ChatModel | None
    close_model: Callable[[], Awaitable[None]]

    async def close(self) -> None:
        await self.index.close()
        if self.tokens is not None:
            await self.tokens.close()
        await self.close_model()


def make_embedder(settings: Settings) -> Embedder:
    """The embedder that the settings name. Raises ConfigurationError where its extra is missing or the model is unknown."""
    chosen = settings.embedding
    if chosen.model == DEFAULT_MODEL:
        from retrieval.embedders.minilm import MiniLmEmbedder

        return MiniLmEmbedder(precision=chosen.precision, threads=chosen.threads, batch=settings.ingestion.embed_batch)
    from retrieval.embedders.sentence_transformers import SentenceTransformerEmbedder

    return SentenceTransformerEmbedder(chosen.model, query_prefix=chosen.query_prefix, passage_prefix=chosen.passage_prefix)


def make_model(settings: Settings) -> tuple[ChatModel | None, Callable[[], Awaitable[None]]]:
    """The language model, wrapped once, and what closes it; None where it is switched off."""
    chosen, unified = settings.ollama, settings.ollama.unified_model
    if settings.llm.model:
        from llm.langchain import LangChainChatModel, ProviderOptions

        provider = LangChainChatModel(
            ProviderOptions(settings.llm.model, unified.temperature, unified.max_tokens, chosen.timeout, chosen.first_token_seconds)
        )
        return wrap(provider, TokenCounts()), provider.close
    if chosen.enabled != "off":
        from llm.ollama import OllamaChatModel, OllamaOptions

        ollama = OllamaChatModel(
            OllamaOptions(chosen.base_url, unified.name, unified.temperature, unified.max_tokens, chosen.timeout, chosen.first_token_seconds)
        )
        return wrap(ollama, TokenCounts()), ollama.close
    return None, anyio.lowlevel.checkpoint


def extraction_limits(settings: Settings) -> ExtractionLimits:
    chosen = settings.ingestion
    return ExtractionLimits(
        seconds=chosen.seconds_per_file,
        memory_mb=chosen.memory_mb,
        file_bytes=chosen.max_file_mb * MEBIBYTE,
        decompressed_bytes=chosen.max_decompressed_mb * MEBIBYTE,
        pages=chosen.max_pages,
        characters=chosen.max_characters,
    )


async def _open_engine(settings: Settings, home: Home, database: Database, embedder: Embedder) -> Engine:
    """Index and token store, brought to the truth: what a crash left undone is made good here."""
    search = settings.search
    index = await EmbeddedIndex.open(home.index, dimension=embedder.dimension, document_weight=search.document_weight, faiss_above=search.faiss_above)
    tokens = _token_store(settings, home, embedder)
    writer = SqlLibraryWriter(database, embedder.name)
    # After a crash token vectors of chunks that are gone may be left; reading every id is not worth it otherwise.
    crashed = bool(await SqlJobs(database).unfinished())
    done = await replay(writer, index, tokens if crashed else None)
    if done.upserted or done.deleted:
        logger.warning("the index was brought to the library: %d documents put in, %d taken out", done.upserted, done.deleted)
    return Engine(Stores(SqlLibrary(database), writer, index, tokens), index, tokens, *make_model(settings))


def _token_store(settings: Settings, home: Home, embedder: Embedder) -> SqliteTokenStore | None:
    if not (settings.search.rerank.enabled and settings.search.rerank.store_token_vectors):
        return None
    return SqliteTokenStore(home.tokens, embedder.dimension, model=embedder.name, ignored=_ignorable(embedder))


def _ignorable(embedder: Embedder) -> frozenset[int]:
    """Tokens that late interaction leaves out, where the embedder's vocabulary is known."""
    found: frozenset[int] = getattr(embedder, "ignorable_token_ids", frozenset())
    return found


def _cross_encoder(name: str) -> PairScorer | None:
    if not name:
        return None
    from retrieval.embedders.sentence_transformers import CrossEncoderScorer

    return CrossEncoderScorer(name)


def _indexer(settings: Settings, engine: Engine, pool: ExtractionPool, embedder: Embedder) -> Indexer:
    chosen, graph, model = settings.ingestion, settings.graph, engine.model
    options = IndexingOptions(settings.home, tuple(chosen.ignore), chosen.chunk_tokens, chosen.embed_batch, chosen.commit_every_seconds)
    enricher = ModelEnricher(model, load_prompt("graph_extraction"), graph.model_characters) if graph.use_model and model is not None else None
    return Indexer(engine.stores, pool, embedder, options, enricher)


def _dependencies(settings: Settings, database: Database, embedder: Embedder, engine: Engine, graph: KnowledgeGraph) -> Dependencies:
    search, chosen = settings.search, settings.answers
    vectors = UnitVectors(embedder)
    bounds = Bounds(max_words=chosen.max_words, max_sentences=chosen.max_sentences)
    retriever = HybridRetriever(
        index=engine.index,
        embedder=embedder,
        library=engine.stores.library,
        options=search,
        tokens=engine.tokens,
        ignored=_ignorable(embedder),
        cross_encoder=_cross_encoder(search.rerank.cross_encoder),
        links=TitleLinks(graph),
    )
    return Dependencies(
        retriever=retriever,
        library=engine.stores.library,
        composer=ExtractiveComposer(vectors, engine.index, bounds),
        traces=SqlTraces(database),
        conversations=SqlConversations(database),
        probability=probability,
        not_found_answer=not_found_answer,
        graph=graph,
        insights=SqlInsights(database),
        attachments=UploadedFiles(database, Home(settings.home).uploads),
        model=engine.model,
        writer=_writer("writer", vectors, engine),
        summary_writer=_writer(summarization.PROMPT, vectors, engine),
        comparison_writer=_writer(analysis.PROMPT, vectors, engine),
        options=_options(settings),
    )


def _writer(prompt: str, vectors: UnitVectors, engine: Engine) -> CitedWriter | None:
    return CitedWriter(engine.model, load_prompt(prompt), vectors, engine.index) if engine.model is not None else None


def _open_graph(settings: Settings, database: Database) -> GraphView:
    store = SqlGraphStore(database)
    return GraphView(store, Bound(settings.graph.max_passages, store.passages))


def _open_sessions(settings: Settings) -> tuple[SessionMemory, Callable[[], Awaitable[None]]]:
    """Where sessions are kept, and what closes it."""
    chosen = settings.memory.session
    if chosen.backend == "process" or (chosen.backend == "auto" and not chosen.redis_url):
        return InProcessSessionMemory(chosen.window_size, chosen.ttl_seconds), anyio.lowlevel.checkpoint
    from memory.redis_session import RedisSessionMemory

    shared = RedisSessionMemory(chosen.redis_url, chosen.window_size, chosen.ttl_seconds)
    return shared, shared.close


def _open_memory(settings: Settings, database: Database, embedder: Embedder, engine: Engine, sessions: SessionMemory) -> TieredMemory:
    agentic_memory = settings.memory.agentic_memory
    reached = Reached(SqlMemory(database), sessions, SqlTraces(database), embedder, engine.index.terms, learn)
    notes = NoteOptions(
        enabled=agentic_memory.enabled,
        max_keywords=agentic_memory.generation.max_keywords,
        similarity_threshold=agentic_memory.evolution.similarity_threshold,
        max_links=agentic_memory.evolution.max_links_per_note,
        most=agentic_memory.notes_max,
        high_confidence=HIGH,
    )
    memory = settings.memory
    options = MemoryOptions(memory.enabled, memory.episodes_max, memory.consolidation_seconds, notes)
    return TieredMemory(reached, options, lambda: datetime.now(UTC))


def _options(settings: Settings) -> Options:
    hybrid, classifier = settings.search.hybrid, settings.agents.classifier
    return Options(
        hybrid=Strategy(name="hybrid", lexical=hybrid.bm25_weight, dense=hybrid.vector_weight, min_score=settings.search.min_score),
        not_found_below=settings.answers.not_found_below,
        classifier_enabled=classifier.enabled,
        use_llm_fallback=classifier.use_llm_fallback,
        confidence_threshold=classifier.confidence_threshold,
        rerank_enabled=settings.search.rerank.enabled,
        model_required=bool(settings.llm.model) or settings.ollama.enabled == "on",
        max_query_characters=settings.server.max_query_characters,
        history_turns=settings.memory.session.window_size,
        attached_wait_seconds=settings.agents.attached.wait_seconds,
        correction_enabled=settings.agents.correction.enabled,
        correction_max_tries=settings.agents.correction.max_tries,
        correction_budget_ms=settings.agents.correction.budget_ms,
    )


def _parts(settings: Settings, database: Database, embedder: Embedder, engine: Engine, sessions: SessionMemory) -> PartsReport:
    """What /health reports of each part."""

    async def parts(*, thorough: bool = False) -> list[Part]:
        counts = await engine.index.counts()
        return [
            await _store_part(database, thorough=thorough),
            await _embedder_part(database, embedder),
            Part(
                name="index",
                state="ok",
                detail=f"{counts.chunks} passages, {counts.vectors} vectors, {engine.index.memory_bytes / 1e6:.0f} MB of vectors in memory",
            ),
            _rerank_part(settings, engine),
            await _model_part(settings, engine.model),
            await _sessions_part(sessions),
        ]

    return parts


async def _store_part(database: Database, *, thorough: bool) -> Part:
    """Whether the store answers; `thorough` reads all of it, which takes seconds in a large library."""
    try:
        found = (
            await database.integrity() if thorough else await database.read(lambda connection: [] if connection.scalar(select(1)) else ["no answer"])
        )
    except VantageError as error:
        return Part(name="store", state="down", detail=str(error))
    return Part(name="store", state="degraded" if found else "ok", detail="; ".join(found) or f"{database.dialect} at {database.place}")


async def _embedder_part(database: Database, embedder: Embedder) -> Part:
    """Passages with another model's vectors cannot be found until they are indexed again: said here, never silent."""
    name = f"{embedder.name}{_precision(embedder)}"
    others = {model: count for model, count in (await SqlLibraryWriter(database).embedders()).items() if model != embedder.name}
    if not others:
        return Part(name="embedder", state="ok", detail=name)
    said = ", ".join(f"{count} by {model}" for model, count in others.items())
    return Part(
        name="embedder",
        state="degraded",
        detail=f"{name}; passages embedded by another model are not searched until their folders are indexed again: {said}",
    )


def _precision(embedder: Embedder) -> str:
    precision = getattr(embedder, "precision", "")
    return f" in {precision}" if precision else ""


def _rerank_part(settings: Settings, engine: Engine) -> Part:
    if not settings.search.rerank.enabled:
        return Part(name="rerank", state="off", detail="search.rerank.enabled is false")
    where = "token vectors are stored" if engine.tokens is not None else "token vectors are encoded when they are needed"
    return Part(name="rerank", state="ok", detail=settings.search.rerank.cross_encoder or f"late interaction; {where}")


async def _sessions_part(sessions: SessionMemory) -> Part:
    """A Redis that does not answer costs the earlier turns of a session and nothing else."""
    if isinstance(sessions, InProcessSessionMemory):
        return Part(name="session memory", state="ok", detail="in this process")
    try:
        await sessions.recall("health", "health")
    except Unavailable as error:
        return Part(name="session memory", state="degraded", detail=f"{error} Questions are answered without the session's earlier turns meanwhile.")
    return Part(name="session memory", state="ok", detail=f"Redis at {getattr(sessions, 'place', '')}")


async def _model_part(settings: Settings, model: ChatModel | None) -> Part:
    """A model that is merely possible (`auto`) and not there is off; one that is wanted and not there is degraded."""
    if model is None:
        return Part(name="language model", state="off", detail="ollama.enabled is off: answers are quoted from the documents")
    there, reason = await model.available()
    if there:
        return Part(name="language model", state="ok", detail=model.name)
    wanted = bool(settings.llm.model) or settings.ollama.enabled == "on"
    return Part(name="language model", state="degraded" if wanted else "off", detail=f"{reason} Answers are quoted from the documents meanwhile.")
