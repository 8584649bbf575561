"""The strength with which sentences speak for a relationship, and the strongest relationships of an entity."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from graph.graph_arrays import KINDS, GraphArrays
from graph.mentions import RelationStatement, SurfaceForm

FANOUT = 300  # relationships of one entity that are looked at, the strongest: no less than a neighbourhood may show


class RelatedEntity(NamedTuple):
    """An entity related to another, how strongly, and the strongest sentence that says so."""

    weight: float
    surface: SurfaceForm
    statement: RelationStatement


class RelatedNumbers(NamedTuple):
    """The same by the numbers of the entity's best supported surface and of the statement."""

    weight: float
    surface: int
    statement: int


def strength(said: Sequence[RelationStatement]) -> float:
    """Return the strength, 0..1: the chance that at least one of the sentences is right, each of the same document counting half of the one before
    it.
    """
    if len(said) == 1:
        return min(0.99, said[0].weight)
    return _combine((each.record.number, each.weight) for each in said)


def strongest_relations(arrays: GraphArrays, related: Mapping[int, Sequence[int]], most: int = FANOUT) -> list[RelatedNumbers]:
    """Return of the entities in `related`, each with its statements, the `most` of the greatest strength, best first; of equal ones those whose name
    comes first.
    """
    # An entity of thousands of documents has tens of thousands of neighbours: the weight alone decides for nearly all of them, and only those
    # that reach the weight of the last place are put in order by name.
    weights = [arrays.weights[said[0]] if len(said) == 1 else statement_strength(arrays, said) for said in related.values()]
    least = min(0.99, heapq.nlargest(most, weights)[-1]) if len(weights) > most else 0.0
    close = [(min(0.99, weight), other, said) for weight, (other, said) in zip(weights, related.items(), strict=True) if weight >= least]
    best = heapq.nsmallest(most, close, key=lambda each: (-each[0], *name_order(arrays, each[1])))
    return [RelatedNumbers(weight, other, _most_telling(arrays, said)) for weight, other, said in best]


def statement_strength(arrays: GraphArrays, said: Sequence[int]) -> float:
    """Return `strength` of statements by their numbers."""
    if len(said) == 1:
        return min(0.99, arrays.weights[said[0]])
    return _combine((arrays.statement_document[each], arrays.weights[each]) for each in said)


def name_order(arrays: GraphArrays, surface: int) -> tuple[str, str]:
    """Return what puts surfaces in order by their names."""
    return arrays.keys.text(surface), KINDS[arrays.kinds[surface]].value


def _combine(said: Iterable[tuple[int, float]]) -> float:
    by_document: defaultdict[int, list[float]] = defaultdict(list)
    for document, weight in said:
        by_document[document].append(weight)
    wrong = 1.0
    for weights in by_document.values():
        for place, weight in enumerate(sorted(weights, reverse=True)):
            wrong *= 1.0 - weight / 2**place
    return round(min(0.99, 1.0 - wrong), 4)


def _most_telling(arrays: GraphArrays, said: Sequence[int]) -> int:
    if len(said) == 1:
        return said[0]

    def order(statement: int) -> tuple[bool, float, str, int]:
        document = arrays.ids.text(arrays.statement_document[statement])
        return arrays.type_of(statement) != "RELATED_TO", arrays.weights[statement], document, -arrays.ordinal(statement)

    return max(said, key=order)
