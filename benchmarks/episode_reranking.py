"""The graph reranker where something has happened: `python -m benchmarks.episode_reranking [--conversations 5] [--queries 1000] [--dates-only]`

LoCoMo's conversations, each a library of its own whose documents are its turns ("Caroline: …"), dated by their session; a question is asked of its
own conversation, and its gold turns are looked for. Episodes are what the product would have kept:

- the question's predecessors in the file, as runs of the same person, one an hour up to now, each with the question and the first turn that the
  search found for it as its cited answer (never the gold one);
- the turns themselves as versions by the date of their session.

Now is an hour after the last run, the first of which was made a day after the last session. `--dates-only` leaves the runs out. Nothing was chosen on
these questions; even and odd ones are printed apart.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from benchmarks import conversations
from benchmarks.corpora import CACHE, TENANT, CorpusRows, make_corpus
from benchmarks.graph_reranking import Figures, list_choices, mean_figure, score_ranking
from benchmarks.machine import data_folder, describe, percentile, print_table
from benchmarks.models import open_embedder
from benchmarks.multihop import HYBRID, MultiHopSearcher, open_corpus
from core.graph import EntityEpisode
from core.search import Retrieval, RetrievalRequest
from evaluation.evaluation_sets import read_grades
from memory.line_index import MemoryLine
from retrieval.embedders.openvino_embedder import OpenVinoEmbedder
from retrieval.graph_reranking import GraphReranker
from retrieval.readers.openvino_reader import open_reader
from retrieval.readers.reader_weights import SHIPPED_WEIGHTS
from retrieval.token_store import SqliteTokenStore

_MOST = 200  # runs, and as many versions: as `storage.sql_episodes` reads
_FIRST_RUN, _APART = timedelta(days=1), timedelta(hours=1)


class EpisodeChoice(NamedTuple):
    """The first conversations, and of each the first questions; `dates_only` leaves the runs out."""

    conversations: int = 5
    queries: int = 1000
    dates_only: bool = False


@dataclass(frozen=True)
class GivenEpisodes:
    """core.ports.EpisodeHistory of what is given, the latest of each kind."""

    runs: Sequence[EntityEpisode]
    versions: Sequence[EntityEpisode]

    async def episodes(self, library: str, user_id: str, since: datetime) -> list[EntityEpisode]:
        kept = (sorted(each, key=lambda one: one.at, reverse=True)[:_MOST] for each in (self.runs, self.versions))
        return [episode for each in kept for episode in each if episode.at >= since]


def read_conversations(folder: Path) -> dict[str, tuple[CorpusRows, list[EntityEpisode]]]:
    """Return for each conversation its turns with their questions, and the turns as dated versions."""
    grades = read_grades(folder / "qrels.tsv")
    asked: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for line in (folder / "queries.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if grades.get(row["id"]):
            asked[row["conversation"]][row["id"]] = row["text"]
    return {name: _make_rows(lines, asked[name], grades) for name, lines in conversations.read_lines().items()}


def _make_rows(lines: Sequence[MemoryLine], asked: dict[str, str], grades: dict[str, dict[str, float]]) -> tuple[CorpusRows, list[EntityEpisode]]:
    rows = [{"id": each.id, "text": each.spoken_text} for each in lines]
    return CorpusRows(rows, asked, {query: grades[query] for query in asked}), [
        EntityEpisode(each.at, document_ids=(each.id,)) for each in lines if each.at is not None
    ]


async def measure(searcher: MultiHopSearcher, versions: Sequence[EntityEpisode], chosen: EpisodeChoice) -> dict[str, Figures]:
    """Return the figures of each question with the reranker off and with each type."""
    choices, figures = list_choices([]), defaultdict[str, Figures](list)
    now, runs = max(each.at for each in versions) + _FIRST_RUN, list[EntityEpisode]()
    for query, text in list(searcher.corpus.queries.items())[: chosen.queries]:
        request = RetrievalRequest(text=text, tenant=TENANT, strategy=HYBRID, use_links=True, user_id="ann")
        found = await searcher.retriever.rerank(request, await searcher.retriever.retrieve(request))
        grades, history = searcher.corpus.grades[query], GivenEpisodes([] if chosen.dates_only else tuple(runs), versions)
        figures["off"].append((*score_ranking(found, grades), 0.0))
        for name, settings in choices.items():
            moved = await GraphReranker(searcher.graph, history, settings, _clock(now)).rerank(request, found)
            figures[name].append((*score_ranking(moved, grades), moved.reports[-1].duration_ms))
        runs.append(EntityEpisode(now, f"{text}\n{_first_text(searcher, found)}"))
        now += _APART
    return figures


def _clock(now: datetime) -> Callable[[], datetime]:
    return lambda: now


def _first_text(searcher: MultiHopSearcher, found: Retrieval) -> str:
    return searcher.corpus.chunks[found.candidates[0].chunk_id].text if found.candidates else ""


async def measure_conversations(embedder: OpenVinoEmbedder, chosen: EpisodeChoice) -> dict[str, Figures]:
    """Return the figures over the first conversations; {} where the set is not there."""
    folder, figures = data_folder() / "locomo", defaultdict[str, Figures](list)
    if not conversations.is_available():
        sys.stderr.write(f"locomo: skipped, {folder} is not there (set VANTAGE_DATA)\n")
        return {}
    CACHE.mkdir(parents=True, exist_ok=True)
    reader = open_reader(SHIPPED_WEIGHTS)
    for name, (rows, versions) in list(read_conversations(folder).items())[: chosen.conversations]:
        path = CACHE / f"locomo-{name}.{embedder.name}.tokens.sqlite3"
        tokens = SqliteTokenStore(path, embedder.dimension, model=embedder.name, ignored=embedder.ignorable_token_ids)
        corpus = await make_corpus(name, rows, embedder, tokens)
        async with open_corpus(corpus, embedder, reader, tokens) as searcher:
            for kind, each in (await measure(searcher, versions, chosen)).items():
                figures[kind] += each
        await tokens.close()
    await reader.close()
    return figures


async def main(chosen: argparse.Namespace) -> None:
    embedder = open_embedder()
    sys.stdout.write(f"{describe()}, {embedder.name} in {embedder.precision}\n")
    figures = await measure_conversations(embedder, EpisodeChoice(chosen.conversations, chosen.queries, chosen.dates_only))
    await embedder.close()
    rows = [
        (
            name,
            *(mean_figure(part, 0) for part in (each, each[::2], each[1::2])),
            mean_figure(each, 1),
            f"{percentile([row[2] for row in each], 0.95):.1f}",
        )
        for name, each in figures.items()
    ]
    sys.stdout.write(f"{len(figures.get('off', []))} questions; episodes: {'dates alone' if chosen.dates_only else 'runs and dates'}\n\n")
    print_table(("", "MRR@10", "even", "odd", "R@5", "ms p95"), rows)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--conversations", type=int, default=5)
    parser.add_argument("--queries", type=int, default=1000)
    parser.add_argument("--dates-only", action="store_true")
    asyncio.run(main(parser.parse_args()))
