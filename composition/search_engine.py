"""The search engine of a library, the models that serve it, and the limits under which its files are read."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

import anyio
import anyio.lowlevel

from composition.library_locks import LibraryLocks, library_locks
from core.ports import ChatModel, Embedder, SearchIndex
from ingestion.indexing.index_writer import Stores
from ingestion.indexing.reconciliation import reconcile_at_start
from ingestion.readers.base.source import MEBIBYTE, OcrLimits
from ingestion.workers.pool import ExtractionLimits
from llm.model_middleware import TokenCounts, wrap_model
from retrieval.opensearch.connection_options import OpenSearchOptions
from retrieval.reranking import PairScorer
from retrieval.search_engines import IndexOptions, open_index
from retrieval.token_store import SqliteTokenStore, adopt_tokens
from settings import Settings
from storage.database import Database
from storage.home import Home
from storage.sql_jobs import SqlJobs
from storage.sql_library import SqlLibrary
from storage.sql_library_writer import SqlLibraryWriter
from storage.sql_watch_store import SqlWatchStore

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SearchEngine:
    """The search engine of a library with the model that serves it."""

    stores: Stores
    index: SearchIndex
    tokens: SqliteTokenStore | None
    model: ChatModel | None
    close_model: Callable[[], Awaitable[None]]
    locks: LibraryLocks | None = None

    async def close(self) -> None:
        if self.locks is not None:
            await self.locks.close()
        await self.index.close()
        if self.tokens is not None:
            await self.tokens.close()
        await self.close_model()


def make_model(settings: Settings) -> tuple[ChatModel | None, Callable[[], Awaitable[None]]]:
    """Return the language model, wrapped once, and the function that closes it; None where it is switched off."""
    chosen, unified = settings.ollama, settings.ollama.unified_model
    if settings.llm.model:
        from llm.langchain import LangChainChatModel, ProviderOptions

        provider = LangChainChatModel(
            ProviderOptions(settings.llm.model, unified.temperature, unified.max_tokens, chosen.timeout, chosen.first_token_seconds)
        )
        return wrap_model(provider, TokenCounts()), provider.close
    if chosen.enabled != "off":
        from llm.ollama import OllamaChatModel, OllamaOptions

        ollama = OllamaChatModel(
            OllamaOptions(chosen.base_url, unified.name, unified.temperature, unified.max_tokens, chosen.timeout, chosen.first_token_seconds)
        )
        return wrap_model(ollama, TokenCounts()), ollama.close
    return None, anyio.lowlevel.checkpoint


def extraction_limits(settings: Settings) -> ExtractionLimits:
    ingestion, ocr = settings.ingestion, settings.ingestion.ocr
    return ExtractionLimits(
        seconds=ingestion.seconds_per_file,
        memory_mb=ingestion.memory_mb,
        file_bytes=ingestion.max_file_mb * MEBIBYTE,
        decompressed_bytes=ingestion.max_decompressed_mb * MEBIBYTE,
        pages=ingestion.max_pages,
        characters=ingestion.max_characters,
        streamed_bytes=ingestion.max_streamed_file_mb * MEBIBYTE,
        archive_bytes=ingestion.max_archive_mb * MEBIBYTE,
        members=ingestion.max_members,
        nesting=ingestion.max_nesting,
        most_seconds=ingestion.max_seconds,
        confined=ingestion.confine_readers,
        ocr=OcrLimits(
            enabled=ocr.enabled,
            engine=ocr.engine,
            languages=tuple(ocr.languages),
            max_pages=ocr.max_pages,
            seconds_per_page=ocr.seconds_per_page,
            min_confidence=ocr.min_confidence,
            threads=ocr.threads,
            describe_images=ocr.describe_images,
            max_described=ocr.max_described,
        ),
    )


async def open_engine(settings: Settings, home: Home, database: Database, embedder: Embedder) -> SearchEngine:
    """Index and token store, brought to the truth: what a crash left undone is made good here."""
    for filled in (home.next_tokens, home.later_tokens):
        await anyio.to_thread.run_sync(adopt_tokens, home.tokens, filled, embedder.name)
    tokens = _token_store(settings, home.tokens, embedder)
    writer = SqlLibraryWriter(database, embedder.name)
    # After a crash token vectors of chunks that are gone may be left; reading every id is not worth it otherwise.
    crashed = bool(await SqlJobs(database).list_unfinished())
    locks = library_locks(settings, database, writer)
    async with locks.hold_index() if locks is not None else nullcontext():
        index = await _open_index(settings, home, embedder)
        done = await reconcile_at_start(writer, index, tokens if crashed else None)
        if locks is not None:
            locks.use_index(index)
    if done.upserted or done.deleted:
        logger.warning("the index was brought to the library: %d documents put in, %d taken out", done.upserted, done.deleted)
    stores = Stores(SqlLibrary(database), writer, index, tokens, watch_store=SqlWatchStore(database))
    if locks is not None:
        locks.guard(stores)
    return SearchEngine(stores, index, tokens, *make_model(settings), locks)


async def _open_index(settings: Settings, home: Home, embedder: Embedder) -> SearchIndex:
    search = settings.search
    options = IndexOptions(home.index, embedder.dimension, search.document_weight, search.faiss_above, opensearch_options(settings))
    return await open_index(search.engine, options)


def opensearch_options(settings: Settings) -> OpenSearchOptions:
    opensearch = settings.opensearch
    return OpenSearchOptions(
        host=opensearch.host,
        port=opensearch.port,
        nodes=tuple((name, int(port)) for name, _, port in (each.rpartition(":") for each in opensearch.nodes)),
        index_name=opensearch.index_name,
        use_ssl=opensearch.use_ssl,
        username=opensearch.auth.username,
        password=opensearch.auth.password.get_secret_value(),
        ca_file=opensearch.ca_file,
        verify_certificate=opensearch.verify_certificate,
        timeout_seconds=opensearch.timeout_seconds,
    )


def open_pending_tokens(settings: Settings, path: Path, embedder: Embedder) -> SqliteTokenStore | None:
    """Return the token vectors of a model that is to take over. Blocks."""
    return _token_store(settings, path, embedder)


def _token_store(settings: Settings, path: Path, embedder: Embedder) -> SqliteTokenStore | None:
    if not (settings.search.rerank.enabled and settings.search.rerank.store_token_vectors):
        return None
    return SqliteTokenStore(path, embedder.dimension, model=embedder.name, ignored=ignorable_tokens(embedder))


def ignorable_tokens(embedder: Embedder) -> frozenset[int]:
    """Return tokens that late interaction leaves out, where the embedder's vocabulary is known."""
    found: frozenset[int] = getattr(embedder, "ignorable_token_ids", frozenset())
    return found


def known_words(embedder: Embedder) -> frozenset[str]:
    """Return words of the language, where the embedder's vocabulary is known."""
    found: frozenset[str] = getattr(embedder, "whole_words", frozenset())
    return found


def make_cross_encoder(name: str) -> PairScorer | None:
    if not name:
        return None
    from retrieval.embedders.sentence_transformers import CrossEncoderScorer

    return CrossEncoderScorer(name)
