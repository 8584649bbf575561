"""The services that read files: worker processes, the indexer with its jobs, and the watcher that follows folders."""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

from composition.active_search import ActiveSearch
from composition.search_engine import extraction_limits
from composition.watcher_factory import make_watcher
from composition.worker_queue import open_queue
from core.ports import ImageDescriber
from core.prompts import load_prompt
from graph.model_enricher import ModelEnricher
from ingestion.enrichment.model_profile import ModelProfiler
from ingestion.indexing.index_jobs import IndexJobs
from ingestion.indexing.indexer import Indexer, IndexingOptions
from ingestion.indexing.model_enrichment import IndexingModels
from ingestion.indexing.remote_jobs import HERE
from ingestion.watching.watcher import FolderWatcher
from ingestion.workers.pool import ExtractionPool
from settings import Settings
from storage.database import Database
from storage.home import Home
from storage.sql_jobs import SqlJobs

if TYPE_CHECKING:
    from storage.job_queue import PostgresQueue

# Run in the process that reads the file: the event loop never waits for it.
GRAPH_READER = "graph.extraction:extract_graph"


@dataclass(frozen=True, slots=True)
class IngestionInputs:
    """The parts that were opened before. `server` is this one's name among several."""

    home: Home
    database: Database
    serving: ActiveSearch
    describer: ImageDescriber | None = None
    server: str = ""


@dataclass(frozen=True, slots=True)
class IngestionServices:
    """`members` reads files inside archives for a person who opens one: that does not wait for those that are indexed, which `readers` reads.
    `queue` None: this process does its jobs itself."""

    indexer: Indexer
    jobs: IndexJobs
    watcher: FolderWatcher
    member_files: ExtractionPool
    readers: ExtractionPool
    queue: PostgresQueue | None


async def open_ingestion(stack: AsyncExitStack, settings: Settings, parts: IngestionInputs, *, resume_jobs: bool, watch: bool) -> IngestionServices:
    """Open the workers, the jobs and the watcher; `stack` closes them in reverse."""
    pool = open_readers(stack, settings)
    members = ExtractionPool(1, extraction_limits(settings))
    stack.push_async_callback(members.close)
    stores, indexer = parts.serving.engine.stores, make_indexer(settings, parts, pool)
    queue = await open_queue(stack, settings)
    here = f"{HERE}:{parts.server}" if parts.server else HERE
    jobs = IndexJobs(indexer, stores, SqlJobs(parts.database), parts.home.path, queue, here=here)
    await jobs.open(resume=resume_jobs)
    stack.push_async_callback(jobs.close)
    watcher = make_watcher(settings, jobs, stores, parts.database)
    stack.push_async_callback(watcher.close)
    if watch:
        await watcher.open()
    return IngestionServices(indexer, jobs, watcher, members, pool, queue)


def open_readers(stack: AsyncExitStack, settings: Settings) -> ExtractionPool:
    """Return the processes that read files to be indexed, closed with `stack`."""
    pool = ExtractionPool(settings.ingestion.workers, extraction_limits(settings), GRAPH_READER)
    stack.push_async_callback(pool.close)
    return pool


def make_indexer(settings: Settings, parts: IngestionInputs, pool: ExtractionPool) -> Indexer:
    """Return what indexes into the library."""
    chosen, graph, model = settings.ingestion, settings.graph, parts.serving.engine.model
    options = IndexingOptions(
        home=settings.home,
        ignore=tuple(chosen.ignore),
        chunk_tokens=chosen.chunk_tokens,
        chunk_overlap=chosen.chunk_overlap,
        embed_batch=chosen.embed_batch,
        commit_every_seconds=chosen.commit_every_seconds,
        ignore_files=chosen.watch.gitignore,
        recognize=chosen.ocr.enabled,
    )
    readers = IndexingModels(
        ModelEnricher(model, load_prompt("graph_extraction"), graph.model_characters) if model is not None and graph.use_model else None,
        ModelProfiler(model, load_prompt("document_profile")) if model is not None and settings.ingestion.use_model else None,
        parts.describer,
    )
    return Indexer(parts.serving.engine.stores, pool, parts.serving.embedder, options, readers)
