"""How long a summary shall be: read from the question, and what of it falls to each of several documents."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.language.numbers import number_words
from core.language.word_files import join_alternatives

_USUAL_WORDS, _SHORT_WORDS, _DETAILED_WORDS = 120, 60, 300  # words
_LEAST_WORDS, _MOST_WORDS = 20, 600
_WORDS_OF_A_SENTENCE = 45
_LEAST_OF_A_DOCUMENT = 30
_SOURCE_FACTOR = 3  # times the length: what a model condenses
_NUMBERS = number_words("en", most=12)
_COUNT = rf"(\d{{1,3}}|a|{join_alternatives(_NUMBERS)})"
_IN_SENTENCES = re.compile(
    rf"\b{_COUNT}[\s-]*(?:or\s+{_COUNT}\s+)?(?:(?:short|key|main|simple|brief)\s+)?(?:sentences?|points?|bullets?(?:\s+points?)?|lines?|take-?aways?)\b",
    re.I,
)
_IN_WORDS = re.compile(r"\b(\d{1,4})[\s-]*words?\b", re.I)
_BRIEF = re.compile(r"\b(?:short(?:ly)?|brief(?:ly)?|quick(?:ly)?|tl\s?;?\s?dr|nutshell|gist|concise(?:ly)?)\b", re.I)
_LONG = re.compile(r"\b(?:long|detailed|thorough(?:ly)?|in\s+detail|full|extensive|comprehensive)\b", re.I)


@dataclass(frozen=True, slots=True)
class SummaryLength:
    """Bounds of a summary; `sentences` None: as many as the words allow."""

    words: int = _USUAL_WORDS
    sentences: int | None = None


def length_of(question: str) -> SummaryLength:
    """Read the length from words like "in three sentences", "in 200 words", "short", "detailed"; 120 words where it says nothing."""
    if words := _IN_WORDS.search(question):
        return SummaryLength(min(_MOST_WORDS, max(_LEAST_WORDS, int(words.group(1)))))
    if found := _IN_SENTENCES.search(question):
        count = min(30, max(1, _number(found.group(1))))
        return SummaryLength(min(_MOST_WORDS, _WORDS_OF_A_SENTENCE * count), count)
    if _BRIEF.search(question):
        return SummaryLength(_SHORT_WORDS)
    return SummaryLength(_DETAILED_WORDS) if _LONG.search(question) else SummaryLength()


def source_length(length: SummaryLength) -> SummaryLength:
    """Return how much a model reads to write a summary of `length`."""
    return SummaryLength(max(length.words, min(_MOST_WORDS, _SOURCE_FACTOR * length.words)))


def strip_length(question: str) -> str:
    """Return the question without the words that count words or sentences."""
    return _IN_WORDS.sub(" ", _IN_SENTENCES.sub(" ", question))


def share_of(length: SummaryLength, documents: int) -> SummaryLength:
    """Return the length for each of several documents: an equal part, never under a sentence."""
    if documents <= 1:
        return length
    sentences = None if length.sentences is None else max(1, length.sentences // documents)
    return SummaryLength(max(_LEAST_OF_A_DOCUMENT, length.words // documents), sentences)


def _number(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBERS.get(word.lower(), 1)
