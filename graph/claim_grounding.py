"""A model's claims about a text, checked against the text: what is found word for word joins the rules' graph, and the rest is dropped."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pydantic import BaseModel, Field

from core.graph import DocumentGraph, EntityType, FoundEntity, FoundRelationship
from core.language.stop_words import ARTICLES, NAMELESS_WORDS
from graph.normalisation import EXACT_TYPES, key_of

TYPES = (EntityType.PERSON, EntityType.ORGANIZATION, EntityType.LOCATION, EntityType.CONCEPT)
_NAMED = frozenset(TYPES) - {EntityType.CONCEPT}
_EACH = 40  # entities and relationships of one part that are looked at
_NAME, _WORDS = 200, 12  # characters and words of a name
_SENTENCE = range(8, 1_001)  # characters of an evidence sentence
_MENTIONS = 1_000
_READ = 2_000_000  # characters in which a name is looked for, as by the rules
_STATED, _RELATED = 0.8, 0.5  # weight of a relationship that the model names, and of one that it only calls related
_TYPE = re.compile(r"[A-Z][A-Z_]{1,39}")
_RESERVED = frozenset({"MENTIONS"})  # from a document to an entity
_WIDE = "\u2e80"  # from here on scripts that put no spaces between words
_ALIKE = ("'’‘`´", '"“”„«»', "-‐‑–—")  # a model writes one for another


class ClaimedEntity(BaseModel):
    name: str
    type: str = Field(default="CONCEPT", json_schema_extra={"enum": [each.value for each in TYPES]})


class ClaimedRelationship(BaseModel):
    source: str
    type: str
    target: str
    sentence: str


class Claims(BaseModel):
    """A model's reply for one part of a document."""

    entities: list[ClaimedEntity] = Field(default_factory=list)
    relationships: list[ClaimedRelationship] = Field(default_factory=list)


@dataclass(frozen=True, slots=True)
class PartClaims:
    """The model's claims about [start, end) of the text."""

    start: int
    end: int
    claims: Claims


def join_claims(text: str, graph: DocumentGraph, readings: Sequence[PartClaims], model: str) -> DocumentGraph:
    """Return the rules' graph with what `model` found besides. A name that the rules know keeps their type unless that is CONCEPT, which says only
    that they could not tell; a relationship counts where its sentence stands in the part that was read and names both its ends.
    """
    united = _ClaimJoining(text[:_READ], graph, model)
    for part in readings:
        united.take_claims(part)
    return united.build_graph()


