"""The strength with which sentences speak for a relationship, and the strongest relationships of an entity."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from graph.mentions import DocumentRecord, RelationStatement, SurfaceForm

FANOUT = 300  # relationships of one entity that are looked at, the strongest: no less than a neighbourhood may show


class RelatedEntity(NamedTuple):
    """An entity related to another, how strongly, and the strongest sentence that says so."""

    weight: float
    surface: SurfaceForm
    statement: RelationStatement


def strength(said: Sequence[RelationStatement]) -> float:
    """Return the strength, 0..1: the chance that at least one of the sentences is right, each of the same document counting half of the one before
    it.
    """
    if len(said) == 1:
        return min(0.99, said[0].weight)
    by_record: defaultdict[DocumentRecord, list[float]] = defaultdict(list)
    for each in said:
        by_record[each.record].append(each.weight)
    wrong = 1.0
    for weights in by_record.values():
        for place, weight in enumerate(sorted(weights, reverse=True)):
            wrong *= 1.0 - weight / 2**place
    return round(min(0.99, 1.0 - wrong), 4)


def strongest_relations(neighbours: Mapping[SurfaceForm, list[RelationStatement]], most: int = FANOUT) -> list[RelatedEntity]:
    """Return the `most` neighbours of the greatest strength, best first; of equal ones those whose name comes first."""
    # An entity of thousands of documents has tens of thousands of neighbours: the weight alone decides for nearly all of them, and only those
    # that reach the weight of the last place are put in order by name.
    weights = [said[0].weight if len(said) == 1 else strength(said) for said in neighbours.values()]
    least = min(0.99, heapq.nlargest(most, weights)[-1]) if len(weights) > most else 0.0
    close = [(min(0.99, weight), other, said) for weight, (other, said) in zip(weights, neighbours.items(), strict=True) if weight >= least]
    best = heapq.nsmallest(most, close, key=lambda each: (-each[0], each[1].key, each[1].kind))
    return [RelatedEntity(weight, other, _most_telling(said)) for weight, other, said in best]


def _most_telling(said: Sequence[RelationStatement]) -> RelationStatement:
    return max(said, key=lambda each: (each.name != "RELATED_TO", each.weight, each.record.id, -each.ordinal))
