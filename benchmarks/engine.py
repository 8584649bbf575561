"""The embedded engine alone, with the question's vector given: `python -m benchmarks.engine [--chunks 100000] [--queries 300]`

Chunks are mixed from sentences of the evaluation corpora, 20 to a document, so that the words have natural frequencies; vectors are random
unit vectors around shared centres. A search is what the retriever does: both legs side by side, true cosines for what only words found,
fusion, candidates with their stages. Goal at 100k chunks: p50 at most 5 ms, p95 at most 12 ms.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import random
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
import psutil
from numpy.typing import NDArray

from benchmarks.machine import data_folder, describe, percentile, print_table
from core.language.sentences import split_sentences
from core.ports import REFERENCE_SCALE, Embedder, IndexedChunk, IndexedDocument, Library, SearchIndex
from core.search import Filters, RetrievalRequest, Strategy
from retrieval.embedded_index import EmbeddedIndex
from retrieval.retriever import HybridRetriever
from settings import SearchSettings

DIMENSION = 384
PER_DOCUMENT = 20
WORDS = 170
BATCH = 100
SETS = ("scifact", "cranfield", "hipporag_musique_train100", "hipporag_hotpotqa_train100", "squad2_500")
HYBRID = Strategy(name="hybrid", lexical=0.3, dense=0.7, min_score=0.0)


class GivenVectorEmbedder:
    """The part of an embedder that the legs ask; each question's vector was made before."""

    scale = REFERENCE_SCALE

    def __init__(self, vectors: dict[str, NDArray[np.float32]]) -> None:
        self._vectors = vectors

    async def embed_query(self, text: str) -> NDArray[np.float32]:
        return self._vectors[text]


