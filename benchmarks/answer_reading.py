"""The reader in the product: `python -m benchmarks.answer_reading [set …] [--fit] [--weights FILE] [--activations float]`
(questions in another language: `"xquad de>en" "xquad es>en" --every 10`)

For each set, with the whole corpus searched: F1 of the span with the greatest chance (the lead) and of those that are shown, the share of
answers that hold a gold answer, their words, and the share of their citations that are of a paragraph that answers. Then "not found": how well the
probability of an answer separates the questions from themselves with their paragraphs taken away and, for SQuAD 2, from those that a paragraph
nearly answers; its calibration over right and wrong answers; how many answerable questions are refused, as they are and told in 30 to 60 words.

`--fit` prints the coefficients of answers/reading/lead.py and answers/calibration/answerability.py anew, fitted on the even questions; the table is
over the odd ones.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import zlib
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from answers.calibration.answerability import COVERAGE_SIGNALS, READER_SIGNALS, probability
from answers.extractive.composer import ExtractiveComposer, OptionalParts
from answers.extractive.read_evidence import ReadEvidence
from answers.reading.lead import features_of, may_lead
from answers.scoring.unit_selection import Bounds
from answers.scoring.unit_vectors import UnitVectors
from benchmarks.answer_sets import AnswerSet, load_answer_set
from benchmarks.corpora import TENANT
from benchmarks.machine import describe, percentile, print_table
from benchmarks.models import add_embedder_option, open_embedder
from core.answers import Answer, Evidence
from core.language.sentences import word_count
from evaluation.answer_metrics import auroc, expected_calibration_error, fit_logistic, holds_answer, normalize_words, word_f1
from retrieval.embedders.openvino_embedder import Activations, ComputeOptions
from retrieval.embedders.universal_encoder import MultilingualEncoder
from retrieval.readers.openvino_reader import OpenVinoReader, open_reader
from retrieval.readers.reader_weights import SHIPPED_WEIGHTS
from settings import AnswerSettings

SETS = ("squad2_500", "xquad en", "hotpotqa", "musique")
ASKED, ALL_ASKED, SEED = 300, 800, 7  # questions of a set, where it has more than ALL_ASKED
RIGHT_F1 = 0.5  # F1 from which a span counts as right
LONG_FRAMES = (
    "I am putting together a few notes for a colleague who starts next week and who will certainly ask me about this, so I would like to be sure: {}",
    "{} I need it for a summary that I have to hand in tomorrow, and it should rest on what is written and not on what anybody remembers of it.",
    "Nobody at the meeting this morning could say with certainty, and the minutes that I was sent do not mention it either, which is why I ask: {}",
)


@dataclass
class ReadQuestion:
    """One question over one state of its corpus. `label`: there, gone (its paragraphs are taken away), near (nothing answers it), long."""

    label: str
    text: str
    gold: list[str]
    documents: frozenset[str]
    signals: dict[str, float]
    read: ReadEvidence | None
    answer: Answer
    even: bool

    @property
    def chance(self) -> float:
        return probability({**self.signals, **self.answer.signals})

    @property
    def is_right(self) -> bool:
        """Whether this is a right answer: there is one, and the sentences hold it."""
        said = " ".join([*(sentence.text for sentence in self.answer.sentences), self.answer.lead.text if self.answer.lead else ""])
        return self.label in {"there", "long"} and holds_answer(said, self.gold)

    def f1(self, text: str) -> float:
        return max((word_f1(text, gold) for gold in self.gold), default=0.0)


def lengthen_question(text: str, seed: str) -> str:
    """The question told in 30 to 60 words."""
    chosen = LONG_FRAMES[zlib.crc32(seed.encode()) % len(LONG_FRAMES)]
    asked = text if text.rstrip().endswith("?") else f"{text.rstrip()}?"
    return chosen.format(asked)


async def ask(chosen: AnswerSet, composer: ExtractiveComposer, every: int = 0) -> list[ReadQuestion]:
    queries = sorted(chosen.gold)[:: every or 1]
    if len(queries) > ALL_ASKED:
        queries = random.Random(SEED).sample(queries, ASKED)
    asked: list[ReadQuestion] = []
    for query in queries:
        gone = [document for document, grade in chosen.corpus.grades.get(query, {}).items() if grade > 0]
        gold = [answer for answer in chosen.gold[query] if normalize_words(answer).strip()]
        if query not in chosen.impossible and (not gold or {answer.lower() for answer in gold} <= {"yes", "no"}):
            continue
        text, even = chosen.corpus.queries[query], zlib.crc32(query.encode()) % 2 == 0
        variants = (
            [("near", text, [])]
            if query in chosen.impossible
            else [("there", text, []), ("gone", text, gone), ("long", lengthen_question(text, query), [])]
        )
        for label, words, without in variants:
            evidence, signals = await _find_evidence(chosen, query, words, without)
            read = await composer.score_and_read(TENANT, words, evidence)
            answer = await composer.compose(TENANT, words, evidence)
            asked.append(ReadQuestion(label, words, gold, frozenset(gone), signals, read, answer, even))
    return asked


async def _find_evidence(chosen: AnswerSet, query: str, words: str, without: Sequence[str]) -> tuple[list[Evidence], dict[str, float]]:
    before = chosen.corpus.queries[query]
    chosen.corpus.queries[query] = words
    try:
        return await chosen.find(query, without)
    finally:
        chosen.corpus.queries[query] = before


def report(name: str, asked: Sequence[ReadQuestion], least: float) -> list[object]:
    there = [each for each in asked if each.label == "there"]
    by_label = {label: [each for each in asked if each.label == label] for label in ("gone", "near", "long")}
    leads = [each.f1(each.read.lead.span.text) if each.read and each.read.lead else 0.0 for each in there]
    shown = [each.f1(each.answer.lead.text) for each in there if each.answer.lead]
    words = [sum(word_count(sentence.text) for sentence in each.answer.sentences) for each in there]
    sources = [citation.document_id in each.documents for each in there for citation in each.answer.citations]
    gone = by_label["gone"]
    judged = [each for each in asked if each.label != "long"]
    return [
        name,
        len(there),
        f"{np.mean(leads):.3f}",
        f"{np.mean(shown) if shown else 0:.3f} ({len(shown) / len(there):.2f})",
        f"{np.mean([each.is_right for each in there]):.3f}",
        f"{percentile(words, 0.5):.0f}",
        f"{np.mean(sources):.2f}",
        _format_auroc(there, gone),
        _format_auroc(there, by_label["near"]),
        f"{expected_calibration_error([each.chance for each in judged], [each.is_right for each in judged]):.3f}",
        f"{np.mean([each.chance < least for each in there]):.3f} / {np.mean([each.chance < least for each in by_label['long']]):.3f}",
        f"{np.mean([each.chance >= least for each in [*gone, *by_label['near']]]):.3f}",
        f"{np.mean([each.chance > 0.85 for each in judged if not each.is_right]):.3f}",
    ]


def _format_auroc(there: Sequence[ReadQuestion], others: Sequence[ReadQuestion]) -> str:
    if not others:
        return ""
    return f"{auroc([each.chance for each in [*there, *others]], [True] * len(there) + [False] * len(others)):.3f}"


def fit_and_print(asked: Sequence[ReadQuestion]) -> None:
    """The leads first, then with their chances the probability; of that, only signals that speak for an answer."""
    read = [(each, each.read) for each in asked if each.read is not None]
    spans = [
        (each, span)
        for each, found in read
        for span in found.reading.spans[:6]
        if may_lead(found.question, found.units[span.unit], found.evidence, span)
    ]
    features = [features_of(each.read.question, each.read.evidence, each.read.units, each.read.reading, span) for each, span in spans if each.read]
    right = [each.label in {"there", "long"} and each.f1(span.text) >= RIGHT_F1 for each, span in spans]
    weights = fit_logistic(np.array(features), right)
    logits = weights[0] + np.array(features) @ weights[1:]
    best: dict[int, float] = {}
    for (each, _), logit in zip(spans, logits.tolist(), strict=True):
        best[id(each)] = max(best.get(id(each), -8.0), min(8.0, logit))
    known = [each for each in asked if all(name in each.answer.signals for name in (*READER_SIGNALS, *COVERAGE_SIGNALS))]
    plain = _fit_weights([each for each in known if each.label != "long"], best, range(3 + len(COVERAGE_SIGNALS)))
    long = _fit_weights([each for each in known if each.label != "there"], best, (1, 2))
    sys.stdout.write(
        f"answers/lead.py {_format_weights(weights)}\nanswers/answerability.py: {_format_weights(plain)}; told long: {_format_weights(long)}\n"
    )


def _fit_weights(known: Sequence[ReadQuestion], best: Mapping[int, float], kept: Sequence[int]) -> list[float]:
    """Intercept and weights of the three logits and of what is held, 0 for one that is not kept or would speak against an answer."""
    rows = np.array(
        [[*question_logits(each)[:2], best.get(id(each), -8.0), *(each.answer.signals[name] for name in COVERAGE_SIGNALS)] for each in known]
    )
    held, left = [each.is_right for each in known], list(kept)
    found = fit_logistic(rows[:, left], held)
    while len(left) > 1 and min(found[1:]) < 0:
        left.pop(int(np.argmin(found[1:])))
        found = fit_logistic(rows[:, left], held)
    return [float(found[0]), *(float(found[1 + left.index(place)]) if place in left else 0.0 for place in range(rows.shape[1]))]


def _format_weights(weights: Sequence[float] | NDArray[np.float64]) -> str:
    return ", ".join(f"{weight:.3f}" for weight in weights)


def question_logits(each: ReadQuestion) -> tuple[float, ...]:
    """Logits of the probability without the reader and of the reader's own two."""
    chances = (probability(each.signals), *(each.answer.signals[name] for name in READER_SIGNALS))
    cut = [min(1 - 1e-6, max(1e-6, chance)) for chance in chances]
    return tuple(float(np.clip(np.log(chance / (1 - chance)), -8, 8)) for chance in cut)


