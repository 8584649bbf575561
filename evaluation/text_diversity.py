"""Diversity of what is retrieved: how many different texts there are among all that were retrieved, and how often two questions get the same ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

MOST_COMMON = 5


@dataclass(frozen=True, slots=True)
class Diversity:
    """`ratio` is unique / total texts. `identical_sets` of `pairs` of questions got the same set of texts; questions that got none are left out.
    `most_common` are the texts that were retrieved most often, with how often.
    """

    questions: int
    total: int
    unique: int
    ratio: float
    identical_sets: int
    pairs: int
    identical_sets_percentage: float
    most_common: tuple[tuple[str, int], ...] = ()

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def measure_diversity(retrieved: Sequence[Sequence[str]]) -> Diversity:
    """Measure the texts that each question got."""
    found = [texts for texts in retrieved if texts]
    counts = Counter(text for texts in found for text in texts)
    total = counts.total()
    sets = Counter(frozenset(texts) for texts in found)
    identical = sum(times * (times - 1) // 2 for times in sets.values())
    pairs = len(found) * (len(found) - 1) // 2
    return Diversity(
        questions=len(found),
        total=total,
        unique=len(counts),
        ratio=len(counts) / total if total else 0.0,
        identical_sets=identical,
        pairs=pairs,
        identical_sets_percentage=100 * identical / pairs if pairs else 0.0,
        most_common=tuple(counts.most_common(MOST_COMMON)),
    )