class _ClaimJoining:
    def __init__(self, text: str, graph: DocumentGraph, model: str) -> None:
        self._text, self._model = text, model
        self._entities = list(graph.entities)
        self._rules = graph.relationships
        self._stated: list[FoundRelationship] = []
        self._said: defaultdict[tuple[int, int, str], list[tuple[int, int]]] = defaultdict(list)  # what is stated -> the sentences
        for said in graph.relationships:
            self._said[said.source, said.target, said.relationship_type].append((said.start, said.end))
        self._looked_for: set[tuple[int, str]] = set()
        self._at = {span: number for number, each in enumerate(self._entities) for span in each.mentions}
        self._by_key: dict[str, int] = {}
        for number, each in sorted(enumerate(self._entities), key=lambda item: -len(item[1].mentions)):
            if each.entity_type not in EXACT_TYPES:
                self._by_key.setdefault(each.key, number)
        self._kinds = {(each.key, each.entity_type) for each in self._entities}

    def take_claims(self, part: PartClaims) -> None:
        numbers: dict[str, int] = {}
        for claimed in part.claims.entities[:_EACH]:
            number = self._join_entity(claimed, part)
            if number is not None:
                numbers[" ".join(claimed.name.split())] = number
        for said in part.claims.relationships[:_EACH]:
            self._join_relationship(said, part, numbers)

    def _join_entity(self, claimed: ClaimedEntity, part: PartClaims) -> int | None:
        kind = _parse_type(claimed.type)
        name = " ".join(claimed.name.split())
        if kind is None or not _is_name(name, kind):
            return None
        known = self._find_known(name, part.start, part.end)
        if known is not None:
            self._retype(known, kind)
            return known
        if next(find_words(self._text, name, part.start, part.end), None) is None:
            return None
        key = key_of(name)
        number = len(self._entities)
        self._entities.append(FoundEntity(key, name, kind, ()))
        self._by_key[key] = number
        self._kinds.add((key, kind))
        self._add_mentions(number, name)
        return number

    def _find_known(self, name: str, start: int, end: int) -> int | None:
        """Return the entity that is mentioned where the part writes this name, or has the same key; then it is mentioned there, too."""
        spans = list(find_words(self._text, name, start, end))
        here = next((self._at[span] for span in spans if span in self._at), None)
        if here is not None or not spans:
            return here
        number = self._by_key.get(key_of(name))
        if number is not None:
            self._add_mentions(number, name)
        return number

    def _retype(self, number: int, kind: EntityType) -> None:
        entity = self._entities[number]
        if entity.entity_type is EntityType.CONCEPT and kind in _NAMED and (entity.key, kind) not in self._kinds:
            self._kinds.discard((entity.key, EntityType.CONCEPT))
            self._kinds.add((entity.key, kind))
            self._entities[number] = replace(entity, entity_type=kind)

    def _add_mentions(self, number: int, name: str) -> None:
        """Add a mention at every place of the whole text that writes the name and is no mention of anything yet."""
        if (number, name) in self._looked_for:
            return
        self._looked_for.add((number, name))
        entity = self._entities[number]
        spans = list(entity.mentions)
        for span in find_words(self._text, name, 0, len(self._text)):
            if len(spans) >= _MENTIONS:
                break
            if span not in self._at and not any(start < span[1] and span[0] < end for start, end in entity.mentions):
                self._at[span] = number
                spans.append(span)
        aliases = entity.aliases if name == entity.name or name in entity.aliases else (*entity.aliases, name)
        self._entities[number] = replace(entity, mentions=tuple(sorted(spans)), aliases=aliases[:20])

    def _join_relationship(self, said: ClaimedRelationship, part: PartClaims, numbers: dict[str, int]) -> None:
        name = re.sub(r"[^A-Z]+", "_", said.type.upper()).strip("_")
        if not _TYPE.fullmatch(name) or name in _RESERVED or len(said.sentence) not in _SENTENCE:
            return
        span = next(find_words(self._text, said.sentence, part.start, part.end), None)
        if span is None:
            return
        ends = [self._find_end(each, span, numbers) for each in (said.source, said.target)]
        if ends[0] is None or ends[1] is None or ends[0] == ends[1]:
            return
        weight = _RELATED if name == "RELATED_TO" else _STATED
        sentences = self._said[ends[0], ends[1], name]
        if not any(start < span[1] and span[0] < end for start, end in sentences):
            sentences.append(span)
            self._stated.append(FoundRelationship(ends[0], ends[1], name, weight, *span, {"generated_by": self._model}))

    def _find_end(self, written: str, span: tuple[int, int], numbers: dict[str, int]) -> int | None:
        """Return the entity at one end of a relationship; None unless the sentence mentions it."""
        name = " ".join(written.split())
        if not 0 < len(name) <= _NAME:
            return None
        number = numbers.get(name)
        if number is None:
            return self._find_known(name, *span)
        inside = any(span[0] <= start and end <= span[1] for start, end in self._entities[number].mentions)
        return number if inside or next(find_words(self._text, name, *span), None) is not None else None

    def build_graph(self) -> DocumentGraph:
        explained = {frozenset((each.source, each.target)) for each in self._stated if each.relationship_type != "RELATED_TO"}
        kept = [each for each in self._rules if each.relationship_type != "RELATED_TO" or frozenset((each.source, each.target)) not in explained]
        return DocumentGraph(tuple(self._entities), (*kept, *self._stated), self._model)


def find_words(text: str, words: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the spans in [start, end) of the text that write these words, whole and in this case; white space, quotation marks and dashes may be
    others.
    """
    pieces = words.split()
    if not pieces or len(words) not in range(1, _SENTENCE.stop):
        return
    before = r"(?<!\w)" if _is_spaced(pieces[0][0]) else ""
    after = r"(?!\w)" if _is_spaced(pieces[-1][-1]) else ""
    pattern = re.compile(before + r"\s+".join(_literal(piece) for piece in pieces) + after)
    for match in pattern.finditer(text, start, min(end, len(text))):
        yield match.span()


def _is_spaced(letter: str) -> bool:
    return letter.isalnum() and letter < _WIDE


def _literal(piece: str) -> str:
    return "".join(next((f"[{re.escape(group)}]" for group in _ALIKE if letter in group), re.escape(letter)) for letter in piece)


def _parse_type(written: str) -> EntityType | None:
    kind = written.strip().upper()
    return EntityType(kind) if kind in {each.value for each in TYPES} else None


def _is_name(name: str, kind: EntityType) -> bool:
    key = key_of(name)
    words = key.split()
    if not 1 < len(name) <= _NAME or not 0 < len(words) <= _WORDS or key.replace(" ", "").isdigit():
        return False
    if name.islower() and (kind in _NAMED or len(words) == 1):
        return False  # "the company", "he"; a concept of one common word would stand in every document
    return not all(word in NAMELESS_WORDS or word in ARTICLES for word in words)
