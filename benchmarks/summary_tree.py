"""The tree of summaries (pipeline raptor) beside the flat search: `python -m benchmarks.summary_tree [multihop|chunking|speed]`

- multihop: recall of the gold documents among the first 5 on both multi-hop sets, of the even questions, on which the leg's parameters were chosen,
  and of the odd ones, which judge. Flat is fusion and rerank without links; beside the tree by clusters stands one by headings (of these sets a group
  for each document). Without groups the leg brings the nearest passages alone: what is better there is not the tree's.
- chunking: token recall and precision of five windows of passages on Chroma's chunking evaluation, flat and along the tree.
- speed: seconds for 10,000 passages whose vectors are there, what it adds to the memory of their vectors and texts, and what a search takes.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import psutil
from numpy.typing import NDArray

from benchmarks.chunking import PASSAGES_TAKEN, ChunkingBench, choose_windows, questions, rows, structured_splitter
from benchmarks.corpora import CACHE, TENANT, Corpus, build_index, load_corpus
from benchmarks.machine import data_folder, describe, percentile, print_table
from benchmarks.models import open_embedder
from core.documents import StoredChunk
from core.ports import Hit, SearchIndex, TreeCentres
from core.search import RetrievalRequest, Strategy
from core.trees import TreeNode, TreeOptions
from evaluation.ranking_metrics import recall
from graph.trees.library_trees import compare_groups
from graph.trees.tree_building import build_tree
from retrieval.embedders.openvino_embedder import OpenVinoEmbedder
from retrieval.retriever import HybridRetriever
from retrieval.token_store import SqliteTokenStore
from retrieval.tree_leg import list_passages
from settings import SearchSettings

HYBRID = Strategy(name="hybrid", lexical=0.3, dense=0.7, min_score=0.0)
PUBLISHED = {"hotpotqa": ".71", "musique": ".45"}  # RAPTOR with a model's summaries on other questions of the sets
_PASSAGES = 10_000
_SETS = ("scifact", "squad2_500", "cranfield", "musique", "hotpotqa")
Vectors = Mapping[int, NDArray[np.float32]]


@dataclass(frozen=True)
class GivenTree:
    """core.ports.SummaryTrees with one tree."""

    centres: TreeCentres

    async def find_centres(self, tenant: str, model: str, index: SearchIndex) -> TreeCentres:
        return self.centres


def group_by_headings(chunks: Sequence[StoredChunk]) -> list[TreeNode]:
    """Return a group for each heading of each document, and one for each document: the documents' own tree."""
    held: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    for each in chunks:
        for depth in range(len(each.section) + 1):
            held[each.document_id, *each.section[:depth]].append(each.id)
    deepest = max(map(len, held))
    return [TreeNode(deepest - len(path) + 1, tuple(members)) for path, members in sorted(held.items())]


def make_trees(chunks: Sequence[StoredChunk], vectors: Vectors) -> dict[str, TreeCentres]:
    stacked = np.stack([vectors[each.id] for each in chunks]).astype(np.float32)
    made = {"clusters": build_tree(chunks, stacked, TreeOptions()), "headings": group_by_headings(chunks)}
    return {"no groups": compare_groups([], {})[0], **{name: compare_groups(nodes, dict(vectors))[0] for name, nodes in made.items()}}


class TreeRecall(NamedTuple):
    """Recall of the gold documents among the first five, of the even questions and of the odd ones, and the median of the milliseconds."""

    name: str
    search: str
    even: float
    odd: float
    ms: float


class TreeCost(NamedTuple):
    """What a tree of `passages` takes: seconds that passed and of a processor, MB more while it is built, MB that it keeps and their share of what
    the passages take, and the milliseconds of a search's list.
    """

    passages: int
    levels: str
    passed: float
    processor: float
    building: float
    kept: float
    share: float
    times: list[float]


async def measure_multihop(embedder: OpenVinoEmbedder) -> list[TreeRecall]:
    lines: list[TreeRecall] = []
    for name in PUBLISHED:
        tokens = SqliteTokenStore(
            CACHE / f"{name}.{embedder.name}.tokens.sqlite3", embedder.dimension, model=embedder.name, ignored=embedder.ignorable_token_ids
        )
        corpus = await load_corpus(name, embedder, tokens)
        if corpus is not None:
            with tempfile.TemporaryDirectory() as folder:
                lines += await _measure_corpus(Path(folder), name, corpus, embedder, tokens)
        await tokens.close()
    return lines


def print_multihop(found: Sequence[TreeRecall]) -> None:
    lines = [(each.name, each.search, f"{each.even:.3f}", f"{each.odd:.3f}", f"{each.ms:.1f}", PUBLISHED[each.name]) for each in found]
    print_table(("set", "search", "R@5 even (chosen on)", "R@5 odd (judges)", "ms p50", "published"), lines)


async def _measure_corpus(folder: Path, name: str, corpus: Corpus, embedder: OpenVinoEmbedder, tokens: SqliteTokenStore) -> list[TreeRecall]:
    settings = SearchSettings()
    index = await build_index(folder, corpus, document_weight=settings.document_weight, dimension=embedder.dimension)
    trees = make_trees([corpus.chunks[each] for each in sorted(corpus.chunks)], await index.vectors(TENANT, list(corpus.chunks)))
    lines: list[TreeRecall] = []
    for label, centres in {"flat": None, **trees}.items():
        given = GivenTree(centres) if centres is not None else None
        retriever = HybridRetriever(index, corpus.library, embedder, tokens, settings, embedder.ignorable_token_ids, trees=given)
        found, times = [], []
        for query, grades in corpus.grades.items():
            request = RetrievalRequest(text=corpus.queries[query], tenant=TENANT, strategy=HYBRID, use_tree=given is not None)
            started = time.perf_counter()
            ranked = await retriever.rerank(request, await retriever.retrieve(request))
            times.append((time.perf_counter() - started) * 1000)
            found.append(recall(list(dict.fromkeys(each.document_id for each in ranked.candidates)), grades, 5))
        search = f"tree by {label}, {len(centres.members)} groups" if centres is not None and centres.members else label
        lines.append(TreeRecall(name, search, float(np.mean(found[::2])), float(np.mean(found[1::2])), percentile(times, 0.5)))
    await index.close()
    return lines


