"""Ranking on public retrieval sets, leg by leg: `python -m benchmarks.scifact [scifact cranfield musique hotpotqa …] [--weights 0 .1 .3 …]
[--embedder all-MiniLM-L6-v2]`

Prints nDCG@10 (of all questions and of each half) and recall@5 of each leg, of every fusion, of feedback and of the reranked list, with the
published figures of SciFact beside them, and the time of the rerank with stored token vectors (warm) and without (cold). `--weights` prints
the lexical leg and the fusion for several values of `search.document_weight` instead.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import NamedTuple, get_args

from agents.text.question_words import find_names
from benchmarks.corpora import CACHE, TENANT, Corpus, build_index, load_corpus
from benchmarks.machine import describe, percentile, print_table
from benchmarks.models import add_embedder_option, open_embedder
from core.ports import TokenStore
from core.search import Retrieval, RetrievalRequest, Strategy
from evaluation.ranking_metrics import ndcg, recall
from retrieval.embedded_index import EmbeddedIndex
from retrieval.embedders.openvino_embedder import OpenVinoEmbedder
from retrieval.fusion import FusionName
from retrieval.retriever import HybridRetriever
from retrieval.token_store import SqliteTokenStore
from settings import SearchSettings

PUBLISHED = {
    "scifact": [
        ("published: BM25 (Anserini)", ".679"),
        ("published: BM25, then a MiniLM cross-encoder", ".688"),
        ("published: ColBERTv2", ".693"),
        ("published: BGE-base", ".741"),
        ("published: BM25 + BGE-base, min-max", ".747"),
    ]
}
LEXICAL = Strategy(name="precise", lexical=1.0, dense=0.0, min_score=0.0)
DENSE = Strategy(name="semantic", lexical=0.0, dense=1.0, min_score=0.0)
HYBRID = Strategy(name="hybrid", lexical=0.3, dense=0.7, min_score=0.0)
COLD_QUERIES = 30
Ask = Callable[[str], Awaitable[Retrieval]]


class RankingFigures(NamedTuple):
    """nDCG@10 of all questions and of each half (every other question): what is chosen on the first is judged on the second; recall@5 of all."""

    gain: float
    halves: tuple[float, float]
    recall: float


@dataclass(frozen=True)
class RankingBench:
    """A corpus with everything that is needed to ask it."""

    corpus: Corpus
    index: EmbeddedIndex
    embedder: OpenVinoEmbedder
    tokens: TokenStore

    def retriever(
        self, *, fusion: FusionName = "weighted", stored: bool = True, budget_ms: int = 400, topic_words: bool = True, recounted: int = 20
    ) -> HybridRetriever:
        options = SearchSettings(fusion=fusion, recounted=recounted)
        rerank = options.rerank.model_copy(update={"budget_ms": budget_ms})
        feedback = options.feedback if topic_words else options.feedback.model_copy(update={"words": 0.0})
        options = options.model_copy(update={"rerank": rerank, "feedback": feedback})
        tokens = self.tokens if stored else None
        return HybridRetriever(self.index, self.corpus.library, self.embedder, tokens, options, self.embedder.ignorable_token_ids)

    def leg_asker(self, retriever: HybridRetriever, strategy: Strategy, *, feedback: bool = False) -> Ask:
        async def ask(text: str) -> Retrieval:
            return await retriever.retrieve(
                RetrievalRequest(text=text, tenant=TENANT, strategy=add_feedback(strategy, text) if feedback else strategy)
            )

        return ask

    def rerank_asker(self, retriever: HybridRetriever, times: list[float], *, feedback: bool = False) -> Ask:
        async def ask(text: str) -> Retrieval:
            request = RetrievalRequest(text=text, tenant=TENANT, strategy=add_feedback(HYBRID, text) if feedback else HYBRID)
            retrieval = await retriever.retrieve(request)
            started = time.perf_counter()
            retrieval = await retriever.rerank(request, retrieval)
            times.append((time.perf_counter() - started) * 1000)
            return retrieval

        return ask

    async def measure(self, ask: Ask) -> RankingFigures:
        """Ask all queries with a judgement."""
        gains, recalls = [], []
        for query, grades in self.corpus.grades.items():
            retrieval = await ask(self.corpus.queries[query])
            ranking = list(dict.fromkeys(candidate.document_id for candidate in retrieval.candidates))
            gains.append(ndcg(ranking, grades, 10))
            recalls.append(recall(ranking, grades, 5))
        return RankingFigures(fmean(gains), (fmean(gains[0::2]), fmean(gains[1::2])), fmean(recalls))


def add_feedback(strategy: Strategy, text: str) -> Strategy:
    """As Proteus gives it: where the question names nothing, what it finds first moves its meaning."""
    return strategy if find_names(text) else strategy.model_copy(update={"feedback": SearchSettings().feedback.weight})


async def report(bench: RankingBench) -> None:
    rows: list[tuple[str, ...]] = []

    async def add(name: str, ask: Ask) -> None:
        gain, halves, found = await bench.measure(ask)
        rows.append((name, f"{gain:.4f}", f"{halves[0]:.3f}, {halves[1]:.3f}", f"{found:.3f}"))

    plain, by_meaning = bench.retriever(), bench.retriever(topic_words=False)
    await add("words (BM25)", bench.leg_asker(plain, LEXICAL))
    await add("meaning (dense)", bench.leg_asker(plain, DENSE))
    for fusion in get_args(FusionName):
        await add(f"fusion: {fusion}", bench.leg_asker(bench.retriever(fusion=fusion), HYBRID))
    warm: list[float] = []
    await add("fusion: weighted, no words recounted", bench.leg_asker(bench.retriever(recounted=0), HYBRID))
    await add("fusion: weighted, reranked", bench.rerank_asker(plain, warm))
    await add("fusion: weighted, feedback by meaning", bench.leg_asker(by_meaning, HYBRID, feedback=True))
    await add("the same, reranked", bench.rerank_asker(by_meaning, [], feedback=True))
    await add("fusion: weighted, feedback by meaning and words", bench.leg_asker(plain, HYBRID, feedback=True))
    await add("the same, reranked: as it is served", bench.rerank_asker(plain, [], feedback=True))
    cold = await _cold_times(bench)
    published = ((name, value, "", "") for name, value in PUBLISHED.get(bench.corpus.name, []))
    print_table(("method", "nDCG@10", "its halves", "recall@5"), [*rows, *published])
    sys.stdout.write(
        f"\nrerank of 20: warm p50 {percentile(warm, 0.5):.1f} ms, p95 {percentile(warm, 0.95):.1f} ms;"
        f" cold, all encoded, p50 {percentile(cold, 0.5):.0f} ms, p95 {percentile(cold, 0.95):.0f} ms\n"
    )


async def _cold_times(bench: RankingBench) -> list[float]:
    times: list[float] = []
    ask = bench.rerank_asker(bench.retriever(stored=False, budget_ms=60_000), times)
    for query in list(bench.corpus.queries.values())[:COLD_QUERIES]:
        await ask(query)
    return times


async def sweep_weights(corpus: Corpus, folder: Path, embedder: OpenVinoEmbedder, tokens: TokenStore, weights: Sequence[float]) -> None:
    rows = []
    for weight in weights:
        index = await build_index(folder, corpus, document_weight=weight, dimension=embedder.dimension)
        bench = RankingBench(corpus, index, embedder, tokens)
        lexical = await bench.measure(bench.leg_asker(bench.retriever(), LEXICAL))
        fused = await bench.measure(bench.leg_asker(bench.retriever(), HYBRID))
        rows.append((f"{weight:.2f}", *(f"{value:.3f}" for value in (lexical.gain, lexical.recall, fused.gain, fused.recall))))
        await index.close()
    print_table(("document_weight", "words nDCG@10", "words recall@5", "fusion nDCG@10", "fusion recall@5"), rows)


async def run(name: str, chosen: argparse.Namespace, embedder: OpenVinoEmbedder) -> None:
    CACHE.mkdir(parents=True, exist_ok=True)
    tokens = SqliteTokenStore(
        CACHE / f"{name}.{embedder.name}.{chosen.chunk_tokens}.tokens.sqlite3",
        embedder.dimension,
        model=embedder.name,
        ignored=embedder.ignorable_token_ids,
    )
    corpus = await load_corpus(name, embedder, tokens, chosen.chunk_tokens)
    if corpus is None:
        return
    sys.stdout.write(f"\n{name}: {len(corpus.documents)} documents, {len(corpus.chunks)} chunks, {len(corpus.grades)} queries\n\n")
    with tempfile.TemporaryDirectory() as folder:
        if chosen.weights:
            await sweep_weights(corpus, Path(folder), embedder, tokens, chosen.weights)
        else:
            index = await build_index(Path(folder), corpus, document_weight=SearchSettings().document_weight, dimension=embedder.dimension)
            await report(RankingBench(corpus, index, embedder, tokens))
            await index.close()
    await tokens.close()


async def main(chosen: argparse.Namespace) -> None:
    embedder = open_embedder(chosen.embedder)
    sys.stdout.write(f"{describe()}, {embedder.name} in {embedder.precision}\n")
    for name in chosen.names:
        await run(name, chosen, embedder)
    await embedder.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", default=["scifact"])
    parser.add_argument("--weights", nargs="+", type=float, default=[])
    add_embedder_option(parser)
    parser.add_argument("--chunk-tokens", type=int, default=256)
    asyncio.run(main(parser.parse_args()))
