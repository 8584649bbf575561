"""The shipped part of a trained reader: its difference to the base, cut to a low rank and written in 8 bits.

A difference D of a product's weights is cut to the first `rank` parts of its singular value decomposition, the best approximation of that rank
(Eckart & Young 1936), written as two factors whose rows are scaled to 8 bits each. Biases, norms and heads are whole, in 16 bits.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from retrieval.embedders.transformer_graph import TransformerWeights

PRODUCTS = ("query_key_value", "attended", "widened", "narrowed")
NORMS = ("attended_norm", "narrowed_norm")

Arrays = dict[str, NDArray[np.generic]]


def compress_to_rank(trained: Mapping[str, NDArray[np.float32]], base: TransformerWeights, layers: int, rank: int) -> Arrays:
    """Return the tensors of the weights file from the network's state (names as in `ReaderModel`)."""
    out: Arrays = {}
    for number in range(layers):
        for name in PRODUCTS:
            own = f"layers.{number}.{name}"
            left, right = low_rank_factors(trained[f"{own}.weight"] - base.tensors[f"{number}.{name}.weight"], rank)
            out |= {f"{number}.{name}.{side}": value for side, value in (*_quantize("left", left), *_quantize("right", right))}
            out[f"{number}.{name}.bias"] = trained[f"{own}.bias"].astype(np.float16)
        for name in NORMS:
            out |= {f"{number}.{name}.{kind}": trained[f"layers.{number}.{name}.{kind}"].astype(np.float16) for kind in ("weight", "bias")}
    whole = ("norm.weight", "norm.bias", "span.weight", "span.bias", "passage.weight", "passage.bias")
    return out | {name: trained[name].astype(np.float16) for name in whole}


def merge_factors(state: Mapping[str, NDArray[np.float32]], base: TransformerWeights) -> dict[str, NDArray[np.float32]]:
    """Return the state of a network whose rank was limited with whole products in the place of their factors; any other as it is."""
    out = {name: value for name, value in state.items() if not name.endswith((".left", ".right"))}
    for own in (name.removesuffix(".left") for name in state if name.endswith(".left")):
        out[f"{own}.weight"] = base.tensors[f"{own.removeprefix('layers.')}.weight"] + state[f"{own}.left"] @ state[f"{own}.right"]
    return out


def low_rank_factors(difference: NDArray[np.float32], rank: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return [outputs, rank] and [rank, inputs], the singular values shared out between them."""
    left, values, right = np.linalg.svd(difference.astype(np.float64), full_matrices=False)
    root = np.sqrt(values[:rank])
    return (left[:, :rank] * root).astype(np.float32), (root[:, None] * right[:rank]).astype(np.float32)


def _quantize(side: str, table: NDArray[np.float32]) -> list[tuple[str, NDArray[np.generic]]]:
    scale = np.maximum(np.abs(table).max(axis=1) / 127, 1e-8).astype(np.float16)
    scale = np.maximum(scale, np.float16(6e-8))
    values = np.clip(np.round(table / scale.astype(np.float32)[:, None]), -127, 127).astype(np.int8)
    return [(side, values), (f"{side}_scale", scale)]


def restore_state(tensors: Mapping[str, NDArray[np.generic]], base: TransformerWeights, layers: int) -> dict[str, NDArray[np.float32]]:
    """Return the network's state from the tensors of a weights file: what the product computes with."""
    out: dict[str, NDArray[np.float32]] = {}
    for name, value in tensors.items():
        layer = name.split(".")[0]
        if name.split(".")[-1] in {"left", "right", "left_scale", "right_scale"}:
            continue
        out[f"layers.{name}" if layer.isdigit() else name] = np.asarray(value, np.float32)
    for number in range(layers):
        for product in PRODUCTS:
            own = f"{number}.{product}"
            left = np.asarray(tensors[f"{own}.left"], np.float32) * np.asarray(tensors[f"{own}.left_scale"], np.float32)[:, None]
            right = np.asarray(tensors[f"{own}.right"], np.float32) * np.asarray(tensors[f"{own}.right_scale"], np.float32)[:, None]
            out[f"layers.{own}.weight"] = base.tensors[f"{own}.weight"] + left @ right
    return out
