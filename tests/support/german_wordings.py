"""How near the English of German questions is to a good wording, for `python -m benchmarks.german_wordings` and the tests.

`german_questions.tsv` holds questions, each with its English wording. Odd lines are for working with, even ones for judging: look at the scores of
these alone. A question with a word that nobody knows stays German, and scores nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from agents.german.translation import QuestionTranslation, translate_question
from core.language.stems import stem

QUESTIONS = Path(__file__).with_name("german_questions.tsv")


class WordingScore(NamedTuple):
    """Shares from 0 to 1: questions whose words are all known, words in common, and pairs of neighbouring words in common (their order)."""

    known: float
    words: float
    order: float


def read_wordings(half: str) -> list[tuple[str, str]]:
    """Return the questions of a half, "working" or "judged", with their wordings."""
    lines = QUESTIONS.read_text(encoding="utf-8").splitlines()
    pairs = [line.partition("\t") for line in lines[0 if half == "working" else 1 :: 2]]
    return [(german, english) for german, _, english in pairs]


def score_wordings(pairs: Sequence[tuple[str, str]]) -> WordingScore:
    scores = [score_wording(german, english) for german, english in pairs]
    return WordingScore(*(sum(column) / len(scores) for column in zip(*scores, strict=True)))


def score_wording(german: str, english: str) -> WordingScore:
    wanted = stem_words(english)
    read = read_question(german, english)
    if read.unknown_words:
        return WordingScore(0.0, 0.0, 0.0)
    told = stem_words(read.text)
    return WordingScore(1.0, _f1(told, wanted), _f1([*zip(["", *told], [*told, ""], strict=True)], [*zip(["", *wanted], [*wanted, ""], strict=True)]))


def read_question(german: str, english: str) -> QuestionTranslation:
    """Return the translation in a library that has the words of the English wording."""
    return translate_question(german, own=frozenset(_words(english)))


def _words(text: str) -> list[str]:
    return re.findall(r"\d[\d.,]*\d|\w+", text.lower())


def stem_words(text: str) -> list[str]:
    return [stem(word) for word in _words(text)]


def _f1(told: Sequence[object], wanted: Sequence[object]) -> float:
    common = (Counter(told) & Counter(wanted)).total()
    return 2 * common / (len(told) + len(wanted))
