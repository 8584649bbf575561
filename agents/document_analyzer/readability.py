"""How hard a text is to read, by the formula that was made for its language; and where none was, that none applies.

Flesch, "A new readability yardstick" (1948) for English; Amstad (1978) for German; Kandel and Moles (1958) for French; Fernández Huerta (1959)
for Spanish; Franchina and Vacca (1986) for Italian: all on Flesch's scale, 100 for the easiest. LIX, Björnsson (1968), for the other languages
with an alphabet: words per sentence plus the percentage of words of more than six letters.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Complexity = Literal["simple", "moderate", "complex"]
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_VOWELS = re.compile(r"[aeiouyàáâãäåæèéêëìíîïòóôõöøœùúûüýÿ]+")
_SILENT = re.compile(r"(?:[^aeiouylsxzcgh]es|[^aeiouytd]ed|[^aeiouyl]e)$")
_MIN_WORDS = 40  # fewer say nothing about a text
# language -> (formula, constant, weight of words per sentence, weight of syllables per word)
_FLESCH = {
    "en": ("Flesch reading ease (1948)", 206.835, 1.015, 84.6),
    "de": ("Flesch in Amstad's form for German (1978)", 180.0, 1.0, 58.5),
    "fr": ("Flesch in Kandel and Moles's form for French (1958)", 207.0, 1.015, 73.6),
    "es": ("Fernández Huerta's form for Spanish (1959)", 206.84, 1.02, 60.0),
    "it": ("Flesch in Franchina and Vacca's form for Italian (1986)", 217.0, 1.3, 60.0),
}
_WITHOUT_WORDS = frozenset("zh ja th km ko lo my bo".split())


@dataclass(frozen=True, slots=True)
class Readability:
    """`note` names the formula with its value, or says why none applies; `complexity` is then "moderate", which claims nothing."""

    complexity: Complexity
    note: str
    measures: dict[str, float]


def readability(sentences: Sequence[str], language: str) -> Readability:
    """Measure how hard whole sentences are to read. `language` is an ISO 639-1 code, "" where it could not be determined."""
    words = [word for sentence in sentences for word in _WORD.findall(sentence)]
    if len(words) < _MIN_WORDS:
        return Readability("moderate", "Too few whole sentences to measure how hard it is to read.", {})
    if language in _WITHOUT_WORDS:
        return Readability("moderate", "No readability formula applies to a language that writes without spaces or letters.", {})
    per_sentence = len(words) / len(sentences)
    long_words = 100.0 * sum(len(word) > 6 for word in words) / len(words)
    measures = {"words_per_sentence": round(per_sentence, 1), "long_words_percent": round(long_words, 1), "lix": round(per_sentence + long_words, 1)}
    if language in _FLESCH:
        return _flesch(words, per_sentence, language, measures)
    lix = measures["lix"]
    level: Complexity = "simple" if lix < 40 else "moderate" if lix < 55 else "complex"
    return Readability(level, f"LIX {lix:.0f} (Björnsson 1968): below 40 is easy, above 55 hard.", measures)


def _flesch(words: Sequence[str], per_sentence: float, language: str, measures: dict[str, float]) -> Readability:
    formula, constant, by_length, by_syllables = _FLESCH[language]
    syllables = sum(syllables_of(word, language) for word in words) / len(words)
    ease = constant - by_length * per_sentence - by_syllables * syllables
    level: Complexity = "simple" if ease >= 60 else "moderate" if ease >= 30 else "complex"
    note = f"{formula}: {ease:.0f}. Above 60 is easy, below 30 hard."
    return Readability(level, note, {**measures, "syllables_per_word": round(syllables, 2), "reading_ease": round(ease, 1)})


def syllables_of(word: str, language: str) -> int:
    """Count the syllables as groups of vowels; in English without a silent ending. A rule of thumb, right for about nine words of ten."""
    plain = word.lower()
    groups = len(_VOWELS.findall(plain))
    if language in {"en", "fr"} and groups > 1 and _SILENT.search(plain):
        groups -= 1
    return max(1, groups)
