"""Measures of answers: does the text hold the gold answer, which sentences were found, and how well a probability separates and is calibrated."""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def normalize_words(text: str) -> str:
    """Return lower case words between single spaces, with one in front and behind, so that only whole words are found."""
    return " " + " ".join(re.findall(r"\w+", text.casefold())) + " "


def holds_answer(text: str, answers: Collection[str]) -> bool:
    """Return whether one of the gold answers stands in the text, word for word."""
    words = normalize_words(text)
    return any(answer.strip() and answer in words for answer in map(normalize_words, answers))


def f1(found: Collection[object], gold: Collection[object]) -> float:
    """Return the harmonic mean of precision and recall of a set; 0 where either is empty."""
    common = len(set(found) & set(gold))
    return 2 * common / (len(set(found)) + len(set(gold))) if common else 0.0


def answer_words(text: str) -> list[str]:
    """Return the words of an answer as SQuAD counts them: lower case, without articles and punctuation (Rajpurkar et al. 2016,
    https://arxiv.org/abs/1606.05250).
    """
    bare = "".join(letter for letter in text.lower() if letter not in string.punctuation)
    return re.sub(r"\b(?:a|an|the)\b", " ", bare).split()


def word_f1(found: str, gold: str) -> float:
    """Return the F1 of the words of two answers; 1 where both have none."""
    a, b = answer_words(found), answer_words(gold)
    if not a or not b:
        return float(a == b)
    common = sum((Counter(a) & Counter(b)).values())
    return 2 * common / (len(a) + len(b))


def auroc(scores: Sequence[float], labels: Sequence[bool]) -> float:
    """Return the probability that a positive scores above a negative, ties counting half (Mann & Whitney 1947); NaN without both kinds."""
    values, positive = np.asarray(scores, float), np.asarray(labels, bool)
    count, others = int(positive.sum()), int((~positive).sum())
    if not count or not others:
        return float("nan")
    _, place, times = np.unique(values, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(times) - (times - 1) / 2)[place]
    return float((ranks[positive].sum() - count * (count + 1) / 2) / (count * others))


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """Of the probabilities from `low` on to the next bin: how many, their mean, and the share of positives."""

    low: float
    count: int
    mean: float
    share: float


def reliability(probabilities: Sequence[float], labels: Sequence[bool], bins: int = 10) -> list[ReliabilityBin]:
    """Return the reliability diagram over equal bins; those without a probability are left out."""
    values, positive = np.asarray(probabilities, float), np.asarray(labels, float)
    place = np.minimum((values * bins).astype(int), bins - 1)
    return [
        ReliabilityBin(number / bins, int((place == number).sum()), float(values[place == number].mean()), float(positive[place == number].mean()))
        for number in sorted(set(place.tolist()))
    ]


def expected_calibration_error(probabilities: Sequence[float], labels: Sequence[bool], bins: int = 10) -> float:
    """Return the mean distance of probability and share of positives over equal bins, weighted by their size (Naeini et al. 2015)."""
    return sum(abs(each.mean - each.share) * each.count for each in reliability(probabilities, labels, bins)) / max(len(probabilities), 1)


def fit_logistic(features: NDArray[np.float64], labels: Sequence[bool], ridge: float = 1e-2, rounds: int = 50) -> NDArray[np.float64]:
    """Return intercept and weights of a logistic regression by Newton's method; `ridge` holds the weights (not the intercept) near 0."""
    rows = np.column_stack([np.ones(len(features)), features])
    target = np.asarray(labels, float)
    weights = np.zeros(rows.shape[1])
    penalty = ridge * np.diag([0.0, *np.ones(features.shape[1])])
    for _ in range(rounds):
        chance = 1 / (1 + np.exp(-(rows @ weights)))
        slope = rows.T @ (target - chance) - penalty @ weights
        bend = (rows * (chance * (1 - chance))[:, None]).T @ rows + penalty
        step = np.linalg.solve(bend, slope)
        weights = weights + step
        if float(np.abs(step).max()) < 1e-9:
            break
    return weights
