"""German word forms in English: endings, compounds and verb forms worked out over the lists of `core.language`."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from core.language.inflections import VerbKind, irregular_verb_forms, pluralize_english
from core.language.months import english_month_of
from core.language.translations import english_of
from core.language.weekdays import english_weekday_of

_PLURAL_ENDINGS = frozenset({"e", "n", "en", "er", "ern", "innen"})
_ENDINGS = ("", "e", "n", "s", "en", "er", "es", "em", "ern", "in", "innen", "nen")
_LINKS = ("", "s", "n", "en", "e", "es", "er")
_SHORTEST_PART = 3
_UMLAUTS = str.maketrans("äöü", "aou")
_INSEPARABLE = ("be", "ver", "er", "ent", "zer", "ge", "über", "unter")
_SEPARABLE = ("an", "ab", "auf", "aus", "ein", "vor", "zu", "fest", "hoch", "zurück")
_SOFT_STEM = re.compile(r"(?:[td]|[bcdfgk]n|chn|[^lrmhn]m)$")  # "arbeitet", "berechnet": an e before the t


class VerbForm(NamedTuple):
    """`kind` is base, third, past or participle, as the German form is; the others are the English verb's."""

    kind: str
    base: str
    third: str
    past: str
    participle: str

    @property
    def to_english(self) -> str:
        return {"base": self.base, "third": self.third, "past": self.past, "participle": self.participle}[self.kind]


@lru_cache(maxsize=1)
def function_words() -> dict[str, str]:
    return english_of("de", "function")


@lru_cache(maxsize=1)
def _countable_nouns() -> dict[str, str]:
    return english_of("de", "nouns")


@lru_cache(maxsize=1)
def _nouns() -> dict[str, str]:
    return {**english_of("de", "adjectives"), **_countable_nouns()}


@lru_cache(maxsize=1)
def _proper_nouns() -> dict[str, str]:
    """Months, days and countries, which take no ending but the genitive's."""
    return {**english_month_of("de"), **english_weekday_of("de"), **english_of("de", "countries")}


@lru_cache(maxsize=1)
def _first_parts() -> dict[str, str]:
    return {**_nouns(), **english_of("de", "parts")}


@lru_cache(maxsize=4096)
def translate_noun(word: str) -> str | None:
    """Return a noun or adjective (lower case) by the list, with an ending or made of several words of it; hyphens part it, too. None: not known."""
    direct = _proper_nouns().get(word) or _proper_nouns().get(word.removesuffix("s")) or _translate_inflected(word)
    if direct is not None or "-" not in word:
        return direct or _compound(word)
    pieces = [(piece, _translate_inflected(piece)) for piece in word.split("-") if piece]
    if not any(found for _, found in pieces):
        return None
    return " ".join(found or piece for piece, found in pieces)


def is_listed(word: str) -> bool:
    """Return whether a word stands among the nouns and adjectives as it is."""
    return word in _nouns()


def _translate_inflected(word: str) -> str | None:
    for ending in _ENDINGS:
        stem = word.removesuffix(ending) if ending else word
        if (ending and stem == word) or len(stem) < 2:
            continue
        for form in dict.fromkeys((stem, stem.translate(_UMLAUTS), f"{stem}e")):
            if form in _nouns():
                many = form != word and ending in _PLURAL_ENDINGS and form in _countable_nouns()
                return pluralize_english(_nouns()[form]) if many else _nouns()[form]
    return None


def _compound(word: str) -> str | None:
    """Of two or more words of the list, the last one as long as may be."""
    for cut in range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1):
        last = _translate_inflected(word[cut:])
        first = _first_part(word[:cut]) if last is not None else None
        if first is not None:
            return f"{first} {last}"
    return None


def _first_part(text: str) -> str | None:
    for link in _LINKS:
        stem = text.removesuffix(link) if link else text
        if (link and stem == text) or len(stem) < _SHORTEST_PART:
            continue
        found = next((_first_parts()[form] for form in (stem, f"{stem}e", f"{stem}en") if form in _first_parts()), None)
        if found is not None:
            return found
    return _compound(text) if len(text) > 2 * _SHORTEST_PART else None


@lru_cache(maxsize=1)
def _verb_forms() -> dict[str, VerbForm]:
    verbs = {german: _english_verb(english) for german, english in english_of("de", "verbs").items()}
    forms: dict[str, VerbForm] = {}
    kinds: tuple[tuple[str, VerbKind], ...] = (("third", "third"), ("past", "past"), ("participle", "participles"))
    for kind, listed in kinds:
        for form, infinitive in irregular_verb_forms("de", listed).items():
            if infinitive in verbs:
                forms.setdefault(form, verbs[infinitive]._replace(kind=kind))
    for german, verb in verbs.items():
        for form, kind in _regular_forms(german):
            forms.setdefault(form, verb._replace(kind=kind))
    return forms


def _english_verb(listed: str) -> VerbForm:
    """ "choose/chose/chosen", "pay/paid", "order"."""
    base, _, rest = listed.partition("/")
    past = rest.split("/")[0] or _add_ending(base, "ed")
    return VerbForm("base", base, _add_ending(base, "s"), past, rest.rpartition("/")[2] or past)


def _regular_forms(infinitive: str) -> list[tuple[str, str]]:
    stem = infinitive.removesuffix("en") if infinitive.endswith("en") else infinitive.removesuffix("n")
    soft = "e" if _SOFT_STEM.search(stem) else ""
    split = next((prefix for prefix in _SEPARABLE if stem.startswith(prefix) and len(stem) > len(prefix) + 2), "")
    whole = stem.startswith(_INSEPARABLE) or stem.endswith("ier")
    participle = f"{stem}{soft}t" if whole else f"{split}ge{stem.removeprefix(split)}{soft}t"
    forms = [(infinitive, "base"), (f"{stem}e", "base"), (f"{stem}{soft}t", "third"), (f"{stem}{soft}te", "past"), (f"{stem}{soft}ten", "past")]
    return [*forms, (participle, "participle")]


def translate_verb(word: str, *, after_auxiliary: bool = False) -> VerbForm | None:
    """Return a verb's form (lower case). "vertreten", "genehmigt" are participles behind an auxiliary; before a noun participles have endings."""
    found = _verb_forms().get(word)
    if found is None:
        stem = next((word.removesuffix(each) for each in ("en", "er", "es", "em", "e") if word.endswith(each)), "")
        found = _verb_forms().get(stem)
        return found._replace(kind="participle") if found is not None and stem.endswith(("t", "en")) else None
    same = word in irregular_verb_forms("de", "participles") or (found.kind == "third" and word.startswith(_INSEPARABLE)) or word.endswith("iert")
    if after_auxiliary and same:
        return found._replace(kind="participle")
    return found._replace(kind="base") if word in english_of("de", "verbs") else found


def gerund(found: VerbForm) -> str:
    """Return the English noun of an infinitive: "das Heben" is "the lifting"."""
    head, _, tail = found.base.partition(" ")
    return f"{head.removesuffix('e')}ing {tail}".strip()


def _add_ending(base: str, ending: str) -> str:
    """ "approves", "carries", "looks after"; "approved", "carried"."""
    head, _, tail = base.partition(" ")
    if re.search(r"[^aeiou]y$", head):
        made = f"{head[:-1]}ie{ending[-1]}"
    elif ending == "s":
        made = f"{head}es" if head.endswith(("s", "x", "ch", "sh", "o")) else f"{head}s"
    else:
        made = f"{head}d" if head.endswith("e") else f"{head}ed"
    return f"{made} {tail}".strip()
