"""German nouns and adjectives in English: endings and compounds worked out over the lists of `core.language`."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from core.language.months import english_month_of
from core.language.translations import english_of
from core.language.weekdays import english_weekday_of

_PLURAL_ENDINGS = frozenset({"e", "n", "en", "er", "ern", "innen", "nen"})
_ENDINGS = ("", "e", "n", "s", "en", "er", "es", "em", "ern", "in", "innen", "nen")
_LINKS = ("", "s", "n", "en", "e", "es", "er")
_SHORTEST_PART = 3
_UMLAUTS = str.maketrans("äöü", "aou")
_DEGREES = (("st", "est", "most"), ("er", "er", "more"))
_SHORT_ADJECTIVE = re.compile(r"[^aeiouy]*[aeiou]+[^aeiouy]*e?|\w+[^aeiou]y")


class NounForm(NamedTuple):
    """`is_plural` by its ending alone, which a weak noun's "dem Kunden" has, too."""

    english: str
    is_plural: bool = False


@lru_cache(maxsize=1)
def function_words() -> dict[str, str]:
    return english_of("de", "function")


@lru_cache(maxsize=1)
def _countable_nouns() -> dict[str, str]:
    return english_of("de", "nouns")


def is_listed_noun(word: str) -> bool:
    """Return whether a word stands among the nouns as it is, without an ending to take off."""
    return word in _countable_nouns()


@lru_cache(maxsize=1)
def _adjectives() -> dict[str, str]:
    return english_of("de", "adjectives")


@lru_cache(maxsize=1)
def proper_nouns() -> dict[str, str]:
    """Months, days and countries, which take no ending but the genitive's."""
    return {**english_month_of("de"), **english_weekday_of("de"), **english_of("de", "countries")}


@lru_cache(maxsize=1)
def _first_parts() -> dict[str, str]:
    return {**_adjectives(), **_countable_nouns(), **english_of("de", "parts")}


@lru_cache(maxsize=4096)
def find_noun(word: str) -> NounForm | None:
    """Return a noun (lower case) in the singular, by the list with an ending or made of several words of it; hyphens part it, too."""
    listed = find_listed_noun(word)
    if listed is not None:
        return listed
    return _join_pieces(word) if "-" in word else _compound(word)


def find_listed_noun(word: str) -> NounForm | None:
    proper = next(
        (proper_nouns()[form] for form in (word, *(word.removesuffix(ending) for ending in ("s", "er", "n"))) if form in proper_nouns()), None
    )
    return NounForm(proper) if proper is not None else _inflected_noun(word)


def _join_pieces(word: str) -> NounForm | None:
    """ "Lithium-Akku": what is not known stays, where another piece is."""
    pieces = [(piece, find_listed_noun(piece) or _compound(piece)) for piece in word.split("-") if piece]
    if not any(found for _, found in pieces):
        return None
    last = pieces[-1][1]
    text = " ".join(found.english if found else piece for piece, found in pieces)
    return NounForm(text, last.is_plural) if last is not None else NounForm(text)


def _inflected_noun(word: str) -> NounForm | None:
    for ending, form in _stems(word):
        if form in _countable_nouns():
            return NounForm(_countable_nouns()[form], form != word and ending in _PLURAL_ENDINGS)
    return None


def _stems(word: str) -> list[tuple[str, str]]:
    """Return what a word may be without its ending, the likeliest first."""
    found = []
    for ending in _ENDINGS:
        stem = word.removesuffix(ending) if ending else word
        if (not ending or stem != word) and len(stem) >= 2:
            latin = (f"{stem}a", f"{stem}um", f"{stem}o") if ending == "en" else ()  # "Firmen", "Zentren", "Konten"
            found += [(ending, form) for form in dict.fromkeys((stem, *_without_umlaut(stem), f"{stem}e", *latin))]
    return found


def _without_umlaut(stem: str) -> list[str]:
    """ "förderbänd" may be "förderband"."""
    at = max(stem.rfind(letter) for letter in "äöü")
    return [f"{stem[:at]}{stem[at:].translate(_UMLAUTS)}", stem.translate(_UMLAUTS)] if at >= 0 else []


@lru_cache(maxsize=4096)
def translate_adjective(word: str) -> str | None:
    """Return an adjective or adverb (lower case), with any ending; "sicherste" is "safest"."""
    plain = next((_adjectives()[form] for _, form in _stems(word) if form in _adjectives()), None)
    if plain is not None:
        return plain
    bare = re.sub(r"e[nrsm]?$", "", word)
    for degree, ending, adverb in _DEGREES:
        stem = re.sub(rf"e?{degree}$", "", bare)
        english = next((_adjectives()[form] for form in (stem, stem.translate(_UMLAUTS), f"{stem}e") if form in _adjectives()), None)
        if stem != bare and english is not None:
            return _compare(english, ending, adverb)
    return None


def _compare(adjective: str, ending: str, adverb: str) -> str:
    if _SHORT_ADJECTIVE.fullmatch(adjective) is None:
        return f"{adverb} {adjective}"
    if adjective.endswith("y"):
        return f"{adjective[:-1]}i{ending}"
    return f"{adjective.removesuffix('e')}{ending}"


@lru_cache(maxsize=4096)
def _compound(word: str) -> NounForm | None:
    """Of two or more words of the list, the last one as long as may be."""
    for cut in range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1):
        last = _inflected_noun(word[cut:])
        first = _first_part(word[:cut]) if last is not None else None
        if last is not None and first is not None:
            return last._replace(english=f"{first} {last.english}")
    return None


def _first_part(text: str) -> str | None:
    for link in _LINKS:
        stem = text.removesuffix(link) if link else text
        if (link and stem == text) or len(stem) < _SHORTEST_PART:
            continue
        found = next((_first_parts()[form] for form in (stem, f"{stem}e", f"{stem}en", stem.translate(_UMLAUTS)) if form in _first_parts()), None)
        if found is not None:
            return found
    inner = _compound(text) if len(text) > 2 * _SHORTEST_PART else None
    return inner.english if inner is not None else None
