"""Measures how much the text before and behind each boundary has in common: where the words change, the subject does.

Hearst, "TextTiling: Segmenting Text into Multi-paragraph Subtopic Passages", Computational Linguistics 23, 1997: the cosine between the words of
the block before and of the one behind. Words only, so that it costs no model and works in every language.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import sqrt

from core.language.stop_words import KEYWORD_STOP_WORDS

_WORDS = 40  # content words on either side
_STEM = 6  # letters: "invoice" and "invoices" are one word
_WORD = re.compile(r"[^\W_]{2,}")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def content_words(text: str) -> list[str]:
    """Return the words that carry the subject, shortened; pairs of characters where the writing parts no words."""
    words: list[str] = []
    for match in _WORD.finditer(text.lower()):
        word = match.group()
        if _CJK.search(word):
            words += [word[at : at + 2] for at in range(len(word) - 1)]
        elif word not in KEYWORD_STOP_WORDS:
            words.append(word[:_STEM])
    return words


def cohesions(texts: Sequence[str]) -> list[float]:
    """Return for each boundary between neighbouring `texts` the cosine of the words around it, 0..1, less the mean of all boundaries."""
    bags = [content_words(text) for text in texts]
    sides = _BoundaryWords()
    found: list[float] = []
    low = high = 0
    for place in range(len(bags) - 1):
        while high < len(bags) and (high <= place + 1 or sides.right.size < _WORDS):
            sides.add(sides.right, sides.left, bags[high])
            high += 1
        sides.remove(sides.right, sides.left, bags[place])
        sides.add(sides.left, sides.right, bags[place])
        while sides.left.size - len(bags[low]) >= _WORDS:
            sides.remove(sides.left, sides.right, bags[low])
            low += 1
        while high < len(bags) and sides.right.size < _WORDS:
            sides.add(sides.right, sides.left, bags[high])
            high += 1
        found.append(sides.cosine())
    mean = sum(found) / len(found) if found else 0.0
    return [value - mean for value in found]


class _WordCounts:
    """The words of one side: how often each stands there, how many they are, and the sum of the squares."""

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}
        self.size = self.squares = 0


class _BoundaryWords:
    """The words before and behind a boundary, moved along the text: each word comes and goes once, however many boundaries there are."""

    def __init__(self) -> None:
        self.left, self.right = _WordCounts(), _WordCounts()
        self._dot = 0

    def add(self, side: _WordCounts, other: _WordCounts, bag: Sequence[str]) -> None:
        for word in bag:
            count = side.counts.get(word, 0)
            side.counts[word] = count + 1
            side.squares += 2 * count + 1
            self._dot += other.counts.get(word, 0)
        side.size += len(bag)

    def remove(self, side: _WordCounts, other: _WordCounts, bag: Sequence[str]) -> None:
        for word in bag:
            count = side.counts[word]
            if count == 1:
                del side.counts[word]
            else:
                side.counts[word] = count - 1
            side.squares -= 2 * count - 1
            self._dot -= other.counts.get(word, 0)
        side.size -= len(bag)

    def cosine(self) -> float:
        product = self.left.squares * self.right.squares
        return self._dot / sqrt(product) if product else 0.0
