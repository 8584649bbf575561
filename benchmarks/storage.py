"""The library's database: how fast documents are written, vectors loaded at start and chunks read for an answer.

    python -m benchmarks.storage [--chunks 100000] [--postgres URL]

The documents are made up (words with a natural frequency, 384 numbers a vector), so that any size can be had and nothing is embedded.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.machine import describe, percentile, print_table
from core.documents import Block, BlockKind, Chunk, DocumentProfile, ExtractedDocument, Metadata, PageUnit, Section
from core.ports import FileStamp, NewDocument
from storage.database import Database, open_database
from storage.sql_library import SqlLibrary
from storage.sql_library_writer import SqlLibraryWriter

DIMENSION = 384
CHUNK = 900  # characters: about 200 tokens
SMALL_LIBRARY = 5_000
ASKED_CHUNKS = 50
TENANT = "default"


@dataclass(frozen=True)
class MadeLibrary:
    """A library of the benchmark: its database and the ids of its chunks by document."""

    database: Database
    chunk_ids: list[tuple[int, ...]]
    seconds: float


def made_up_document(number: int, chunks: int, words: list[str], rng: np.random.Generator) -> NewDocument:
    ranks = rng.zipf(1.3, size=chunks * CHUNK // 6) % len(words)
    text = " ".join(words[rank] for rank in ranks)[: chunks * CHUNK]
    spans = [(start, min(start + CHUNK, len(text))) for start in range(0, len(text), CHUNK)]
    pieces = tuple(Chunk(place, start, end, 200, ("Made up", f"Part {place // 5}"), prefix="Made up") for place, (start, end) in enumerate(spans))
    extracted = ExtractedDocument(
        text=text,
        blocks=tuple(Block(BlockKind.PARAGRAPH, start, end) for start, end in spans),
        sections=(Section(("Made up",), 0, len(text)),),
        tables=(),
        pages=(),
        page_unit=PageUnit.NONE,
        metadata=Metadata(),
        parser="made-up",
    )
    return NewDocument(
        stamp=FileStamp(f"/made-up/{number}.txt", len(text), number),
        root="/made-up",
        collection="default",
        content_hash=hashlib.sha256(text.encode()).hexdigest(),
        file_type=".txt",
        document=extracted,
        profile=DocumentProfile(f"Made up {number}", text[:200], text[:600], tuple(words[:8]), (), "en", "note"),
        chunks=pieces,
        vectors=rng.normal(size=(len(pieces), DIMENSION)).astype(np.float16),
        embedder="made-up",
        settings_version="1",
    )


async def fill(database: Database, documents: int, each: int) -> MadeLibrary:
    """Write that many documents of `each` chunks, the time of making them up left out."""
    rng = np.random.default_rng(3)
    words = ["".join(rng.choice(list("abcdefghijklmnopqrstuvwxyz"), size=int(rng.integers(2, 10)))) for _ in range(20_000)]
    writer = SqlLibraryWriter(database)
    ids, spent = [], 0.0
    for number in range(documents):
        document = made_up_document(number, each, words, rng)
        began = time.perf_counter()
        written = await writer.write_document(TENANT, document)
        spent += time.perf_counter() - began
        ids.append(written.chunk_ids)
    return MadeLibrary(database, ids, spent)


async def time_chunk_reads(made: MadeLibrary, *, cold: bool, rounds: int) -> list[float]:
    """Milliseconds of `Library.chunks` for ASKED ids out of 30 documents; cold: with an empty cache of texts each time."""
    rng = np.random.default_rng(4)
    library = SqlLibrary(made.database)
    times = []
    for _ in range(rounds):
        places = rng.choice(len(made.chunk_ids), size=30, replace=len(made.chunk_ids) < 30)
        wanted = [int(rng.choice(made.chunk_ids[int(rng.choice(places))])) for _ in range(ASKED_CHUNKS)]
        library = SqlLibrary(made.database) if cold else library
        began = time.perf_counter()
        found = await library.chunks(TENANT, wanted)
        times.append((time.perf_counter() - began) * 1000)
        if len(found) != len(set(wanted)):
            sys.exit("chunks are missing")
    return times[rounds // 5 :]


async def load(database: Database) -> tuple[int, float]:
    """Chunks and seconds of reading every vector into one matrix, as a server does when it starts."""
    began = time.perf_counter()
    blocks = [matrix async for _, _, _, matrix in SqlLibraryWriter(database).iterate_vectors()]
    matrix = np.concatenate(blocks)
    return len(matrix), time.perf_counter() - began


async def time_replaying(database: Database) -> tuple[int, float]:
    """Chunks and seconds of reading every document back as the index wants it, for a lost index."""
    began = time.perf_counter()
    chunks = 0
    async for document in SqlLibraryWriter(database).stale_documents({}):
        chunks += len(document.chunks)
    return chunks, time.perf_counter() - began


async def measure(home: Path, url: str, chunks: int) -> list[list[str]]:
    rows: list[list[str]] = []
    made = await fill(open_database(home, url), 30, SMALL_LIBRARY // 30)
    for cold in (True, False):
        times = await time_chunk_reads(made, cold=cold, rounds=60)
        kind = "texts not in memory" if cold else "texts in memory"
        rows.append(
            [
                f"{ASKED_CHUNKS} chunks by id of {SMALL_LIBRARY:,}, {kind}",
                f"p50 {percentile(times, 0.5):.1f} ms, p95 {percentile(times, 0.95):.1f} ms",
            ]
        )
    await made.database.close()
    if url:
        return rows  # the larger part below belongs to a library of its own
    large = home / "large"
    large.mkdir()
    made = await fill(open_database(large), chunks // 33, 33)
    held = sum(map(len, made.chunk_ids))
    rows.append(
        [f"write {len(made.chunk_ids):,} documents", f"{len(made.chunk_ids) / made.seconds:,.0f} documents/s, {held / made.seconds:,.0f} chunks/s"]
    )
    times = await time_chunk_reads(made, cold=True, rounds=60)
    rows.append(
        [
            f"{ASKED_CHUNKS} chunks by id of {held:,}, texts not in memory",
            f"p50 {percentile(times, 0.5):.1f} ms, p95 {percentile(times, 0.95):.1f} ms",
        ]
    )
    await made.database.close()
    began = time.perf_counter()
    database = open_database(large)
    opened = time.perf_counter() - began
    count, seconds = await load(database)
    rows.append([f"open, and load {count:,} vectors", f"{opened * 1000:.0f} ms, and {seconds:.2f} s"])
    count, seconds = await time_replaying(database)
    rows.append([f"read {count:,} chunks back with texts and vectors", f"{seconds:.1f} s"])
    rows.append(["bytes on disk for each chunk", f"{await database.bytes_on_disk() / count:,.0f} (text {CHUNK}, vector {DIMENSION * 2})"])
    await database.close()
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--postgres", default="", help="the URL of an empty database: measures reading chunks there")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="vantage-bench-") as folder:
        rows = asyncio.run(measure(Path(folder), options.postgres, options.chunks))
    sys.stdout.write(f"{describe()}, {'PostgreSQL' if options.postgres else 'SQLite'}\n\n")
    print_table(("what", "figure"), rows)


if __name__ == "__main__":
    main()
