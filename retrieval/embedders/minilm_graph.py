"""all-MiniLM-L6-v2 as an OpenVINO graph, put together from its weights.

A BERT encoder (Devlin et al. 2018, https://arxiv.org/abs/1810.04805): post-norm layers, exact (erf) GELU; the sentence vector is the mean of
the token vectors, scaled to unit length (Reimers & Gurevych 2019, https://arxiv.org/abs/1908.10084).
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy as np

__all__ = ["MiniLmGraph", "openvino"]

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

sys.modules.setdefault("openvino_telemetry", None)  # type: ignore[arg-type]  # the import system's own way to say "absent": it would look up a host
import openvino  # noqa: E402
from openvino import opset15 as ops  # noqa: E402

LAYERS, HEADS, DIMENSION = 6, 12, 384
NORM_EPSILON = 1e-12
MASKED = np.float32(-1e4)  # added to the attention of padding: far below any real logit, within bfloat16's range


class MiniLmGraph:
    """Builds the model from `weights` (tensor name -> float32 array as in the model's safetensors file)."""

    def __init__(self, weights: Mapping[str, NDArray[np.float32]]) -> None:
        self._weights = weights

    def build(self) -> openvino.Model:
        """Inputs `input_ids` and `attention_mask`, int64 [batch, tokens]; outputs 0: token vectors [batch, tokens, 384] of the last layer,
        1: unit sentence vectors [batch, 384]."""
        ids = ops.parameter([-1, -1], np.int64, name="input_ids")
        mask = ops.parameter([-1, -1], np.int64, name="attention_mask")
        seen = ops.convert(mask, np.float32)
        bias = ops.unsqueeze(ops.multiply(ops.subtract(_scalar(1.0), seen), ops.constant(MASKED)), _axes(1, 2))
        hidden = self._embed(ids)
        for number in range(LAYERS):
            hidden = self._layer(f"encoder.layer.{number}", hidden, bias)
        return openvino.Model([ops.result(hidden), ops.result(_mean_unit(hidden, seen))], [ids, mask], "all-MiniLM-L6-v2")

    def _embed(self, ids: Any) -> Any:
        words = ops.gather(self._tensor("embeddings.word_embeddings.weight"), ids, _axis(0))
        # Every passage is segment 0, so its vector is added to the positions once, here.
        places = self._weights["embeddings.position_embeddings.weight"] + self._weights["embeddings.token_type_embeddings.weight"][:1]
        length = ops.gather(ops.shape_of(ids), _axes(1), _axis(0))
        positions = ops.slice(ops.constant(places), _axes(0), length, _axes(1), _axes(0))
        return self._norm("embeddings.LayerNorm", ops.add(words, positions))

    def _layer(self, prefix: str, hidden: Any, bias: Any) -> Any:
        attended = self._linear(f"{prefix}.attention.output.dense", self._attention(f"{prefix}.attention.self", hidden, bias))
        hidden = self._norm(f"{prefix}.attention.output.LayerNorm", ops.add(hidden, attended))
        widened = ops.gelu(self._linear(f"{prefix}.intermediate.dense", hidden), "erf")
        return self._norm(f"{prefix}.output.LayerNorm", ops.add(hidden, self._linear(f"{prefix}.output.dense", widened)))

    def _attention(self, prefix: str, hidden: Any, bias: Any) -> Any:
        by_head, flat, swap = _axes(0, 0, HEADS, DIMENSION // HEADS), _axes(0, 0, DIMENSION), _axes(0, 2, 1, 3)
        query, key, value = (
            ops.transpose(ops.reshape(self._linear(f"{prefix}.{part}", hidden), by_head, special_zero=True), swap)
            for part in ("query", "key", "value")
        )
        mixed = ops.scaled_dot_product_attention(query, key, value, bias)
        return ops.reshape(ops.transpose(mixed, swap), flat, special_zero=True)

    def _linear(self, name: str, hidden: Any) -> Any:
        product = ops.matmul(hidden, self._tensor(f"{name}.weight"), transpose_a=False, transpose_b=True)
        return ops.add(product, self._tensor(f"{name}.bias"))

    def _norm(self, name: str, hidden: Any) -> Any:
        centred = ops.mvn(hidden, _axes(-1), normalize_variance=True, eps=NORM_EPSILON, eps_mode="inside_sqrt")
        return ops.add(ops.multiply(centred, self._tensor(f"{name}.weight")), self._tensor(f"{name}.bias"))

    def _tensor(self, name: str) -> Any:
        return ops.constant(np.ascontiguousarray(self._weights[name]))


def _mean_unit(hidden: Any, seen: Any) -> Any:
    share = ops.unsqueeze(seen, _axes(2))
    total = ops.reduce_sum(ops.multiply(hidden, share), _axes(1))
    return ops.normalize_l2(ops.divide(total, ops.reduce_sum(share, _axes(1))), _axes(1), NORM_EPSILON, "max")


def _axes(*values: int) -> Any:
    return ops.constant(np.array(values, np.int64))


def _axis(value: int) -> Any:
    return ops.constant(np.array(value, np.int64))


def _scalar(value: float) -> Any:
    return ops.constant(np.float32(value))
