"""Questions with a "not", and two passages that differ by it: `python -m benchmarks.negation [--weights 0 .1 .2] [--show] [--sets scifact cranfield]`

50 pairs of our own, half English, half German, each in a file of its own in one library, asked over HTTP. Prints the share of questions whose right
passage stands before the wrong one, and first of all; settings are chosen on one half (`chosen on`) and judged on the other. `--show` lists the
questions that are wrong. `--sets` prints instead what the stage does to public sets in one process (fused lists, not reranked): nDCG@10 with it and
without, of all questions and of those that it touches.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from benchmarks.corpora import TENANT, build_index, load_corpus
from benchmarks.machine import describe, print_table
from benchmarks.models import open_embedder
from benchmarks.scifact import HYBRID, add_feedback
from core.search import Retrieval, RetrievalRequest
from evaluation.ranking_metrics import ndcg
from retrieval.negation import STAGE, NegationStage
from retrieval.retriever import HybridRetriever
from settings import SearchSettings
from tests.support.serving import ServedVantage, index_and_wait

PAIRS = Path(__file__).with_name("negation_pairs.json")
SETTING = "VANTAGE_SEARCH__NEGATION_WEIGHT"


class NegationPair(NamedTuple):
    """A question, the passage that answers it, and one that says the opposite of other things. `chosen_on`: it is of the half that settings are
    chosen on."""

    number: int
    language: str
    question: str
    right: str
    wrong: str

    @property
    def chosen_on(self) -> bool:
        return self.number // 2 % 2 == 0

    @property
    def names(self) -> tuple[str, str]:
        """The files of the right and of the wrong passage: their names and their order tell nothing."""
        first, second = f"{self.number:02}-a.txt", f"{self.number:02}-b.txt"
        return (first, second) if self.number % 3 else (second, first)


class PairResult(NamedTuple):
    pair: NegationPair
    before_wrong: bool
    first: bool


def read_pairs() -> list[NegationPair]:
    return [NegationPair(number, **row) for number, row in enumerate(json.loads(PAIRS.read_text(encoding="utf-8")))]


def ask_pairs(pairs: Sequence[NegationPair], weight: float | None) -> Iterator[PairResult]:
    """Ask all questions of a server over all passages; `weight` None takes the default."""
    with tempfile.TemporaryDirectory() as folder:
        texts, settings = Path(folder) / "texts", {} if weight is None else {SETTING: str(weight)}
        texts.mkdir()
        for pair in pairs:
            for name, text in zip(pair.names, (pair.right, pair.wrong), strict=True):
                (texts / name).write_text(f"{text}\n", encoding="utf-8")
        server = ServedVantage(Path(folder) / "home", settings=settings).start()
        try:
            with server.client() as client:
                index_and_wait(client, str(texts))
                for pair in pairs:
                    found = client.post("/search", json={"query": pair.question, "top_k": 10}).raise_for_status().json()
                    names = [each["filename"] for each in found["results"]]
                    right, wrong = (names.index(name) if name in names else len(names) for name in pair.names)
                    yield PairResult(pair, right < wrong, right == 0 and bool(names))
        finally:
            server.stop()


def make_row(name: str, results: Sequence[PairResult]) -> tuple[str, ...]:
    parts = [
        [each for each in results if each.pair.chosen_on],
        [each for each in results if not each.pair.chosen_on],
        [each for each in results if each.pair.language == "en"],
        [each for each in results if each.pair.language == "de"],
    ]
    return name, *(f"{fmean(each.before_wrong for each in part):.2f}" for part in (results, *parts)), f"{fmean(each.first for each in results):.2f}"


async def measure_sets(names: Sequence[str], weights: Sequence[float]) -> None:
    embedder, rows = open_embedder(), []
    settings = SearchSettings(negation_weight=0.0)
    settings = settings.model_copy(update={"rerank": settings.rerank.model_copy(update={"enabled": False})})
    for name in names:
        corpus = await load_corpus(name, embedder)
        if corpus is None:
            continue
        with tempfile.TemporaryDirectory() as folder:
            index = await build_index(Path(folder), corpus, document_weight=settings.document_weight, dimension=embedder.dimension)
            retriever = HybridRetriever(index, corpus.library, embedder, None, settings, embedder.ignorable_token_ids)
            before, after = {}, {weight: dict[str, float]() for weight in weights}
            for query, grades in corpus.grades.items():
                text = corpus.queries[query]
                request = RetrievalRequest(text=text, tenant=TENANT, strategy=add_feedback(HYBRID, text))
                found = await retriever.retrieve(request)
                before[query] = _gain(found, grades)
                for weight, gains in after.items():
                    told = await NegationStage(corpus.library, weight).tell_apart(request, found)
                    if any(report.stage == STAGE for report in told.reports):
                        gains[query] = _gain(told, grades)
            await index.close()
        for weight, gains in after.items():
            touched = [before[query] for query in gains] or [0.0]
            whole = (fmean(before.values()), fmean((before | gains).values()))
            part = (fmean(touched), fmean(gains.values() or [0.0]))
            rows.append((name, str(weight), f"{whole[0]:.4f} → {whole[1]:.4f}", f"{len(gains)} of {len(before)}", f"{part[0]:.4f} → {part[1]:.4f}"))
    await embedder.close()
    print_table(("set", "weight", "nDCG@10", "questions touched", "of these"), rows)


def _gain(found: Retrieval, grades: Mapping[str, float]) -> float:
    return ndcg(list(dict.fromkeys(candidate.document_id for candidate in found.candidates)), grades, 10)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--weights", nargs="+", type=float, default=[])
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--sets", nargs="+", default=[])
    options = parser.parse_args()
    if options.sets:
        asyncio.run(measure_sets(options.sets, options.weights or [SearchSettings().negation_weight]))
        return
    pairs, rows = read_pairs(), []
    sys.stdout.write(f"{describe()}; {len(pairs)} pairs\n\n")
    for weight in options.weights or [None]:
        results = list(ask_pairs(pairs, weight))
        rows.append(make_row("as served" if weight is None else f"weight {weight}", results))
        for each in results if options.show else []:
            if not each.before_wrong:
                sys.stdout.write(f"{rows[-1][0]}, {'chosen on' if each.pair.chosen_on else 'judged on'}: {each.pair.question}\n")
    print_table(("right before wrong", "all", "chosen on", "judged on", "en", "de", "first of all"), rows)


if __name__ == "__main__":
    main()
