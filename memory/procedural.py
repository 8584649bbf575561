"""Procedural memory: from what a person chose to the weights that work for them. Pure functions of the observations and the time.

**Weights.** A chosen result votes for the leg that had put it further forward. With g(r) = 1 / log2(1 + r), the discount by which a rank is worth
less the further down it stands (Järvelin & Kekäläinen 2002, https://doi.org/10.1145/582415.582418), the vote for words is p = g(lexical) /
(g(lexical) + g(dense)); a result that was turned away votes 1 - p. A vote counts by how much it can tell, w = |reward| · |2p - 1| · age: where both
legs agree a click says nothing of either (clicks are read as preferences between rankings and not as judgements, Joachims 2002,
https://doi.org/10.1145/775047.775067). The votes' mean is that of a Beta distribution with PRIOR_VOTES = P virtual votes that favour neither leg, m
= (P / 2 + Σ w p) / (P + Σ w); the learned share of words is the product's own, moved by m - 1/2: choices at random move nothing, whatever the
product's share.

**Forgetting.** age = 2^(-days / HALF_LIFE_DAYS) · 2^(-newer observations / HALF_LIFE_COUNT): the second makes a changed habit win after a
bounded number of searches, however many came before and however close together.

**Caution.** Nothing is learned below MINIMUM_VOTES telling votes, so that three clicks swing nothing.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime

from core.memory import Observation, UserPreferences
from core.search import StrategyName

PRIOR_SHARE = 0.4  # of words in the fusion (docs/benchmarks.md: flat between .4 and .6 of the vector leg)
PRIOR_VOTES = 3.0
HALF_LIFE_DAYS = 45.0
HALF_LIFE_COUNT = 12.0
MINIMUM_VOTES = 8
LOWEST, HIGHEST = 0.1, 0.9
_MISSED = 51  # the rank of a result that a leg did not find: behind its 50 candidates
_TELLING = 0.1  # |2p - 1| below this says nothing of either leg
_STRATEGY_PRIOR, _STRATEGY_LEAD = 6.0, 0.1
_FREQUENT, _FREQUENT_LEAST = 5, 2


def learn_preferences(observations: Sequence[Observation], now: datetime) -> UserPreferences:
    """Learn the preferences from the observations of one person, in any order. `topics` are left to the profile, which knows the questions."""
    recent = sorted(observations, key=lambda each: each.observed_at, reverse=True)
    votes = [vote for vote in map(_cast_vote, recent) if vote is not None]
    share, weight = learned_share(votes, now)
    enough = len(votes) >= MINIMUM_VOTES
    return UserPreferences(
        optimal_weights={"lexical": share, "dense": round(1.0 - share, 3)} if enough else None,
        best_strategy=_best_strategy(recent, now),
        frequently_accessed=_frequent_documents(recent, now),
        should_rerank=_should_rerank(recent, now),
        evidence=round(weight, 3),
        reason=_explain_weights(share, votes, enough=enough),
    )


Vote = tuple[float, float, datetime]  # (share of words, how much it tells, when)


def learned_share(votes: Sequence[Vote], now: datetime) -> tuple[float, float]:
    """Return the share of words in 0.1..0.9 and the weight of evidence behind it. `votes` are newest first."""
    weights = [telling * _age_weight(at, newer, now) for newer, (_, telling, at) in enumerate(votes)]
    total = sum(weights)
    mean = (PRIOR_VOTES / 2 + sum(weight * share for weight, (share, _, _) in zip(weights, votes, strict=True))) / (PRIOR_VOTES + total)
    return round(min(HIGHEST, max(LOWEST, PRIOR_SHARE + mean - 0.5)), 3), total


def _cast_vote(seen: Observation) -> Vote | None:
    """Return the vote; None where neither leg found it, where both put it equally far forward, or where the sign has no direction."""
    if seen.reward == 0 or (seen.lexical_rank is None and seen.dense_rank is None):
        return None
    lexical, dense = _discount(seen.lexical_rank), _discount(seen.dense_rank)
    share = lexical / (lexical + dense)
    telling = abs(2 * share - 1)
    if telling < _TELLING:
        return None
    return (share if seen.reward > 0 else 1 - share), abs(seen.reward) * telling, seen.observed_at


def _discount(rank: int | None) -> float:
    return 1.0 / math.log2(1 + max(1, min(rank if rank is not None else _MISSED, _MISSED)))


def _age_weight(at: datetime, newer: int, now: datetime) -> float:
    days = max(0.0, (now - at).total_seconds() / 86_400)
    return float(2.0 ** (-days / HALF_LIFE_DAYS - newer / HALF_LIFE_COUNT))


def _best_strategy(recent: Sequence[Observation], now: datetime) -> StrategyName | None:
    """Return the strategy with the best shrunken mean reward, where it leads by enough and was seen often enough."""
    sums: dict[StrategyName, tuple[float, float, int]] = {}
    for newer, seen in enumerate(recent):
        age = _age_weight(seen.observed_at, newer, now)
        gained, weight, count = sums.get(seen.strategy, (0.0, 0.0, 0))
        sums[seen.strategy] = (gained + age * seen.reward, weight + age, count + 1)
    means = sorted(((gained / (weight + _STRATEGY_PRIOR), name, count) for name, (gained, weight, count) in sums.items()), reverse=True)
    if not means or means[0][2] < MINIMUM_VOTES or means[0][0] <= 0:
        return None
    lead = means[0][0] - (means[1][0] if len(means) > 1 else 0.0)
    return means[0][1] if lead >= _STRATEGY_LEAD else None


def _frequent_documents(recent: Sequence[Observation], now: datetime) -> list[str]:
    """Return documents that were chosen at least twice, the most and latest chosen first."""
    gained: defaultdict[str, float] = defaultdict(float)
    times: defaultdict[str, int] = defaultdict(int)
    for newer, seen in enumerate(recent):
        if seen.document_id is not None and seen.reward > 0:
            gained[seen.document_id] += seen.reward * _age_weight(seen.observed_at, newer, now)
            times[seen.document_id] += 1
    often = [document for document in gained if times[document] >= _FREQUENT_LEAST]
    return sorted(often, key=lambda document: (-gained[document], document))[:_FREQUENT]


def _should_rerank(recent: Sequence[Observation], now: datetime) -> bool | None:
    """Return whether the rerank puts what is chosen further forward; None while too little speaks for either."""
    moves = [(seen, _rank_gain(seen.fusion_rank, seen.rerank_rank)) for seen in recent if seen.reward > 0 and seen.fusion_rank and seen.rerank_rank]
    if len(moves) < MINIMUM_VOTES:
        return None
    gain = sum(_age_weight(seen.observed_at, newer, now) * seen.reward * moved for newer, (seen, moved) in enumerate(moves))
    return None if abs(gain) < _TELLING else gain > 0


def _rank_gain(fusion: int | None, rerank: int | None) -> float:
    return _discount(rerank) - _discount(fusion)


def _explain_weights(share: float, votes: Sequence[Vote], *, enough: bool) -> str:
    if not votes:
        return "Nothing has been learned yet."
    seen = f"{len(votes)} choice{'' if len(votes) == 1 else 's'} that tell words from meaning"
    if not enough:
        return f"{seen}; nothing is changed before there are {MINIMUM_VOTES}."
    lead = _describe_share(share)
    return f"{seen}: what you choose is {lead}."


def _describe_share(share: float) -> str:
    if share > PRIOR_SHARE + 0.03:
        return "found better by its words than by its meaning"
    if share < PRIOR_SHARE - 0.03:
        return "found better by its meaning than by its words"
    return "found by words and meaning alike"
