"""What reads files: worker processes, the indexer with its jobs, and the watcher that follows folders."""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import dataclass

from composition.engine import extraction_limits
from composition.serving import Serving
from composition.watching import make_watcher
from core.ports import ImageDescriber
from core.prompts import load_prompt
from graph.enriching import ModelEnricher
from ingestion.enriching import ModelReaders
from ingestion.jobs import IndexJobs
from ingestion.model_profile import ModelProfiler
from ingestion.pipeline import Indexer, IndexingOptions
from ingestion.watching.watcher import FolderWatcher
from ingestion.worker_pool import ExtractionPool
from settings import Settings
from storage.engine import Database
from storage.home import Home
from storage.jobs import SqlJobs

# Run in the process that reads the file: the event loop never waits for it.
GRAPH_READER = "graph.extraction:extract_graph"


@dataclass(frozen=True, slots=True)
class Parts:
    """What was opened before."""

    home: Home
    database: Database
    serving: Serving
    describer: ImageDescriber | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """`members` reads files inside archives for a person who opens one: that does not wait for those that are indexed."""

    indexer: Indexer
    jobs: IndexJobs
    watcher: FolderWatcher
    members: ExtractionPool


async def open_reading(stack: AsyncExitStack, settings: Settings, parts: Parts, *, resume_jobs: bool, watch: bool) -> Reading:
    """Open the workers, the jobs and the watcher; `stack` closes them in reverse."""
    pool = ExtractionPool(settings.ingestion.workers, extraction_limits(settings), GRAPH_READER)
    stack.push_async_callback(pool.close)
    members = ExtractionPool(1, extraction_limits(settings))
    stack.push_async_callback(members.close)
    stores, indexer = parts.serving.engine.stores, _indexer(settings, parts, pool)
    jobs = IndexJobs(indexer, stores, SqlJobs(parts.database), parts.home.path)
    await jobs.open(resume=resume_jobs)
    stack.push_async_callback(jobs.close)
    watcher = make_watcher(settings, jobs, stores, parts.database)
    stack.push_async_callback(watcher.close)
    if watch:
        await watcher.open()
    return Reading(indexer, jobs, watcher, members)


def _indexer(settings: Settings, parts: Parts, pool: ExtractionPool) -> Indexer:
    chosen, graph, model = settings.ingestion, settings.graph, parts.serving.engine.model
    options = IndexingOptions(
        home=settings.home,
        ignore=tuple(chosen.ignore),
        chunk_tokens=chosen.chunk_tokens,
        chunk_levels=tuple(chosen.chunk_levels),
        chunk_overlap=chosen.chunk_overlap,
        larger_overlap=chosen.larger_overlap,
        embed_batch=chosen.embed_batch,
        commit_every_seconds=chosen.commit_every_seconds,
        ignore_files=chosen.watch.gitignore,
        recognize=chosen.ocr.enabled,
    )
    readers = ModelReaders(
        ModelEnricher(model, load_prompt("graph_extraction"), graph.model_characters) if model is not None and graph.use_model else None,
        ModelProfiler(model, load_prompt("document_profile")) if model is not None and settings.ingestion.use_model else None,
        parts.describer,
    )
    return Indexer(parts.serving.engine.stores, pool, parts.serving.embedder, options, readers)
