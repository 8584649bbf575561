"""`ClassNames`: the words that an ontology has for its classes, individuals and properties, as sentences are compared with them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from core.graph import EntityType
from core.language.inflections import pluralize_english
from core.language.stop_words import KEYWORD_STOP_WORDS
from core.ontologies import Ontology, OntologyIndividual, OntologyProperty
from graph.gazetteer import ORGANISATION_HEADS, PERSON_TITLES, PLACE_HEADS, ROLE_HEADS
from graph.normalisation import key_of, name_tokens
from graph.ontologies.class_hierarchy import find_ancestors

Words = tuple[str, ...]  # of a label, as they are compared
LONGEST_LABEL = 6  # words
DECIDED = frozenset({EntityType.PERSON, EntityType.ORGANIZATION, EntityType.LOCATION})  # types that say what a thing is
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_DATATYPES = re.compile(r"https?://schema\.org/(?:Text|Number|Integer|Float|Boolean|Date|DateTime|Time|URL|DataType|CssSelectorType|XPathType)")
# What a class says of its things by its name; more than the heads of names, which say it of a firm or a place.
_KINDS: tuple[tuple[EntityType, frozenset[str]], ...] = (
    (EntityType.PERSON, (PERSON_TITLES | ROLE_HEADS | {"person", "people", "human", "woman", "man"}) - {"agent", "head", "lead", "general", "earl"}),
    (EntityType.LOCATION, PLACE_HEADS | {"place", "location", "country", "state", "area", "continent"}),
    (EntityType.ORGANIZATION, ORGANISATION_HEADS),
)


class PropertyPhrase(NamedTuple):
    """A property as sentences say it: the classes of what stands before the phrase, and of what stands behind it."""

    before: tuple[str, ...]
    after: tuple[str, ...]


class ClassNames:
    """Made once for an ontology; reading is safe in several threads. Classes of numbers and dates (schema.org's Text, Number …) name nothing."""

    def __init__(self, ontology: Ontology) -> None:
        classes = {each.uri: each for each in ontology.classes if not _DATATYPES.fullmatch(each.uri)}
        self.ancestors = find_ancestors({uri: each.parent_uris for uri, each in classes.items()})
        labels = {uri: _labels(each.labels, each.name) for uri, each in classes.items()}
        self.kinds = {uri: self._kind(uri, labels) for uri in classes}
        self.singular = _index((words, uri) for uri, found in labels.items() for words in found)
        self.plural = _index((words, uri) for uri, found in labels.items() for words in _plurals(found))
        self.individuals = {key: kept for each in ontology.named_individuals if (kept := _known(each, classes)) for key in _keys(each)}
        self.phrases: defaultdict[Words, list[PropertyPhrase]] = defaultdict(list)
        for each in ontology.properties:
            self._add_phrases(each, set(classes))

    def is_empty(self) -> bool:
        return not (self.singular or self.individuals)

    def is_label(self, name: str) -> bool:
        """Return whether a name is a class's own: "the Party" names no thing of it."""
        words = tuple(name_tokens(name))
        return words in self.singular or words in self.plural

    def find_last(self, words: Sequence[str], *, plural: bool = False, singular: bool = True) -> tuple[Words, tuple[str, ...]] | None:
        """Return the longest label that `words` end with, and its classes."""
        for length in range(min(LONGEST_LABEL, len(words)), 0, -1):
            last = tuple(words[-length:])
            if singular and last in self.singular:
                return last, self.singular[last]
            if plural and last in self.plural:
                return last, self.plural[last]
        return None

    def choose(self, candidates: Sequence[str], kind: EntityType) -> str | None:
        """Return the one of a property's classes that an entity of this type can have; None where several can, or none: who joins them with "or"
        does not say which."""
        fitting = [uri for uri in candidates if self.kinds.get(uri) is kind]
        if len(candidates) == 1 and (self.kinds.get(candidates[0]) is None or kind not in DECIDED):
            fitting = list(candidates)
        return fitting[0] if len(fitting) == 1 else None

    def _kind(self, uri: str, labels: Mapping[str, Sequence[Words]]) -> EntityType | None:
        """Return what a thing of the class is by the class's own words, else by those of its nearest ancestors."""
        for each in (uri, *self.ancestors[uri]):
            for words in labels.get(each, ()):
                for kind, heads in _KINDS:
                    if words[-1] in heads:
                        return kind
        return None

    def _add_phrases(self, of: OntologyProperty, classes: set[str]) -> None:
        """Add a property by its labels: "works for" as it stands, the noun "founder" as "B, founder of A" and "A's founder B"."""
        domain, values = tuple(uri for uri in of.domain if uri in classes), tuple(uri for uri in of.range if uri in classes)
        if not domain and not values:
            return
        for words in _labels(of.labels, of.name):
            if len(words) > 1 and (words[-1] in KEYWORD_STOP_WORDS or words[0].endswith("s")):
                self.phrases[words].append(PropertyPhrase(domain, values))
            elif words[-1].endswith("s") and len(words) == 1:
                self.phrases[words].append(PropertyPhrase(domain, values))  # "pulls"
            else:
                self.phrases[*words, "of"].append(PropertyPhrase(values, domain))
                self.phrases["s", *words].append(PropertyPhrase(domain, values))


def _labels(texts: Mapping[str, Sequence[str]], name: str) -> list[Words]:
    """Return the labels of all languages, those written as one ("LocalBusiness") cut into their words."""
    written = [*(text for each in texts.values() for text in each), name]
    found = dict.fromkeys(tuple(name_tokens(_CAMEL.sub(" ", text).replace("_", " "))) for text in written)
    return [words for words in found if 0 < len(words) <= LONGEST_LABEL and any(len(word) > 1 and word not in KEYWORD_STOP_WORDS for word in words)]


def _known(individual: OntologyIndividual, classes: Collection[str]) -> tuple[str, ...]:
    return tuple(uri for uri in individual.class_uris if uri in classes)


def _keys(individual: OntologyIndividual) -> set[str]:
    return {key_of(text) for texts in individual.labels.values() for text in texts} - {""}


def _plurals(labels: Iterable[Words]) -> Iterator[Words]:
    for words in labels:
        last = pluralize_english(words[-1])
        if last != words[-1]:
            yield (*words[:-1], last)


def _index(pairs: Iterable[tuple[Words, str]]) -> dict[Words, tuple[str, ...]]:
    found: defaultdict[Words, dict[str, None]] = defaultdict(dict)
    for words, uri in pairs:
        found[words][uri] = None
    return {words: tuple(uris) for words, uris in found.items()}
