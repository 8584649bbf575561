"""The shipped embedders on OpenVINO, from weights that Python packages carry (`transformer_models`). No torch, no download.

Two compiled networks share the machine. The bulk queue encodes windows of passages batch by batch; the prompt queue serves questions and the
handful of passages that a rerank asks for, so that a person never waits for an indexing batch. A queue is one infer request behind a limiter
of one thread; callers of a queue take turns at every batch, in the order in which they came. The bulk queue is made with its first
batch: who only asks needs none.
"""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import anyio
import numpy as np
import psutil

from core.errors import ConfigurationError, Unavailable
from core.ports import EncodedPassages, SimilarityScale, TokenVectors
from retrieval.embedders.compiled_networks import CompiledNetworks, NetworkRecipe
from retrieval.embedders.transformer_models import ModelFiles, TransformerModel
from retrieval.vocabulary_words import ignorable_ids, whole_words

if TYPE_CHECKING:
    import openvino
    from numpy.typing import NDArray
    from tokenizers import Encoding, Tokenizer

REMEMBERED_QUESTIONS = 64  # of which the vectors are kept
QUESTION_TOKENS = 64  # of a question whose token vectors are kept, too: 6 MB for all of them
PROMPT_PASSAGES = 8
# Batches are as wide as the next multiple of this: the runtime compiles its kernels for each shape and keeps them. With widths of all kinds 40
# calls took 35 s of processor and left a process of 600 MB, with these 32 s and 430 MB, the padding included.
STEP = 16

Precision = Literal["auto", "bf16", "f32"]
Activations = Literal["auto", "int8", "float"]


