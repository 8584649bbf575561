"""Measures of a ranking against graded judgements, as trec_eval defines them (https://github.com/usnistgov/trec_eval)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence


def ndcg(ranking: Sequence[str], grades: Mapping[str, float], k: int) -> float:
    """Return the DCG of the first `k` by the DCG of the best order: DCG = sum_r grade_r / log2(r + 1) (Järvelin & Kekäläinen 2002,
    https://doi.org/10.1145/582415.582418, with trec_eval's linear gain). Unjudged documents count 0; 0 where nothing is relevant.
    """
    ideal = _dcg(sorted((grade for grade in grades.values() if grade > 0), reverse=True)[:k])
    return _dcg([max(grades.get(document, 0.0), 0.0) for document in ranking[:k]]) / ideal if ideal > 0 else 0.0


def recall(ranking: Sequence[str], grades: Mapping[str, float], k: int) -> float:
    """Return the share of the relevant documents (grade above 0) among the first `k`; 0 where nothing is relevant."""
    relevant = {document for document, grade in grades.items() if grade > 0}
    return len(relevant.intersection(ranking[:k])) / len(relevant) if relevant else 0.0


def precision(ranking: Sequence[str], grades: Mapping[str, float], k: int) -> float:
    """Return the share of `k` places that hold a relevant document; places that a shorter ranking leaves empty count."""
    return sum(grades.get(document, 0.0) > 0 for document in ranking[:k]) / k


def average_precision(ranking: Sequence[str], grades: Mapping[str, float]) -> float:
    """Return the mean, over all relevant documents, of the precision at the rank of each; 0 for one that is not in the ranking. Its mean over the
    questions is MAP.
    """
    relevant = {document for document, grade in grades.items() if grade > 0}
    found, total = 0, 0.0
    for rank, document in enumerate(ranking, start=1):
        if document in relevant:
            found += 1
            total += found / rank
    return total / len(relevant) if relevant else 0.0


def reciprocal_rank(ranking: Sequence[str], grades: Mapping[str, float], k: int) -> float:
    """Return 1 / rank of the first relevant document among the first `k`, else 0."""
    return next((1 / rank for rank, document in enumerate(ranking[:k], start=1) if grades.get(document, 0.0) > 0), 0.0)


def all_relevant_found(ranking: Sequence[str], grades: Mapping[str, float], k: int) -> float:
    """Return 1 where every relevant document is among the first `k`, else 0."""
    return float(recall(ranking, grades, k) == 1.0)


def _dcg(gains: Sequence[float]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))
