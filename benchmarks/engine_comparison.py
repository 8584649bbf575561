"""OpenSearch beside the embedded engine: `python -m benchmarks.engine_comparison [scifact cranfield …] [--chunks 10000] [--queries 200] [--analysis]`

For each set the fused nDCG@10 of both engines and how often they put the same document first; with `--analysis` also the words alone, and what
OpenSearch's own English analysis makes of the same texts. OpenSearch is VANTAGE_TEST_OPENSEARCH_URL, else the one beside the checkout.

With `--chunks` the rate of writing, disk, memory and the time of a search at that size, both engines in one run; OpenSearch is one of its own, with a
heap of 1 GB. Where it writes for longer than `--seconds`, what it has stays in `--keep FOLDER`: the same command goes on with it.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil

from benchmarks.corpora import TENANT, Corpus, load_corpus
from benchmarks.engine import DIMENSION, DocumentGenerator, plan_searches, time_calls
from benchmarks.machine import data_folder, describe, percentile, print_table
from benchmarks.models import add_embedder_option, open_embedder
from benchmarks.scifact import DENSE, HYBRID, LEXICAL
from core.ports import Embedder, IndexedDocument, SearchIndex
from core.search import RetrievalRequest, Strategy
from evaluation.ranking_metrics import ndcg
from retrieval.opensearch.connection_options import OpenSearchOptions
from retrieval.retriever import HybridRetriever
from retrieval.search_engines import EngineName, IndexOptions, open_index
from settings import SearchSettings
from tests.support.opensearch_server import OwnServer, options_of, request, shared_server

ENGINES: tuple[EngineName, ...] = ("embedded", "opensearch")
Rankings = dict[str, list[str]]  # query id -> document ids, best first
_FILLED_AT_ONCE = 64
_COMMIT_EVERY = 32  # batches


async def open_filled(
    engine: EngineName, folder: Path, reached: OpenSearchOptions, documents: Sequence[IndexedDocument], ends_at: float = float("inf")
) -> tuple[SearchIndex, float]:
    """Return an index with these documents, or those of them that it had and could write in time, and the seconds that writing took."""
    dimension = documents[0].chunks[0].vector.shape[0]
    search = SearchSettings()
    index = await open_index(engine, IndexOptions(folder, dimension, search.document_weight, search.faiss_above, reached))
    held = await index.generations()
    missing = [document for document in documents if document.id not in held]
    started = time.perf_counter()
    for number, begin in enumerate(range(0, len(missing), _FILLED_AT_ONCE), start=1):
        if time.monotonic() > ends_at:
            break
        await index.upsert(missing[begin : begin + _FILLED_AT_ONCE])
        if number % _COMMIT_EVERY == 0:
            await index.commit()
    await index.commit()
    return index, time.perf_counter() - started


async def rank(index: SearchIndex, corpus: Corpus, embedder: Embedder, strategy: Strategy) -> Rankings:
    retriever = HybridRetriever(index, corpus.library, embedder, None, SearchSettings())
    found: Rankings = {}
    for query in corpus.grades:
        retrieval = await retriever.retrieve(RetrievalRequest(text=corpus.queries[query], tenant=TENANT, strategy=strategy))
        found[query] = list(dict.fromkeys(candidate.document_id for candidate in retrieval.candidates))
    return found


def mean_gain(corpus: Corpus, rankings: Rankings) -> float:
    return sum(ndcg(rankings[query], grades, 10) for query, grades in corpus.grades.items()) / len(corpus.grades)


async def compare_ranking(name: str, embedder: Embedder, reached: OpenSearchOptions, *, analysis: bool) -> list[tuple[str, ...]]:
    corpus = await load_corpus(name, embedder)
    if corpus is None:
        return []
    plan = {"fused": HYBRID, **({"words alone": LEXICAL, "meaning alone": DENSE} if analysis else {})}
    rankings: dict[str, dict[str, Rankings]] = {each: {} for each in plan}
    with tempfile.TemporaryDirectory() as place:
        for engine in ENGINES:
            index, _ = await open_filled(engine, Path(place) / engine, reached, corpus.documents)
            for each, strategy in plan.items():
                rankings[each][engine] = await rank(index, corpus, embedder, strategy)
            await index.close()
    rows = [_compared_row(corpus, each, found) for each, found in rankings.items()]
    return [*rows, _server_analysis_row(corpus, reached)] if analysis else rows


def _compared_row(corpus: Corpus, legs: str, found: dict[str, Rankings]) -> tuple[str, ...]:
    own, other = (found[engine] for engine in ENGINES)
    same = sum(own[query][:1] == other[query][:1] for query in corpus.grades) / len(corpus.grades)
    gains = [mean_gain(corpus, each) for each in (own, other)]
    return (corpus.name, legs, f"{gains[0]:.4f}", f"{gains[1]:.4f}", f"{gains[1] - gains[0]:+.4f}", f"{same:.1%}")


def _server_analysis_row(corpus: Corpus, reached: OpenSearchOptions) -> tuple[str, ...]:
    """Return the row of the words alone, of chunks alone, as OpenSearch's analyser `english` reads them."""
    name = f"{reached.index_name}-english"
    mappings = {"properties": {"text": {"type": "text", "analyzer": "english"}, "document": {"type": "keyword"}}}
    request(reached, "PUT", f"/{name}", {"settings": {"number_of_shards": 1, "number_of_replicas": 0}, "mappings": mappings})
    try:
        for document in corpus.documents:
            for chunk in document.chunks:
                request(reached, "PUT", f"/{name}/_doc/{chunk.id}", {"text": f"{chunk.headings} {chunk.text}", "document": document.id})
        request(reached, "POST", f"/{name}/_refresh")
        rankings = {query: _ask_english(reached, name, corpus.queries[query]) for query in corpus.grades}
    finally:
        request(reached, "DELETE", f"/{name}")
    return (corpus.name, "words alone, OpenSearch's `english`", "", f"{mean_gain(corpus, rankings):.4f}", "", "")


