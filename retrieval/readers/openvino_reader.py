"""The shipped reader on OpenVINO: the graph of an embedding model with weights of its own (`weights`). No torch, no download.

As many windows are read side by side as there are threads, up to MOST_AT_ONCE, each by an infer request with threads of its own: a window alone has
no padding, and threads that share one wait for each other (`benchmarks.reader_windows`). Callers take turns at every window, in the order in which
they came, and a call that is cancelled ends with the windows that are being read.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

import anyio
import numpy as np

from core.errors import Unavailable
from core.ports import PassageReading
from retrieval.embedders.compiled_networks import NetworkRecipe
from retrieval.embedders.openvino_embedder import (
    DEFAULT_COMPUTE,
    Activations,
    ComputeOptions,
    available_precision,
    make_tokenizer,
    pad_rows,
    read_checked_files,
)
from retrieval.embedders.transformer_models import ModelFiles
from retrieval.readers.reader_weights import SHIPPED_WEIGHTS, ReaderWeights, read_weights
from retrieval.readers.spans import best_spans, merged_scores, span_scores
from retrieval.readers.token_windows import TokenWindow, WindowLayout, cut_windows, special_ids

if TYPE_CHECKING:
    from numpy.typing import NDArray


REMEMBERED_READINGS = 256  # that are kept
ROUNDED_TOGETHER = 64  # activations that share a scale where they are rounded to 8 bits (`benchmarks.reader_rounding`)
MOST_AT_ONCE = 4  # windows; each has memory of its own
NO_READING = PassageReading((), 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class _WindowLogits:
    """The network's output for one window: `spans` [tokens, 2] start and end logits of the passage's tokens, `null` the sum of both of the first
    token, `passage` [2] the logits "answered here" and "relevant".
    """

    window: TokenWindow
    spans: NDArray[np.float32]
    null: float
    passage: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class _Passage:
    """A passage's text and where its tokens lie in it: [tokens, 2]."""

    text: str
    offsets: NDArray[np.int32]


class OpenVinoReader:
    """Implements `core.ports.AnswerReader`. Construction blocks for some 0.5 s; it raises ConfigurationError where the base's package is missing or
    its weights are not the published ones, where the reader's do not fit them, or for a precision that the processor lacks. `folder` is
    another place of the base's files."""

    def __init__(self, weights: ReaderWeights, computing: ComputeOptions = DEFAULT_COMPUTE, *, folder: Path | None = None) -> None:
        self._weights = replace(weights, tensors={})  # they are in the network from here on
        base = read_checked_files(weights.base, folder or weights.base.folder())
        self._tokenizer = make_tokenizer(base.tokenizer)
        joined = special_ids(self._tokenizer.encode("", "").ids)
        self._tokenizer.encode_special_tokens = True  # a text that spells a special token does not become one
        self._layout = WindowLayout(*joined, weights.window, weights.question_tokens, weights.overlap)
        self.precision, requests = _make_requests(self.name, base, weights, computing)
        self._limiter = anyio.CapacityLimiter(len(requests))
        # The limiter counts waiting tasks; a task that was cancelled is counted no longer, though its thread may still be reading.
        self._idle = SimpleQueue[Any]()
        for request in requests:
            self._idle.put(request)
        self._readings: OrderedDict[tuple[str, str], PassageReading] = OrderedDict()
        self._closed = False

    @property
    def name(self) -> str:
        return f"reader-{self._weights.base.name}@{self._weights.version}"

    async def read_passages(self, question: str, passages: Sequence[str]) -> tuple[PassageReading, ...]:
        """Read the passages; one that was read with this question lately is not read again."""
        if self._closed:
            raise _closed_error()
        known = {text: self._find_remembered(question, text) for text in passages}
        wanted = [text for text, reading in known.items() if reading is None]
        if wanted:
            known |= dict(zip(wanted, await self._read_texts(question, wanted), strict=True))
        for text, reading in known.items():
            if reading is not None and reading is not NO_READING:
                self._remember(question, text, reading)
        return tuple(known[text] or NO_READING for text in passages)

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        for _ in range(int(self._limiter.total_tokens)):  # windows that are being read end first
            await anyio.to_thread.run_sync(self._idle.get)
        self._idle.put(None)  # for who still waits for a request

    def _find_remembered(self, question: str, text: str) -> PassageReading | None:
        return NO_READING if not question.strip() or not text.strip() else self._readings.get((question, text))

    def _remember(self, question: str, text: str, reading: PassageReading) -> None:
        self._readings[question, text] = reading
        self._readings.move_to_end((question, text))
        while len(self._readings) > REMEMBERED_READINGS:
            self._readings.popitem(last=False)

    async def _read_texts(self, question: str, texts: Sequence[str]) -> list[PassageReading]:
        passages, cut = await anyio.to_thread.run_sync(self._cut_windows, question, texts)
        cut.sort(key=lambda window: -len(window.ids))  # the short ones last: then none waits long for another
        waiting, read = iter(cut), list[_WindowLogits]()
        await asyncio.gather(*(self._infer_all(waiting, read) for _ in range(int(self._limiter.total_tokens))))
        return await anyio.to_thread.run_sync(self._make_readings, passages, read)

    def _cut_windows(self, question: str, texts: Sequence[str]) -> tuple[list[_Passage], list[TokenWindow]]:
        asked, *encodings = self._tokenizer.encode_batch([question.strip(), *texts], add_special_tokens=False)
        passages = [_Passage(text, np.array(each.offsets, np.int32).reshape(-1, 2)) for text, each in zip(texts, encodings, strict=True)]
        return passages, [window for number, each in enumerate(encodings) for window in cut_windows(self._layout, asked.ids, each.ids, number)]

    async def _infer_all(self, waiting: Iterator[TokenWindow], read: list[_WindowLogits]) -> None:
        """Read one window after the other until none waits; several do so at once."""
        for window in waiting:
            read.append(await anyio.to_thread.run_sync(self._infer, window, limiter=self._limiter))

    def _infer(self, window: TokenWindow) -> _WindowLogits:
        if self._closed:
            raise _closed_error()
        ids, mask = pad_rows([window.ids], self._weights.base.padding_id)
        request = self._idle.get()
        try:
            if request is None:
                raise _closed_error()
            request.infer({0: ids, 1: mask})
            spans, passages = (request.get_output_tensor(number).data for number in range(2))
            own = spans[0, window.begin : window.end].astype(np.float32)
            return _WindowLogits(window, own, float(spans[0, 0].sum()), passages[0].astype(np.float32))
        finally:
            self._idle.put(request)

    def _make_readings(self, passages: Sequence[_Passage], read: Sequence[_WindowLogits]) -> list[PassageReading]:
        by_passage: list[list[_WindowLogits]] = [[] for _ in passages]
        for each in read:
            by_passage[each.window.passage].append(each)
        return [self._make_reading(passage, own) for passage, own in zip(passages, by_passage, strict=True)]

    def _make_reading(self, passage: _Passage, read: Sequence[_WindowLogits]) -> PassageReading:
        """Return the reading of one passage, from all of its windows: the greatest logits count."""
        scores = merged_scores([(each.window.first, span_scores(each.spans, each.null)) for each in read], len(passage.offsets))
        answerable, relevant = np.max([each.passage for each in read], axis=0).tolist()
        calibrated = answerable * self._weights.answerable_scale + self._weights.answerable_offset
        return PassageReading(best_spans(scores, passage.offsets, passage.text), _sigmoid(calibrated), _sigmoid(relevant))


