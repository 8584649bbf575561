"""Relationships that a sentence states: patterns between two neighbouring mentions, and co-occurrence where no pattern speaks."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from core.graph import EntityType, FoundEntity, FoundRelationship
from graph.extraction_lines import ExtractionLine
from graph.terms import Term

PERSON, ORGANIZATION, LOCATION = EntityType.PERSON, EntityType.ORGANIZATION, EntityType.LOCATION
CONCEPT, IDENTIFIER, EMAIL, DATE = EntityType.CONCEPT, EntityType.IDENTIFIER, EntityType.EMAIL, EntityType.DATE
_THINGS = frozenset({CONCEPT, IDENTIFIER, ORGANIZATION, LOCATION})
_NAMES = frozenset({PERSON, ORGANIZATION})
_BODIES = frozenset({ORGANIZATION, CONCEPT})
_NAMED = frozenset({PERSON, ORGANIZATION, LOCATION, IDENTIFIER})
RELATED = frozenset({PERSON, ORGANIZATION, LOCATION, CONCEPT, IDENTIFIER})

_BETWEEN = 70  # characters between two mentions that a pattern may span
_PER_SENTENCE = 8  # entities of a sentence that are paired, the first of them
_PER_ENTITY = 4  # co-occurrences of an entity in a document: kept are those among the strongest of either side
_PER_DOCUMENT = 2_000  # co-occurrences kept, the strongest
TIE = 0.05  # the weight of a relationship that no sentence states
_PRIOR = 20  # sentences elsewhere that are taken to mention neither: short documents prove little


class LineMention(NamedTuple):
    """An entity's mention in a line; `entity` is its index in the document's graph."""

    start: int
    end: int
    entity: int
    kind: EntityType


class RelationPattern(NamedTuple):
    """`between` must match the whole of the text between two mentions; `is_reversed` makes the right one the source."""

    between: re.Pattern[str]
    left: frozenset[EntityType]
    right: frozenset[EntityType]
    name: str
    weight: float
    is_reversed: bool = False


def _make_pattern(
    between: str, left: frozenset[EntityType], right: frozenset[EntityType], name: str, weight: float, *, turned: bool = False
) -> RelationPattern:
    return RelationPattern(re.compile(rf"\s*(?:{between})\s*(?:the |a |an |our |its |their |his |her )?", re.I), left, right, name, weight, turned)


_PERSONS, _ORGANISATIONS, _PLACES, _MAILS = frozenset({PERSON}), frozenset({ORGANIZATION}), frozenset({LOCATION}), frozenset({EMAIL})
_ROLE = r"[\w/ -]{3,40}"
PATTERNS: tuple[RelationPattern, ...] = (
    _make_pattern(r",?\s*(?:who )?(?:works?|worked|working|is employed|was employed|serves|served|arbeitet|trabaja) (?:\w+ ){0,4}?"
             r"(?:at|for|by|with|bei|of|en)", _PERSONS, _ORGANISATIONS, "WORKS_AT", 0.9),
    _make_pattern(r",?\s*(?:who )?(?:is|was) (?:\w+ ){1,5}?(?:at|of|for)", _PERSONS, _ORGANISATIONS, "WORKS_AT", 0.7),
    _make_pattern(
        r"(?:has |have )?(?:joined|joins|left|founded|leads|led|heads|headed|manages|managed|runs|ran|represents|represented|chairs|chaired)",
             _PERSONS, _ORGANISATIONS, "WORKS_AT", 0.8),
    _make_pattern(rf"(?:,|\(|–|—|-)\s*(?:{_ROLE}\s)?(?:at|of|for|bei|von|de)", _PERSONS, _ORGANISATIONS, "WORKS_AT", 0.85),
    _make_pattern(r"(?:,|\(|\n|\|)", _PERSONS, _ORGANISATIONS, "WORKS_AT", 0.6),
    _make_pattern(rf"(?:'s|’s)\s(?:{_ROLE},?)?", _ORGANISATIONS, _PERSONS, "WORKS_AT", 0.6, turned=True),
    _make_pattern(r"(?:<|\(|\[|,|:|–|-|\|)?\s?(?:e-?mail:?|mailto:)?\s?", _PERSONS | _ORGANISATIONS, _MAILS, "HAS_EMAIL", 0.9),
    _make_pattern(r",?\s*(?:is |are |was |were )?(?:located|based|headquartered|situated|registered|lies|seated|ansässig|sita) (?:\w+ ){0,2}?"
             r"(?:in|at|on|near)",
             frozenset({ORGANIZATION, LOCATION, CONCEPT}), _PLACES, "LOCATED_IN", 0.9),
    _make_pattern(r",", _PLACES, _PLACES, "LOCATED_IN", 0.5),
    _make_pattern(r"(?:in|at)", _ORGANISATIONS, _PLACES, "LOCATED_IN", 0.5),
    _make_pattern(r",?\s*(?:is |are |was |were )?(?:an? )?(?:\w+ )?(?:part|subsidiary|division|member|branch|unit|department|affiliate) of",
             _THINGS, _THINGS, "PART_OF", 0.9),
    _make_pattern(r"belongs to|belonged to|gehört zu", _THINGS, _THINGS, "PART_OF", 0.8),
    _make_pattern(r"(?:which )?(?:supersedes|superseded|replaces|replaced|amends|amended|updates|revises|ersetzt|sustituye a)",
             _THINGS, _THINGS, "SUPERSEDES", 0.9),
    _make_pattern(r"(?:is|was|were|are|has been)? ?(?:superseded|replaced|amended|ersetzt) (?:by|durch)",
             _THINGS, _THINGS, "SUPERSEDES", 0.9, turned=True),
    _make_pattern(r"(?:has |have )?(?:countersigned|signed|executed|unterzeichnete|firmó)", _NAMES, _THINGS, "SIGNED", 0.9),
    _make_pattern(r"(?:is|was|were|are|has been)?,? ?(?:countersigned|signed|executed|unterzeichnet) (?:\w+ ){0,4}?(?:by|von)",
             _THINGS, _NAMES, "SIGNED", 0.9, turned=True),
    _make_pattern(r"(?:has |have |had )?(?:owns|own|owned|acquired|acquires|bought|purchased|took over|besitzt|posee)", _NAMES, _THINGS, "OWNS", 0.9),
    _make_pattern(r"(?:is|was|were|are|has been)?,? ?(?:owned|acquired|bought|purchased) by", _THINGS, _NAMES, "OWNS", 0.9, turned=True),
    _make_pattern(r"reports? to|reported to|is managed by", _PERSONS, _PERSONS, "REPORTS_TO", 0.9),
    _make_pattern(r"(?:,|is|was|as|:|\()? ?(?:the |our |their |its )?", _PERSONS, frozenset({CONCEPT}), "HAS_ROLE", 0.85),
)  # fmt: skip

# Columns of a table that say how the row's person relates to what stands under them.
RELATION_COLUMNS: tuple[tuple[re.Pattern[str], str, frozenset[EntityType]], ...] = (
    (re.compile(r"(?:works? (?:for|at)|company|employer|organi[sz]ation|firm|firma)"), "WORKS_AT", _BODIES),
    (re.compile(r"(?:role|position|title|function|job|funktion|rolle)"), "HAS_ROLE", frozenset({CONCEPT, ORGANIZATION})),
    (re.compile(r"(?:reports to|manager|supervisor)"), "REPORTS_TO", _PERSONS),
    (re.compile(r"(?:site|location|city|office|country|town|standort|ort)"), "LOCATED_IN", frozenset({LOCATION, CONCEPT})),
    (re.compile(r"(?:e-?mail|reach|contact|mail)"), "HAS_EMAIL", _MAILS),
)


def stated_relationships(text: str, line: Sequence[LineMention], roles: frozenset[int]) -> Iterator[FoundRelationship]:
    """Yield the relationships that patterns see between neighbours of one sentence. `roles` are the entities that name an office ("Finance
    Director").
    """
    start, end = line[0].start, line[-1].end
    for left, right in _neighbour_pairs(line):
        if left.entity == right.entity or not 0 <= right.start - left.end <= _BETWEEN:
            continue
        between = text[left.end : right.start]
        for pattern in PATTERNS:
            if left.kind not in pattern.left or right.kind not in pattern.right or (pattern.name == "HAS_ROLE" and right.entity not in roles):
                continue
            if pattern.between.fullmatch(between):
                source, target = (right, left) if pattern.is_reversed else (left, right)
                yield FoundRelationship(source.entity, target.entity, pattern.name, pattern.weight, start, end)
                break


def _neighbour_pairs(line: Sequence[LineMention]) -> Iterator[tuple[LineMention, LineMention]]:
    """Yield each mention with the next two: an office may stand between a person and the firm."""
    for place, left in enumerate(line):
        yield from ((left, right) for right in line[place + 1 : place + 3] if right.start >= left.end)


def row_relationships(cells: Sequence[tuple[str, Sequence[LineMention]]], start: int, end: int) -> Iterator[FoundRelationship]:
    """Yield the relationships of a row's person: `cells` are (column's name, mentions), the person stands in the first cell."""
    person = next((each for each in cells[0][1] if each.kind is PERSON), None) if cells else None
    if person is None:
        return
    for header, mentions in cells[1:]:
        for pattern, name, kinds in RELATION_COLUMNS:
            if pattern.match(header):
                target = next((each for each in mentions if each.kind in kinds and each.entity != person.entity), None)
                if target is not None:
                    yield FoundRelationship(person.entity, target.entity, name, 0.9, start, end)
                break


class CoOccurrence:
    """Counts of the entities that stand in one sentence, and how surprising that is."""

    def __init__(self) -> None:
        self._sentences = 0
        self._alone: Counter[int] = Counter()
        self._pairs: Counter[tuple[int, int]] = Counter()
        self._first: dict[tuple[int, int], ExtractionLine] = {}

    def add(self, mentions: Sequence[LineMention], line: ExtractionLine) -> None:
        self._sentences += 1
        seen = list(dict.fromkeys(each.entity for each in mentions if each.kind in RELATED))[:_PER_SENTENCE]
        self._alone.update(seen)
        for pair in combinations(sorted(seen), 2):
            self._pairs[pair] += 1
            if pair not in self._first or (self._first[pair].cells and not line.cells):
                self._first[pair] = line

    def related_pairs(self, stated_pairs: set[tuple[int, int]]) -> list[FoundRelationship]:
        """Return RELATED_TO for the pairs that no pattern explains, the strongest first when there are too many; evidence is their first sentence."""
        weights = {pair: self.weight(pair) for pair in self._pairs if pair not in stated_pairs}
        kept: Counter[int] = Counter()
        chosen: list[tuple[int, int]] = []
        for pair in sorted((pair for pair, weight in weights.items() if weight > 0), key=lambda pair: (-weights[pair], pair)):
            if len(chosen) < _PER_DOCUMENT and min(kept[pair[0]], kept[pair[1]]) < _PER_ENTITY:
                chosen.append(pair)
                kept.update(pair)
        return [self._relationship(pair, round(weights[pair], 4)) for pair in sorted(chosen)]

    def _relationship(self, pair: tuple[int, int], weight: float) -> FoundRelationship:
        line = self._first[pair]
        said = {"sentences": self._pairs[pair], **({"rows": True} if line.cells else {})}
        return FoundRelationship(*pair, "RELATED_TO", weight, line.start, line.end, said)

    def weight(self, pair: tuple[int, int]) -> float:
        """Return the normalised pointwise mutual information (Bouma 2009), npmi = ln(p(a,b) / (p(a) p(b))) / -ln p(a,b), times n / (n + 1) for a pair
        seen in n sentences. The probabilities are over the document's sentences and 20 more that mention neither, so that one sentence is no proof.
        """
        together, total = self._pairs[pair], self._sentences + _PRIOR
        joint = together / total
        expected = self._alone[pair[0]] * self._alone[pair[1]] / total**2
        return max(0.0, math.log(joint / expected) / -math.log(joint)) * together / (together + 1)


def _mentions_beside_terms(entities: Sequence[FoundEntity], terms: Sequence[Term]) -> list[LineMention]:
    named = [(number, each) for number, each in enumerate(entities) if each.entity_type in _NAMED]
    found = [LineMention(*span, number, each.entity_type) for number, each in named for span in each.mentions]
    return sorted(found + [LineMention(*span, len(entities) + number, CONCEPT) for number, each in enumerate(terms) for span in each.spans])


def relate_terms(lines: Sequence[ExtractionLine], entities: Sequence[FoundEntity], terms: Sequence[Term]) -> list[FoundRelationship]:
    """Return RELATED_TO between terms, and between a term and a name, that stand in one sentence or heading, and a tie of each term to the first, so
    that what one document says stays together. Terms are numbered behind the entities.
    """
    mentions = _mentions_beside_terms(entities, terms)
    begins = [each.start for each in mentions]
    together = CoOccurrence()
    for line in lines:
        inside = mentions[bisect_right(begins, line.start - 1) : bisect_right(begins, line.end - 1)]
        if not line.cells:
            together.add(sorted(inside, key=lambda each: each.entity < len(entities)), line)
    found = [each for each in together.related_pairs(set()) if max(each.source, each.target) >= len(entities)]
    ties = [
        FoundRelationship(len(entities), len(entities) + number, "RELATED_TO", TIE, *each.spans[0]) for number, each in enumerate(terms) if number
    ]
    known = {(each.source, each.target) for each in found}
    return found + [each for each in ties if (each.source, each.target) not in known]


def merge_relationships(found: Sequence[FoundRelationship]) -> list[FoundRelationship]:
    """Return one relationship for each (source, target, type, sentence), the strongest; and for RELATED_TO one for each pair."""
    best: dict[tuple[Any, ...], FoundRelationship] = {}
    count: defaultdict[tuple[int, int, str], int] = defaultdict(int)
    for each in found:
        key = (each.source, each.target, each.relationship_type, each.start)
        if key not in best and count[key[:3]] >= 5:
            continue
        if key not in best:
            count[key[:3]] += 1
        if key not in best or best[key].weight < each.weight:
            best[key] = each
    return list(best.values())