class DocumentGenerator:
    """Documents and questions from the sentences of the corpora; the same for the same seed."""

    def __init__(self, folder: Path) -> None:
        self._random, self._numbers = random.Random(5), np.random.default_rng(5)
        self.sentences = [sentence for name in SETS for sentence in _sentences(folder / name / "corpus.jsonl")]
        self.questions = [json.loads(line)["text"] for name in SETS for line in (folder / name / "queries.jsonl").open(encoding="utf-8")]
        self._centres = self._numbers.standard_normal((500, DIMENSION)).astype(np.float32)

    def documents(self, chunks: int) -> Iterator[IndexedDocument]:
        for number in range(chunks // PER_DOCUMENT):
            vectors = self.vectors(PER_DOCUMENT).astype(np.float16)
            texts = [self._text() for _ in range(PER_DOCUMENT)]
            first = 1 + number * PER_DOCUMENT
            pieces = tuple(
                IndexedChunk(first + row, text, texts[0][:60], vector) for row, (text, vector) in enumerate(zip(texts, vectors, strict=True))
            )
            yield IndexedDocument(
                id=f"document-{number}",
                tenant="default",
                collection=f"collection-{number % 4}",
                generation=1,
                paths=(f"/library/{number % 50}/{number}.pdf",),
                filename=f"{number}.pdf",
                title=texts[0][:60],
                keywords=tuple(texts[1].split()[:8]),
                summary=texts[2][:300],
                file_type=".pdf",
                doc_type="report",
                language="en",
                modified_at=None,
                chunks=pieces,
            )

    def vectors(self, count: int) -> NDArray[np.float32]:
        rows = self._centres[self._numbers.integers(0, len(self._centres), count)] + self._numbers.standard_normal((count, DIMENSION), np.float32)
        unit: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return unit

    def _text(self) -> str:
        parts: list[str] = []
        words = 0
        while words < WORDS:
            parts.append(self._random.choice(self.sentences))
            words += parts[-1].count(" ") + 1
        return " ".join(parts)


def _sentences(path: Path) -> list[str]:
    texts = (json.loads(line)["text"] for line in path.open(encoding="utf-8"))
    return [text[start:end] for text in texts for start, end in split_sentences(text)]


async def build(folder: Path, generator: DocumentGenerator, chunks: int, faiss_above: int) -> tuple[EmbeddedIndex, float]:
    """The index and the seconds that writing it took (with making up the documents)."""
    index = await EmbeddedIndex.open(folder, dimension=DIMENSION, document_weight=SearchSettings().document_weight, faiss_above=faiss_above)
    started, batch = time.perf_counter(), []
    for document in generator.documents(chunks):
        batch.append(document)
        if len(batch) == BATCH:
            await index.upsert(batch)
            await index.commit()
            batch = []
    await index.upsert(batch)
    await index.commit()
    return index, time.perf_counter() - started


async def time_calls(calls: Sequence[Callable[[], Awaitable[object]]]) -> list[float]:
    """Milliseconds of each call, after a few that are not counted."""
    for call in calls[:10]:
        await call()
    times = []
    for call in calls:
        started = time.perf_counter()
        await call()
        times.append((time.perf_counter() - started) * 1000)
    return times


def plan_searches(index: SearchIndex, vectors: Mapping[str, Any]) -> dict[str, list[Callable[[], Awaitable[object]]]]:
    """Return what is timed: name -> a call for each question, by the legs alone and by both."""
    options = SearchSettings(recounted_enabled=False)  # the library's texts are no matter of the engines
    retriever = HybridRetriever(index, cast(Library, None), cast(Embedder, GivenVectorEmbedder(dict(vectors))), None, options)

    def both(text: str, filters: Filters) -> Callable[[], Awaitable[object]]:
        return lambda: retriever.retrieve(RetrievalRequest(text=text, strategy=HYBRID, filters=filters))

    def lexical(text: str) -> Callable[[], Awaitable[object]]:
        return lambda: index.search_lexical("default", text, Filters(), 50)

    def dense(text: str) -> Callable[[], Awaitable[object]]:
        return lambda: index.search_dense("default", vectors[text], Filters(), 50)

    return {
        "words alone": [lexical(text) for text in vectors],
        "meaning alone": [dense(text) for text in vectors],
        "both legs and fusion": [both(text, Filters()) for text in vectors],
        "the same, a quarter of the documents": [both(text, Filters(collection="collection-1")) for text in vectors],
        "the same, one folder in fifty": [both(text, Filters(path_prefix="/library/7")) for text in vectors],
    }


async def measure_searches(index: EmbeddedIndex, vectors: dict[str, NDArray[np.float32]]) -> list[tuple[str, str, str, str]]:
    rows = []
    for name, calls in plan_searches(index, vectors).items():
        times = await time_calls(calls)
        rows.append((name, f"{percentile(times, 0.5):.2f}", f"{percentile(times, 0.95):.2f}", f"{max(times):.1f}"))
    return rows


async def run(chunks: int, queries: int, kind: str) -> None:
    generator = DocumentGenerator(data_folder())
    faiss_above = 1 if kind == "faiss" else 10**9
    gc.collect()
    before = psutil.Process().memory_info().rss
    with tempfile.TemporaryDirectory() as name:
        index, written = await build(Path(name), generator, chunks, faiss_above)
        gc.collect()
        memory = psutil.Process().memory_info().rss - before
        counts = await index.counts()
        questions = generator.questions[:: max(1, len(generator.questions) // queries)][:queries]
        rows = await measure_searches(index, dict(zip(questions, generator.vectors(len(questions)), strict=True)))
        await index.close()
    sys.stdout.write(
        f"\n{kind}: {counts.chunks} chunks, {counts.documents} documents, {len(questions)} questions, top {SearchSettings().recall_top_k}\n\n"
    )
    print_table(("search", "p50 ms", "p95 ms", "max ms"), rows)
    sys.stdout.write(
        f"\nwritten in {written:.0f} s, {counts.bytes_on_disk / 1e6:.0f} MB on disk; memory {memory / 2**20:.0f} MiB more,"
        f" of which vectors {index.memory_bytes / 2**20:.0f} MiB\n"
    )


async def measure_reload(chunks: int) -> None:
    """How long a start takes to bring the vectors back, the words being on disk."""
    generator = DocumentGenerator(data_folder())
    with tempfile.TemporaryDirectory() as name:
        index, _ = await build(Path(name), generator, chunks, 10**9)
        await index.close()
        documents = list(DocumentGenerator(data_folder()).documents(chunks))
        started = time.perf_counter()
        index = await EmbeddedIndex.open(Path(name), dimension=DIMENSION, document_weight=0.3, faiss_above=10**9)
        opened = time.perf_counter() - started
        for begin in range(0, len(documents), BATCH):
            await index.load_documents(documents[begin : begin + BATCH])
        await index.commit()
        sys.stdout.write(f"\nstart: opened in {opened:.2f} s, {chunks} vectors loaded in {time.perf_counter() - started - opened:.2f} s\n")
        await index.close()


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--queries", type=int, default=300)
    parser.add_argument("--kinds", nargs="+", default=["numpy", "faiss"], choices=["numpy", "faiss"])
    chosen = parser.parse_args()
    if not all((data_folder() / name).is_dir() for name in SETS):
        sys.stderr.write(f"skipped: {data_folder()} has not all of {', '.join(SETS)} (set VANTAGE_DATA)\n")
        return 0
    sys.stdout.write(f"{describe()}\n")
    for kind in chosen.kinds:
        asyncio.run(run(chosen.chunks, chosen.queries, kind))
    asyncio.run(measure_reload(chosen.chunks))
    return 0


if __name__ == "__main__":
    sys.exit(main())
