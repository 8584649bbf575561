"""The CNN of Google's universal-sentence-encoder-multilingual 3 as an OpenVINO graph (Yang et al. 2019, https://arxiv.org/abs/1907.04307).

Three branches, each normalised by itself, read the tokens' embeddings through windows of 2, 3 and 5 tokens, twice, with residuals; embeddings and
branches are normalised side by side, summed over the tokens, divided by the square root of their number, and go through three dense layers with
residuals.

The texts of a batch lie behind one another in one column of rows, a row a token, with GAP empty rows between them: as many as a window reaches
over. So a batch has no padding but the rows at its end, however unequal its texts are, and no text can see another.

The package that carries the weights normalises the three branches as one row of 768. Google's network has them apart: scales and shifts are stored
for each branch, and the two vectors by TensorFlow that are published (a demo of OpenVINO's model server, a Japanese test of utils_nlp) have cosines
of .9929 and .9981 with these, of .9917 and .9938 with joint ones (what is missing is lost to the 6 bits of the embeddings). On XQuAD it ranks as
well or a little better (MRR of 16 pairs of languages .8053 and .8036).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from retrieval.embedders.runtime import openvino, ops

if TYPE_CHECKING:
    from numpy.typing import NDArray

DIMENSION = 512  # of a token's embedding as of a text's vector
BRANCHES = {2: 0, 3: 1, 5: 2}  # tokens of a branch's window: how many of them stand before the token itself
WIDTH = 256  # of a branch
GAP = 2
CHUNKS = 17  # the rows of the embeddings are dealt out to so many chunks in turn, each quantised by its own scale
_BITS = 6  # of a number of an embedding
_QUARTER = DIMENSION // 4


class TokenEmbeddings:
    """The embeddings of the 128,010 tokens in the 6 bits in which they are published: 49 MB, in float32 they would be 262.

    They stay outside the graph, and a row is turned to float32 when it is used. `packed` is uint8 [tokens, 384], as `pack_codes` makes it, `scale`
    and `low` float32 [CHUNKS]; token t belongs to chunk t % CHUNKS.
    """

    def __init__(self, packed: NDArray[np.uint8], scale: NDArray[np.float32], low: NDArray[np.float32]) -> None:
        self._packed, self._scale, self._low = packed, scale[:, None], low[:, None]

    def rows(self, ids: NDArray[np.int32], out: NDArray[np.float32] | None = None) -> NDArray[np.float32]:
        """Return [ids, 512], in `out` where that is given."""
        packed = self._packed[ids]
        spare = packed >> _BITS
        found = np.empty((len(ids), DIMENSION), np.float32) if out is None else out
        found[:, :-_QUARTER] = packed & ((1 << _BITS) - 1)
        found[:, -_QUARTER:] = spare[:, :_QUARTER] | spare[:, _QUARTER:-_QUARTER] << 2 | spare[:, -_QUARTER:] << 4
        chunks = ids % CHUNKS
        found *= self._scale[chunks]
        found += self._low[chunks]
        return found


def pack_codes(codes: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Pack numbers of 6 bits, uint8 [rows, 512], as [rows, 384]: the last quarter of a row lies in the upper bits of the others, two bits in each."""
    packed = codes[:, :-_QUARTER].copy()
    last = codes[:, -_QUARTER:]
    for part in range(3):
        packed[:, part * _QUARTER : (part + 1) * _QUARTER] |= (last >> 2 * part & 3) << _BITS
    return packed


@dataclass(frozen=True, slots=True)
class SteppedMatrix:
    """`codes`, int8 [in, out], times `step`."""

    codes: NDArray[np.int8]
    step: float


@dataclass(frozen=True, slots=True)
class UniversalEncoderWeights:
    """The tensors of the network by name. `epsilon` keeps a norm from zero."""

    matrices: Mapping[str, SteppedMatrix]
    vectors: Mapping[str, NDArray[np.float32]]
    epsilon: float


def read_weights(path: Path) -> tuple[TokenEmbeddings, UniversalEncoderWeights]:
    """Read the weights. Raises OSError, and zipfile.BadZipFile, KeyError or ValueError for another file than the published one (the caller knows its
    checksum).
    """
    with np.load(path, allow_pickle=False) as file:
        embeddings = _read_embeddings(file)
        matrices: dict[str, SteppedMatrix] = {}
        vectors: dict[str, NDArray[np.float32]] = {}
        for name in set(file) - {f"q{chunk + 1}" for chunk in range(CHUNKS)}:
            tensor = file[name]
            if tensor.ndim == 2:
                matrices[name] = quantise_in_steps(tensor)
            else:
                vectors[name] = tensor
        return embeddings, UniversalEncoderWeights(matrices, vectors, float(vectors.pop("eps")))


def _read_embeddings(file: Mapping[str, NDArray[Any]]) -> TokenEmbeddings:
    chunks = (pack_codes(file[f"q{chunk + 1}"]) for chunk in range(CHUNKS))  # one after another: a chunk is unpacked into 4 MB
    first = next(chunks)
    packed = np.empty((CHUNKS * len(first), first.shape[1]), np.uint8)
    packed[::CHUNKS] = first
    for place, chunk in enumerate(chunks, start=1):
        packed[place::CHUNKS] = chunk
    return TokenEmbeddings(packed, file["scale"], file["lo"])


