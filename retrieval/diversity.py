"""Maximal marginal relevance: relevance traded against likeness to what stands above (Carbonell & Goldstein 1998,
https://doi.org/10.1145/290941.291025)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from core.ports import REFERENCE_SCALE, SimilarityScale
from retrieval.matrix_products import row_products

if TYPE_CHECKING:
    from numpy.typing import NDArray


def max_marginal_relevance(
    scores: Mapping[int, float], vectors: Mapping[int, NDArray[np.float32]], diversity: float, scale: SimilarityScale = REFERENCE_SCALE
) -> list[int]:
    """Return the items of `scores`, each time the one with the highest (1 - diversity) score - diversity max cos(item, chosen), the cosine scaled.

    `diversity` 0 keeps the order by score, 1 ignores it; an item without a vector is like nothing. Ties keep the order of `scores`.
    """
    items = list(scores)
    if not items:
        return []
    matrix = unit_rows(items, vectors)
    relevance = np.array([scores[item] for item in items], np.float32)
    likeness = np.zeros(len(items), np.float32)
    known = np.array([item in vectors for item in items], np.float32)
    left = np.ones(len(items), np.bool_)
    order: list[int] = []
    for _ in items:
        gain = np.where(left, (1 - diversity) * relevance - diversity * likeness, -np.inf)
        best = int(np.argmax(gain))
        left[best] = False
        order.append(items[best])
        alike = scale.rescale(row_products(matrix, matrix[best])) * known * known[best]
        likeness = np.maximum(likeness, alike) if len(order) > 1 else alike
    return order


def find_near_copies(ranked: Sequence[int], vectors: Mapping[int, NDArray[np.float32]], alike: float) -> set[int]:
    """Return the items whose cosine with one above them is at least `alike`, if that one is no copy itself; one without a vector is like nothing."""
    matrix = unit_rows(ranked, vectors)
    copies: set[int] = set()
    taken = np.zeros(len(ranked), np.bool_)
    for row, item in enumerate(ranked):
        if taken[row]:
            continue
        near = row_products(matrix, matrix[row]) >= alike
        near[: row + 1] = False
        copies |= {ranked[int(place)] for place in np.flatnonzero(near & ~taken) if item in vectors}
        taken |= near
    return copies


def unit_rows(items: Sequence[int], vectors: Mapping[int, NDArray[np.float32]]) -> NDArray[np.float32]:
    """Return [items, dimension], zeros where there is no vector."""
    width = next((len(vector) for vector in vectors.values()), 1)
    matrix = np.zeros((len(items), width), np.float32)
    for row, item in enumerate(items):
        if item in vectors:
            matrix[row] = vectors[item]
    return matrix
