"""What activations rounded to 8 bits do to the reader: `python -m benchmarks.reader_rounding [GROUP …]`

OpenVINO can round what goes into the products of a network whose weights are of 8 bits, in groups of so many values (0: not at all); processors with
AVX-512 VNNI or AMX then compute them in whole numbers. Each question is read with its paragraph, as in docs/reader.md: squad2_500 with its
unanswerable ones, the first 500 of XQuAD in English. Processor time is of all of them, one after the other.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from benchmarks.machine import data_folder, describe, print_table
from core.ports import PassageReading
from evaluation.answer_metrics import answer_words, auroc, expected_calibration_error, word_f1
from retrieval.embedders.compiled_networks import CompiledNetworks, NetworkRecipe
from retrieval.embedders.openvino_embedder import ComputeOptions
from retrieval.readers.openvino_reader import OpenVinoReader, open_reader
from training.reader.reader_scores import evaluation_rows
from training.reader.training_rows import TrainingRow

GROUPS = (0, 32, 64, 128)


class RoundedNetworks(CompiledNetworks):
    """Compiles networks with activations of 8 bits in groups of `group`; keeps none."""

    def __init__(self, group: int) -> None:
        super().__init__()
        self._group = group

    def load_or_compile(self, core: Any, recipe: NetworkRecipe) -> Any:
        return super().load_or_compile(core, replace(recipe, options={**recipe.options, "DYNAMIC_QUANTIZATION_GROUP_SIZE": self._group}))


@dataclass(frozen=True, slots=True)
class ReadRows:
    """The rows of one set with their readings, and the processor seconds that these took."""

    rows: Sequence[TrainingRow]
    readings: Sequence[PassageReading]
    seconds: float


async def read_all(reader: OpenVinoReader, rows: Sequence[TrainingRow]) -> ReadRows:
    await reader.read_passages(rows[0].question, ["A passage that warms the network up."])
    used = time.process_time()
    readings = [(await reader.read_passages(row.question, [row.context]))[0] for row in rows]
    return ReadRows(rows, readings, time.process_time() - used)


def measure_exactness(read: ReadRows) -> tuple[float, float]:
    """Exact match and F1 of the best span over the answered questions."""
    exact, shared = [], []
    for row, reading in zip(read.rows, read.readings, strict=True):
        if row.answers:
            said = row.context[reading.spans[0].start : reading.spans[0].end] if reading.spans else ""
            golds = [row.context[a:b] for a, b in row.answers]
            exact.append(max(answer_words(said) == answer_words(gold) for gold in golds))
            shared.append(max(word_f1(said, gold) for gold in golds))
    return float(np.mean(exact)), float(np.mean(shared))


def measure_silence(read: ReadRows) -> tuple[float, float, float]:
    """AUROC of the best span's score and of "answered here?", and the latter's calibration error."""
    labels = [bool(row.answers) for row in read.rows]
    spans = [reading.spans[0].score if reading.spans else -1e9 for reading in read.readings]
    heads = [reading.answerable for reading in read.readings]
    return auroc(spans, labels), auroc(heads, labels), expected_calibration_error(heads, labels)


async def make_row(group: int) -> list[object]:
    reader = open_reader(computing=ComputeOptions(networks=RoundedNetworks(group)))
    squad, xquad = [await read_all(reader, evaluation_rows(data_folder(), name)) for name in ("squad2_500", "xquad")]
    await reader.close()
    figures = [f"{value:.3f}" for value in (*measure_exactness(squad), *measure_exactness(xquad), *measure_silence(squad))]
    milliseconds = 1000 * (squad.seconds + xquad.seconds) / (len(squad.rows) + len(xquad.rows))
    return [group or "not rounded", reader.precision, *figures, f"{milliseconds:.0f}"]


def main(groups: Sequence[int]) -> int:
    if not (data_folder() / "squad2_500").is_dir():
        sys.stdout.write(f"skipped: {data_folder() / 'squad2_500'} is not there (set VANTAGE_DATA)\n")
        return 0
    rows = [asyncio.run(make_row(group)) for group in groups]
    sys.stdout.write(f"{describe()}\n\n")
    print_table(["group", "", "squad2_500 EM", "F1", "xquad en EM", "F1", "AUROC span", "AUROC head", "ECE head", "processor ms a question"], rows)
    return 0


if __name__ == "__main__":
    sys.exit(main([int(group) for group in sys.argv[1:]] or GROUPS))
