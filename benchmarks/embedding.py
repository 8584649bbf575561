"""The embedders side by side on the same texts: `python -m benchmarks.embedding [--texts 200]`

Tokens a second in windows of many passages, the time of a question alone and beside an indexing run, time to be ready, and the lowest cosine
against sentence-transformers in full precision. Each runs alone, one after the other, in one process.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import psutil
from numpy.typing import NDArray

from benchmarks.machine import data_folder, describe, percentile, print_table
from core.ports import Embedder
from retrieval.embedders.openvino_embedder import ComputeOptions, OpenVinoEmbedder, Precision
from retrieval.embedders.transformer_models import MINILM, MODELS

PRECISIONS: tuple[Precision, ...] = ("auto", "f32")
QUESTION = "What is the effect of the treatment on the patients?"


@dataclass(frozen=True)
class EmbedderFigures:
    name: str
    ready: float
    tokens_per_second: float
    with_tokens: float
    question_alone: float
    question_beside: float
    memory: float
    vectors: NDArray[np.float32]


async def measure(name: str, make: Callable[[], Embedder], texts: list[str]) -> EmbedderFigures:
    before = psutil.Process().memory_info().rss
    started = time.perf_counter()
    embedder = make()
    ready = time.perf_counter() - started
    tokens = sum(min(len(embedder.token_spans(text)) + 2, embedder.window) for text in texts)
    await embedder.embed_passages(texts[:32])
    plain, vectors = await _tokens_per_second(embedder, texts, tokens, with_tokens=False)
    both, _ = await _tokens_per_second(embedder, texts, tokens, with_tokens=True)
    alone = [await _question_seconds(embedder) for _ in range(40)][10:]
    indexing = asyncio.create_task(embedder.embed_passages(texts))
    beside = []
    while not indexing.done():
        beside.append(await _question_seconds(embedder))
        await asyncio.sleep(0.02)
    memory = (psutil.Process().memory_info().rss - before) / 2**20
    await embedder.close()
    return EmbedderFigures(name, ready, plain, both, percentile(alone, 0.5), percentile(beside, 0.95), memory, vectors)


async def _tokens_per_second(embedder: Embedder, texts: list[str], tokens: int, *, with_tokens: bool) -> tuple[float, NDArray[np.float32]]:
    started = time.perf_counter()
    encoded = await embedder.embed_passages(texts, with_tokens=with_tokens)
    return tokens / (time.perf_counter() - started), encoded.vectors


async def _question_seconds(embedder: Embedder) -> float:
    started = time.perf_counter()
    await embedder.embed_query(f"{QUESTION} {started}")  # a new text each time: the embedder keeps the vectors of questions
    return (time.perf_counter() - started) * 1000


def make_embedders() -> dict[str, Callable[[], Embedder]]:
    found: dict[str, Callable[[], Embedder]] = {
        f"{model.name}, {precision}": partial(OpenVinoEmbedder, model, ComputeOptions(precision)) for model in MODELS for precision in PRECISIONS
    }
    if find_spec("sentence_transformers") is not None:
        from retrieval.embedders.sentence_transformers import SentenceTransformerEmbedder

        found["all-MiniLM-L6-v2 by sentence-transformers, f32"] = lambda: SentenceTransformerEmbedder(str(MINILM.folder() / "model"), batch=8)
    else:
        sys.stderr.write("sentence-transformers is not installed (extra `models`): it is left out\n")
    return found


def passages(path: Path, count: int) -> list[str]:
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()[:count]]
    return [f"{row['title']}\n{row['text']}" for row in rows]


async def run(texts: list[str]) -> None:
    sys.stdout.write(f"{describe()}\n\n{len(texts)} passages of SciFact\n\n")
    found = [await measure(name, make, texts) for name, make in make_embedders().items()]
    exact = found[-1].vectors
    head = ("embedder", "ready s", "tokens/s", "with token vectors", "question ms", "beside indexing p95 ms", "memory MiB", "lowest cosine")
    table = [
        (
            one.name,
            f"{one.ready:.2f}",
            f"{one.tokens_per_second:.0f}",
            f"{one.with_tokens:.0f}",
            f"{one.question_alone:.1f}",
            f"{one.question_beside:.1f}",
            f"{one.memory:.0f}",
            f"{float((one.vectors * exact).sum(axis=1).min()):.5f}",
        )
        for one in found
    ]
    print_table(head, table)
    sys.stdout.write("\ncosine against the last row; memory is what the process grew by, the libraries included\n")


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--texts", type=int, default=200)
    path = data_folder() / "scifact" / "corpus.jsonl"
    chosen = parser.parse_args()
    if not path.is_file():
        sys.stderr.write(f"skipped: {path} is not there (set VANTAGE_DATA)\n")
        return 0
    asyncio.run(run(passages(path, chosen.texts)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