def usable_cores() -> int:
    """Return the number of physical cores that this process may run on."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1)
    return max(1, min(allowed, psutil.cpu_count(logical=False) or allowed))


@dataclass(frozen=True, slots=True)
class ComputeOptions:
    """Options of a network's inference: `threads` 0 takes all cores, `networks` keep what was compiled. `activations` are those of a network whose
    weights are of 8 bits, the reader's.
    """

    precision: Precision = "auto"
    threads: int = 0
    networks: CompiledNetworks = field(default_factory=CompiledNetworks)
    activations: Activations = "auto"

    @property
    def cores(self) -> int:
        return self.threads or usable_cores()


DEFAULT_COMPUTE = ComputeOptions()


@dataclass(slots=True)
class _InferenceQueue:
    """One infer request and the single thread that may use it at a time, which holds `lock`; `make` makes it where there is none yet.

    The limiter counts waiting tasks. One that was cancelled is counted no longer, though its thread may still be at work: then the next waits here.
    """

    request: Any = None
    make: Callable[[], Any] | None = None
    limiter: anyio.CapacityLimiter = field(default_factory=lambda: anyio.CapacityLimiter(1))
    lock: threading.Lock = field(default_factory=threading.Lock)

    def infer(self, inputs: dict[int, NDArray[np.int64]]) -> Any:
        """Return the request after it ran. To be called with the lock, which is kept until its results were read."""
        if self.request is None and self.make is not None:
            self.request = self.make()
        self.request.infer(inputs)
        return self.request

    def close(self) -> None:
        with self.lock:
            self.request = self.make = None


@dataclass(frozen=True, slots=True)
class _Question:
    """The result of one pass of the network over a question; `tokens` None: too many to keep."""

    vector: NDArray[np.float32]
    tokens: TokenVectors | None


class OpenVinoEmbedder:
    """Implements `core.ports.Embedder` for one row of `transformer_models`. Construction blocks for some 0.3 s; it raises ConfigurationError for a
    missing package, foreign weights or a precision that the processor lacks. `computing` says what it runs on, `folder` is another place of the
    package's files."""

    def __init__(self, model: TransformerModel, computing: ComputeOptions = DEFAULT_COMPUTE, *, batch: int = 8, folder: Path | None = None) -> None:
        self._model, self._batch = model, batch
        place = folder or model.folder()
        files = read_checked_files(model, place)
        self._tokenizer = make_tokenizer(files.tokenizer)
        self.precision, first = _make_request(model, files, computing)
        self._prompt = _InferenceQueue(first)
        self._bulk = _InferenceQueue(make=lambda: _make_request(model, read_checked_files(model, place), computing)[1])
        self._end = _end_token_id(self._tokenizer, model)
        self._closed = False
        self._questions: OrderedDict[str, _Question] = OrderedDict()

    @property
    def name(self) -> str:
        return self._model.version  # not the precision: its vectors agree to a cosine of .9999

    @property
    def dimension(self) -> int:
        return self._model.dimension

    @property
    def window(self) -> int:
        return self._model.window

    @property
    def scale(self) -> SimilarityScale:
        return self._model.scale

    @property
    def ignorable_token_ids(self) -> frozenset[int]:
        """Vocabulary ids of punctuation and English stop words: what late interaction leaves out."""
        return read_vocabulary(self._tokenizer)[0]

    @property
    def whole_words(self) -> frozenset[str]:
        """Words that the vocabulary has in one piece, in lower case: words of the language, whatever a library holds."""
        return read_vocabulary(self._tokenizer)[1]

    def token_spans(self, text: str) -> NDArray[np.int32]:
        offsets = self._tokenizer.encode(text, add_special_tokens=False).offsets
        return np.array(offsets, np.int32).reshape(-1, 2)

    async def embed_query(self, text: str) -> NDArray[np.float32]:
        """Embed a question, once for all stages of a run that ask for its vector or its tokens. The array cannot be written to."""
        known = self._questions.get(text)
        return known.vector if known is not None else (await self._embed_question(text))[0]

    async def embed_query_tokens(self, text: str) -> TokenVectors:
        """Embed a question as `embed_query` does, into token vectors; the arrays cannot be written to."""
        known = self._questions.get(text)
        return known.tokens if known is not None and known.tokens is not None else (await self._embed_question(text))[1]

    async def _embed_question(self, text: str) -> tuple[NDArray[np.float32], TokenVectors]:
        """Return vector and token vectors of a question, from one pass, kept for the next who asks."""
        encoded = await self._encode([text], self._prompt, with_tokens=True)
        vector, tokens = encoded.vectors[0], encoded.tokens[0]
        for array in (vector, tokens.ids, tokens.spans, tokens.vectors):
            array.flags.writeable = False
        self._questions[text] = _Question(vector, tokens if len(tokens.ids) <= QUESTION_TOKENS else None)
        while len(self._questions) > REMEMBERED_QUESTIONS:
            self._questions.popitem(last=False)
        return vector, tokens

    async def embed_passages(self, texts: Sequence[str], *, with_tokens: bool = False) -> EncodedPassages:
        """Embed passages. A few take the prompt queue, windows of many the bulk queue, longest first so that a batch has little padding."""
        queue = self._prompt if len(texts) <= PROMPT_PASSAGES else self._bulk
        return await self._encode(texts, queue, with_tokens=with_tokens)

    async def close(self) -> None:
        self._closed = True
        for queue in (self._bulk, self._prompt):
            async with queue.limiter:  # a batch that is running ends first
                await anyio.to_thread.run_sync(queue.close)

    async def _encode(self, texts: Sequence[str], queue: _InferenceQueue, *, with_tokens: bool) -> EncodedPassages:
        vectors = np.empty((len(texts), self.dimension), np.float32)
        tokens: list[TokenVectors | None] = [None] * len(texts)
        encodings = await anyio.to_thread.run_sync(self._tokenizer.encode_batch, list(texts))
        for rows in self._batches(encodings, of_one_width=queue is self._prompt):
            batch = [encodings[row] for row in rows]
            found, inner = await anyio.to_thread.run_sync(self._infer, queue, batch, with_tokens, limiter=queue.limiter)
            vectors[rows] = found
            for row, value in zip(rows, inner, strict=False):
                tokens[row] = value
        return EncodedPassages(vectors, tuple(value for value in tokens if value is not None))

    def _batches(self, encodings: Sequence[Encoding], *, of_one_width: bool) -> list[list[int]]:
        """Return the rows in batches, longest first. A handful of sentences are of very different lengths, and 40 of 100 tokens would be padding;
        `of_one_width` makes batches of those that are equally wide, which costs a pass or two more and a quarter less of processor time.
        """
        order = sorted(range(len(encodings)), key=lambda row: -len(encodings[row].ids))
        width = (lambda row: -(-min(len(encodings[row].ids), self.window) // STEP)) if of_one_width else (lambda row: 0)
        runs = [list(run) for _, run in groupby(order, key=width)]
        return [run[start : start + self._batch] for run in runs for start in range(0, len(run), self._batch)]

    def _infer(self, queue: _InferenceQueue, batch: Sequence[Encoding], with_tokens: bool) -> tuple[NDArray[np.float32], list[TokenVectors]]:
        rows = [self._truncate(encoding.ids) for encoding in batch]
        ids, mask = pad_rows(rows, self._model.padding_id)
        with queue.lock:
            if self._closed:
                raise Unavailable("The embedding model is closed: the process is shutting down.")
            request = queue.infer({0: ids, 1: mask})
            vectors: NDArray[np.float32] = request.get_output_tensor(1).data.copy()
            if not with_tokens:
                return vectors, []
            last = request.get_output_tensor(0).data
            return vectors, [_token_vectors(encoding, last[place], len(row)) for place, (encoding, row) in enumerate(zip(batch, rows, strict=True))]

    def _truncate(self, ids: list[int]) -> list[int]:
        return ids if len(ids) <= self.window else [*ids[: self.window - 1], self._end]


def pad_rows(rows: Sequence[Sequence[int]], padding: int = 0) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return token ids, filled up with `padding`, and their mask, each [rows, tokens]; tokens is the next multiple of STEP."""
    ids = np.full((len(rows), -(-max(map(len, rows)) // STEP) * STEP), padding, np.int64)
    mask = np.zeros_like(ids)
    for place, row in enumerate(rows):
        ids[place, : len(row)] = row
        mask[place, : len(row)] = 1
    return ids, mask


def _token_vectors(encoding: Encoding, last: NDArray[np.float32], length: int) -> TokenVectors:
    """Return the unit vectors of the tokens between [CLS] and [SEP]; `length` counts both."""
    inner = last[1 : length - 1].astype(np.float32)
    inner /= np.maximum(np.linalg.norm(inner, axis=1, keepdims=True), 1e-12)
    spans = np.array(encoding.offsets[1 : length - 1], np.int32).reshape(-1, 2)
    return TokenVectors(np.array(encoding.ids[1 : length - 1], np.int32), spans, inner)


def make_tokenizer(text: str) -> Tokenizer:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_str(text)
    tokenizer.no_truncation()  # cut by hand, so that one tokenizer also measures whole texts
    tokenizer.no_padding()
    return tokenizer


@lru_cache(maxsize=1)
def read_vocabulary(tokenizer: Tokenizer) -> tuple[frozenset[int], frozenset[str]]:
    """Return the ids of tokens that late interaction leaves out, and the words that the vocabulary has in one piece."""
    vocabulary = tokenizer.get_vocab()  # a copy of 50,000 words: made once for both
    return ignorable_ids(vocabulary), whole_words(vocabulary)


def _end_token_id(tokenizer: Tokenizer, model: TransformerModel) -> int:
    """Return the id of the token that ends a text."""
    found = tokenizer.token_to_id(model.end_token)
    if found is None:
        raise ConfigurationError(f"The tokenizer of {model.name} has no token {model.end_token}. Run: {model.install_command} --force-reinstall")
    return found


def read_checked_files(model: TransformerModel, folder: Path) -> ModelFiles:
    """Return the files, once they are known to be the published ones: a damaged file is reported as such, whatever reading it would come to."""
    model.check_weights(folder)
    return model.read_files(folder)


def available_precision(core: openvino.Core, precision: Precision) -> str:
    """Return the precision to compute in. Raises ConfigurationError for one that the processor lacks."""
    able = "BF16" in core.get_property("CPU", "OPTIMIZATION_CAPABILITIES")
    if precision == "bf16" and not able:
        raise ConfigurationError("embedding.precision is bf16, but this processor has no bfloat16. Set it to auto or f32.")
    return "bf16" if able and precision != "f32" else "f32"


def _make_request(model: TransformerModel, files: ModelFiles, computing: ComputeOptions) -> tuple[str, Any]:
    """Return the precision taken and an infer request of a network of its own."""
    from retrieval.embedders.runtime import openvino

    core = openvino.Core()
    taken = available_precision(core, computing.precision)

    def graph() -> openvino.Model:
        from retrieval.embedders.transformer_graph import TransformerGraph

        mean = model.mean_vector() if model.mean else None
        return TransformerGraph(files.shape, files.weights, model.pooling, mean).build(model.name)

    options = {"INFERENCE_PRECISION_HINT": taken, "INFERENCE_NUM_THREADS": computing.cores, "PERFORMANCE_HINT": "LATENCY"}
    return taken, computing.networks.load_or_compile(core, NetworkRecipe(model.version, graph, options)).create_infer_request()
