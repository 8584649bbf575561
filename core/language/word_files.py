"""The files of words, one folder for each language: `data/<ISO 639-1 code>/<topic>.toml`, read once and only when they are asked for."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def read_word_file(language: str, topic: str) -> Mapping[str, Any]:
    """Return the tables of a file. Raises FileNotFoundError where the language has none of this topic."""
    return tomllib.loads(files(__package__).joinpath("data", language, f"{topic}.toml").read_text(encoding="utf-8"))


def join_alternatives(words: Iterable[str]) -> str:
    """Return words as the alternatives of a regular expression, the longest first so that none hides another that it begins."""
    return "|".join(sorted(words, key=lambda word: (-len(word), word)))


def read_numbered_words(language: str, topic: str, table: str) -> dict[str, int]:
    """Return the words of a table whose keys are numbers, each with its number; empty where the file has no such table."""
    rows: Mapping[str, str] = read_word_file(language, topic).get(table, {})
    return {word: int(number) for number, words in rows.items() for word in words.split()}


def parse_pairs(text: str) -> dict[str, str]:
    """Return what `text` says of each of its words: "trug=tragen lief=laufen"."""
    pairs = (entry.partition("=") for entry in text.split())
    return {word: told for word, _, told in pairs}


def parse_groups(text: str) -> list[frozenset[str]]:
    """Return groups of words that stand between semicolons: "man men; foot feet"."""
    return [frozenset(group.split()) for group in text.replace("\n", " ").split(";") if group.strip()]
