"""An indexer over a real library, with fakes for what is slow: for tests of the pipeline."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import anyio
import pytest

from core.documents import LedgerLine
from core.ports import GraphEnricher, ImageDescriber
from ingestion.enrichment.model_profile import Profiler
from ingestion.indexing.indexer import Indexer, IndexingOptions, IndexingRequest, Stores
from ingestion.indexing.model_enrichment import IndexingModels
from ingestion.indexing.overlapping_runs import ActiveRuns
from ingestion.indexing.run_progress import Progress, RunSummary
from storage.database import Database
from storage.sql_library import SqlLibrary
from storage.sql_library_writer import SqlLibraryWriter
from storage.sql_watch_store import SqlWatchStore
from tests.support.containers import WalkingReader
from tests.support.empty_library import open_library
from tests.support.ingestion import FileReader, HashEmbedder, MemoryIndex, MemoryTokens


@dataclass
class Bench:
    """An indexer over a real library in `home` and fakes of the rest; documents lie in `docs`."""

    home: Path
    docs: Path
    database: Database
    index: MemoryIndex = field(default_factory=MemoryIndex)
    tokens: MemoryTokens = field(default_factory=MemoryTokens)
    reader: FileReader = field(default_factory=FileReader)
    embedder: HashEmbedder = field(default_factory=HashEmbedder)
    seen: list[Progress] = field(default_factory=list)
    version: str = "1"
    enricher: GraphEnricher | None = None
    profiler: Profiler | None = None
    describer: ImageDescriber | None = None
    looks: ActiveRuns = field(default_factory=ActiveRuns)

    @property
    def library(self) -> SqlLibrary:
        return SqlLibrary(self.database)

    def indexer(self) -> Indexer:
        writer, watching = SqlLibraryWriter(self.database), SqlWatchStore(self.database)
        stores = Stores(self.library, writer, self.index, self.tokens, watch_store=watching, active_runs=self.looks)
        options = IndexingOptions(self.home, (".*",), commit_every_seconds=0.05, window=16, embed_batch=1, readers_version=self.version)
        return Indexer(stores, self.reader, self.embedder, options, IndexingModels(self.enricher, self.profiler, self.describer))

    async def run(
        self,
        path: Path | None = None,
        *,
        collection: str = "default",
        force: bool = False,
        cancelled: anyio.Event | None = None,
        password: str = "",
    ) -> RunSummary:
        self.reader.read.clear()
        self.embedder.texts.clear()
        request = IndexingRequest("t", path or self.docs, collection, force, password=password)
        summary = await self.indexer().index(request, progress=self.seen.append, cancelled=cancelled or anyio.Event())
        await self.check()
        return summary

    async def ledger(self) -> dict[str, LedgerLine]:
        lines, _, _ = await self.library.ledger("t", limit=500)
        return {line.path.removeprefix(f"{self.docs}/"): line for line in lines}

    async def check(self) -> None:
        """Truth, index and token store hold the same."""
        totals = await self.library.totals("t")
        live = await SqlLibraryWriter(self.database).live_documents()
        assert {each: generation for each, (_, generation) in live.items()} == await self.index.generations()
        ids = {chunk.id for each in self.index.committed.values() for chunk in each.chunks}
        assert len(ids) == totals.chunks == totals.vectors
        assert set(self.tokens.rows) == ids
        assert [each async for each in SqlLibraryWriter(self.database).stale_documents(await self.index.generations())] == []


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    home, docs = tmp_path / "home", tmp_path / "docs"
    home.mkdir()
    docs.mkdir()
    database = open_library(home)
    yield Bench(home, docs, database)
    await database.close()


def write_file(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def file_counts(progress: Progress) -> dict[str, int]:
    names = ("indexed", "unchanged", "partial", "skipped", "failed", "removed")
    return {name: value for name in names if (value := getattr(progress, f"files_{name}"))}


async def reindexed_contents(bench: Bench, folder: Path) -> dict[str, tuple[str, str, str]]:
    """The `library_contents` of a library that is made anew, in `folder`, from the documents of this one."""
    home = folder / "fresh"
    home.mkdir()
    other = Bench(home, bench.docs, open_library(home), reader=WalkingReader())
    await other.run()
    found = await library_contents(other)
    await other.database.close()
    return found


async def library_contents(bench: Bench) -> dict[str, tuple[str, str, str]]:
    """Path -> state, container, and the text that is found under it in the index."""
    texts = {path: "\n".join(chunk.text for chunk in made.chunks) for made in bench.index.committed.values() for path in made.paths}
    return {name: (line.state.value, line.container, texts.get(line.path, "")) for name, line in (await bench.ledger()).items()}
