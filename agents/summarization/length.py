"""How long a summary shall be: read from the question, and what of it falls to each of several documents."""

from __future__ import annotations

import re
from dataclasses import dataclass

_USUAL, _SHORT, _DETAILED = 120, 60, 300  # words
_LEAST, _MOST = 20, 600
_WORDS_OF_A_SENTENCE = 45
_LEAST_OF_A_DOCUMENT = 30
_READ = 3  # times the length: what a model condenses
_NUMBERS = {word: number for number, word in enumerate("one two three four five six seven eight nine ten eleven twelve".split(), 1)}
_COUNT = rf"(\d{{1,3}}|a|{'|'.join(_NUMBERS)})"
_IN_SENTENCES = re.compile(
    rf"\b{_COUNT}[\s-]*(?:or\s+{_COUNT}\s+)?(?:(?:short|key|main|simple|brief)\s+)?(?:sentences?|points?|bullets?(?:\s+points?)?|lines?|take-?aways?)\b",
    re.I,
)
_IN_WORDS = re.compile(r"\b(\d{1,4})[\s-]*words?\b", re.I)
_BRIEF = re.compile(r"\b(?:short(?:ly)?|brief(?:ly)?|quick(?:ly)?|tl\s?;?\s?dr|nutshell|gist|concise(?:ly)?)\b", re.I)
_LONG = re.compile(r"\b(?:long|detailed|thorough(?:ly)?|in\s+detail|full|extensive|comprehensive)\b", re.I)


@dataclass(frozen=True, slots=True)
class Length:
    """Bounds of a summary; `sentences` None: as many as the words allow."""

    words: int = _USUAL
    sentences: int | None = None


def length_of(question: str) -> Length:
    """Read the length from words like "in three sentences", "in 200 words", "short", "detailed"; 120 words where it says nothing."""
    if words := _IN_WORDS.search(question):
        return Length(min(_MOST, max(_LEAST, int(words.group(1)))))
    if found := _IN_SENTENCES.search(question):
        count = min(30, max(1, _number(found.group(1))))
        return Length(min(_MOST, _WORDS_OF_A_SENTENCE * count), count)
    if _BRIEF.search(question):
        return Length(_SHORT)
    return Length(_DETAILED) if _LONG.search(question) else Length()


def to_condense(length: Length) -> Length:
    """Return how much a model reads to write a summary of `length`."""
    return Length(max(length.words, min(_MOST, _READ * length.words)))


def without_length(question: str) -> str:
    """Return the question without the words that count words or sentences."""
    return _IN_WORDS.sub(" ", _IN_SENTENCES.sub(" ", question))


def share_of(length: Length, documents: int) -> Length:
    """Return the length for each of several documents: an equal part, never under a sentence."""
    if documents <= 1:
        return length
    sentences = None if length.sentences is None else max(1, length.sentences // documents)
    return Length(max(_LEAST_OF_A_DOCUMENT, length.words // documents), sentences)


def _number(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBERS.get(word.lower(), 1)
