"""The product as a person meets it: `python -m benchmarks.product [--chunks 100000] [--documents 2600]`

1. A question at about 5,000 real passages (abstracts of scifact, indexed by the product): the whole extractive answer, cold and warm.
2. A server over 100,000 passages: start to first answer, memory, a question there, and `vantage ask` beside it.

Made-up documents stand for the 100,000 (memory and speed do not depend on what they say); the questions are scifact's.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import httpx
import numpy as np
import psutil

from benchmarks.machine import data_folder, describe, percentile, print_table
from benchmarks.models import open_embedder
from benchmarks.storage import made_up_document
from storage.database import open_database
from storage.home import Home
from storage.sql_library_writer import SqlLibraryWriter
from tests.support.serving import ROOT, ServedVantage, index_and_wait, make_environment

FigureRow = tuple[str, str, str]
QUESTIONS = 120
LONGEST = 1800.0  # seconds that indexing may take


def questions() -> list[str]:
    path = data_folder() / "scifact" / "queries.jsonl"
    return [json.loads(line)["text"] for line in path.read_text(encoding="utf-8").splitlines()][:QUESTIONS]


def write_abstracts(folder: Path, count: int) -> None:
    """scifact's abstracts as text files."""
    folder.mkdir(parents=True)
    for line in (data_folder() / "scifact" / "corpus.jsonl").read_text(encoding="utf-8").splitlines()[:count]:
        row = json.loads(line)
        (folder / f"{row['id']}.txt").write_text(f"{row['title']}\n\n{row['text']}\n", encoding="utf-8")


@contextmanager
def serve_home(home: Path) -> Iterator[ServedVantage]:
    server = ServedVantage(home).start()
    try:
        yield server
    finally:
        server.stop()


def ask_all(client: httpx.Client, asked: list[str]) -> list[float]:
    """Milliseconds for each question, from the request to the whole response."""
    times = []
    for question in asked:
        started = time.perf_counter()
        client.post("/search", json={"query": question}).raise_for_status()
        times.append((time.perf_counter() - started) * 1000)
    return times


def format_spread(times: list[float]) -> str:
    return f"{percentile(times, 0.5):.0f} / {percentile(times, 0.95):.0f} ms"


def measure_five_thousand(folder: Path, documents: int) -> list[FigureRow]:
    asked = questions()
    write_abstracts(folder / "abstracts", documents)
    with serve_home(folder / "home") as server, server.client() as client:
        started = time.perf_counter()
        index_and_wait(client, str(folder / "abstracts"), seconds=LONGEST)
        took = time.perf_counter() - started
        chunks = client.get("/health").json()["library"]["chunks"]
        client.post("/search", json={"query": "warm the process, not the passages"})
        cold, warm = ask_all(client, asked), ask_all(client, asked)
    return [
        (f"indexing {documents} abstracts through the server", f"{took:.0f} s, {chunks / took:.0f} passages/s", ""),
        (f"answer at {chunks:,} passages, first time asked, p50 / p95", format_spread(cold), ""),
        (f"answer at {chunks:,} passages, asked again, p50 / p95", format_spread(warm), "p50 150 ms"),
    ]


async def fill(home: Path, chunks: int, embedder: str) -> None:
    """A library of made-up documents with unit vectors under the embedder's name."""
    Home(home).create()
    database = open_database(home)
    writer = SqlLibraryWriter(database, embedder)
    rng = np.random.default_rng(3)
    words = ["".join(rng.choice(list("abcdefghijklmnopqrstuvwxyz"), size=int(rng.integers(2, 10)))) for _ in range(20_000)]
    await writer.add_root("default", "/made-up", "default")
    for number in range(chunks // 33):
        made = made_up_document(number, 33, words, rng)
        vectors = made.vectors.astype(np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        await writer.write_document("default", replace(made, vectors=vectors.astype(np.float16), embedder=embedder))
    await database.close()


def resident_mib(pid: int) -> float:
    """Resident memory of the process in MiB, its readers (which end when they are idle) left out."""
    return float(psutil.Process(pid).memory_info().rss) / 2**20


def time_first_answer(home: Path) -> float:
    """Seconds from starting the server to its first answer."""
    started = time.perf_counter()
    with serve_home(home) as server, server.client() as client:
        client.post("/search", json={"query": questions()[0]}).raise_for_status()
        return time.perf_counter() - started


def time_call(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def measure_hundred_thousand(home: Path, chunks: int) -> list[FigureRow]:
    embedder = open_embedder()
    name = embedder.name
    asyncio.run(embedder.close())
    asyncio.run(fill(home, chunks, name))
    rebuilt = time_first_answer(home)
    again = min(time_first_answer(home) for _ in range(3))
    with serve_home(home) as server, server.client() as client:
        ask_all(client, questions()[:3])
        count = client.get("/health").json()["library"]["chunks"]
        times = ask_all(client, questions())
        memory = resident_mib(server.process.pid) if server.process else 0.0
        command = [sys.executable, "-m", "cli", "ask", questions()[5], "--json"]
        beside = [
            time_call(lambda: subprocess.run(command, cwd=ROOT, env=make_environment(home), capture_output=True, check=False)) for _ in range(9)
        ]
    return [
        (f"server start to first answer, index lost ({count:,} passages)", f"{rebuilt:.1f} s", ""),
        ("server start to first answer, best of 3", f"{again:.1f} s", "6 s"),
        (f"answer at {count:,} passages, p50 / p95", format_spread(times), ""),
        ("server's memory with the model after them", f"{memory:.0f} MiB", "1,229 MiB"),
        ("`vantage ask` beside the server, median of 9", f"{percentile(beside, 0.5):.2f} s", "0.50 s"),
    ]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--documents", type=int, default=2600)
    options = parser.parse_args()
    if not (data_folder() / "scifact").is_dir():
        sys.stdout.write(f"skipped: {data_folder() / 'scifact'} is not there (set VANTAGE_DATA)\n")
        return
    sys.stdout.write(describe() + "\n\n")
    with tempfile.TemporaryDirectory() as folder:
        rows = measure_five_thousand(Path(folder), options.documents)
        rows += measure_hundred_thousand(Path(folder) / "large", options.chunks)
    print_table(("what", "figure", "promise"), rows)


if __name__ == "__main__":
    main()
