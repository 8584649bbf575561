"""The words of a topic: what the passages that were found first say often, and how much of it each candidate says.

The relevance model of Lavrenko & Croft 2001 (https://doi.org/10.1145/383952.383972), p(w) = sum_d weight_d tf(w, d) / |d| over the first passages d,
is cut to its likeliest words and mixed into the question's own score, as RM3 does (Abdul-Jaleel et al. 2004, UMass at TREC). Only candidates are
scored, by BM25 with their own mean length: looking for new ones with these words brought none that counted (docs/decisions/0043). Pure functions.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

Analyse = Callable[[str], Sequence[str]]  # text -> terms of the index

K1, B = 1.2, 0.75  # as the lexical index has them
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class TopicWords:
    """Term of the index -> its share of the topic (they add up to 1), and a word that has it: what the index is asked about."""

    shares: Mapping[str, float]
    words: Mapping[str, str]


def find_topic_words(passages: Sequence[tuple[str, float]], analyse: Analyse, count: int) -> TopicWords:
    """Return the `count` likeliest terms of the passages (text, weight above 0); equal ones in the order of the alphabet."""
    total = sum(weight for _, weight in passages)
    shares: defaultdict[str, float] = defaultdict(float)
    words: dict[str, str] = {}
    for text, weight in passages:
        found = _count_terms(text, analyse, words)
        length = sum(found.values())
        for term, times in found.items():
            shares[term] += weight / total * times / length
    kept = sorted(shares.items(), key=lambda pair: (-pair[1], pair[0]))[:count]
    mass = sum(share for _, share in kept)
    return TopicWords({term: share / mass for term, share in kept}, {term: words[term] for term, _ in kept})


def _count_terms(text: str, analyse: Analyse, words: dict[str, str]) -> Counter[str]:
    """Return the terms of a text with their counts; the first word of each goes into `words`."""
    found: Counter[str] = Counter()
    for word, times in Counter(_WORD.findall(text)).items():
        for term in analyse(word):
            found[term] += times
            words.setdefault(term, word)
    return found


def score_topic_words(topic: TopicWords, idf: Mapping[str, float], texts: Mapping[int, str], analyse: Analyse) -> dict[int, float]:
    """Return sum_w share_w BM25(w, text) for each text."""
    analysed = {number: analyse(text) for number, text in texts.items()}
    mean = sum(map(len, analysed.values())) / max(len(analysed), 1)
    scores = {}
    for number, terms in analysed.items():
        counts, norm = Counter(terms), K1 * (1 - B + B * len(terms) / max(mean, 1e-9))
        held = ((share * idf.get(term, 0.0), counts[term]) for term, share in topic.shares.items() if counts[term])
        scores[number] = sum(value * times * (K1 + 1) / (times + norm) for value, times in held)
    return scores


def mix_topic_scores(question: Mapping[int, float], length: int, topic: Mapping[int, float], weight: float) -> dict[int, float]:
    """Return (1 - weight) question / length + weight topic for every candidate of `topic`: the BM25 of a question whose `length` terms have the
    same share each, moved by `weight` to the topic's words. What the question's words did not reach counts 0 there.
    """
    return {number: (1 - weight) * question.get(number, 0.0) / max(length, 1) + weight * score for number, score in topic.items()}