def _ask_english(reached: OpenSearchOptions, name: str, text: str) -> list[str]:
    body = {"size": 50, "_source": ["document"], "query": {"match": {"text": text}}}
    hits: list[dict[str, Any]] = request(reached, "POST", f"/{name}/_search", body)["hits"]["hits"]
    return list(dict.fromkeys(hit["_source"]["document"] for hit in hits))


def index_sizes(reached: OpenSearchOptions) -> dict[str, int]:
    """Return the bytes of the primaries of each kind of index, as they have been merged by themselves."""
    found: dict[str, int] = {}
    for kind in ("words", "vectors"):
        request(reached, "POST", f"/{reached.index_name}-{kind}/_flush")
        stored = request(reached, "GET", f"/{reached.index_name}-{kind}/_stats/store")
        found[kind] = int(stored["_all"]["primaries"]["store"]["size_in_bytes"])
    return found


@contextmanager
def measured_server(folder: Path) -> Iterator[OwnServer]:
    """An OpenSearch that keeps what it holds in `folder`."""
    server = OwnServer(folder / "opensearch", is_measured=True)
    server.start()
    try:
        yield server
    finally:
        server.stop()


async def compare_speed(options: argparse.Namespace, folder: Path) -> list[tuple[str, ...]]:
    """Return rows of figures, a column for each engine; none where OpenSearch has not written all."""
    generator = DocumentGenerator(data_folder())
    ends_at = time.monotonic() + options.seconds
    documents = list(generator.documents(options.chunks))
    questions = generator.questions[:: max(1, len(generator.questions) // options.queries)][: options.queries]
    vectors = dict(zip(questions, generator.vectors(len(questions)), strict=True))
    with measured_server(folder) as server:
        reached = options_of(server.url, f"bench-{options.chunks}")
        index, seconds = await open_filled("opensearch", folder / "library", reached, documents, ends_at)
        seconds = add_seconds(folder / "seconds", seconds)
        written = (await index.counts()).chunks
        columns: dict[str, dict[str, str]] = {}
        if written == options.chunks:
            columns["opensearch"] = await measure_index(index, seconds, vectors)
            columns["opensearch"]["memory, MB"] = f"{psutil.Process(server.pid).memory_info().rss / 1e6:,.0f}"
            columns["opensearch"] |= {f"{kind} on disk, bytes a chunk": f"{size / written:,.0f}" for kind, size in index_sizes(reached).items()}
        await index.close()
    if not columns:
        sys.stdout.write(f"{written:,} of {options.chunks:,} chunks are written, in {seconds:.0f} s; the same command goes on.\n")
        return []
    columns["embedded"] = await measure_embedded(documents, reached, vectors)
    return [(name, *(columns[engine].get(name, "") for engine in ENGINES)) for name in columns["opensearch"]]


def prepare_folder(folder: Path) -> Path:
    (folder / "library").mkdir(parents=True, exist_ok=True)
    folder.chmod(0o755)  # OpenSearch runs as another account where this one is root
    return folder


def add_seconds(file: Path, seconds: float) -> float:
    """Return the seconds of all runs together."""
    total = seconds + (float(file.read_text()) if file.exists() else 0.0)
    file.write_text(str(total))
    return total


async def measure_embedded(documents: Sequence[IndexedDocument], unused: OpenSearchOptions, vectors: dict[str, Any]) -> dict[str, str]:
    gc.collect()
    before = psutil.Process().memory_info().rss
    with tempfile.TemporaryDirectory() as place:
        index, seconds = await open_filled("embedded", Path(place), unused, documents)
        figures = await measure_index(index, seconds, vectors)
        gc.collect()
        figures["memory, MB"] = f"{(psutil.Process().memory_info().rss - before) / 1e6:,.0f}"
        await index.close()
    return figures


async def measure_index(index: SearchIndex, seconds: float, vectors: dict[str, Any]) -> dict[str, str]:
    counts = await index.counts()
    figures = {"chunks written a second": f"{counts.chunks / seconds:,.0f}", "on disk, MB": f"{counts.bytes_on_disk / 1e6:,.0f}"}
    for name, calls in plan_searches(index, vectors).items():
        times = await time_calls(calls)
        figures[f"{name}, p50 / p95 ms"] = f"{percentile(times, 0.5):.1f} / {percentile(times, 0.95):.1f}"
    return figures


async def run(options: argparse.Namespace) -> None:
    sys.stdout.write(f"{describe()}\n\n")
    if options.sets:
        url = await asyncio.to_thread(shared_server)
        embedder = open_embedder(options.embedder)
        rows = []
        for name in options.sets:
            rows += await compare_ranking(name, embedder, options_of(url, f"bench-{name}"), analysis=options.analysis)
        print_table(("set", "legs", *ENGINES, "difference", "same first"), rows)
        await embedder.close()
    if options.chunks:
        sys.stdout.write(f"\n{options.chunks:,} chunks of {DIMENSION} numbers, {options.queries} questions\n\n")
        with tempfile.TemporaryDirectory(prefix="vantage-engines-") as made:
            if rows := await compare_speed(options, prepare_folder(Path(options.keep or made))):
                print_table(("", *ENGINES), rows)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="*", help="retrieval sets, such as scifact and cranfield")
    parser.add_argument("--chunks", type=int, default=0, help="compare the speed at this size")
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--keep", type=Path, default=None, help="the folder in which OpenSearch's index stays")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="after which OpenSearch stops writing until the next call")
    parser.add_argument("--analysis", action="store_true", help="the legs alone, and OpenSearch's own analysis")
    add_embedder_option(parser)
    asyncio.run(run(parser.parse_args()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
