"""The whole pipeline against the bare encoder, on the same chunks in one run: `python -m benchmarks.indexing [FILES]`

Text documents (the abstracts of SciFact in groups, or generated ones where the data is absent) are read by the worker processes with their
knowledge graph, cut, embedded and stored as `vantage index` does it. The bare encoder gets the very same texts, sorted by length in the same
windows and calls. The runs alternate and the best of each counts, because other work on the machine only ever slows a run down. The
processor's seconds are compared, too, those of the reading processes included: on a machine with other work they say more than the clock.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import anyio
import psutil

from benchmarks.machine import data_folder, describe, print_table
from benchmarks.models import add_embedder_option, open_embedder
from bootstrap import GRAPH_READER
from core.documents import embedded_text
from ingestion.indexing.index_writer import Stores
from ingestion.indexing.indexer import Indexer, IndexingOptions, IndexingRequest
from ingestion.workers.pool import ExtractionPool
from retrieval.embedded_index import EmbeddedIndex
from retrieval.embedders.openvino_embedder import OpenVinoEmbedder
from retrieval.token_store import SqliteTokenStore
from storage.database import open_database
from storage.sql_library import SqlLibrary
from storage.sql_library_writer import SqlLibraryWriter

TENANT = "benchmark"
ROUNDS = 3
BATCH, WINDOW = 8, 192
GOAL = 0.90


def write_documents(folder: Path, files: int) -> str:
    """Markdown files of about four pages each; returns what they are made of."""
    folder.mkdir()
    corpus = data_folder() / "scifact" / "corpus.jsonl"
    if corpus.is_file():
        rows = [json.loads(line) for line in corpus.read_text(encoding="utf-8").splitlines()]
        parts, source = [f"## {row['title']}\n\n{row['text']}" for row in rows], "SciFact abstracts"
    else:
        chance = random.Random(1)
        words = ["".join(chance.choices("abcdefghijklmnoprstuvw", k=chance.randint(2, 9))) for _ in range(5000)]
        parts = [f"## Part {n}\n\n" + " ".join(" ".join(chance.choices(words, k=15)) + "." for _ in range(14)) for n in range(3000)]
        source = "generated text"
    for number in range(files):
        chosen = [parts[(number * 8 + step) % len(parts)] for step in range(8)]
        (folder / f"{number:04}.md").write_text(f"# Document {number}\n\n" + "\n\n".join(chosen), encoding="utf-8")
    return source


class ResourceClock:
    """Seconds of the clock and of the processor, child processes counted, since it was made."""

    def __init__(self) -> None:
        self._process = psutil.Process()
        self._started, self._used = time.perf_counter(), self._processor()

    def elapsed(self) -> tuple[float, float]:
        return time.perf_counter() - self._started, self._processor() - self._used

    def _processor(self) -> float:
        times = [process.cpu_times() for process in (self._process, *self._process.children(recursive=True))]
        return float(sum(each.user + each.system for each in times))


@dataclass
class IndexingFigures:
    chunks: int
    seconds: float
    processor: float
    texts: list[str]

    @property
    def rate(self) -> float:
        return self.chunks / self.seconds


async def measure_pipeline(home: Path, docs: Path, embedder: OpenVinoEmbedder, pool: ExtractionPool, *, with_tokens: bool) -> IndexingFigures:
    """One index run into an empty library."""
    await anyio.Path(home).mkdir()
    database = open_database(home)
    index = await EmbeddedIndex.open(home / "index", dimension=embedder.dimension, document_weight=0.3, faiss_above=200_000)
    tokens = SqliteTokenStore(home / "tokens.db", embedder.dimension, model=embedder.name, ignored=embedder.ignorable_token_ids)
    library, writer = SqlLibrary(database), SqlLibraryWriter(database, embedder.name)
    stores = Stores(library, writer, index, tokens if with_tokens else None)
    indexer = Indexer(stores, pool, embedder, IndexingOptions(home, embed_batch=BATCH, window=WINDOW))
    clock = ResourceClock()
    summary = await indexer.index(IndexingRequest(TENANT, docs), progress=lambda _: None, cancelled=anyio.Event())
    taken = clock.elapsed()
    ids = [piece.id for each in await writer.indexed_documents(TENANT, list(await writer.live_documents())) for piece in each.chunks]
    stored = await library.chunks(TENANT, ids)
    texts = [embedded_text(stored[each].prefix, stored[each].text) for each in ids]
    await tokens.close()
    await index.close()
    await database.close()
    return IndexingFigures(summary.progress.chunks, *taken, texts)


async def measure_encoder(texts: Sequence[str], embedder: OpenVinoEmbedder, *, with_tokens: bool) -> IndexingFigures:
    """The encoder alone: windows sorted by length, as the pipeline has them, one call after the other."""
    order = [sorted(texts[start : start + WINDOW], key=len, reverse=True) for start in range(0, len(texts), WINDOW)]
    clock = ResourceClock()
    for window in order:
        await embedder.embed_passages(window, with_tokens=with_tokens)
    return IndexingFigures(len(texts), *clock.elapsed(), [])


async def compare(work: Path, docs: Path, embedder: OpenVinoEmbedder, pool: ExtractionPool, *, with_tokens: bool) -> list[str]:
    runs, alone = [], []
    for number in range(ROUNDS):
        runs.append(await measure_pipeline(work / f"home-{with_tokens}-{number}", docs, embedder, pool, with_tokens=with_tokens))
        alone.append(await measure_encoder(runs[-1].texts, embedder, with_tokens=with_tokens))
    best, encoder = max(run.rate for run in runs), max(run.rate for run in alone)
    processor = min(run.processor for run in alone) / min(run.processor for run in runs)
    spread = ", ".join(f"{run.rate / other.rate:.2f}" for run, other in zip(runs, alone, strict=True))
    kind = "with token vectors" if with_tokens else "without token vectors"
    return [kind, str(runs[0].chunks), f"{encoder:.1f}", f"{best:.1f}", f"{best / encoder:.2f}", spread, f"{processor:.2f}"]


async def main(files: int, model: str) -> int:
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        source = write_documents(work / "docs", files)
        embedder, pool = open_embedder(model, batch=BATCH), ExtractionPool(graph_reader=GRAPH_READER)
        await pool.extract(next((work / "docs").iterdir()))  # the workers are started once in a server's life
        lines = [await compare(work, work / "docs", embedder, pool, with_tokens=with_tokens) for with_tokens in (True, False)]
        await pool.close()
        await embedder.close()
    sys.stdout.write(
        f"{describe()}\n{files} files of {source}, {embedder.name} in {embedder.precision}, best of {ROUNDS} alternating rounds, goal {GOAL:.2f}\n\n"
    )
    head = ["run", "chunks", "encoder alone, chunks/s", "pipeline, chunks/s", "share", "share in each round", "share of processor seconds"]
    print_table(head, lines)
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="?", type=int, default=120)
    add_embedder_option(parser)
    chosen = parser.parse_args()
    sys.exit(asyncio.run(main(chosen.files, chosen.embedder)))
