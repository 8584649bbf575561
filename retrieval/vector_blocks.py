"""Unit vectors in blocks, searched flat by inner product: exactly with numpy, or with faiss SQ8 and an exact rescore.

A block never moves: rows are appended, and what readers hold stays as it was. `ExactRows` keeps float32. `QuantisedRows` keeps the truth's
own float16 for the rescore and one faiss scalar quantiser of 8 bits per block for the scan (Jégou et al., https://github.com/facebookresearch/faiss).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from retrieval.matrix_products import row_products

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

BLOCK = 16_384
RESCORED = 2  # candidates of the quantised scan for each hit that is asked for
SELECTIVE = 0.05  # below this share of the rows a filter's rows are gathered and compared exactly


class VectorRows(Protocol):
    """`append` is the writer's; a `view` is what readers use and never changes."""

    @property
    def count(self) -> int: ...
    @property
    def nbytes(self) -> int: ...
    def append(self, vectors: NDArray[Any]) -> None: ...
    def view(self) -> VectorRowsView: ...


class VectorRowsView(Protocol):
    @property
    def count(self) -> int: ...
    def gather(self, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the rows, float32 [len(rows), dimension]."""
        ...

    def search(self, query: NDArray[np.float32], allowed: NDArray[np.bool_] | None, limit: int) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Return the rows with the highest inner product, best first, among those where `allowed` [count] is true, and these products."""
        ...


class BlockStore:
    """Appended rows in blocks of BLOCK x dimension."""

    def __init__(self, dimension: int, dtype: type[np.floating[Any]]) -> None:
        self.count = 0
        self._dimension = dimension
        self._dtype = dtype
        self.blocks: list[NDArray[Any]] = []

    def append(self, vectors: NDArray[Any]) -> None:
        done = 0
        while done < len(vectors):
            inside = self.count % BLOCK
            if inside == 0 and self.count == len(self.blocks) * BLOCK:
                self.blocks.append(np.empty((BLOCK, self._dimension), self._dtype))
            taken = min(BLOCK - inside, len(vectors) - done)
            self.blocks[self.count // BLOCK][inside : inside + taken] = vectors[done : done + taken]
            self.count += taken
            done += taken

    @property
    def nbytes(self) -> int:
        """Of the rows in use: the untouched end of the last block costs no memory."""
        return self.count * self._dimension * np.dtype(self._dtype).itemsize


@dataclass(frozen=True, slots=True)
class ExactView:
    blocks: tuple[NDArray[Any], ...]
    count: int

    def gather(self, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        dimension = self.blocks[0].shape[1] if self.blocks else 0
        found = np.empty((len(rows), dimension), np.float32)
        for number in np.unique(rows // BLOCK):
            here = rows // BLOCK == number
            found[here] = self.blocks[number][rows[here] % BLOCK]
        return found

    def search(self, query: NDArray[np.float32], allowed: NDArray[np.bool_] | None, limit: int) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        if allowed is not None and np.count_nonzero(allowed) < SELECTIVE * self.count:
            return self._search_gathered(query, np.flatnonzero(allowed), limit)
        scores = np.empty(self.count, np.float32)
        for number, block in enumerate(self.blocks):
            begin = number * BLOCK
            used = min(BLOCK, self.count - begin)
            row_products(block[:used], query, scores[begin : begin + used])
        if allowed is not None:
            scores[~allowed] = -np.inf
        rows = best_places(scores, limit)
        rows = rows[np.isfinite(scores[rows])]
        return rows, scores[rows]

    def _search_gathered(self, query: NDArray[np.float32], rows: NDArray[np.int64], limit: int) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        if not len(rows):
            return rows, np.empty(0, np.float32)
        scores = row_products(self.gather(rows), query)
        order = best_places(scores, limit)
        return rows[order], scores[order]


class ExactRows:
    """float32 rows, searched by numpy."""

    def __init__(self, dimension: int) -> None:
        self._store = BlockStore(dimension, np.float32)

    @property
    def count(self) -> int:
        return self._store.count

    @property
    def nbytes(self) -> int:
        return self._store.nbytes

    def append(self, vectors: NDArray[Any]) -> None:
        self._store.append(vectors)

    def view(self) -> ExactView:
        return ExactView(tuple(self._store.blocks), self._store.count)


@dataclass(frozen=True, slots=True)
class QuantisedView:
    exact: ExactView
    scanners: tuple[Any, ...]

    @property
    def count(self) -> int:
        return self.exact.count

    def gather(self, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        return self.exact.gather(rows)

    def search(self, query: NDArray[np.float32], allowed: NDArray[np.bool_] | None, limit: int) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        if allowed is not None and np.count_nonzero(allowed) < SELECTIVE * self.count:
            rows = np.flatnonzero(allowed)
        else:
            rows = self._scan(query, allowed, RESCORED * limit)
        if not len(rows):
            return rows, np.empty(0, np.float32)
        scores = row_products(self.exact.gather(rows), query)
        order = best_places(scores, limit)
        return rows[order], scores[order]

    def _scan(self, query: NDArray[np.float32], allowed: NDArray[np.bool_] | None, limit: int) -> NDArray[np.int64]:
        """Return the rows that the 8-bit codes put first."""
        faiss = _faiss()
        faiss.omp_set_num_threads(1)  # of this thread: one question is no work for two, and under load they would wait for each other
        scores, rows = [], []
        for number, scanner in enumerate(self.scanners):
            begin = number * BLOCK
            options = None
            if allowed is not None:
                bits = np.packbits(allowed[begin : begin + scanner.ntotal], bitorder="little")
                if not bits.any():
                    continue
                options = faiss.SearchParameters(sel=faiss.IDSelectorBitmap(bits))
            near, found = scanner.search(query[None, :], min(limit, scanner.ntotal), params=options)
            inside = found[0] >= 0
            scores.append(near[0][inside])
            rows.append(found[0][inside] + begin)
        if not rows:
            return np.empty(0, np.int64)
        merged: NDArray[np.int64] = np.concatenate(rows)
        return merged[best_places(np.concatenate(scores), limit)]


class QuantisedRows:
    """float16 rows with 8-bit codes. The ranges of the codes come from the first rows and are learnt again when the rows have doubled."""

    def __init__(self, dimension: int) -> None:
        self._dimension = dimension
        self._store = BlockStore(dimension, np.float16)
        self._empty: Any = None
        self._learnt_from = 0
        self._scanners: list[Any] = []

    @property
    def count(self) -> int:
        return self._store.count

    @property
    def nbytes(self) -> int:
        return self._store.nbytes + self._store.count * self._dimension

    def append(self, vectors: NDArray[Any]) -> None:
        before = self.count
        self._store.append(vectors)
        if not self.count:
            return
        if self.count >= 2 * self._learnt_from:
            self._learn_ranges()
            before = 0
        self._encode_blocks(before // BLOCK)

    def view(self) -> QuantisedView:
        return QuantisedView(ExactView(tuple(self._store.blocks), self._store.count), tuple(self._scanners))

    def _learn_ranges(self) -> None:
        faiss = _faiss()
        rows = np.linspace(0, self.count - 1, min(self.count, 20_000)).astype(np.int64)
        sample = ExactView(tuple(self._store.blocks), self.count).gather(rows)
        # One range for all dimensions: scanned in 2.5 ms instead of 4.3 at 100,000 rows, and the exact rescore finds the same 50.
        self._empty = faiss.IndexScalarQuantizer(self._dimension, faiss.ScalarQuantizer.QT_8bit_uniform, faiss.METRIC_INNER_PRODUCT)
        self._empty.train(sample)
        self._learnt_from = self.count

    def _encode_blocks(self, first: int) -> None:
        """Code the blocks from `first` on afresh: a new object each, because readers may be scanning the old one."""
        faiss = _faiss()
        scanners = self._scanners[:first]
        for number in range(first, len(self._store.blocks)):
            used = min(BLOCK, self.count - number * BLOCK)
            scanner = faiss.clone_index(self._empty)
            scanner.add(self._store.blocks[number][:used].astype(np.float32))
            scanners.append(scanner)
        self._scanners = scanners


def _faiss() -> Any:
    """Import faiss, untyped: its stubs describe the C++ signatures and not those that its Python layer adds."""
    import faiss

    return faiss


def best_places(scores: NDArray[np.float32], limit: int) -> NDArray[np.int64]:
    """Return places of the `limit` highest scores, highest first; equal ones in their order."""
    if limit <= 0 or not len(scores):
        return np.empty(0, np.int64)
    places = np.arange(len(scores))
    if limit < len(scores):
        places = np.flatnonzero(scores >= np.partition(scores, len(scores) - limit)[len(scores) - limit])
    found: NDArray[np.int64] = places[np.argsort(-scores[places], kind="stable")][:limit]
    return found


def stack_vectors(vectors: Sequence[NDArray[Any]], dimension: int) -> NDArray[Any]:
    """Return rows as one array [n, dimension]; numpy's stack is several times slower for many small rows."""
    if not vectors:
        return np.empty((0, dimension), np.float32)
    return np.concatenate(vectors).reshape(len(vectors), dimension)
