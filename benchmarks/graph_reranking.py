"""The reranker by the knowledge graph: `python -m benchmarks.graph_reranking [hotpotqa musique scifact cranfield] [--queries 1000]`

MRR@10 and recall@5 of the documents with the reranker off and with each type, on both halves of the questions (even and odd places). The order is
that of the product: fusion, late-interaction rerank, title links, then this. The sets have no episodes: nobody asked or opened anything, and their
documents have no dates; `episode` is printed as it is, with nothing to go by, and `hybrid` gives its weight to the others. `--distance-weights`
prints `distance` with other weights than the default, `--without-links` measures on the order before the links, `--cold`
without stored token vectors, which take long to make. `--entities 100000` takes the time of hundred results in a made graph of so many.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from benchmarks.corpora import TENANT
from benchmarks.machine import describe, percentile, print_table
from benchmarks.models import add_embedder_option, open_embedder
from benchmarks.multihop import HYBRID, CorpusGraphStore, MultiHopSearcher, open_searcher
from core.graph import EntityEpisode, EntityType, GraphCounts
from core.ports.graph_store import StoredEntity, StoredGraph, StoredRelationship
from core.search import Candidate, Retrieval, RetrievalRequest
from evaluation.ranking_metrics import recall, reciprocal_rank
from graph.graph_view import GraphView
from retrieval.embedders.openvino_embedder import OpenVinoEmbedder
from retrieval.graph_reranking import STAGE, GraphReranker
from retrieval.readers.openvino_reader import open_reader
from retrieval.readers.reader_weights import SHIPPED_WEIGHTS
from settings_graph import GraphRerankerSettings

Figures = list[tuple[float, float, float]]  # of each question: reciprocal rank, recall, milliseconds


class NoEpisodes:
    """core.ports.EpisodeHistory where nothing happened."""

    async def episodes(self, library: str, user_id: str, since: datetime) -> list[EntityEpisode]:
        return []


def list_choices(distance_weights: Sequence[float]) -> dict[str, GraphRerankerSettings]:
    kinds = {name: GraphRerankerSettings.model_validate({"type": name}) for name in ("episode", "distance", "hybrid")}
    lighter = {
        f"distance, {weight:g} of it": GraphRerankerSettings(
            type="distance", distance_weight=weight, original_weight=round(1 - weight, 4), episode_weight=0.0
        )
        for weight in distance_weights
    }
    return kinds | lighter


async def measure(
    searcher: MultiHopSearcher, queries: Sequence[str], choices: Mapping[str, GraphRerankerSettings], *, links: bool
) -> dict[str, Figures]:
    """Each question searched once, and the candidates reordered in every way."""
    figures: dict[str, Figures] = {name: [] for name in ("off", *choices)}
    for query in queries:
        request = RetrievalRequest(text=searcher.corpus.queries[query], tenant=TENANT, strategy=HYBRID, use_links=links)
        found = await searcher.retriever.rerank(request, await searcher.retriever.retrieve(request))
        grades = searcher.corpus.grades[query]
        figures["off"].append((*score_ranking(found, grades), 0.0))
        for name, chosen in choices.items():
            started = time.perf_counter()
            moved = await GraphReranker(searcher.graph, NoEpisodes(), chosen).rerank(request, found)
            took = (time.perf_counter() - started) * 1000
            assert moved.reports[-1].stage == STAGE
            figures[name].append((*score_ranking(moved, grades), took))
    return figures


def score_ranking(found: Retrieval, grades: Mapping[str, float]) -> tuple[float, float]:
    ranking = list(dict.fromkeys(candidate.document_id for candidate in found.candidates))
    return reciprocal_rank(ranking, grades, 10), recall(ranking, grades, 5)


def mean_figure(figures: Figures, column: int) -> str:
    return f"{sum(each[column] for each in figures) / len(figures):.4f}" if figures else ""


async def report(name: str, embedder: OpenVinoEmbedder, choices: Mapping[str, GraphRerankerSettings], asked: argparse.Namespace) -> None:
    reader = open_reader(SHIPPED_WEIGHTS)
    async with open_searcher(name, embedder, reader, stores_tokens=not asked.cold) as searcher:
        if searcher is not None:
            queries = list(searcher.corpus.grades)[: asked.queries]
            links = not asked.without_links
            figures = await measure(searcher, queries, choices, links=links)
            rows = [
                (
                    label,
                    mean_figure(each, 0),
                    mean_figure(each[::2], 0),
                    mean_figure(each[1::2], 0),
                    mean_figure(each, 1),
                    f"{percentile([row[2] for row in each], 0.95):.1f}",
                )
                for label, each in figures.items()
            ]
            sys.stdout.write(f"{name}, {len(queries)} questions, title links {'on' if links else 'off'}\n\n")
            print_table(("", "MRR@10", "even", "odd", "R@5", "ms p95"), rows)
    await reader.close()


def _make_graph(entities: int, seed: int = 7) -> MadeGraphStore:
    """Documents of ten entities, some in very many, in a chain of relationships."""
    chance, names, made = random.Random(seed), [f"k{number}" for number in range(entities)], datetime(2026, 1, 1, tzinfo=UTC)
    store = MadeGraphStore()
    for document in range(entities // 5):
        chosen = sorted({int(entities * chance.random() ** 3) for _ in range(5)} | {(document * 5 + place) % entities for place in range(5)})
        stored = tuple(StoredEntity(names[each], names[each], EntityType.IDENTIFIER, (), {}, ((0, 0, 1),), made) for each in chosen)
        chain = tuple(StoredRelationship(place, place + 1, "RELATED_TO", 0.5, 0, 0, 1, {}, made) for place in range(len(chosen) - 1))
        store.graphs[f"d{document}"] = StoredGraph(f"d{document}", 1, document + 1, document + 1, 1, f"d{document}", "", "rules", stored, chain)
    return store


class MadeGraphStore(CorpusGraphStore):
    def __init__(self) -> None:
        self._graphs: dict[str, StoredGraph] = {}

    @property
    def graphs(self) -> dict[str, StoredGraph]:
        return self._graphs


class MadeEpisodes:
    """core.ports.EpisodeHistory of as many runs and versions as are read at most."""

    def __init__(self, entities: int) -> None:
        asked = [
            EntityEpisode(datetime.now(UTC), f"What does k{number} do?" + " It is told." * 150) for number in range(0, entities, entities // 200)
        ]
        self._found = [*asked, *(EntityEpisode(datetime.now(UTC), document_ids=(f"d{number}",)) for number in range(200))]

    async def episodes(self, library: str, user_id: str, since: datetime) -> list[EntityEpisode]:
        return self._found


async def time_reranking(entities: int, asked: int = 200, results: int = 100) -> tuple[GraphCounts, list[float]]:
    """Return what the made graph has, and the processor milliseconds of each reranking of so many results."""
    chance, view = random.Random(8), GraphView(_make_graph(entities))
    counts = await view.counts(TENANT)
    stage, times = GraphReranker(view, MadeEpisodes(entities), GraphRerankerSettings()), []
    for _ in range(asked):
        chunks = chance.sample(range(1, entities // 5), results)
        found = Retrieval(candidates=[Candidate(chunk_id=each, document_id=f"d{each - 1}", score=0.5) for each in chunks])
        request = RetrievalRequest(text=f"What does k{chance.randrange(entities)} do?", tenant=TENANT, strategy=HYBRID, user_id="ann")
        started = time.process_time()
        await stage.rerank(request, found)
        times.append((time.process_time() - started) * 1000)
    return counts, times


async def report_times(entities: int) -> None:
    counts, times = await time_reranking(entities)
    took = " ".join(f"p{share * 100:.0f} {percentile(times, share):.1f}" for share in (0.5, 0.95))
    sys.stdout.write(
        f"{counts.entities} entities, {counts.relationships} relationships, 100 results, 400 episodes: processor ms {took} (asked: p95 20)\n"
    )


async def main(chosen: argparse.Namespace) -> None:
    if chosen.entities:
        await report_times(chosen.entities)
        return
    embedder = open_embedder(chosen.embedder)
    sys.stdout.write(f"{describe()}, {embedder.name} in {embedder.precision}\n")
    for name in chosen.names:
        await report(name, embedder, list_choices(chosen.distance_weights), chosen)
    await embedder.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", default=["hotpotqa", "musique"])
    parser.add_argument("--queries", type=int, default=1000)
    parser.add_argument("--distance-weights", type=float, nargs="*", default=[])
    add_embedder_option(parser)
    parser.add_argument("--without-links", action="store_true")
    parser.add_argument("--cold", action="store_true")
    parser.add_argument("--entities", type=int, default=0)
    asyncio.run(main(parser.parse_args()))