async def main(names: Sequence[str], model: str, reader: OpenVinoReader, *, fits: bool, every: int = 0) -> None:
    embedder = open_embedder(model)
    encoder = MultilingualEncoder() if any(">" in name for name in names) else None
    sys.stdout.write(f"{describe()}, {embedder.name}, {reader.name}\n\n")
    least = AnswerSettings().not_found_below
    table: list[list[object]] = []
    pool: list[ReadQuestion] = []
    async with AsyncExitStack() as stack:
        for name in names:
            chosen = await load_answer_set(name, embedder, stack, encoder if ">" in name else None)
            if chosen is None:
                continue
            composer = ExtractiveComposer(UnitVectors(embedder), chosen.index, Bounds(), OptionalParts(chosen.crossing, reader))
            asked = await ask(chosen, composer, every)
            pool += asked
            table.append(report(name, [each for each in asked if not each.even] if fits else asked, least))
    if fits:
        fit_and_print([each for each in pool if each.even])
    head = ("set", "questions", "lead F1", "shown (share)", "answer holds", "words p50", "sentences of answering", "AUROC gone", "AUROC near", "ECE")
    print_table((*head, "refused / told long", "not refused, unanswered", "wrong above .85"), table)
    await reader.close()
    await embedder.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", default=[])
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--weights", type=Path, default=SHIPPED_WEIGHTS)
    parser.add_argument("--activations", choices=get_args(Activations), default="auto", help="as answers.reader_activations")
    parser.add_argument("--every", type=int, default=0, help="ask every n-th question of a set")
    add_embedder_option(parser)
    options = parser.parse_args()
    opened = open_reader(options.weights, ComputeOptions(activations=options.activations))
    asyncio.run(main(options.names or SETS, options.embedder, opened, fits=options.fit, every=options.every))
