"""Everyday and office words of a language with their English ones, for reading a question in English."""

from __future__ import annotations

from functools import cache
from typing import Literal

from core.language.word_files import parse_pairs, read_word_file

WordKind = Literal["function", "verbs", "governed", "nouns", "adjectives", "parts", "countries"]
_FILES = {"verbs": "verbs", "governed": "verbs"}


@cache
def english_of(language: str, kind: WordKind) -> dict[str, str]:
    """Return words without endings, each with its English one: "miete" is "rent"; of a verb its past and participle too where they are irregular,
    "write/wrote/written"; "" for a word that English leaves out."""
    tables = read_word_file(language, "nouns").values() if kind == "nouns" else [read_word_file(language, _FILES.get(kind, "translations"))[kind]]
    return {word: english.replace("_", " ") for table in tables for word, english in parse_pairs(table).items()}
