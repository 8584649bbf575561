"""Words that tell a language, for texts too short for statistics: function words, particles that names carry too, and content words.

A word may stand under several languages, and must wherever it is common in several: "in", "die" and "was" then tell nothing between them. Words are
in lower case with their accents; how people type them without is worked out in `core.language.language_clues`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from core.language.word_files import read_word_file

# Those that the multilingual encoder was made for, then neighbours: enough words of each that its questions are not taken for a relative's.
TELLING_LANGUAGES = (
    "en", "de", "es", "fr", "it", "nl", "pl", "pt", "tr",
    "af", "ca", "cs", "da", "fi", "hr", "hu", "id", "la", "no", "ro", "sv", "vi", "ru", "uk", "bg", "sr",
)  # fmt: skip


def function_words_of(language: str) -> str:
    """Return the function words of one language, with spaces between them."""
    return str(read_word_file(language, "telling_words")["function"])


def function_words() -> Mapping[str, str]:
    """Return for each language its articles, pronouns, prepositions, conjunctions, auxiliaries, words that ask, and the verbs of nearly every
    question."""
    return _table("function")


def particles() -> Mapping[str, str]:
    """Return those that also stand in names, titles and abbreviations all over the world ("Rio de Janeiro", "La Scala", "van Gogh"): they say
    little."""
    return _table("particles")


def content_words() -> Mapping[str, str]:
    """Return what people ask documents about. Words of well-known names ("Cena", "Kira") are left out; those that English has too stand under English
    as well, whose list also has common words that look like another language's ("war", "son", "brand")."""
    return _table("content")


@cache
def _table(kind: str) -> Mapping[str, str]:
    files = {language: read_word_file(language, "telling_words") for language in TELLING_LANGUAGES}
    return {language: str(file[kind]) for language, file in files.items() if kind in file}
