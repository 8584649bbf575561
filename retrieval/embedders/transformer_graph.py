"""A BERT or RoBERTa encoder as an OpenVINO graph, put together from its weights.

Post-norm layers with exact (erf) GELU (Devlin et al. 2018, https://arxiv.org/abs/1810.04805; Liu et al. 2019, https://arxiv.org/abs/1907.11692).
The sentence vector is the mean of the token vectors (Reimers & Gurevych 2019, https://arxiv.org/abs/1908.10084) or that of the first token, scaled to
unit length. A centred model's then has one fixed vector, the mean over many texts, taken away and is scaled again: what all texts have in common
says nothing about any of them, and takes up most of an anisotropic model's cosine (Mu & Viswanath 2018, https://arxiv.org/abs/1702.01417).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from retrieval.embedders.runtime import openvino, ops

if TYPE_CHECKING:
    from numpy.typing import NDArray

MASKED = np.float32(-1e4)  # added to the attention of padding: far below any real logit, within bfloat16's range
_TINY = 1e-12

Pooling = Literal["mean", "first"]


@dataclass(frozen=True, slots=True)
class QuantisedTable:
    """A table in 8 bits: `values` int8 [rows, columns]; each run of columns / `scales`' width has one float32 factor in `scales` [rows, runs]."""

    values: NDArray[np.int8]
    scales: NDArray[np.float32]

    @classmethod
    def quantise(cls, exact: NDArray[np.float32], run: int = 64) -> QuantisedTable:
        """Return the table nearest to `exact` [rows, columns], with a factor for each `run` columns, which must divide them."""
        rows, columns = exact.shape
        runs = exact.reshape(rows, columns // run, run)
        scales = np.maximum(np.abs(runs).max(axis=2) / 127, np.float32(_TINY)).astype(np.float32)
        return cls(np.rint(runs / scales[:, :, None]).astype(np.int8).reshape(rows, columns), scales)

    def dequantise(self) -> NDArray[np.float32]:
        """Return [rows, columns] in float32."""
        rows, columns = self.values.shape
        runs = self.values.reshape(rows, self.scales.shape[1], -1).astype(np.float32) * self.scales[:, :, None]
        return runs.reshape(rows, columns)


@dataclass(frozen=True, slots=True)
class TransformerWeights:
    """`words` is the table of the vocabulary, `tensors` the rest: `places` [positions, width] (segment 0 added to each), and `norm`, and for each
    layer `0.` … `query_key_value`, `attended`, `attended_norm`, `widened`, `narrowed`, `narrowed_norm`, each with `.weight` ([outputs, inputs] of a
    product) and `.bias`, all float32. `products` are those weights of products that are taken in 8 bits instead."""

    words: NDArray[np.float32] | QuantisedTable
    tensors: Mapping[str, NDArray[np.float32]]
    products: Mapping[str, QuantisedTable] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TransformerShape:
    """`width` numbers a token, split among `heads`."""

    layers: int
    heads: int
    width: int
    norm_epsilon: float


class TransformerGraph:
    """Builder of the network; `mean` [width] is taken away from the sentence vectors of a centred model."""

    def __init__(self, shape: TransformerShape, weights: TransformerWeights, pooling: Pooling, mean: NDArray[np.float32] | None = None) -> None:
        self._shape, self._weights, self._pooling, self._mean = shape, weights, pooling, mean

    def build(self, name: str) -> openvino.Model:
        """Build the encoder. Inputs `input_ids` and `attention_mask`, int64 [batch, tokens]; outputs 0: token vectors [batch, tokens, width] of the
        last layer, 1: unit sentence vectors [batch, width].
        """
        inputs, hidden, seen = self._encoder()
        pooled = _mean_of_tokens(hidden, seen) if self._pooling == "mean" else _first_token(hidden)
        vectors = _normalise(pooled)
        if self._mean is not None:
            vectors = _normalise(ops.subtract(vectors, ops.constant(self._mean[None, :].astype(np.float32))))
        return openvino.Model([ops.result(hidden), ops.result(vectors)], inputs, name)

    def build_reader(self, name: str) -> openvino.Model:
        """Build the encoder with two heads in place of the sentence vectors: `span` and `passage`, each `.weight` [2, width] and `.bias` [2], lie
        among the tensors. Inputs as for `build`; outputs 0: `span` of every token [batch, tokens, 2], 1: `passage` of the first [batch, 2].
        """
        inputs, hidden, _ = self._encoder()
        return openvino.Model([ops.result(self._linear("span", hidden)), ops.result(self._linear("passage", _first_token(hidden)))], inputs, name)

    def _encoder(self) -> tuple[list[Any], Any, Any]:
        """Return the two inputs, the token vectors of the last layer, and which tokens are no padding: float32 [batch, tokens]."""
        ids = ops.parameter([-1, -1], np.int64, name="input_ids")
        mask = ops.parameter([-1, -1], np.int64, name="attention_mask")
        seen = ops.convert(mask, np.float32)
        bias = ops.unsqueeze(ops.multiply(ops.subtract(_scalar(1.0), seen), ops.constant(MASKED)), _axes(1, 2))
        hidden = self._embed(ids)
        for number in range(self._shape.layers):
            hidden = self._layer(str(number), hidden, bias)
        return [ids, mask], hidden, seen

    def _embed(self, ids: Any) -> Any:
        length = ops.gather(ops.shape_of(ids), _axes(1), _axis(0))
        places = ops.slice(self._tensor("places"), _axes(0), length, _axes(1), _axes(0))
        return self._norm("norm", ops.add(self._words(ids), places))

    def _words(self, ids: Any) -> Any:
        """Return the rows of the vocabulary's table. One in 8 bits stays so in memory: only the rows that are asked for become float32."""
        table = self._weights.words
        if not isinstance(table, QuantisedTable):
            return ops.gather(ops.constant(np.ascontiguousarray(table)), ids, _axis(0))
        runs = table.scales.shape[1]
        values = ops.convert(ops.gather(ops.constant(np.ascontiguousarray(table.values)), ids, _axis(0)), np.float32)
        scales = ops.unsqueeze(ops.gather(ops.constant(np.ascontiguousarray(table.scales)), ids, _axis(0)), _axes(3))
        exact = ops.multiply(ops.reshape(values, _axes(0, 0, runs, self._shape.width // runs), special_zero=True), scales)
        return ops.reshape(exact, _axes(0, 0, self._shape.width), special_zero=True)

    def _layer(self, prefix: str, hidden: Any, bias: Any) -> Any:
        attended = self._linear(f"{prefix}.attended", self._attention(prefix, hidden, bias))
        hidden = self._norm(f"{prefix}.attended_norm", ops.add(hidden, attended))
        widened = ops.gelu(self._linear(f"{prefix}.widened", hidden), "erf")
        return self._norm(f"{prefix}.narrowed_norm", ops.add(hidden, self._linear(f"{prefix}.narrowed", widened)))

    def _attention(self, prefix: str, hidden: Any, bias: Any) -> Any:
        heads, width = self._shape.heads, self._shape.width
        by_head, flat, swap = _axes(0, 0, heads, width // heads), _axes(0, 0, width), _axes(0, 2, 1, 3)
        parts = ops.split(self._linear(f"{prefix}.query_key_value", hidden), _axis(2), 3)
        query, key, value = (ops.transpose(ops.reshape(parts.output(part), by_head, special_zero=True), swap) for part in range(3))
        mixed = ops.scaled_dot_product_attention(query, key, value, bias)
        return ops.reshape(ops.transpose(mixed, swap), flat, special_zero=True)

    def _linear(self, name: str, hidden: Any) -> Any:
        table = self._weights.products.get(f"{name}.weight")
        weight = self._tensor(f"{name}.weight") if table is None else _dequantised_table(table)
        product = ops.matmul(hidden, weight, transpose_a=False, transpose_b=True)
        return ops.add(product, self._tensor(f"{name}.bias"))

    def _norm(self, name: str, hidden: Any) -> Any:
        epsilon = self._shape.norm_epsilon
        centred = ops.mvn(hidden, _axes(-1), normalize_variance=True, eps=epsilon, eps_mode="inside_sqrt")
        return ops.add(ops.multiply(centred, self._tensor(f"{name}.weight")), self._tensor(f"{name}.bias"))

    def _tensor(self, name: str) -> Any:
        return ops.constant(np.ascontiguousarray(self._weights.tensors[name], np.float32))


def _dequantised_table(table: QuantisedTable) -> Any:
    """Return [rows, columns] in float32 for a product to take; the runtime keeps the 8 bits and makes it exact inside the product."""
    rows, columns = table.values.shape
    runs = ops.convert(ops.constant(np.ascontiguousarray(table.values).reshape(rows, table.scales.shape[1], -1)), np.float32)
    scaled = ops.multiply(runs, ops.constant(np.ascontiguousarray(table.scales)[:, :, None]))
    return ops.reshape(scaled, _axes(rows, columns), special_zero=False)


def _mean_of_tokens(hidden: Any, seen: Any) -> Any:
    """Mean over the tokens that are not padding: [batch, width]."""
    weighted = ops.multiply(hidden, ops.unsqueeze(seen, _axes(2)))
    total = ops.reduce_sum(weighted, _axes(1), keep_dims=False)
    count = ops.maximum(ops.reduce_sum(seen, _axes(1), keep_dims=True), _scalar(1e-9))
    return ops.divide(total, count)


def _first_token(hidden: Any) -> Any:
    return ops.squeeze(ops.slice(hidden, _axes(0), _axes(1), _axes(1), _axes(1)), _axes(1))


def _normalise(vectors: Any) -> Any:
    return ops.normalize_l2(vectors, _axes(1), _TINY, "max")


def _axes(*values: int) -> Any:
    return ops.constant(np.array(values, np.int64))


def _axis(value: int) -> Any:
    return ops.constant(np.array(value, np.int64))


def _scalar(value: float) -> Any:
    return ops.constant(np.float32(value))
