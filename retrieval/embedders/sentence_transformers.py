"""Every other embedding model by name or path, and cross-encoders, through sentence-transformers (extra `models`, imported when it is needed).

Models such as e5 want "query: " and "passage: " in front: `embedding.query_prefix` and `embedding.passage_prefix`.
"""

from __future__ import annotations

import hashlib
import math
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import anyio
import httpx
import numpy as np

from core.errors import ConfigurationError, Unavailable
from core.ports import EncodedPassages, SimilarityScale, TokenVectors
from retrieval.embedders.similarity_scale import measure_scale, read_probes
from retrieval.vocabulary_words import ignorable_ids, whole_words

if TYPE_CHECKING:
    from numpy.typing import NDArray

LONGEST_WINDOW = 8192  # for models that name no limit
CONNECT_SECONDS = 5.0
T = TypeVar("T")


class SentenceTransformerEmbedder:
    """Implements `core.ports.Embedder`. Construction blocks while the model is loaded (seconds; a name is downloaded once). Raises
    ConfigurationError where the extra is missing or the model cannot be loaded."""

    def __init__(self, model: str, *, query_prefix: str = "", passage_prefix: str = "", batch: int = 16) -> None:
        library = _import_library(f"embedding.model {model}")
        try:
            self._model = library.SentenceTransformer(model, device="cpu", local_files_only=_is_downloaded(model, f"embedding.model {model}"))
        except (OSError, ValueError, RuntimeError, ImportError, KeyError) as error:
            raise ConfigurationError(
                f"The embedding model {model} cannot be loaded: {error}. Name a model of sentence-transformers or a path."
            ) from error
        self._query_prefix, self._passage_prefix, self._batch = query_prefix, passage_prefix, batch
        self._dimension = int(self._model.get_embedding_dimension() or 0)
        self._window = min(int(self._model.max_seq_length or LONGEST_WINDOW), LONGEST_WINDOW)
        marks = hashlib.sha256(f"{query_prefix}\0{passage_prefix}".encode()).hexdigest()[:8]
        self._name = f"{model}@{marks}" if query_prefix or passage_prefix else model
        self._limiter, self._lock = anyio.CapacityLimiter(1), threading.Lock()  # the thread of a task that was cancelled may still be at work
        self._closed = False
        self._scale = self._measure_scale()

    @property
    def name(self) -> str:
        return self._name

    @property
    def dimension(self) -> int:
        return self._dimension

    @property
    def window(self) -> int:
        """Without the passage prefix, which comes on top of every passage."""
        return self._window - len(self.token_spans(self._passage_prefix))

    @property
    def scale(self) -> SimilarityScale:
        """Measured when the model was opened: nobody knows beforehand where the cosines of any model lie."""
        return self._scale

    @property
    def ignorable_token_ids(self) -> frozenset[int]:
        """Vocabulary ids of punctuation and English stop words: what late interaction leaves out."""
        return ignorable_ids(self._model.tokenizer.get_vocab())

    @property
    def whole_words(self) -> frozenset[str]:
        """Words that the vocabulary has in one piece, in lower case: words of the language, whatever a library holds."""
        return whole_words(self._model.tokenizer.get_vocab())

    def token_spans(self, text: str) -> NDArray[np.int32]:
        found = self._model.tokenizer(text, add_special_tokens=False, return_offsets_mapping=True, truncation=False, verbose=False)
        return np.array(found["offset_mapping"], np.int32).reshape(-1, 2)

    async def embed_query(self, text: str) -> NDArray[np.float32]:
        vector: NDArray[np.float32] = (await self._run_in_thread(lambda: self._vectors([self._query_prefix + text])))[0]
        return vector

    async def embed_passages(self, texts: Sequence[str], *, with_tokens: bool = False) -> EncodedPassages:
        """Embed the passages batch by batch, so that a question waits for one batch at most."""
        vectors = np.empty((len(texts), self._dimension), np.float32)
        tokens: list[TokenVectors | None] = [None] * len(texts)
        order = sorted(range(len(texts)), key=lambda row: -len(texts[row]))
        for start in range(0, len(order), self._batch):
            rows = order[start : start + self._batch]
            batch = [texts[row] for row in rows]
            encoded = await self._run_in_thread(lambda batch=batch: self._encode(batch, self._passage_prefix, with_tokens=with_tokens))  # type: ignore[misc]  # mypy cannot infer a default of a lambda
            vectors[rows] = encoded.vectors
            for row, value in zip(rows, encoded.tokens, strict=False):
                tokens[row] = value
        return EncodedPassages(vectors, tuple(value for value in tokens if value is not None))

    async def embed_query_tokens(self, text: str) -> TokenVectors:
        encoded = await self._run_in_thread(lambda: self._encode([text], self._query_prefix, with_tokens=True))
        return encoded.tokens[0]

    async def close(self) -> None:
        async with self._limiter:
            self._closed = True
            self._model = None

    def _measure_scale(self) -> SimilarityScale:
        questions, passages = read_probes()
        asked, answers = ([prefix + text for text in texts] for prefix, texts in ((self._query_prefix, questions), (self._passage_prefix, passages)))
        return measure_scale(self._vectors(asked), self._vectors(answers))

    def _encode(self, texts: Sequence[str], prefix: str, *, with_tokens: bool) -> EncodedPassages:
        prefixed = [prefix + text for text in texts]
        if not with_tokens:
            return EncodedPassages(self._vectors(prefixed))
        found = self._model.encode(prefixed, output_value=None, batch_size=self._batch, show_progress_bar=False, convert_to_numpy=False)
        sentence = np.stack([row["sentence_embedding"].float().cpu().numpy() for row in found])
        inner = [self._tokens(text, len(prefix), row["token_embeddings"].float().cpu().numpy()) for text, row in zip(prefixed, found, strict=True)]
        return EncodedPassages(_unit_rows(sentence), tuple(inner))

    def _vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        found = self._model.encode(list(texts), batch_size=self._batch, show_progress_bar=False, normalize_embeddings=True)
        return np.asarray(found, np.float32)

    def _tokens(self, text: str, prefix: int, vectors: NDArray[np.float32]) -> TokenVectors:
        """Return the vectors of the tokens behind the prefix of that many characters; special tokens are those without an offset."""
        found = self._model.tokenizer(
            text, return_offsets_mapping=True, return_special_tokens_mask=True, truncation=True, max_length=self._window, verbose=False
        )
        ids, spans = np.array(found["input_ids"], np.int32), np.array(found["offset_mapping"], np.int32).reshape(-1, 2)
        count = min(len(ids), len(vectors))
        keep = np.flatnonzero((np.array(found["special_tokens_mask"][:count]) == 0) & (spans[:count, 0] >= prefix))
        return TokenVectors(ids[keep], spans[keep] - prefix, _unit_rows(vectors[keep]))

    async def _run_in_thread(self, work: Callable[[], T]) -> T:
        if self._closed:
            raise Unavailable("The embedding model is closed: the process is shutting down.")

        def alone() -> T:
            with self._lock:
                return work()

        return await anyio.to_thread.run_sync(alone, limiter=self._limiter)


