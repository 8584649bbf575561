"""The words that verdicts turn on, of all languages that have them: a question may be in one and its document quote another."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import NamedTuple

from core.language.stems import stem
from core.language.word_files import join_alternatives, parse_groups, read_word_file

LANGUAGES = ("en", "de", "fr", "es")


class VerdictWords(NamedTuple):
    """Word lists of every language together. `opposites` and `degrees` map a stem to the stems of what says the contrary, `alike` to those that say
    the same; `same_degrees` the degrees that go the same way."""

    opposites: Mapping[str, frozenset[str]]
    degrees: Mapping[str, frozenset[str]]
    same_degrees: Mapping[str, frozenset[str]]
    alike: Mapping[str, frozenset[str]]
    idle: frozenset[str]
    general_doers: frozenset[str]
    parties: frozenset[str]
    documents: frozenset[str]
    wholes: frozenset[str]
    permitting: frozenset[str]
    obliging: frozenset[str]
    commanding: frozenset[str]
    unsure: frozenset[str]
    never: re.Pattern[str]
    everywhere: re.Pattern[str]
    conditions: re.Pattern[str]
    denying: re.Pattern[str]
    not_denying: re.Pattern[str]


@cache
def verdict_words() -> VerdictWords:
    """Return the lists of all languages."""
    opposites, both = _pairs("opposites", key=stem)
    degrees, same = _pairs("degrees", key=str)
    return VerdictWords(
        opposites=opposites,
        degrees=degrees,
        same_degrees=same,
        alike=_join(both, _groups("alike")),
        idle=_words("idle"),
        general_doers=_words("general_doers"),
        parties=_words("parties"),
        documents=_words("documents"),
        wholes=_words("wholes"),
        permitting=_words("permitting"),
        obliging=_words("obliging"),
        commanding=_words("commanding"),
        unsure=_words("unsure"),
        never=_pattern("never"),
        everywhere=_pattern("everywhere"),
        conditions=_pattern("conditions"),
        denying=_pattern("denying"),
        not_denying=_pattern("not_denying"),
    )


@cache
def words_of(language: str, use: str) -> frozenset[str]:
    """Return one list of one language."""
    return frozenset(read_word_file(language, "verdicts")[use].split())


def say_verdict(*, holds: bool, language: str) -> str:
    """Return yes or no in a language of LANGUAGES; in English for any other."""
    known = language if language in LANGUAGES else "en"
    word: str = read_word_file(known, "verdicts")["verdicts"].split()[0 if holds else 1]
    return word.capitalize()


def _words(use: str) -> frozenset[str]:
    return frozenset().union(*(words_of(language, use) for language in LANGUAGES))


def _pattern(use: str) -> re.Pattern[str]:
    spoken = join_alternatives(re.escape(word.replace("_", " ")) for word in _words(use))
    contracted = r"|\w+n['’]t\b" if use == "denying" else ""
    return re.compile(rf"(?<![\w'’])(?:{spoken})(?![\w'’-]){contracted}", re.IGNORECASE)


def _pairs(use: str, *, key: Callable[[str], str]) -> tuple[dict[str, frozenset[str]], dict[str, frozenset[str]]]:
    """Return for each word of "a b = c d;" the words of the other side, and those of its own side."""
    others: dict[str, frozenset[str]] = {}
    own: dict[str, frozenset[str]] = {}
    for language in LANGUAGES:
        for pair in read_word_file(language, "verdicts")[use].replace("\n", " ").split(";"):
            first, _, second = pair.partition("=")
            sides = [frozenset(map(key, side.split())) for side in (first, second)]
            for side, other in (sides, sides[::-1]):
                for word in side:
                    others[word] = others.get(word, frozenset()) | other
                    own[word] = own.get(word, frozenset()) | side - {word}
    return others, own


def _groups(use: str) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for language in LANGUAGES:
        for group in parse_groups(read_word_file(language, "verdicts")[use]):
            whole = frozenset(map(stem, group))
            for word in whole:
                found[word] = found.get(word, frozenset()) | whole - {word}
    return found


def _join(*tables: Mapping[str, Iterable[str]]) -> dict[str, frozenset[str]]:
    names = {name for table in tables for name in table}
    return {name: frozenset().union(*(table.get(name, ()) for table in tables)) for name in names}
