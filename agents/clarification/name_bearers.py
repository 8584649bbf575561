"""Who bears a name: the people, or else the organisations, of the library that a single name of a question can stand for.

A name is borne, not contained: "Weber" is borne by Hanna Weber, not by the Webern Quartet, and "RNA" by nobody. What the extraction came upon once,
or took for a person because of its capitals, is nobody either.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from agents.text.question_words import find_names, tokens
from core.graph import Entity, EntityType
from core.language.content_words import stems
from core.language.stop_words import STOP_WORDS
from core.ports import KnowledgeGraph, Library
from core.search import Filters, FrozenModel

_LEAST_MENTIONS = 2  # fewer are as often the extraction's mistake as a person
_MOST_ENTITIES = 30  # entities that hold the letters of a name; few of them bear it
_MOST_PASSAGES = 12  # passages of each bearer that are looked at
_PROPER_NAME = re.compile(r"[^\W\d_][^\W\d_’'-]*(?:[-’'][^\W\d_]+)*")
_TITLE = r"\b(?:mr|mrs|ms|miss|dr|prof|professor|herr|frau|captain|director)\.?\s+"
_FIRM = r"\b(?:company|firm|supplier|contractor|carrier|customer|client|vendor)\s+"
_PLACE_AFTER = r"\s*,\s+[A-ZÀ-ÖØ-Þ]"  # "Leland, North Carolina"
_POSSESSIVE = re.compile(r"['’]s$|['’]$")


class NameBearer(FrozenModel):
    """An entity that bears the name: its passages (chunk ids, the one that holds most of the question's words first) and the words they hold."""

    entity: Entity
    chunks: list[int]
    words: frozenset[str]


def lone_names(question: str) -> list[str]:
    """Find names of a single word that the question gives to somebody: no acronyms, no numbers, no places ("Leland, North Carolina")."""
    single = [_POSSESSIVE.sub("", name) for name in find_names(question) if " " not in name]
    return [name for name in dict.fromkeys(single) if _is_proper(name) and not re.search(rf"\b{re.escape(name)}{_PLACE_AFTER}", question)]


def _is_proper(name: str) -> bool:
    """Return whether a name is written as names are: one capital at its beginning, letters behind it."""
    return bool(_PROPER_NAME.fullmatch(name)) and name[0].isupper() and not name[1:].isupper() and len(name) > 1 and name.lower() not in STOP_WORDS


async def known_bearers(name: str, question: str, *, tenant: str, graph: KnowledgeGraph) -> list[Entity]:
    """Return those who bear the name, of the kind that the question can mean; none where the name stands for something by itself (a town, a term)."""
    kinds = _possible_types(name, question)
    if not kinds or await _means_itself(name, tenant, graph):
        return []
    for kind in kinds:
        listed = (await graph.entities(tenant, text=name, entity_type=kind, limit=_MOST_ENTITIES)).entities
        found = _merge_variants([entity for entity in listed if entity.mentions >= _LEAST_MENTIONS and bears_name(entity, name)])
        if found:
            return found
    return []


def _possible_types(name: str, question: str) -> tuple[EntityType, ...]:
    """Return the types that the word before the name allows: "Ms Weber" is a person, "the company Weber" is none."""
    if re.search(_TITLE + re.escape(name), question, re.IGNORECASE):
        return (EntityType.PERSON,)
    if re.search(_FIRM + re.escape(name), question, re.IGNORECASE):
        return (EntityType.ORGANIZATION,)
    return (EntityType.PERSON, EntityType.ORGANIZATION)


async def _means_itself(name: str, tenant: str, graph: KnowledgeGraph) -> bool:
    """Return whether the library knows a place, a term or a firm by exactly this name."""
    known = await graph.match(tenant, [name], "", limit=8)
    return any(each.how == "exact" and each.entity.entity_type is not EntityType.PERSON for each in known)


def bears_name(entity: Entity, name: str) -> bool:
    """Return whether the name is what one is called by: a person's first or last name, a firm's opening word, or a whole alias of either."""
    words = entity.name.split()
    if len(words) < 2 or not all(_is_written_as_name(word) for word in words):
        return False
    called = {words[0], words[-1]} if entity.entity_type is EntityType.PERSON else {words[0]}
    return name.lower() in {each.lower() for each in [*called, *entity.aliases]}


def _is_written_as_name(word: str) -> bool:
    """Not a word in capitals ("RNA Polymerase" is no person's name), unless it is an initial."""
    letters = [character for character in word if character.isalpha()]
    return len(letters) < 3 or not all(character.isupper() for character in letters)


def _merge_variants(people: Sequence[Entity]) -> list[Entity]:
    """One entity for each: "H. Weber" beside "Hanna Weber" is the same, and so is "Dr Hanna Weber"."""
    found: list[Entity] = []
    for entity in sorted(people, key=lambda each: -len(each.name)):
        if not any(_may_be_same(entity.name, other.name) for other in found):
            found.append(entity)
    return sorted(found, key=lambda each: (-each.mentions, each.name))


def _may_be_same(short: str, long: str) -> bool:
    """Return whether each word of the shorter name is a word of the longer one, or its first letter."""
    words = tokens(long)
    return all(any(word == other or (len(word) == 1 and other.startswith(word)) for other in words) for word in tokens(short))


async def speaking_bearers(
    people: Sequence[Entity], asked: frozenset[str], filters: Filters, *, tenant: str, graph: KnowledgeGraph, library: Library
) -> list[NameBearer]:
    """Return the bearers with what their own passages hold of the words asked for: passages that speak of two of them tell none apart, and are left
    out."""
    hits = {each.id: [hit.chunk_id for hit in await graph.hits(tenant, {each.id: 1.0}, filters, _MOST_PASSAGES)] for each in people}
    texts = {number: stems(chunk.text) for number, chunk in (await library.chunks(tenant, [one for some in hits.values() for one in some])).items()}
    found = []
    for person in people:
        others = {number for each, numbers in hits.items() if each != person.id for number in numbers}
        own = [number for number in hits[person.id] if number in texts and number not in others]
        ordered = sorted(own, key=lambda number: -len(texts[number] & asked))
        if ordered:
            found.append(NameBearer(entity=person, chunks=ordered, words=asked & frozenset().union(*(texts[number] for number in own))))
    return found
