"""What kind of name a step's question wants, and how well a name agrees with it.

A noun may say more than the kind: a country is no continent, and a city is no country.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from agents.planner.descriptions import DescribedKind, descriptions, kind_of
from agents.text.question_words import tokens
from core.language.place_names import CITIES, CONTINENTS, COUNTRIES, LARGE_AREAS, REGIONS
from core.lazy_patterns import compile_when_used

_ORGANISATION = compile_when_used(
    r"""
          \b(?:
                Ltd|Limited|Inc|LLC|LLP|plc|PLC|GmbH|AG|SA|Co|Corp|Corporation|Company|Group|Partners|Holdings|Bank
              | University|College|School|Institute|Association|Agency|Ministry|Department|Council|Committee|Club
              | Society|Foundation|Trust|Press|Records|Studios?|Pictures|Entertainment|Airlines|Airways|Motors|Trucks
              | Handling|Logistics|Services|Solutions|Systems|Industries|Party|Team|Band|Orchestra
          )\b\.?
        | \s&\s
    """,
    re.VERBOSE,
)
_PLACE = compile_when_used(
    r"\b(?:City|County|Town|Village|District|Province|State|States|Island|Islands|River|Lake|Kingdom|Republic|Street|Road|Quay|Park)\b"
)
_PLACE_PREPOSITION = compile_when_used(r"\b(?:in|at|from|near|to|around|of)\s+(?:the\s+)?$", re.IGNORECASE)
# What a noun means -> what it is not. Names that stand in both ("Georgia", "New York") are taken for what is wanted.
_PLACES_OF = {
    "continent": CONTINENTS,
    "country": COUNTRIES,
    "nation": COUNTRIES,
    "state": REGIONS,
    "province": REGIONS,
    "city": CITIES,
    "town": CITIES,
}
_ALL_PLACES = COUNTRIES | LARGE_AREAS | REGIONS | CITIES
_OTHER_PLACE = 0.1  # a name that is known as a place of another sort
_KIND_OF_OPENING = {"who": DescribedKind.PERSON, "whom": DescribedKind.PERSON, "where": DescribedKind.PLACE, "when": DescribedKind.DATE}


@dataclass(frozen=True, slots=True)
class WantedName:
    """The kind of the answer, and the noun that says it: "city" of "What is the city where …?"; "" where none does."""

    kind: DescribedKind
    noun: str = ""


def wanted_name(asked: str) -> WantedName:
    """Return what a question's answer is: the head of its description ("the firm that …"), the noun behind "which", or its question word."""
    outer = min(descriptions(asked), key=lambda each: each.start, default=None)
    if outer is not None and outer.start <= 12:
        return WantedName(outer.kind, outer.head)
    head = re.match(r"\W*(?:in\s+|at\s+|from\s+)?(?:which|what)\s+(?:is\s+the\s+)?(\w+)", asked, re.IGNORECASE)
    if head and kind_of(head[1]) is not DescribedKind.ANYTHING:
        return WantedName(kind_of(head[1]), head[1].lower())
    return WantedName(_KIND_OF_OPENING.get(next(iter(tokens(asked)), ""), DescribedKind.ANYTHING))


def name_fit(wanted: WantedName, name: str, before: str, title: str) -> float:
    """Return how well a name's form agrees with what is wanted: 1 surely, 0 not at all. `before` is the sentence up to the name, `title` its
    document's.
    """
    firm = _ORGANISATION.search(f" {name} ") is not None
    if wanted.kind is DescribedKind.PERSON:
        return _person_fit(name, firm=firm)
    if wanted.kind is DescribedKind.ORGANISATION:
        return 1.0 if firm else 0.5
    if wanted.kind is DescribedKind.PLACE:
        return _place_fit(wanted.noun, name, before, firm=firm)
    if wanted.kind is DescribedKind.WORK:
        quoted = before.rstrip(" ").endswith(("“", '"', "«", "'"))
        return 1.0 if quoted or _words(name) == _words(title) else 0.5
    return 0.7


def _person_fit(name: str, *, firm: bool) -> float:
    digits = any(character.isdigit() for character in name)
    if firm or digits or _PLACE.search(name) or _words(name) in _ALL_PLACES:
        return 0.0
    return 1.0 if 2 <= len(name.split()) <= 4 else 0.3


def _place_fit(noun: str, name: str, before: str, *, firm: bool) -> float:
    key, sort = _words(name).removeprefix("the "), _PLACES_OF.get(noun)
    if sort is not None and key in _ALL_PLACES:
        return 1.0 if key in sort else _OTHER_PLACE
    if noun == "county" and key in _ALL_PLACES:
        return _OTHER_PLACE
    if firm and not _PLACE.search(name):
        return 0.0
    return 1.0 if key in _ALL_PLACES or _PLACE.search(name) or _PLACE_PREPOSITION.search(before) else 0.4


def _words(text: str) -> str:
    return " ".join(tokens(text))
