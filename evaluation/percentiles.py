"""Percentiles of measured times."""

from __future__ import annotations

from collections.abc import Sequence


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which `share` of the sorted values lie (nearest rank). Raises ValueError for none."""
    if not values:
        raise ValueError("There is no percentile of nothing.")
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, max(0, round(share * len(ordered)) - 1))]
