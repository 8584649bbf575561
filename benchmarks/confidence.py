"""Does the confidence mean what it says? `python -m benchmarks.confidence FILE [set …] [--fit]`

FILE (JSON lines) gets the signals of every question of the sets, each asked with its paragraphs, without them and told long; sets that it holds
already are not asked again, so that what is fitted is fitted in seconds. Printed are, of each set, the calibration error, how well answers are told
from silence, and how many wrong answers are shown above .85; then the reliability diagram of each, and chance and share of right answers by kind.

`--fit` fits the probability of an answer anew (READER_COEFFICIENTS of answers/calibration/answerability.py) on the sets that nothing is judged on
(FITTED), and prints what it would give; with each set left out once, what is to be expected of files that nobody looked at.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from answers.calibration.answerability import (
    COVERAGE_SIGNALS,
    LONG_QUESTION,
    OTHER_KIND_AT_MOST,
    READER_COEFFICIENTS,
    READER_SIGNALS,
    SENTENCES_ONLY,
    SENTENCES_ONLY_AT_MOST,
    UNSAID,
    UNSAID_WEIGHT,
    probability,
)
from answers.extractive.composer import ExtractiveComposer, OptionalParts
from answers.scoring.unit_selection import Bounds
from answers.scoring.unit_vectors import UnitVectors
from benchmarks.answer_reading import ReadQuestion, ask
from benchmarks.answer_sets import load_answer_set
from benchmarks.machine import data_folder, describe, print_table
from benchmarks.models import open_embedder
from benchmarks.open_questions import write_open_sets
from core.answers import OTHER_KIND, Answer
from evaluation.answer_metrics import auroc, expected_calibration_error, fit_logistic, reliability
from retrieval.readers.openvino_reader import open_reader

JUDGED_SETS = ("squad2_500", "xquad en")
FITTED_SETS = ("open squad", "open clapnq", "hotpotqa", "musique")
ROWS_PER_SET = 30_000  # rows of a set, each of them as often as it takes
NEAR_MISS_WEIGHT = 2  # times that near misses count: those made by rule are told more easily than those that people write
RIDGE = 1.0
HIGH_CONFIDENCE = 0.85
_LOGIT = 8.0
_CAPS = {OTHER_KIND: OTHER_KIND_AT_MOST, SENTENCES_ONLY: SENTENCES_ONLY_AT_MOST}


@dataclass(frozen=True)
class ConfidenceRow:
    """One question over one state of its set: `label` as in `answer_reading.ReadQuestion`, `held` whether its answer holds the gold one."""

    name: str
    label: str
    held: bool
    kind: str
    signals: dict[str, float]

    @property
    def chance(self) -> float:
        return probability(self.signals)


def answer_kind(answer: Answer) -> str:
    """What stands first: a span, a cell, a name, a verdict …, sentences, or nothing."""
    if not answer.found:
        return "nothing"
    return answer.lead.kind if answer.lead is not None else "sentences"


def make_row(name: str, asked: ReadQuestion) -> ConfidenceRow:
    return ConfidenceRow(name, asked.label, asked.is_right, answer_kind(asked.answer), {**asked.signals, **asked.answer.signals})


def read_rows(path: Path) -> list[ConfidenceRow]:
    """Raises ValueError where the file was written before some of the signals were known: without them other chances would be judged."""
    if not path.is_file():
        return []
    rows = [ConfidenceRow(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]
    if any(name in row.signals for row in rows for name in READER_SIGNALS) and not any(
        name in row.signals for row in rows for name in COVERAGE_SIGNALS
    ):
        raise ValueError(f"{path} lacks signals ({', '.join(COVERAGE_SIGNALS)}) of this version: give the name of a new file.")
    return rows


async def collect(path: Path, names: Sequence[str]) -> list[ConfidenceRow]:
    """Asks the sets that the file does not hold yet, and appends each when it is whole."""
    known = read_rows(path)
    missing = [name for name in names if name not in {row.name for row in known}]
    if not missing:
        return known
    embedder, reader = open_embedder(), open_reader()
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        made = write_open_sets(data_folder() / "reader", folder) if any(name.startswith("open ") for name in missing) else {}
        for name in missing:
            chosen = await load_answer_set(str(made.get(name, name)), embedder, stack)
            if chosen is None:
                continue
            composer = ExtractiveComposer(UnitVectors(embedder), chosen.index, Bounds(), OptionalParts(reader=reader))
            rows = [make_row(name, asked) for asked in await ask(chosen, composer)]
            with path.open("a", encoding="utf-8") as file:
                file.writelines(f"{json.dumps(asdict(row))}\n" for row in rows)
            known += rows
    await reader.close()
    await embedder.close()
    return known


def report(rows: Sequence[ConfidenceRow], chances: Sequence[float]) -> list[object]:
    """One line of the first table: questions told long are judged by their own threshold, and left out here."""
    pairs = [(row, chance) for row, chance in zip(rows, chances, strict=True) if row.label != "long"]
    held, shown = [row.held for row, _ in pairs], [chance for _, chance in pairs]
    wrong = [chance for row, chance in pairs if not row.held]
    return [
        rows[0].name,
        len(pairs),
        f"{expected_calibration_error(shown, held):.3f}",
        _separation(pairs, "gone"),
        _separation(pairs, "near"),
        f"{np.mean([chance > HIGH_CONFIDENCE for chance in wrong]) if wrong else 0:.3f}",
    ]


def _separation(pairs: Sequence[tuple[ConfidenceRow, float]], other: str) -> str:
    both = [(row.label == "there", chance) for row, chance in pairs if row.label in {"there", other}]
    if not any(not there for there, _ in both):
        return ""
    return f"{auroc([chance for _, chance in both], [there for there, _ in both]):.3f}"


def reliability_rows(rows: Sequence[ConfidenceRow]) -> list[list[object]]:
    """Of each tenth: how many, the mean chance, and the share that was right."""
    judged = [row for row in rows if row.label != "long"]
    found = reliability([row.chance for row in judged], [row.held for row in judged])
    return [[rows[0].name, f"{each.low:.1f}", each.count, f"{each.mean:.2f}", f"{each.share:.2f}"] for each in found]


def rows_by_kind(rows: Sequence[ConfidenceRow]) -> list[list[object]]:
    judged = [row for row in rows if row.label != "long"]
    table: list[list[object]] = []
    for kind in sorted({row.kind for row in judged}):
        own = [row for row in judged if row.kind == kind]
        table.append([kind, len(own), f"{np.mean([row.chance for row in own]):.2f}", f"{np.mean([row.held for row in own]):.2f}"])
    return table


def confidence_features(row: ConfidenceRow) -> tuple[float, ...]:
    """The logits of the search's own probability and of the reader's two chances, and what the sentence holds of the question."""
    search = {name: value for name, value in row.signals.items() if name not in {*READER_SIGNALS, *COVERAGE_SIGNALS, UNSAID, LONG_QUESTION, *_CAPS}}
    return (
        *(_logit(chance) for chance in (probability(search), *(row.signals[name] for name in READER_SIGNALS))),
        *(row.signals[name] for name in COVERAGE_SIGNALS),
    )


def fit_coefficients(rows: Sequence[ConfidenceRow]) -> tuple[float, ...]:
    """Intercept and weights of the features, none of which may speak against an answer. The sets count alike, and in each of them the questions with
    their paragraphs and without them; those that a paragraph nearly answers count NEAR times as much. The features are fitted in units of their
    spread, so that RIDGE holds all of them alike."""
    counts = Counter((row.name, row.label) for row in rows)
    kinds = Counter(name for name, _ in counts)
    times = {key: (NEAR_MISS_WEIGHT if key[1] == "near" else 1) * ROWS_PER_SET / count / kinds[key[0]] for key, count in counts.items()}
    counted = [row for row in rows for _ in range(max(1, round(times[row.name, row.label])))]
    features, held = np.array([confidence_features(row) for row in counted]), [row.held for row in counted]
    mean, spread = features.mean(axis=0), features.std(axis=0) + 1e-9
    weights, kept = np.zeros(features.shape[1]), list(range(features.shape[1]))
    intercept = 0.0
    while kept:
        intercept, *found = fit_logistic((features[:, kept] - mean[kept]) / spread[kept], held, ridge=RIDGE).tolist()
        if min(found) >= 0:
            weights[kept] = np.array(found) / spread[kept]
            break
        kept.pop(int(np.argmin(found)))
    return (float(intercept - weights @ mean), *weights.tolist())


def predicted_chances(rows: Sequence[ConfidenceRow], coefficients: Sequence[float]) -> list[float]:
    """What these coefficients say of the rows, with what `probability` takes off and where it ends."""
    found = _sigmoid(np.array([coefficients[0] + _predict_chance(row, coefficients) for row in rows])).tolist()
    return [min(chance, *(most for name, most in _CAPS.items() if row.signals.get(name)), 1.0) for row, chance in zip(rows, found, strict=True)]


def _predict_chance(row: ConfidenceRow, coefficients: Sequence[float]) -> float:
    total = sum(weight * part for weight, part in zip(coefficients[1:], confidence_features(row), strict=True))
    return total + UNSAID_WEIGHT * bool(row.signals.get(UNSAID))


def fit_and_print(rows: Sequence[ConfidenceRow]) -> None:
    """The new coefficients and what they give: of a fitted set, those of the other sets."""
    read = [row for row in rows if row.label != "long" and all(name in row.signals for name in (*READER_SIGNALS, *COVERAGE_SIGNALS))]
    open_rows = [row for row in read if row.name in FITTED_SETS]
    if not open_rows:
        sys.stdout.write(f"\nNothing to fit on: ask one of {', '.join(FITTED_SETS)} first.\n")
        return
    every = fit_coefficients(open_rows)
    sys.stdout.write(f"\nREAD_COEFFICIENTS = ({', '.join(f'{value:.3f}' for value in every)}), before {READER_COEFFICIENTS}\n\n")
    table = []
    for name in dict.fromkeys(row.name for row in read):
        own, others = [row for row in read if row.name == name], [row for row in open_rows if row.name != name]
        table.append(report(own, predicted_chances(own, fit_coefficients(others) if name in FITTED_SETS and others else every)))
    print_table(_TABLE_HEAD, table)


_TABLE_HEAD = ("set", "questions", "ECE", "AUROC gone", "AUROC near", "wrong above .85")


def _logit(chance: float) -> float:
    inside = min(1 - 1e-6, max(1e-6, chance))
    return float(np.clip(np.log(inside / (1 - inside)), -_LOGIT, _LOGIT))


def _sigmoid(totals: NDArray[np.float64]) -> NDArray[np.float64]:
    return 1 / (1 + np.exp(-totals))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("file", type=Path, help="where the signals are kept")
    parser.add_argument("names", nargs="*", default=[])
    parser.add_argument("--fit", action="store_true", help="fit on the sets that nothing is judged on")
    options = parser.parse_args()
    sys.stdout.write(f"{describe()}\n\n")
    rows = asyncio.run(collect(options.file, options.names or (*JUDGED_SETS, *FITTED_SETS)))
    by_set = [[row for row in rows if row.name == name] for name in dict.fromkeys(row.name for row in rows)]
    print_table(_TABLE_HEAD, [report(own, [row.chance for row in own]) for own in by_set])
    sys.stdout.write("\n")
    print_table(("set", "from", "answers", "mean confidence", "right"), [line for own in by_set for line in reliability_rows(own)])
    sys.stdout.write("\n")
    print_table(("answer", "answers", "mean confidence", "right"), rows_by_kind(rows))
    if options.fit:
        fit_and_print(rows)


if __name__ == "__main__":
    main()
