"""The shipped reader on OpenVINO: the graph of an embedding model with weights of its own (`weights`). No torch, no download.

One infer request behind a limiter of one thread; callers take turns at every batch, in the order in which they came, and a call that is cancelled
ends with the batch that is running.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import numpy as np

from core.errors import Unavailable
from core.ports import PassageReading
from retrieval.embedders.openvino_embedder import Precision, available_precision, make_tokenizer, padded, read_checked, usable_cores
from retrieval.readers.spans import best_spans, merged_scores, span_scores
from retrieval.readers.weights import SHIPPED, ReaderWeights, read_weights
from retrieval.readers.windows import Layout, Window, special_ids, windows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from retrieval.embedders.transformer_graph import Shape, Weights

READINGS = 256  # that are kept
NOTHING = PassageReading((), 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class _Read:
    """What the network says of one window: `spans` [tokens, 2] start and end logits of the passage's tokens, `null` the sum of both of the first
    token, `passage` [2] the logits "answered here" and "relevant"."""

    window: Window
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
    its weights are not the published ones, where the reader's do not fit them, or for a precision that the processor lacks. `batch` counts windows;
    `folder` is another place of the base's files."""

    def __init__(
        self, weights: ReaderWeights, *, precision: Precision = "auto", threads: int = 0, batch: int = 8, folder: Path | None = None
    ) -> None:
        self._batch = batch
        self._weights = replace(weights, tensors={})  # they are in the graph from here on
        base = read_checked(weights.base, folder or weights.base.folder())
        self._tokenizer = make_tokenizer(base.tokenizer)
        joined = special_ids(self._tokenizer.encode("", "").ids)
        self._tokenizer.encode_special_tokens = True  # a text that spells a special token does not become one
        self._layout = Layout(*joined, weights.window, weights.question_tokens, weights.overlap)
        self.precision, self._request = _compile(self.name, base.shape, weights.over(base), precision, threads or usable_cores())
        self._limiter = anyio.CapacityLimiter(1)
        self._readings: OrderedDict[tuple[str, str], PassageReading] = OrderedDict()
        self._closed = False

    @property
    def name(self) -> str:
        return f"reader-{self._weights.base.name}@{self._weights.version}"

    async def read(self, question: str, passages: Sequence[str]) -> tuple[PassageReading, ...]:
        """A passage that was read with this question lately is not read again."""
        if self._closed:
            raise _closed()
        known = {text: self._known(question, text) for text in passages}
        wanted = [text for text, reading in known.items() if reading is None]
        if wanted:
            known |= dict(zip(wanted, await self._read(question, wanted), strict=True))
        for text, reading in known.items():
            if reading is not None and reading is not NOTHING:
                self._keep(question, text, reading)
        return tuple(known[text] or NOTHING for text in passages)

    async def close(self) -> None:
        self._closed = True
        async with self._limiter:  # a batch that is running ends first
            self._request = None

    def _known(self, question: str, text: str) -> PassageReading | None:
        return NOTHING if not question.strip() or not text.strip() else self._readings.get((question, text))

    def _keep(self, question: str, text: str, reading: PassageReading) -> None:
        self._readings[question, text] = reading
        self._readings.move_to_end((question, text))
        while len(self._readings) > READINGS:
            self._readings.popitem(last=False)

    async def _read(self, question: str, texts: Sequence[str]) -> list[PassageReading]:
        passages, cut = await anyio.to_thread.run_sync(self._cut, question, texts)
        cut.sort(key=lambda window: -len(window.ids))  # a batch then has little padding
        read: list[_Read] = []
        for start in range(0, len(cut), self._batch):
            read += await anyio.to_thread.run_sync(self._infer, cut[start : start + self._batch], limiter=self._limiter)
        return await anyio.to_thread.run_sync(self._readings_of, passages, read)

    def _cut(self, question: str, texts: Sequence[str]) -> tuple[list[_Passage], list[Window]]:
        asked, *encodings = self._tokenizer.encode_batch([question.strip(), *texts], add_special_tokens=False)
        passages = [_Passage(text, np.array(each.offsets, np.int32).reshape(-1, 2)) for text, each in zip(texts, encodings, strict=True)]
        return passages, [window for number, each in enumerate(encodings) for window in windows(self._layout, asked.ids, each.ids, number)]

    def _infer(self, batch: Sequence[Window]) -> list[_Read]:
        if self._closed:
            raise _closed()
        ids, mask = padded([window.ids for window in batch], self._weights.base.padding_id)
        self._request.infer({0: ids, 1: mask})
        spans, passages = (self._request.get_output_tensor(number).data for number in range(2))
        return [
            _Read(window, spans[row, window.begin : window.end].astype(np.float32), float(spans[row, 0].sum()), passages[row].astype(np.float32))
            for row, window in enumerate(batch)
        ]

    def _readings_of(self, passages: Sequence[_Passage], read: Sequence[_Read]) -> list[PassageReading]:
        by_passage: list[list[_Read]] = [[] for _ in passages]
        for each in read:
            by_passage[each.window.passage].append(each)
        return [self._reading(passage, own) for passage, own in zip(passages, by_passage, strict=True)]

    def _reading(self, passage: _Passage, read: Sequence[_Read]) -> PassageReading:
        """Of one passage, from all of its windows: the greatest logits count."""
        scores = merged_scores([(each.window.first, span_scores(each.spans, each.null)) for each in read], len(passage.offsets))
        answerable, relevant = np.max([each.passage for each in read], axis=0).tolist()
        calibrated = answerable * self._weights.answerable_scale + self._weights.answerable_offset
        return PassageReading(best_spans(scores, passage.offsets, passage.text), _sigmoid(calibrated), _sigmoid(relevant))


def open_reader(path: Path = SHIPPED, *, precision: Precision = "auto", threads: int = 0) -> OpenVinoReader:
    """The reader of a weights file; `threads` 0 takes all cores. Raises ConfigurationError, which says what to do, where the file or the package of
    its base is missing, damaged or another than expected."""
    return OpenVinoReader(read_weights(path), precision=precision, threads=threads)


def _compile(name: str, shape: Shape, weights: Weights, precision: Precision, threads: int) -> tuple[str, Any]:
    """The precision taken and an infer request."""
    from retrieval.embedders.runtime import openvino
    from retrieval.embedders.transformer_graph import TransformerGraph

    core = openvino.Core()
    taken = available_precision(core, precision)
    options = {"INFERENCE_PRECISION_HINT": taken, "INFERENCE_NUM_THREADS": threads, "PERFORMANCE_HINT": "LATENCY"}
    # Beside weights of 8 bits the runtime would round activations to 8 bits, too: no faster here, and logits twice as far off.
    options["DYNAMIC_QUANTIZATION_GROUP_SIZE"] = 0
    network = core.compile_model(TransformerGraph(shape, weights, "first").build_reader(name), "CPU", options)
    return taken, network.create_infer_request()


def _sigmoid(logit: float) -> float:
    return float(1 / (1 + np.exp(-np.float64(logit)))) if logit > -700 else 0.0


def _closed() -> Unavailable:
    return Unavailable("The reader is closed: the process is shutting down.")
