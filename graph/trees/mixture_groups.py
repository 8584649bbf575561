"""Soft groups of vectors: Gaussian mixtures with full covariance over principal components, their number by BIC (Sarthi et al. 2024, RAPTOR).

A set is divided until no group has more than twice the wanted size. A vector is in each group that it belongs to with more than `MEMBERSHIP`. Equal
vectors in an equal order give equal groups (seed 42). Needs scikit-learn, the extra `raptor`.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from core.errors import Cancelled, Conflict

if TYPE_CHECKING:
    from numpy.typing import NDArray

MEMBERSHIP = 0.1
_SEED = 42
_COMPONENTS = 10  # principal components at most
_PER_COMPONENT = 8  # vectors that a component needs
_COUNTS = (2, 3, 4, 6, 8, 12, 16, 24, 32)  # numbers of groups that are tried in one division
_WHOLE = 0.9  # a group with more of a set than this does not divide it
_EQUAL = 1e-6  # vectors that differ by less are equal
_REGULARISATION, _ITERATIONS, _TOLERANCE = 1e-2, 50, 1e-2
Report = Callable[[int], None]


def require_mixtures() -> None:
    """Check that the package is installed. Raises Conflict."""
    try:
        import sklearn.mixture  # noqa: F401
    except ImportError as error:
        raise Conflict(
            "A tree of summaries is grouped by scikit-learn, which is not installed. Install it (pip install 'vantage[raptor]') and try again."
        ) from error


def group_vectors(vectors: NDArray[np.float32], size: int, report: Report, is_stopped: Callable[[], bool]) -> list[NDArray[np.int64]]:
    """Return the groups as sorted row numbers, ordered by their first rows. `report` gets how many rows are grouped. Raises Cancelled where
    `is_stopped`, Conflict without the package. Blocks.
    """
    require_mixtures()
    from threadpoolctl import threadpool_limits

    waiting = [np.arange(len(vectors))]
    grouped: list[NDArray[np.int64]] = []
    done = np.zeros(len(vectors), np.bool_)
    with threadpool_limits(limits=1):  # the matrices are small: with two threads a division takes thirty times as long
        while waiting:
            if is_stopped():
                raise Cancelled("The tree was not built: somebody stopped it.")
            rows = waiting.pop()
            if len(rows) > 2 * size:
                waiting += [rows[part] for part in _divide(vectors[rows], size)]
                continue
            grouped.append(rows)
            done[rows] = True
            report(int(done.sum()))
    distinct = {each.tobytes(): each for each in grouped}
    return sorted(distinct.values(), key=lambda each: each.tolist())


def _divide(vectors: NDArray[np.float32], size: int) -> list[NDArray[np.int64]]:
    """Return at least two parts, each smaller than the whole."""
    if np.ptp(vectors, axis=0).max() < _EQUAL:
        return np.array_split(np.arange(len(vectors)), 2)
    points = _reduce(vectors)
    shares = _best_shares(points, max(2, len(points) // size))
    belongs = (shares > MEMBERSHIP) | (shares == shares.max(axis=1, keepdims=True))  # each to one at least
    parts = [part for part in (np.flatnonzero(column) for column in belongs.T) if len(part)]
    if len(parts) > 1 and max(map(len, parts)) <= _WHOLE * len(points):
        return parts
    order = np.argsort(points[:, 0], kind="stable")  # no mixture tells them apart: halves along what differs most
    return [np.sort(half) for half in np.array_split(order, 2)]


def _reduce(vectors: NDArray[np.float32]) -> NDArray[np.float64]:
    from sklearn.decomposition import PCA

    components = min(_COMPONENTS, max(2, len(vectors) // _PER_COMPONENT), *vectors.shape)
    points: NDArray[np.float64] = PCA(components, svd_solver="full", random_state=_SEED).fit_transform(vectors.astype(np.float64))
    return points / max(float(points.std()), 1e-9)


def _best_shares(points: NDArray[np.float64], most: int) -> NDArray[np.float64]:
    """Return how far each point belongs to each group of the mixture with the least BIC (Schwarz 1978)."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.mixture import GaussianMixture

    best, least = None, np.inf
    # Expected: fewer distinct points than groups, and mixtures that are not done after the iterations that they are given.
    with warnings.catch_warnings(action="ignore", category=ConvergenceWarning):
        for count in _counts(most, *points.shape):
            mixture = GaussianMixture(
                count, covariance_type="full", random_state=_SEED, reg_covar=_REGULARISATION, max_iter=_ITERATIONS, tol=_TOLERANCE
            ).fit(points)
            if (worth := float(mixture.bic(points))) < least:
                best, least = mixture, worth
            elif best is not None and count > 2 * best.n_components:
                break
    assert best is not None  # noqa: S101 # two groups are always tried
    shares: NDArray[np.float64] = best.predict_proba(points)
    return shares


def _counts(most: int, points: int, dimension: int) -> list[int]:
    """Return the numbers of groups that are tried: each group has a weight, a mean and a covariance, and the points have to tell them."""
    parameters = 1 + dimension + dimension * (dimension + 1) / 2
    return [count for count in _COUNTS if count == _COUNTS[0] or (count <= most and count * parameters <= points * dimension)]
