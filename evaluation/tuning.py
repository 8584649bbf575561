"""Choosing settings of the search on one half of a set, and judging them on the other."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from core.errors import InvalidInput
from evaluation.paired_bootstrap import PairedDifference, paired_difference

T = TypeVar("T")
Values = Mapping[str, Any]
Measure = Callable[[Values, str], Awaitable[Sequence[float]]]  # the measure of each question of a half ("first", "second") under these settings
LEAST_QUESTIONS = 10


def _share_words(share: float) -> dict[str, float]:
    """Return the weights of a share of the search by words, in both strategies that have weights of their own."""
    weights = {"bm25_weight": share, "vector_weight": round(1 - share, 2)}
    return {f"search.{strategy}.{name}": value for strategy in ("hybrid", "semantic") for name, value in weights.items()}


# What is tried, one group after the other: each keeps the best of its values and goes on from there.
CHOICES: Mapping[str, Sequence[dict[str, Any]]] = {
    "fusion": [{"search.fusion": name} for name in ("weighted", "rrf", "min_max", "z_score")],
    "share of words": [_share_words(share) for share in (0.1, 0.3, 0.5, 0.7, 0.9)],
    "rerank": [
        {"search.rerank.enabled": False},
        *({"search.rerank.enabled": True, "search.rerank.weight": weight} for weight in (0.2, 0.5, 1.0, 2.0)),
    ],
}
KEYS = tuple(dict.fromkeys(key for values in CHOICES.values() for each in values for key in each))


@dataclass(frozen=True, slots=True)
class TriedValues:
    """Settings that were tried, and their mean on the first half."""

    group: str
    values: dict[str, Any]
    mean: float


@dataclass(frozen=True, slots=True)
class TuningResult:
    """`values` are the settings that differ from the current ones, {} where none was better; `first` and `second` the differences of the two halves,
    `second` None where nothing was chosen."""

    values: dict[str, Any]
    tried: tuple[TriedValues, ...]
    first: PairedDifference
    second: PairedDifference | None

    @property
    def is_accepted(self) -> bool:
        """Return whether the other half improves by more than chance."""
        return self.second is not None and self.second.is_better


async def choose_settings(current: Values, measure: Measure, fixed: frozenset[str] = frozenset()) -> TuningResult:
    """Go through the groups on the first half, and judge on the second what came out. What is `fixed` is left as it is."""
    start = list(await measure({}, "first"))
    best: dict[str, Any] = {}
    best_scores, tried = start, list[TriedValues]()
    for group, candidates in CHOICES.items():
        base = dict(best)
        for values in candidates:
            changed = _differences(current, {**base, **values})
            if fixed & values.keys() or changed == _differences(current, base):
                continue
            scores = list(await measure(changed, "first"))
            tried.append(TriedValues(group, changed, _mean(scores)))
            if _mean(scores) > _mean(best_scores) + 1e-9:
                best, best_scores = changed, scores
    first = paired_difference(start, best_scores)
    second = paired_difference(list(await measure({}, "second")), list(await measure(best, "second"))) if best else None
    return TuningResult(best, tuple(tried), first, second)


def split_halves(items: Sequence[T], seed: int = 0) -> tuple[list[T], list[T]]:
    """Return two halves that a seed draws. Raises InvalidInput for too few to judge anything."""
    if len(items) < LEAST_QUESTIONS:
        raise InvalidInput(f"Tuning needs at least {LEAST_QUESTIONS} judged questions; there are {len(items)}.")
    mixed = list(items)
    random.Random(seed).shuffle(mixed)  # noqa: S311 # no secret
    return mixed[: len(mixed) // 2], mixed[len(mixed) // 2 :]


def _differences(current: Values, values: Values) -> dict[str, Any]:
    """Return what is not as it is now."""
    return {key: value for key, value in values.items() if current.get(key) != value}


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
