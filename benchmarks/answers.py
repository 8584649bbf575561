"""Extractive answers, "not found" and the check of written sentences: `python -m benchmarks.answers [set …] [--fit-answerability] [--support]`

For each set: the share of questions whose answer (at most 120 words) holds a gold answer, its words and sentences, the same for the best one
and the best three sentences, and the time to compose cold (no vector remembered) and warm. Retrieval is the product's fusion without rerank,
the first ten passages. For scifact: F1 of the chosen sentences against the annotated rationales. Then how well the probability that the
library answers separates questions from the same questions with their paragraphs taken away. `--fit-answerability` prints the table of
answers/calibration/answerability.py anew, fitted on all sets but scifact; `--support` prints what the check of written sentences says of scifact's
claims.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from answers.calibration.answerability import SIGNALS, probability
from answers.citations.sentence_support import SupportCheck
from answers.extractive.composer import ExtractiveComposer
from answers.scoring.unit_selection import Bounds
from answers.scoring.unit_vectors import UnitVectors
from benchmarks.answer_sets import AnswerSet, load_answer_set
from benchmarks.corpora import TENANT
from benchmarks.machine import data_folder, describe, percentile, print_table
from benchmarks.models import add_embedder_option, open_embedder
from core.answers import Answer, Evidence
from evaluation.answer_metrics import auroc, expected_calibration_error, f1, fit_logistic, holds_answer, normalize_words
from retrieval.embedders.openvino_embedder import OpenVinoEmbedder
from retrieval.embedders.universal_encoder import MultilingualEncoder

SETS = ("squad2_500", "xquad en", "hotpotqa", "musique", "scifact")
RECIPE = {"squad2_500": ".84 / .96 / .955 (55)", "xquad en": ".80 / .94 / .95 (57)", "scifact": "F1 .35 / .35 / .39 (78)"}
BEST_ONE, BEST_THREE = Bounds(max_sentences=1), Bounds(max_sentences=3, stop_gain=-9.0, stop_growth=0.0, bridge=0.0, least_score=0.0)
COLD, ASKED, CROSSING, SEED = 40, 240, 300, 7
CROSS_LANGUAGE_SETS = ("xquad de>en", "xquad es>en", "xquad zh>en", "xquad en>de", "xquad de>de", "xquad es>es")


@dataclass
class AnswerTally:
    """Sums over the questions of one set."""

    questions: int = 0
    held: float = 0.0
    words: int = 0
    sentences: int = 0
    marked: int = 0
    marked_right: int = 0
    ms: list[float] = field(default_factory=list)

    def add(self, answer: Answer, value: float, gold: Sequence[str]) -> None:
        self.questions += 1
        self.held += value
        self.words += sum(len(sentence.text.split()) for sentence in answer.sentences)
        self.sentences += len(answer.sentences)
        for sentence in answer.sentences:
            if sentence.highlight is not None:
                self.marked += 1
                span = normalize_words(sentence.text[slice(*sentence.highlight)])
                self.marked_right += any(span in normalize_words(answer) or normalize_words(answer) in span for answer in gold)

    @property
    def share(self) -> str:
        return f"{self.held / max(self.questions, 1):.3f}"


class AnswerRunner:
    """Asks one set; evidence is found once and kept."""

    def __init__(self, chosen: AnswerSet, embedder: OpenVinoEmbedder) -> None:
        self.chosen, self.embedder = chosen, embedder
        self._evidence: dict[str, list[Evidence]] = {}
        self._rationales = _load_rationales(chosen) if chosen.name == "scifact" else {}
        self.questions = [*self._rationales] if self._rationales else [query for query in chosen.gold if self._has_span_answer(query)]

    def _has_span_answer(self, query: str) -> bool:
        """A question with an answer that can stand in a text (yes and no cannot)."""
        gold = [normalize_words(answer).strip() for answer in self.chosen.gold[query]]
        return query not in self.chosen.impossible and any(gold) and not set(gold) <= {"yes", "no"}

    async def evidence(self, query: str) -> list[Evidence]:
        if query not in self._evidence:
            self._evidence[query] = (await self.chosen.find(query))[0]
        return self._evidence[query]

    async def run(self, bounds: Bounds, vectors: UnitVectors, questions: Sequence[str]) -> AnswerTally:
        tally, composer = AnswerTally(), ExtractiveComposer(vectors, self.chosen.index, bounds)
        for query in questions:
            evidence = await self.evidence(query)
            started = time.perf_counter()
            answer = await composer.compose(TENANT, self.chosen.corpus.queries[query], evidence)
            tally.ms.append((time.perf_counter() - started) * 1000)
            tally.add(answer, self._score_answer(query, answer), self.chosen.gold[query])
        return tally

    def _score_answer(self, query: str, answer: Answer) -> float:
        if not self._rationales:
            return float(holds_answer(" ".join(sentence.text for sentence in answer.sentences), self.chosen.gold[query]))
        gold = self._rationales[query]
        found = {
            (citation.document_id, place)
            for citation in answer.citations
            for place in _sentence_places(citation.quote, self._sentences(citation.document_id))
        }
        return f1(found, gold)

    def _sentences(self, document: str) -> list[str]:
        return _scifact_sentences()[document]


def _sentence_places(quote: str, sentences: Sequence[str]) -> list[int]:
    words = normalize_words(quote)
    return [place for place, sentence in enumerate(sentences) if normalize_words(sentence) in words or words in normalize_words(sentence)]


_SENTENCES: dict[str, list[str]] = {}


def _scifact_sentences() -> dict[str, list[str]]:
    if not _SENTENCES:
        for line in (data_folder() / "scifact" / "corpus.jsonl").read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            _SENTENCES[str(row["id"])] = [str(sentence) for sentence in row["sentences"]]
    return _SENTENCES


def _load_claims() -> list[dict[str, Any]]:
    return [json.loads(line) for line in (data_folder() / "scifact" / "claims_with_rationales.jsonl").read_text(encoding="utf-8").splitlines()]


def _load_rationales(chosen: AnswerSet) -> dict[str, set[tuple[str, int]]]:
    """query -> (document, sentence) of its annotated rationales, for the test claims that have one."""
    by_text = {text: query for query, text in chosen.corpus.queries.items()}
    found: dict[str, set[tuple[str, int]]] = {}
    for claim in _load_claims():
        gold = {(str(each["doc_id"]), int(place)) for each in claim["evidence"] for place in each["sentences"]}
        if gold and claim["text"] in by_text:
            found.setdefault(by_text[claim["text"]], set()).update(gold)
    return found


async def report_answers(answerer: AnswerRunner) -> list[object]:
    """One row of the table of answers."""
    vectors = UnitVectors(answerer.embedder)
    for query in answerer.questions:
        await answerer.evidence(query)
    cold = await answerer.run(Bounds(), UnitVectors(answerer.embedder, capacity=0), random.Random(SEED).sample(answerer.questions, COLD))
    one, three, full = [await answerer.run(bounds, vectors, answerer.questions) for bounds in (BEST_ONE, BEST_THREE, Bounds())]
    return [
        answerer.chosen.name,
        full.questions,
        one.share,
        three.share,
        full.share,
        f"{full.words / full.questions:.0f}",
        f"{full.sentences / full.questions:.1f}",
        RECIPE.get(answerer.chosen.name, ""),
        f"{full.marked / full.questions:.2f} ({full.marked_right / max(full.marked, 1):.2f})",
        f"{percentile(cold.ms, 0.5):.0f} / {percentile(cold.ms, 0.95):.0f}",
        f"{percentile(full.ms, 0.5):.1f} / {percentile(full.ms, 0.95):.1f}",
    ]


async def collect_signals(chosen: AnswerSet, queries: Sequence[str], *, removed: bool) -> list[dict[str, float]]:
    rows = []
    for query in queries:
        gone = [document for document, grade in chosen.corpus.grades.get(query, {}).items() if grade > 0] if removed else []
        rows.append((await chosen.find(query, gone))[1])
    return rows


async def report_answerability(answerer: AnswerRunner) -> list[object]:
    """Questions against the same ones without their paragraphs; for SQuAD also against those that no paragraph answers."""
    queries = random.Random(SEED).sample(answerer.questions, min(ASKED, len(answerer.questions)))
    there = await collect_signals(answerer.chosen, queries, removed=False)
    gone = await collect_signals(answerer.chosen, queries, removed=True)
    chances, labels = [probability(row) for row in [*there, *gone]], [True] * len(there) + [False] * len(gone)
    row: list[object] = [answerer.chosen.name, len(queries), f"{auroc(chances, labels):.3f}", f"{expected_calibration_error(chances, labels):.3f}"]
    impossible = sorted(answerer.chosen.impossible)
    if not impossible:
        return [*row, "", "", ""]
    away = [probability(each) for each in await collect_signals(answerer.chosen, impossible, removed=True)]
    near = [probability(each) for each in await collect_signals(answerer.chosen, impossible, removed=False)]
    known = chances[: len(there)]
    both = [True] * len(known) + [False] * len(away)
    return [
        *row,
        f"{auroc([*known, *away], both):.3f}",
        f"{expected_calibration_error([*known, *away], both):.3f}",
        f"{auroc([*known, *near], [True] * len(known) + [False] * len(near)):.3f}",
    ]


async def fit_answerability(sets: Sequence[AnswerSet]) -> None:
    """The table of answers/calibration/answerability.py: questions of several kinds and lengths with their paragraphs, as many others without. Where
    a set has
    questions that nothing answers, those are the others; elsewhere every second one is."""
    there: list[dict[str, float]] = []
    gone: list[dict[str, float]] = []
    for chosen in sets:
        answerable = sorted(query for query in chosen.gold if query not in chosen.impossible)
        drawn = random.Random(SEED).sample(answerable, min(2 * ASKED, len(answerable)))
        asked, others = (answerable, sorted(chosen.impossible)) if chosen.impossible else (drawn[::2], drawn[1::2])
        there += await collect_signals(chosen, asked, removed=False)
        gone += await collect_signals(chosen, others, removed=True)
    print_fitted_line(
        there, gone, [names for size in (3, 2, 1) for names in combinations((name for name in SIGNALS if name != "multilingual_top1"), size)]
    )


def print_fitted_line(there: Sequence[Mapping[str, float]], gone: Sequence[Mapping[str, float]], sets: Sequence[tuple[str, ...]]) -> None:
    """A line of the table for each set of signals, fitted on the rows that have just these or more."""
    for names in sets:
        kept = [[row for row in part if all(name in row for name in names)] for part in (there, gone)]
        labels = [True] * len(kept[0]) + [False] * len(kept[1])
        rows = np.array([[row[name] for name in names] for row in [*kept[0], *kept[1]]])
        weights = fit_logistic(rows, labels)
        chances = 1 / (1 + np.exp(-(weights[0] + rows @ weights[1:])))
        listed = ", ".join(f"{weight:.3f}" for weight in weights)
        keys = ", ".join(f'"{name}"' for name in names) + ("," if len(names) == 1 else "")
        quality = f"AUROC {auroc(chances.tolist(), labels):.3f}, ECE {expected_calibration_error(chances.tolist(), labels):.3f}"
        sys.stdout.write(f"    ({keys}): ({listed}),  # {quality}\n")


async def fit_crossing(chosen: Sequence[AnswerSet]) -> None:
    """The lines for questions and documents in other languages: even questions with their paragraphs, odd ones without. Both for questions
    across languages and for those within one that is not English."""
    across: tuple[list[dict[str, float]], list[dict[str, float]]] = ([], [])
    within: tuple[list[dict[str, float]], list[dict[str, float]]] = ([], [])
    for each in chosen:
        asked, _, told = each.name.removeprefix("xquad ").partition(">")
        parts = across if asked != told else within
        queries = random.Random(SEED).sample(sorted(each.gold), CROSSING)
        parts[0].extend(await collect_signals(each, queries[::2], removed=False))
        parts[1].extend(await collect_signals(each, queries[1::2], removed=True))
    both = ([*across[0], *within[0]], [*across[1], *within[1]])
    for title, parts in (("both (used)", both), ("across languages", across), ("within one", within)):
        sys.stdout.write(f"    # {title}\n")
        print_fitted_line(*parts, [("multilingual_top1", *names) for names in ((), ("lexical_ratio", "coverage"), ("lexical_ratio",), ("coverage",))])


async def report_support(chosen: AnswerSet, embedder: OpenVinoEmbedder) -> None:
    """What the check of written sentences says of claims beside an abstract that supports, contradicts, or does not speak of them."""
    documents = {document.id: document for document in chosen.corpus.documents}
    groups: dict[str, list[tuple[str, str]]] = {"SUPPORT": [], "CONTRADICT": [], "near, no evidence": []}
    for claim in _load_claims():
        kind = claim["evidence"][0]["label"] if claim["evidence"] else "near, no evidence"
        document = str(claim["evidence"][0]["doc_id"] if claim["evidence"] else claim["cited_doc_ids"][0])
        if document in documents:
            groups[kind].append((claim["text"], document))
    vectors, rows = UnitVectors(embedder), []
    for kind, pairs in groups.items():
        said: Counter[str] = Counter()
        for text, document in random.Random(SEED).sample(pairs, min(150, len(pairs))):
            found = await SupportCheck(vectors, chosen.index, TENANT, [chosen.chunk_evidence(document)]).find_best(text, [0])
            said[found.support if found else "unsupported"] += 1
        rows.append([kind, said.total(), *(f"{said[word] / said.total():.2f}" for word in ("supported", "weak", "unsupported"))])
    sys.stdout.write("\nThe check of written sentences on scifact's claims\n\n")
    print_table(("the abstract", "claims", "supported", "weak", "unsupported"), rows)


async def main(names: Sequence[str], model: str, *, fit: bool, support: bool) -> None:
    embedder = open_embedder(model)
    sys.stdout.write(f"{describe()}, {embedder.name} in {embedder.precision}\n\n")
    answers: list[list[object]] = []
    known: list[list[object]] = []
    async with AsyncExitStack() as stack:
        encoder = MultilingualEncoder() if any(">" in name for name in names) else None
        if fit:
            loaded = [found for name in names if (found := await load_answer_set(name, embedder, stack, encoder)) is not None]
            await (fit_answerability if encoder is None else fit_crossing)(loaded)
            names = ()
        for name in names:
            chosen = await load_answer_set(name, embedder, stack, encoder)
            if chosen is None:
                continue
            if support:
                await report_support(chosen, embedder)
                continue
            answerer = AnswerRunner(chosen, embedder)
            answers.append(await report_answers(answerer))
            known.append(await report_answerability(answerer))
    if answers:
        head = ("set", "questions", "best 1", "best 3", "answer", "words", "sentences", "to beat", "short answer marked (right)")
        print_table((*head, "ms cold p50 / p95", "ms warm p50 / p95"), answers)
        sys.stdout.write("\nDoes the library answer? Each question against itself with its paragraphs taken away\n\n")
        print_table(("set", "questions", "AUROC", "ECE", "AUROC, unanswerable", "ECE, unanswerable", "AUROC, near misses"), known)
    await embedder.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", default=[])
    parser.add_argument("--fit-answerability", action="store_true")
    parser.add_argument("--support", action="store_true")
    add_embedder_option(parser)
    chosen_options = parser.parse_args()
    usual: Sequence[str] = SETS[:-1] if chosen_options.fit_answerability else ("scifact",) if chosen_options.support else SETS
    asyncio.run(main(chosen_options.names or usual, chosen_options.embedder, fit=chosen_options.fit_answerability, support=chosen_options.support))
