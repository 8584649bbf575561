"""Windows of the reader one by one, side by side, beside batches of eight that share all threads: `python -m benchmarks.reader_windows [ROUNDS]`

Eight paragraphs of squad2_500 of different lengths are read with each of 24 questions, as a question of the product has them read. Ways alternate,
each counts with its fastest round; the logits of both must be the same, bit for bit.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.machine import data_folder, describe, print_table
from retrieval.embedders.openvino_embedder import available_precision, make_tokenizer, pad_rows, read_checked_files, usable_cores
from retrieval.embedders.runtime import openvino
from retrieval.embedders.transformer_graph import TransformerGraph
from retrieval.readers.openvino_reader import MOST_AT_ONCE
from retrieval.readers.reader_weights import SHIPPED_WEIGHTS, read_weights

if TYPE_CHECKING:
    from numpy.typing import NDArray

QUESTIONS, PASSAGES, LONGEST = 24, 8, 320
WindowRows = Sequence[list[int]]


class CompiledWay:
    """One compiled reader: `at_once` requests side by side, each for `batch` windows."""

    def __init__(self, batch: int, at_once: int, threads: int) -> None:
        weights = read_weights(SHIPPED_WEIGHTS)
        base = read_checked_files(weights.base, weights.base.folder())
        core = openvino.Core()
        options = {"INFERENCE_PRECISION_HINT": available_precision(core, "auto"), "INFERENCE_NUM_THREADS": threads, "NUM_STREAMS": at_once}
        graph = TransformerGraph(base.shape, weights.apply_to(base), "first").build_reader("reader")
        network = core.compile_model(graph, "CPU", options | {"DYNAMIC_QUANTIZATION_GROUP_SIZE": 0})
        self._batch, self._padding = batch, weights.base.padding_id
        self._requests = [network.create_infer_request() for _ in range(at_once)]
        self._pool = ThreadPoolExecutor(at_once)

    def read(self, rows: WindowRows) -> list[NDArray[np.float32]]:
        """The logits of each window's tokens, longest window first."""
        ordered = sorted(rows, key=lambda row: -len(row))
        waiting = iter([(place, ordered[place : place + self._batch]) for place in range(0, len(ordered), self._batch)])
        found: dict[int, NDArray[np.float32]] = {}

        def work(request: Any) -> None:
            for first, some in waiting:
                ids, mask = pad_rows(some, self._padding)
                request.infer({0: ids, 1: mask})
                spans = request.get_output_tensor(0).data
                found.update({first + place: spans[place, : len(row)].copy() for place, row in enumerate(some)})

        list(self._pool.map(work, self._requests))
        return [found[place] for place in range(len(ordered))]


def windows_to_read() -> list[WindowRows]:
    folder = data_folder() / "squad2_500"
    texts = [
        [json.loads(line)["text"] for line in (folder / name).read_text(encoding="utf-8").splitlines()] for name in ("queries.jsonl", "corpus.jsonl")
    ]
    base = read_weights(SHIPPED_WEIGHTS).base
    tokenizer = make_tokenizer(read_checked_files(base, base.folder()).tokenizer)
    asked, passages = texts[0][:QUESTIONS], texts[1][: QUESTIONS * PASSAGES]
    pairs = [[(question, passages[place * PASSAGES + number]) for number in range(PASSAGES)] for place, question in enumerate(asked)]
    return [[each.ids[:LONGEST] for each in tokenizer.encode_batch(some)] for some in pairs]


def main(rounds: int) -> int:
    if not (data_folder() / "squad2_500").is_dir():
        sys.stdout.write(f"skipped: {data_folder() / 'squad2_500'} is not there (set VANTAGE_DATA)\n")
        return 0
    threads, asked = usable_cores(), windows_to_read()
    ways = {
        "batches of 8, all threads together": CompiledWay(8, 1, threads),
        "one by one, side by side": CompiledWay(1, min(threads, MOST_AT_ONCE), threads),
    }
    one, other = ([way.read(rows) for rows in asked] for way in ways.values())
    same = all(np.array_equal(a, b) for left, right in zip(one, other, strict=True) for a, b in zip(left, right, strict=True))
    best = {name: [float("inf"), float("inf")] for name in ways}
    for _ in range(rounds):
        for name, way in ways.items():
            clock, used = time.perf_counter(), time.process_time()
            for rows in asked:
                way.read(rows)
            taken = time.perf_counter() - clock, time.process_time() - used
            best[name] = [min(pair) for pair in zip(best[name], taken, strict=True)]
    sys.stdout.write(f"{describe()}\nlogits the same bit for bit: {same}\n\n")
    first = next(iter(best.values()))
    rows_of = [[name, *(f"{1000 * value / len(asked):.0f}" for value in own), f"{own[1] / first[1]:.2f}"] for name, own in best.items()]
    print_table(["way", "wall ms a question", "processor ms a question", "processor, ratio"], rows_of)
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if sys.argv[1:] else 3))