async def measure_chunking(embedder: OpenVinoEmbedder) -> dict[str, list[float]]:
    """Return for the flat order and the tree's what `ChunkingBench.measure` does; {} where the set is not there."""
    folder = data_folder() / "chunking_eval"
    if not (folder / "corpus.jsonl").is_file():
        sys.stderr.write(f"chunking: skipped, {folder} is not there (set VANTAGE_DATA)\n")
        return {}
    asked = questions(folder)
    texts = {row["id"]: row["text"] for row in rows(folder / "corpus.jsonl")}
    bench = ChunkingBench(texts, asked, np.stack([await embedder.embed_query(each.text) for each in asked]), embedder)
    split = structured_splitter(256)
    chunks = bench.cut_texts(split)
    vectors = dict(zip([each.id for each in chunks], await bench.encode_chunks(chunks), strict=True))
    tree = make_trees(chunks, vectors)["clusters"]

    def along_tree(ranked: Sequence[int], query: NDArray[np.float32]) -> list[int]:
        near = {row: Hit(row, chunks[row].document_id, float(vectors[row] @ query)) for row in ranked}
        return [hit.chunk_id for hit in list_passages(tree, query, near, 50)[0]]

    sys.stdout.write(f"\n{len(asked)} questions, {PASSAGES_TAKEN} windows, {len(tree.members)} groups\n\n")
    orders = {"flat": None, "along the tree": along_tree}
    return {label: await bench.measure(split, choose_windows, order) for label, order in orders.items()}


def print_chunking(found: Mapping[str, Sequence[float]]) -> None:
    lines = [[label, *(f"{value:.0f}" for value in each[:3]), *(f"{value:.3f}" for value in each[3:5])] for label, each in found.items()]
    print_table(("order", "passages", "characters", "characters read", "token recall", "precision"), lines)


async def _load_passages(embedder: OpenVinoEmbedder) -> tuple[list[StoredChunk], NDArray[np.float32]]:
    """Return passages of several sets with their vectors, each with an id of its own."""
    chunks: list[StoredChunk] = []
    vectors: list[NDArray[np.float32]] = []
    for name in _SETS:
        corpus = await load_corpus(name, embedder) if len(chunks) < _PASSAGES else None
        if corpus is not None:
            for each in (each for document in corpus.documents for each in document.chunks):
                chunks.append(corpus.chunks[each.id].model_copy(update={"id": len(chunks)}))
                vectors.append(np.asarray(each.vector, np.float32))
    return chunks[:_PASSAGES], np.stack(vectors[:_PASSAGES])


async def measure_speed(embedder: OpenVinoEmbedder) -> TreeCost:
    chunks, stacked = await _load_passages(embedder)
    vectors = dict(zip([each.id for each in chunks], stacked, strict=True))
    gc.collect()
    before = psutil.Process().memory_info().rss
    held = stacked.nbytes // 2 + sum(sys.getsizeof(each.text) for each in chunks)  # vectors are kept with half the bytes
    started, used = time.perf_counter(), time.process_time()
    nodes = build_tree(chunks, stacked, TreeOptions())
    took, used = time.perf_counter() - started, time.process_time() - used
    peak = psutil.Process().memory_info().rss - before
    centres, _ = compare_groups(nodes, vectors)
    kept = centres.vectors.nbytes + sum(each.nbytes for each in centres.members)
    near = {number: Hit(number, "", float(score)) for number, score in enumerate(stacked[:1000] @ stacked[0], start=1)}
    times = []
    for row in stacked[:100]:
        begun = time.perf_counter()
        list_passages(centres, row, near, 50)
        times.append((time.perf_counter() - begun) * 1000)
    levels = ", ".join(f"{sum(each.level == level for each in nodes):,}" for level in sorted({each.level for each in nodes}))
    return TreeCost(len(chunks), levels, took, used, peak / 1e6, kept / 1e6, kept / held, times)


def print_speed(found: TreeCost) -> None:
    lines = [
        (f"{found.passages:,} passages into groups ({found.levels}), seconds that passed", f"{found.passed:.1f}", "60"),
        ("the same, processor seconds", f"{found.processor:.1f}", ""),
        ("memory while it is built, MB more", f"{found.building:.0f}", ""),
        ("memory of the tree, MB", f"{found.kept:.1f}", ""),
        ("the same, of the vectors and texts of the passages", f"{found.share:.0%}", "20%"),
        ("list of a search, ms p50 / p95", " / ".join(f"{percentile(found.times, share):.1f}" for share in (0.5, 0.95)), ""),
    ]
    print_table(("what", "figure", "asked"), lines)


async def main(parts: Sequence[str]) -> None:
    sys.stdout.write(f"{describe()}\n\n")
    embedder = open_embedder()
    if "speed" in parts:
        print_speed(await measure_speed(embedder))
    if "multihop" in parts:
        print_multihop(await measure_multihop(embedder))
    if "chunking" in parts:
        print_chunking(await measure_chunking(embedder))
    await embedder.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("parts", nargs="*", default=["speed", "multihop", "chunking"])
    asyncio.run(main(parser.parse_args().parts))
