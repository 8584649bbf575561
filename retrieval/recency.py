"""The time leg: how recent a candidate's document is beside the newest of the candidates."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

HALF_LIFE_DAYS = 90.0


def recency_scores(modified: Mapping[int, datetime | None]) -> dict[int, float]:
    """Return item -> 2^(-age / HALF_LIFE_DAYS), age in days before the newest of them (exponential decay, as Li & Croft 2003,
    https://doi.org/10.1145/956863.956951); 0 without a time.

    Measured from the newest candidate and not from today, so that an archive that nobody touched for years is still ordered by time.
    """
    times = {item: _to_aware(moment) for item, moment in modified.items() if moment is not None}
    if not times:
        return {}
    newest = max(times.values())
    ages = {item: (newest - moment).total_seconds() / 86_400 for item, moment in times.items()}
    return {item: 2.0 ** (-ages[item] / HALF_LIFE_DAYS) if item in ages else 0.0 for item in modified}


def _to_aware(moment: datetime) -> datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
