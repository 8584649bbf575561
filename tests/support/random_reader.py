"""A reader's weights made of chance over an installed base, and what the network must make of them, in numpy."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from safetensors.numpy import save_file

from retrieval.embedders.openvino_embedder import Activations, ComputeOptions
from retrieval.embedders.transformer_graph import QuantisedTable, TransformerWeights
from retrieval.embedders.transformer_models import MODELS, ModelFiles, TransformerModel
from retrieval.readers.openvino_reader import OpenVinoReader
from retrieval.readers.reader_weights import PRODUCTS, read_weights

RANK = 2

each_base = pytest.mark.parametrize(
    "base",
    [
        pytest.param(
            model, id=model.name, marks=pytest.mark.skipif(not model.is_installed, reason=f"{model.name} is not installed: {model.install_command}")
        )
        for model in MODELS
    ],
)


def reader_metadata(base: TransformerModel) -> dict[str, str]:
    return {"format": "1", "base": base.name, "base_sha256": base.sha256, "window": "320", "question_tokens": "64", "stride": "96"}


@lru_cache(maxsize=2)
def base_files(base: TransformerModel) -> ModelFiles:
    return base.read_files(base.folder())


def random_tensors(base: TransformerModel) -> dict[str, NDArray[Any]]:
    """Rank 2 in each product, one bias and one norm replaced, heads whose logits differ from token to token."""
    chance, files = np.random.default_rng(11), base_files(base)
    tensors: dict[str, NDArray[Any]] = {}
    for number in range(files.shape.layers):
        for name in (f"{number}.{product}" for product in PRODUCTS):
            outputs, inputs = files.weights.tensors[f"{name}.weight"].shape
            tensors[f"{name}.left"] = chance.integers(-127, 128, (outputs, RANK), dtype=np.int8)
            tensors[f"{name}.left_scale"] = np.array(chance.uniform(0.5, 1.5, outputs) / 127, np.float16)
            tensors[f"{name}.right"] = chance.integers(-127, 128, (RANK, inputs), dtype=np.int8)
            tensors[f"{name}.right_scale"] = np.full(RANK, 0.02 / 127, np.float16)
    tensors["0.widened.bias"] = files.weights.tensors["0.widened.bias"].astype(np.float16) + np.float16(0.01)
    tensors["norm.weight"] = files.weights.tensors["norm.weight"].astype(np.float16) * np.float16(1.1)
    for head in ("span", "passage"):
        tensors[f"{head}.weight"] = chance.normal(0, 0.1, (2, files.shape.width)).astype(np.float16)
        tensors[f"{head}.bias"] = chance.normal(0, 1, 2).astype(np.float32)
    return tensors


def write_reader(
    path: Path, base: TransformerModel, tensors: dict[str, NDArray[Any]] | None = None, changes: Mapping[str, str] | None = None
) -> Path:
    save_file(random_tensors(base) if tensors is None else tensors, path, reader_metadata(base) | dict(changes or {}))
    return path


@lru_cache(maxsize=2)
def shared_reader(base: TransformerModel) -> OpenVinoReader:
    """In full precision. Never close it: other tests use it."""
    return new_reader(base)


def new_reader(
    base: TransformerModel, changes: Mapping[str, str] | None = None, threads: int = 1, activations: Activations = "float"
) -> OpenVinoReader:
    with TemporaryDirectory() as folder:
        weights = read_weights(write_reader(Path(folder) / "reader.safetensors", base, changes=changes))
    return OpenVinoReader(weights, ComputeOptions("f32", threads, activations=activations))


def expected_logits(files: ModelFiles, weights: TransformerWeights, ids: list[int]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Span logits [tokens, 2] and passage logits [2] of one window."""
    words = weights.words.dequantise() if isinstance(weights.words, QuantisedTable) else weights.words
    hidden = _norm(files, weights, "norm", words[ids] + weights.tensors["places"][: len(ids)])
    for number in range(files.shape.layers):
        hidden = _norm(files, weights, f"{number}.attended_norm", hidden + _attend(files, weights, str(number), hidden))
        widened = _linear(weights, f"{number}.widened", hidden)
        widened *= 0.5 * (1 + np.vectorize(math.erf)(widened / math.sqrt(2)))
        hidden = _norm(files, weights, f"{number}.narrowed_norm", hidden + _linear(weights, f"{number}.narrowed", widened))
    return _linear(weights, "span", hidden), _linear(weights, "passage", hidden[:1])[0]


def _attend(files: ModelFiles, weights: TransformerWeights, prefix: str, hidden: NDArray[np.float32]) -> NDArray[np.float32]:
    heads, (tokens, width) = files.shape.heads, hidden.shape
    parts = _linear(weights, f"{prefix}.query_key_value", hidden).reshape(tokens, 3, heads, width // heads)
    query, key, value = parts.transpose(1, 2, 0, 3)
    shares = np.exp(query @ key.transpose(0, 2, 1) / math.sqrt(width // heads))
    mixed = (shares / shares.sum(axis=2, keepdims=True)) @ value
    return _linear(weights, f"{prefix}.attended", mixed.transpose(1, 0, 2).reshape(tokens, width))


def _linear(weights: TransformerWeights, name: str, hidden: NDArray[np.float32]) -> NDArray[np.float32]:
    table = weights.products.get(f"{name}.weight")
    weight = weights.tensors[f"{name}.weight"] if table is None else table.dequantise()
    product: NDArray[np.float32] = hidden @ weight.T + weights.tensors[f"{name}.bias"]
    return product


def _norm(files: ModelFiles, weights: TransformerWeights, name: str, hidden: NDArray[np.float32]) -> NDArray[np.float32]:
    centred = hidden - hidden.mean(axis=1, keepdims=True)
    centred /= np.sqrt((centred**2).mean(axis=1, keepdims=True) + files.shape.norm_epsilon)
    scaled: NDArray[np.float32] = centred * weights.tensors[f"{name}.weight"] + weights.tensors[f"{name}.bias"]
    return scaled
