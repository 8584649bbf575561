"""Whatever happens to a folder, after an index run the library equals one that was made from the folder afresh; removed, it is empty."""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from pathlib import Path

import anyio
from hypothesis import given, note, settings
from hypothesis import strategies as st

from ingestion.indexing.index_writer import IndexWriter
from ingestion.indexing.indexer import Indexer, IndexingOptions, IndexingRequest, Stores
from ingestion.indexing.reconciliation import reconcile_at_start
from retrieval.embedded_index import EmbeddedIndex
from storage.sql_library import SqlLibrary
from storage.sql_library_writer import SqlLibraryWriter
from tests.support.empty_library import open_library
from tests.support.ingestion import FileReader, HashEmbedder, MemoryTokens
from tests.support.snapshots import Snapshot, assert_in_step, snapshot

NAMES = st.sampled_from(["a.txt", "b.txt", "sub/a.txt", "sub/c.txt"])
BODIES = st.sampled_from(["common one", "common two\n\n# common H\n\ncommon " + "w " * 300, "common three", "!malformed", "!partial common", ""])
STEPS = st.one_of(
    st.tuples(st.just("write"), NAMES, BODIES),
    st.tuples(st.just("move"), NAMES, NAMES),
    st.tuples(st.just("copy"), NAMES, NAMES),
    st.tuples(st.just("remove"), NAMES),
    st.tuples(st.just("touch"), NAMES),
    st.tuples(st.just("index")),
    st.tuples(st.just("index"), NAMES),
    st.tuples(st.just("force")),
    st.tuples(st.just("reopen")),
)


class World:
    def __init__(self, home: Path, docs: Path) -> None:
        self.home, self.docs = home, docs
        home.mkdir(exist_ok=True)
        self.tokens = MemoryTokens()
        self.database = open_library(home)
        self.library, self.writer = SqlLibrary(self.database), SqlLibraryWriter(self.database)

    async def open(self) -> World:
        self.index = await EmbeddedIndex.open(self.home / "index", dimension=8, document_weight=0.3, faiss_above=10**6)
        await reconcile_at_start(self.writer, self.index, self.tokens)
        self.stores = Stores(self.library, self.writer, self.index, self.tokens)
        self.indexer = Indexer(self.stores, FileReader(), HashEmbedder(), IndexingOptions(self.home, window=8, embed_batch=1))
        return self

    async def run(self, path: Path, *, force: bool = False) -> None:
        await self.indexer.index(IndexingRequest("t", path, force=force), progress=lambda _: None, cancelled=anyio.Event())

    async def state(self) -> Snapshot:
        chunks = await assert_in_step("t", self.writer, self.index, self.tokens.rows)
        assert len(self.tokens.rows) == chunks
        return await snapshot("t", self.library, self.writer)

    async def close(self) -> None:
        await self.index.close()
        await self.database.close()


def act(world: World, step: tuple[str, ...], clock: int) -> None:
    """Change the folder. Every change gets a time of its own, as it would have when a person made it."""
    path = world.docs / step[1]
    path.parent.mkdir(exist_ok=True)
    match step[0]:
        case "write":
            path.write_text(step[2])
        case "move" | "copy" if path.exists() and step[1] != step[2]:
            target = world.docs / step[2]
            target.parent.mkdir(exist_ok=True)
            if step[0] == "move":
                path.rename(target)
                return
            shutil.copy(path, target)
            path = target
        case "remove":
            path.unlink(missing_ok=True)
    if path.exists():
        os.utime(path, (clock, clock))


async def play(folder: Path, steps: list[tuple[str, ...]]) -> None:
    docs = folder / "docs"
    docs.mkdir()
    (docs / "always.txt").write_text("common always")
    world = await World(folder / "home", docs).open()
    try:
        await world.run(docs)
        for clock, step in enumerate(steps, start=1_000_000_000):
            match step:
                case ("index",):
                    await world.run(docs)
                case ("index", name) if (docs / name).exists():
                    await world.run(docs / name)
                case ("force",):
                    await world.run(docs, force=True)
                case ("reopen",):
                    await world.index.close()
                    await world.open()
                case (_, _, *_):
                    act(world, step, clock)
        await world.run(docs)
        await assert_equals_fresh(world, folder)
        removed = IndexWriter(world.stores, "t")
        await removed.remove_root(str(docs))
        await removed.flush()
        assert await world.state() == Snapshot({}, {})
    finally:
        await world.close()


async def assert_equals_fresh(world: World, folder: Path) -> None:
    fresh = await World(folder / "fresh", world.docs).open()
    try:
        await fresh.run(world.docs)
        have, want = await world.state(), await fresh.state()
    finally:
        await fresh.close()
    # A file that cannot be read keeps its older version, which a fresh library never saw; and its attempts were counted.
    unreadable = {path for path, (_, code) in want.ledger.items() if code == "malformed"}
    assert have.ledger.keys() == want.ledger.keys()
    assert {path: line for path, line in have.ledger.items() if path not in unreadable} == {
        path: line for path, line in want.ledger.items() if path not in unreadable
    }
    readable = {tuple(path for path in paths if path not in unreadable): made for paths, made in have.documents.items()}
    readable.pop((), None)
    assert readable == want.documents


@given(st.lists(STEPS, max_size=14))
@settings(max_examples=25, deadline=None)
def test_any_history_ends_as_a_fresh_index_and_removal_leaves_nothing(steps: list[tuple[str, ...]]) -> None:
    note(str(steps))
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(play(Path(folder), steps))
