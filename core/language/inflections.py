"""Forms of words: the irregular ones from lists, English plurals by rule. How German words are inflected is in `agents.german`."""

from __future__ import annotations

import re
from functools import cache
from typing import Literal

from core.language.word_files import parse_groups, parse_pairs, read_word_file

VerbKind = Literal["third", "past", "participles"]


@cache
def irregular_verb_forms(language: str, kind: VerbKind) -> dict[str, str]:
    """Return the irregular forms of verbs with their infinitives: "trug" is of "tragen"."""
    return parse_pairs(read_word_file(language, "inflections")[kind])


def irregular_forms(language: str) -> list[frozenset[str]]:
    """Return groups of the irregular forms of one verb or noun: "wear", "wore", "worn"."""
    return parse_groups(read_word_file(language, "inflections")["forms"])


@cache
def _irregular_plurals() -> dict[str, str]:
    return parse_pairs(read_word_file("en", "inflections")["plurals"])


@cache
def _uncountable_nouns() -> frozenset[str]:
    return frozenset(read_word_file("en", "inflections")["uncountable"].split())


def is_uncountable(noun: str) -> bool:
    """Return whether a noun, or the last word of a compound, is of one thing however much there is of it: "equipment", "waste"."""
    return noun.rpartition(" ")[2] in _uncountable_nouns()


def pluralize_english(noun: str) -> str:
    """Return the plural of an English noun; one that ends with a single "s" is taken for a plural."""
    head, of, rest = noun.partition(" of ")
    if of:
        return f"{pluralize_english(head)}{of}{rest}"
    before, space, last = noun.rpartition(" ")
    if last in _irregular_plurals():
        return f"{before}{space}{_irregular_plurals()[last]}"
    if noun.endswith("s") and not noun.endswith("ss"):
        return noun
    if re.search(r"[^aeiou]y$", noun):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("ss", "x", "ch", "sh")) else f"{noun}s"


def singularize_english(noun: str) -> str:
    """Return the singular of a regular English plural, roughly: "policies" is "policy"."""
    return noun[:-3] + "y" if noun.endswith("ies") else noun.removesuffix("s")
