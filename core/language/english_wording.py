"""A question in another language, word by word in English: rough, but enough for a reader that knows English alone.

Words that ask and the commonest function words come from `data/<language>/question_words.toml`, the longest phrase first. Other words are replaced by
the nearest word of the library, most of all by one that stands in the passages that are read. Names, numbers and words that those passages have
themselves stay, and so does the order.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from difflib import SequenceMatcher
from functools import cache

from core.language.language_clues import strip_accents
from core.language.months import english_month_of
from core.language.numbers import number_words
from core.language.word_files import join_alternatives, parse_pairs, read_word_file

WORDED_LANGUAGES = frozenset({"de", "es", "fr"})
HELD_GAIN, SPELLING_GAIN = 0.1, 0.3  # beside the cosine: for a word of the passages, and for one that is spelt alike ("détection")
_LEAST_ALIKE = 0.6
LEAST_UNHELD = 0.6  # of the cosine, for a word that the passages do not have
LEAST_FOR_NAME = 0.75  # "Allemagne" is Germany, and most other names are themselves
_INVERTED = re.compile(r"-(?:t-)?(?:(?:ils?|elles?|on|je|tu|nous|vous)\b|(?=ce\b))")  # "reste-t-elle", "est-ce"
_OTHER_WORD = r"(?P<other>[^\W_](?:[\w.-]*[^\W_])?)"
_SPACES_BEFORE = re.compile(r"\s+(?=[?.,;:])")


@cache
def _phrases(language: str) -> dict[str, str]:
    """Return the phrases of a language with their English ones, and as they are typed without accents where nothing else is."""
    tables = read_word_file(language, "question_words")
    pairs = {word.replace("_", " "): told.replace("_", " ") for table in tables.values() for word, told in parse_pairs(table).items()}
    english_number = {value: word for word, value in reversed(number_words("en").items())}
    pairs |= english_month_of(language) | {
        word: english_number[value] for word, value in number_words(language, least=2).items() if value in english_number
    }
    return {strip_accents(word): told for word, told in pairs.items()} | pairs


@cache
def _pattern(language: str) -> re.Pattern[str]:
    known = join_alternatives(map(re.escape, _phrases(language))).replace(r"'\ ", r"'\s*").replace(r"\ ", r"\s+")
    return re.compile(rf"(?<!\w)(?:(?P<known>{known})(?:(?<=')|(?![\w'])))|{_OTHER_WORD}", re.IGNORECASE)


def word_in_english(question: str, language: str, near: Mapping[str, Sequence[tuple[str, float]]], held: Collection[str]) -> str:
    """Return the question in English words; "" for a language without a list. `near` gives for a word (lower case) those nearest to it with their
    cosines, `held` are the words (lower case) of the passages."""
    if language not in WORDED_LANGUAGES:
        return ""
    text = _INVERTED.sub(" ", " ".join(question.replace("’", "'").split()).strip("¿¡ "))

    def told(match: re.Match[str]) -> str:
        is_name = match.start() > 0 and match.group()[0].isupper()
        if match["other"]:
            return _nearest(match["other"], near.get(match["other"].lower(), ()), held, LEAST_FOR_NAME if is_name and language != "de" else 0.0)
        if is_name and text[match.end() :].lstrip()[:1].isupper():
            return match.group()  # "Los Angeles"
        key = re.sub(r"'\s*", "' ", " ".join(match["known"].lower().split())).strip()
        return f"{_phrases(language).get(key, match.group())} "

    plain = _SPACES_BEFORE.sub("", " ".join(_pattern(language).sub(told, text).replace("¿", "").split()))
    return plain[:1].upper() + plain[1:]


def _nearest(word: str, near: Sequence[tuple[str, float]], held: Collection[str], least: float) -> str:
    """Return the word that stands for `word`: itself where it has a figure or capitals inside, or the passages have it."""
    lower = word.lower()
    if word[1:] != word[1:].lower() or any(map(str.isdigit, word)) or lower in held:
        return word
    plain = strip_accents(lower)
    scored = [
        (cosine + HELD_GAIN * (each in held) + SPELLING_GAIN * _alikeness(plain, each), each)
        for each, cosine in near
        if cosine >= (least if each in held else max(least, LEAST_UNHELD))
    ]
    return max(scored, default=(0.0, word))[1]


def _alikeness(one: str, other: str) -> float:
    """Return how alike two words are spelt beyond chance, in 0..1."""
    return max(0.0, SequenceMatcher(None, one, other).ratio() - _LEAST_ALIKE) / (1 - _LEAST_ALIKE)
