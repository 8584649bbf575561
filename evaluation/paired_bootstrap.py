"""The difference of two runs over the same questions, with an interval: the paired bootstrap (Efron & Tibshirani 1993, chapter 13)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

RESAMPLES = 2000
LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """The mean of `after` less that of `before`; with `LEVEL` of the resamples between `low` and `high`."""

    before: float
    after: float
    difference: float
    low: float
    high: float

    @property
    def is_better(self) -> bool:
        """Return whether the whole interval lies above nothing."""
        return self.low > 0


def paired_difference(before: Sequence[float], after: Sequence[float], *, resamples: int = RESAMPLES, seed: int = 0) -> PairedDifference:
    """Resample the questions, both values of each together. Raises ValueError where there are none, or not as many of both."""
    if not before or len(before) != len(after):
        raise ValueError("Two runs are compared over the same questions, at least one.")
    changes = np.asarray(after, float) - np.asarray(before, float)
    drawn = np.random.default_rng(seed).integers(len(changes), size=(resamples, len(changes)))
    means = changes[drawn].mean(axis=1)
    edge = (1 - LEVEL) / 2
    low, high = (float(np.quantile(means, share)) for share in (edge, 1 - edge))
    return PairedDifference(float(np.mean(before)), float(np.mean(after)), float(changes.mean()), low, high)