def quantise_in_steps(matrix: NDArray[np.float32]) -> SteppedMatrix:
    """Return nothing is lost: its numbers come from 8 bits, the largest from 127, and are stored as floats."""
    step = float(np.abs(matrix).max()) / 127
    return SteppedMatrix(np.rint(matrix / np.float32(step)).astype(np.int8), step)


class UniversalEncoderGraph:
    """Builder of the network. Its matrices stay in 8 bits, and the runtime keeps them so: of floats it would keep the original and a packed copy, 19
    MB more.
    """

    def __init__(self, weights: UniversalEncoderWeights) -> None:
        self._weights = weights

    def build(self) -> openvino.Model:
        """Build the graph. Inputs `tokens`, float32 [rows, 512], and `members`, float32 [texts, rows], 1 where the row is a token of the text, else
        0; a row that belongs to no text is empty, whatever stands in it. Output: vectors [texts, 512], of unit length; a text without rows has one,
        too.
        """
        tokens = ops.parameter([-1, DIMENSION], np.float32, name="tokens")
        members = ops.parameter([-1, -1], np.float32, name="members")
        filled = ops.reshape(ops.reduce_sum(members, _axes(0)), _axes(-1, 1), special_zero=False)
        branches = [self._branch(size, hidden, filled) for size, hidden in self._project(tokens).items()]
        even = self._normalise(ops.concat([tokens, *branches], 1))
        features = ops.add(ops.multiply(even, self._vector("ln_g")), self._vector("ln_b"))
        vectors = self._dense(self._sum_features(features, members))
        return openvino.Model([ops.result(vectors)], [tokens, members], "universal-sentence-encoder-multilingual-3")

    def _project(self, tokens: Any) -> dict[int, Any]:
        """Return each branch's view of the tokens, [rows, WIDTH], normalised."""
        hidden = ops.add(self._product(tokens, *_branch_names("proj")), self._vector(*_branch_names("proj_b")))
        apart = ops.reshape(hidden, _axes(0, len(BRANCHES), WIDTH), special_zero=True)
        even = ops.reshape(self._normalise(apart), _axes(0, len(BRANCHES) * WIDTH), special_zero=True)
        scaled = ops.add(ops.multiply(even, self._vector(*_branch_names("ln_g"))), self._vector(*_branch_names("ln_b")))
        return dict(zip(BRANCHES, ops.split(scaled, _axis(1), len(BRANCHES)).outputs(), strict=True))

    def _branch(self, size: int, hidden: Any, filled: Any) -> Any:
        for layer in (1, 2):
            windows = _windows(ops.multiply(hidden, filled), size, BRANCHES[size])
            product = ops.add(self._product(windows, f"w{layer}_{size}"), self._vector(f"b{layer}_{size}"))
            hidden = ops.add(ops.relu(product), hidden)
        return hidden

    def _sum_features(self, features: Any, members: Any) -> Any:
        """Return [texts, 512]: the projections of a text's tokens summed up, over the root of their number. The sum comes first, which makes the
        projection a product of as many rows as there are texts.
        """
        counts = ops.maximum(ops.reduce_sum(members, _axes(1), keep_dims=True), ops.constant(np.float32(1)))
        sums = self._product(ops.matmul(members, features, False, False), "cnn_W")
        return ops.divide(ops.add(sums, ops.multiply(counts, self._vector("cnn_b"))), ops.sqrt(counts))

    def _dense(self, mean: Any) -> Any:
        first = ops.relu(self._product(mean, "d0"))
        second = ops.relu(ops.add(self._product(first, "d1"), self._product(mean, "p1")))
        third = ops.relu(self._product(second, "d2"))
        last = ops.tanh(ops.add(self._product(third, "d3"), self._product(second, "p3")))
        return ops.normalize_l2(last, _axes(1), self._weights.epsilon, "max")

    def _normalise(self, hidden: Any) -> Any:
        return ops.mvn(hidden, _axes(-1), normalize_variance=True, eps=self._weights.epsilon, eps_mode="inside_sqrt")

    def _product(self, hidden: Any, *names: str) -> Any:
        """Return the product with the matrices side by side."""
        found = [self._weights.matrices[name] for name in names]
        steps = np.concatenate([np.full((1, matrix.codes.shape[1]), matrix.step, np.float32) for matrix in found], axis=1)
        codes = ops.convert(ops.constant(np.concatenate([matrix.codes for matrix in found], axis=1)), np.float32)
        return ops.matmul(hidden, ops.multiply(codes, ops.constant(steps)), False, False)

    def _vector(self, *names: str) -> Any:
        """Return one behind the other."""
        return ops.constant(np.concatenate([self._weights.vectors[name] for name in names]))


def _branch_names(part: str) -> Sequence[str]:
    return [f"{part}{size}" for size in BRANCHES]


def _windows(hidden: Any, size: int, before: int) -> Any:
    """Return [rows, size * WIDTH]: every row beside those around it, of which `before` stand before it; beyond both ends they are empty."""
    behind = size - 1 - before
    edges = [ops.constant(np.zeros((rows, WIDTH), np.float32)) for rows in (before, behind)]
    padded = ops.concat([*edges[: before > 0], hidden, *edges[1:]], 0)
    shifted = [ops.slice(padded, _axes(place), _axes(place - size + 1 or np.iinfo(np.int64).max), _axes(1), _axes(0)) for place in range(size)]
    return ops.concat(shifted, 1)


def _axes(*values: int) -> Any:
    return ops.constant(np.array(values, np.int64))


def _axis(value: int) -> Any:
    return ops.constant(np.array(value, np.int64))