def open_reader(path: Path = SHIPPED_WEIGHTS, computing: ComputeOptions = DEFAULT_COMPUTE) -> OpenVinoReader:
    """Return the reader of a weights file. Raises ConfigurationError, which says what to do, where the file or the package of its base is missing,
    damaged or another than expected.
    """
    return OpenVinoReader(read_weights(path), computing)


def _make_requests(name: str, base: ModelFiles, weights: ReaderWeights, computing: ComputeOptions) -> tuple[str, list[Any]]:
    """Return the precision taken and the infer requests, which share the weights."""
    from retrieval.embedders.runtime import openvino

    core = openvino.Core()
    taken = available_precision(core, computing.precision)

    def graph() -> openvino.Model:
        from retrieval.embedders.transformer_graph import TransformerGraph

        return TransformerGraph(base.shape, weights.apply_to(base), "first").build_reader(name)

    at_once = min(computing.cores, MOST_AT_ONCE)
    options = {"INFERENCE_PRECISION_HINT": taken, "INFERENCE_NUM_THREADS": computing.cores, "NUM_STREAMS": at_once}
    options["DYNAMIC_QUANTIZATION_GROUP_SIZE"] = ROUNDED_TOGETHER if uses_rounding(computing.activations, taken) else 0
    network = computing.networks.load_or_compile(core, NetworkRecipe(name, graph, options))
    return taken, [network.create_infer_request() for _ in range(at_once)]


def uses_rounding(activations: Activations, precision: str) -> bool:
    """Return whether activations are rounded to 8 bits, as the weights are: by itself where the processor would compute in float32. There it is
    faster by two fifths and reads as well; beside bfloat16 it is no faster.
    """
    return activations == "int8" or (activations == "auto" and precision == "f32")


def _sigmoid(logit: float) -> float:
    return float(1 / (1 + np.exp(-np.float64(logit)))) if logit > -700 else 0.0


def _closed_error() -> Unavailable:
    return Unavailable("The reader is closed: the process is shutting down.")