class CrossEncoderScorer:
    """Implements `retrieval.reranking.PairScorer` by a cross-encoder such as cross-encoder/ms-marco-MiniLM-L-6-v2 (`search.rerank.cross_encoder`)."""

    def __init__(self, model: str, *, batch: int = 16) -> None:
        library = _import_library(f"search.rerank.cross_encoder {model}")
        try:
            self._model = library.CrossEncoder(model, device="cpu", local_files_only=_is_downloaded(model, f"search.rerank.cross_encoder {model}"))
        except (OSError, ValueError, RuntimeError, ImportError, KeyError) as error:
            raise ConfigurationError(f"The cross-encoder {model} cannot be loaded: {error}. Name another or leave it empty.") from error
        self._name, self._batch = model, batch
        self._limiter, self._lock = anyio.CapacityLimiter(1), threading.Lock()  # the thread of a task that was cancelled may still be at work

    @property
    def name(self) -> str:
        return self._name

    async def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """Return 1 / (1 + e^-x) of the model's raw score x for each pair (question, text)."""
        if not texts:
            return []
        logits = await anyio.to_thread.run_sync(lambda: self._logits(question, texts), limiter=self._limiter)
        return [sigmoid(value) for value in logits]

    def _logits(self, question: str, texts: Sequence[str]) -> list[float]:
        import torch

        pairs = [(question, text) for text in texts]
        with self._lock:
            raw = self._model.predict(pairs, batch_size=self._batch, show_progress_bar=False, activation_fn=torch.nn.Identity())
        return [float(value) for value in np.asarray(raw).reshape(len(texts), -1)[:, -1]]


def sigmoid(value: float) -> float:
    """Return 1 / (1 + e^-value) without overflow."""
    return 1 / (1 + math.exp(-value)) if value >= 0 else math.exp(value) / (1 + math.exp(value))


def _import_library(wanted_by: str) -> Any:
    try:
        import sentence_transformers
    except ImportError as error:
        raise ConfigurationError(f"{wanted_by} needs sentence-transformers. Run: pip install 'vantage[models]'") from error
    return sentence_transformers


def _is_downloaded(model: str, wanted_by: str) -> bool:
    """Return whether the model's files are on this machine, so that nobody is asked for them; False where its source answers. Raises
    ConfigurationError at once where neither is so: the library would try each of its files for half a minute.
    """
    from huggingface_hub import constants, try_to_load_from_cache

    if Path(model).exists():
        return True
    repository = model if "/" in model else f"sentence-transformers/{model}"
    if any(isinstance(try_to_load_from_cache(repository, name), str) for name in ("modules.json", "config.json")):
        return True
    try:
        httpx.head(constants.ENDPOINT, timeout=CONNECT_SECONDS)
    except httpx.HTTPError as error:
        raise ConfigurationError(
            f"{wanted_by} is not on this machine, and {constants.ENDPOINT} cannot be reached to fetch it ({error}). Copy the model's folder here and "
            "give its path, or name a model that is installed."
        ) from error
    return False


def _unit_rows(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    unit: NDArray[np.float32] = (rows / np.maximum(lengths, 1e-12)).astype(np.float32)
    return unit
