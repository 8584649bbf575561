"""Everyday and office words of a language with their English ones, for reading a question in English."""

from __future__ import annotations

from functools import cache
from typing import Literal

from core.language.word_files import parse_pairs, read_word_file

WordKind = Literal["function", "verbs", "nouns", "adjectives", "parts", "countries"]


@cache
def english_of(language: str, kind: WordKind) -> dict[str, str]:
    """Return words without endings, each with its English one: "miete" is "rent"; of a verb its past and participle too where they are irregular,
    "write/wrote/written"; "" for a word that English leaves out."""
    return {word: english.replace("_", " ") for word, english in parse_pairs(read_word_file(language, "translations")[kind]).items()}
