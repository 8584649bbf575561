"""Answers that are made of the graph, on libraries of some size:

    python -m benchmarks.graph_answers [lazy levels themes] [--step 1] [--library cranfield]
        [--sets hotpotqa] [--queries 100]

- lazy: milliseconds of a lazy summary without a model in a library of SciFact, Cranfield and XQuAD's English paragraphs, for every twentieth question
  of these sets; the search before it apart. Processor time beside what passed: the machine may be busy.
- levels: on both multi-hop sets, the share of the gold documents of which something stands inside 900 words, and of the answers that do: passages of
  the search alone beside two levels, whose words are split by the product's weights (passages, then the communities' sentences). Even questions and
  odd ones apart; nothing was chosen on either. Answers "yes" and "no" are not looked for.
- themes: the same library's themes against the set that each document is of, and the sets that the first eight draw on, in one folder and with one
  for each set. `--step 2` takes every second document.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from agents.dual_level.agent import DualLevelOptions, answer_on_two_levels
from agents.lazy_rag.agent import LazyOptions, community_sentences, summarize_lazily
from agents.overview.agent import describe_themes
from benchmarks.communities import adjusted_rand_index, normalized_mutual_information
from benchmarks.corpora import SHORT_NAMES, TENANT
from benchmarks.graph_library import SETS, GraphLibrary, assign_documents, load_sets, open_library, open_set
from benchmarks.machine import data_folder, describe, percentile, print_table
from benchmarks.models import open_embedder
from core.answers import Answer, Evidence
from evaluation.answer_metrics import holds_answer
from retrieval.embedders.openvino_embedder import OpenVinoEmbedder

MULTIHOP = ("hotpotqa", "musique")
_WORDS = 900
_EACH = 20  # of the questions one is asked for a summary
_SHOWN = 8  # themes that are told

Texts = list[tuple[str, str]]  # document id and what of it is read


class LazyTimes(NamedTuple):
    """Milliseconds of each summary, its processor milliseconds, and those of the search before it; `told` had one."""

    passed: list[float]
    processor: list[float]
    search: list[float]
    told: int


class LevelFigures(NamedTuple):
    """For each question: the share of gold documents inside the words and whether the answer is (None where it is yes or no), low alone and with both
    levels; `answered` on two levels."""

    low: list[tuple[float, float | None]]
    both: list[tuple[float, float | None]]
    answered: int


class ThemeFigures(NamedTuple):
    """`documents` that a theme has, of `held`; agreement with the set that each is of; `drawn`: the sets of the first themes' sentences; `answer` is
    given where each set lies in a folder of its own."""

    documents: int
    held: int
    themes: int
    nmi: float
    ari: float
    purity: float
    drawn: list[tuple[str, int, Counter[str]]]
    answer: Answer

    @property
    def told(self) -> set[str]:
        """The sets that the answer cites."""
        return {each.document_id.split("-")[0] for each in self.answer.citations}


async def time_summaries(library: GraphLibrary) -> LazyTimes:
    """Time lazy summaries, the first one left out: it warms the patterns."""
    found = LazyTimes([], [], [], 0)
    for place, text in enumerate(list(library.corpus.queries.values())[::_EACH]):
        began = time.perf_counter()
        question, _ = await library.search(text)
        searched_for = (time.perf_counter() - began) * 1000
        began, used = time.perf_counter(), time.process_time()
        summary = await summarize_lazily(question, ports=library.ports, options=LazyOptions())
        took, cost = (time.perf_counter() - began) * 1000, (time.process_time() - used) * 1000
        if place:
            found.passed.append(took)
            found.processor.append(cost)
            found.search.append(searched_for)
            found = found._replace(told=found.told + (summary is not None))
    return found


async def measure_levels(library: GraphLibrary, answers: dict[str, list[str]], most: int = 1000) -> LevelFigures:
    found_in, answered = LevelFigures([], [], 0), 0
    for query, grades in list(library.corpus.grades.items())[:most]:
        question, evidence = await library.search(library.corpus.queries[query])
        alone = _take_words(_texts_of(evidence), _WORDS)
        found = await answer_on_two_levels(question, evidence, ports=library.ports, options=DualLevelOptions())
        texts = alone
        if found is not None:
            answered += 1
            high = [await library.communities.get(TENANT, each.id) for each in found.high]
            said = [(each.said.document_id, each.text) for each in community_sentences(high)]
            options = DualLevelOptions()
            texts = _take_words(_texts_of(evidence[: options.low_limit]), round(_WORDS * options.low_weight))
            texts += _take_words(said, _WORDS - sum(len(text.split()) for _, text in texts))
        for figures, read in ((found_in.low, alone), (found_in.both, texts)):
            figures.append((_share_inside(read, grades), _answer_inside(read, answers[query])))
    return found_in._replace(answered=answered)


def _texts_of(evidence: Sequence[Evidence]) -> Texts:
    return [(each.passage.document_id, each.passage.content) for each in evidence]


def _take_words(texts: Iterable[tuple[str, str]], budget: int) -> Texts:
    """Return the first texts of so many words, the last one cut."""
    taken: Texts = []
    for document_id, text in texts:
        words = text.split()[:budget]
        budget -= len(words)
        if words:
            taken.append((document_id, " ".join(words)))
    return taken


def _share_inside(texts: Texts, grades: dict[str, float]) -> float:
    read = {document_id for document_id, _ in texts}
    return sum(each in read for each in grades) / len(grades)


def _answer_inside(texts: Texts, answers: Sequence[str]) -> float | None:
    if {each.casefold() for each in answers} & {"yes", "no"}:
        return None
    return float(holds_answer("\n".join(text for _, text in texts), answers))


def read_answers(name: str) -> dict[str, list[str]]:
    path = data_folder() / SHORT_NAMES[name] / "queries.jsonl"
    rows = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    return {str(row["id"]): list(row["answers"]) for row in rows}


def mean_of(figures: Sequence[tuple[float, float | None]], column: int) -> float:
    return float(np.mean([each[column] for each in figures if each[column] is not None]))


async def measure_themes(library: GraphLibrary) -> ThemeFigures:
    graph, themes = await library.find_themes()
    assigned = assign_documents(graph, themes)
    known, labels = [each.split("-")[0] for each in assigned], list(assigned.values())
    pairs = Counter(zip(labels, known, strict=True))
    most = Counter[str]()
    for (label, _), count in pairs.items():
        most[label] = max(most[label], count)
    page = await library.communities.list_communities(TENANT, themes=True, limit=_SHOWN)
    drawn = [(each.name, each.documents, Counter(said.document_id.split("-")[0] for said in each.citations)) for each in page.communities]
    answer = await describe_themes(TENANT, library.ports.communities)
    return ThemeFigures(
        documents=len(assigned),
        held=len(library.corpus.documents),
        themes=len(set(labels)),
        nmi=normalized_mutual_information(known, labels),
        ari=adjusted_rand_index(known, labels),
        purity=most.total() / len(assigned),
        drawn=drawn,
        answer=answer or Answer(text="", generated_by="none"),
    )


def print_themes(found: ThemeFigures) -> None:
    sys.stdout.write(
        f"{found.documents:,} of {found.held:,} documents lie in {found.themes} themes; against the set they are of: NMI {found.nmi:.3f}, "
        f"ARI {found.ari:.3f}, {found.purity:.3f} of them where most of their theme are\n\n"
    )
    rows = [(name, count, ", ".join(f"{each} {said}" for each, said in sets.items())) for name, count, sets in found.drawn]
    print_table(("theme", "documents", "its sentences come from"), rows)
    sys.stdout.write(f"\nWhere each set lies in a folder of its own ({', '.join(sorted(found.told))} are told):\n\n{found.answer.text}\n")


def print_times(found: LazyTimes) -> None:
    named = {"summary, ms that passed": found.passed, "the same, processor ms": found.processor, "search before it": found.search}
    rows = [(name, *(f"{percentile(each, share):.1f}" for share in (0.5, 0.95))) for name, each in named.items()]
    sys.stdout.write(f"{len(found.passed)} questions, {found.told} with a summary\n\n")
    print_table(("", "p50", "p95"), rows)


async def print_levels(embedder: OpenVinoEmbedder, names: Sequence[str], most: int) -> None:
    rows = []
    for name in names:
        async with open_set(name, embedder) as library:
            if library is not None:
                found = await measure_levels(library, read_answers(name), most)
                for label, each in (("low alone", found.low), (f"two levels ({found.answered} questions)", found.both)):
                    halves = [f"{mean_of(part, column):.3f}" for column in (0, 1) for part in (each[::2], each[1::2])]
                    rows.append((name, label, *halves))
    print_table(("set", f"{_WORDS} words", "gold, even", "gold, odd", "answer, even", "answer, odd"), rows)


async def main(chosen: argparse.Namespace) -> None:
    parts = chosen.parts
    sys.stdout.write(f"{describe()}\n\n")
    embedder = open_embedder()
    if "levels" in parts:
        await print_levels(embedder, chosen.sets, chosen.queries)
    corpus = await load_sets(chosen.library, embedder, chosen.step) if {"lazy", "themes"} & set(parts) else None
    if corpus is not None:
        async with open_library(corpus, embedder) as library:
            if "lazy" in parts:
                print_times(await time_summaries(library))
            if "themes" in parts:
                print_themes(await measure_themes(library))
    await embedder.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("parts", nargs="*", default=["levels", "lazy", "themes"])
    parser.add_argument("--step", type=int, default=1)
    parser.add_argument("--library", nargs="+", choices=SETS, default=SETS)
    parser.add_argument("--sets", nargs="+", choices=MULTIHOP, default=MULTIHOP)
    parser.add_argument("--queries", type=int, default=1000)
    asyncio.run(main(parser.parse_args()))
