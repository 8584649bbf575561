"""A process that indexes a folder as a server would, to be killed while it does.

    python -m tests.support.indexing_child HOME FOLDER [real]

It prints "started", repairs what an earlier one left, indexes with a cheap embedder (or the real one), prints "written" whenever a document
was stored, and at last the run's counts as JSON.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import anyio

from core.ports import Embedder
from ingestion.indexing.indexer import Indexer, IndexingOptions, IndexingRequest, Stores
from ingestion.indexing.reconciliation import reconcile_at_start
from ingestion.indexing.run_progress import Progress
from retrieval.embedded_index import EmbeddedIndex
from retrieval.token_store import SqliteTokenStore
from storage.database import Database, open_database
from storage.sql_library import SqlLibrary
from storage.sql_library_writer import SqlLibraryWriter
from tests.support.ingestion import FileReader, HashEmbedder

TENANT = "t"


class ListedTokenStore(SqliteTokenStore):
    """The token store with the list of what it holds, which the sweep after a crash asks for."""

    async def chunk_ids(self) -> list[int]:
        return await self._run_limited(self._reader, lambda: [row[0] for row in self._read.execute("select chunk from tokens")])


@dataclass
class OpenedIndex:
    database: Database
    stores: Stores
    index: EmbeddedIndex
    tokens: ListedTokenStore
    writer: SqlLibraryWriter

    async def close(self) -> None:
        await self.tokens.close()
        await self.index.close()
        await self.database.close()


async def open_library(home: Path, embedder: Embedder) -> OpenedIndex:
    """Open everything in `home` and bring what is derived to the truth."""
    await anyio.Path(home).mkdir(exist_ok=True)
    database = open_database(home)
    writer = SqlLibraryWriter(database, embedder.name)
    index = await EmbeddedIndex.open(home / "index", dimension=embedder.dimension, document_weight=0.3, faiss_above=10**6)
    tokens = ListedTokenStore(home / "tokens.db", embedder.dimension, model=embedder.name)
    await reconcile_at_start(writer, index, tokens)
    return OpenedIndex(database, Stores(SqlLibrary(database), writer, index, tokens), index, tokens, writer)


def embedder_named(name: str) -> Embedder:
    if name != "real":
        return HashEmbedder(0.004)
    from retrieval.embedders.openvino_embedder import OpenVinoEmbedder
    from retrieval.embedders.transformer_models import GRANITE

    return OpenVinoEmbedder(GRANITE)


async def index_folder(home: Path, folder: Path, embedder: Embedder, report: Callable[[Progress], None] = lambda _: None) -> Progress:
    """Index with frequent commits, so that a kill may hit any of their steps."""
    opened = await open_library(home, embedder)
    options = IndexingOptions(home, (), commit_every_seconds=0.05, window=32, embed_batch=1)
    indexer = Indexer(opened.stores, FileReader(), embedder, options)
    try:
        summary = await indexer.index(IndexingRequest(TENANT, folder), progress=report, cancelled=anyio.Event())
    finally:
        await opened.close()
    return summary.progress


def main() -> None:
    home, folder, *name = sys.argv[1:]
    sys.stdout.write("started\n")
    sys.stdout.flush()
    written = 0

    def report(progress: Progress) -> None:
        nonlocal written
        if progress.files_indexed > written:
            written = progress.files_indexed
            sys.stdout.write("written\n")
            sys.stdout.flush()

    progress = asyncio.run(index_folder(Path(home), Path(folder), embedder_named(name[0] if name else ""), report))
    sys.stdout.write(json.dumps(progress.as_dict()) + "\n")


if __name__ == "__main__":
    main()
