"""Classes that nothing can belong to, because what they are said to be excludes each other.

A walk over what each class is by name: its parents, the parts of an intersection, the domain of a property that each of its things has
(someValuesFrom, hasValue, a least number), and what such a value is (the filler with the property's range). A class whose walk reaches two disjoint
classes, or a value that is contradictory, is contradictory. Sound and not complete: restrictions for all values, unions and most numbers are not
reasoned with (docs/decisions/0051).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rdflib import Graph
    from rdflib.term import Node

_MOST_DISJOINT = 2000  # members of one AllDisjointClasses that are compared pair by pair


def find_contradictions(graph: Graph) -> dict[str, tuple[str, str]]:
    """Return the address of each contradictory class -> two classes that exclude each other and that it, or a value that it must have, is both of."""
    return _Reasoning(graph).contradictions()


class _Reasoning:
    def __init__(self, graph: Graph) -> None:
        from rdflib import OWL, RDFS, URIRef

        self._graph, self._owl, self._rdfs, self._uri = graph, OWL, RDFS, URIRef
        self._is: defaultdict[Node, set[Node]] = defaultdict(set)  # a named class or a value -> the classes that it is of
        self._has: defaultdict[Node, set[Node]] = defaultdict(set)  # a class -> values that each of its things has
        self._disjoint: defaultdict[Node, set[Node]] = defaultdict(set)
        self._above: dict[Node, frozenset[Node]] = {}  # class -> what it is, once all is read
        for kind, description in [*graph.subject_objects(RDFS.subClassOf), *graph.subject_objects(OWL.equivalentClass)]:
            self._read(kind, description, set())
        for one, other in graph.subject_objects(OWL.equivalentClass):
            if isinstance(one, URIRef) and isinstance(other, URIRef):
                self._is[other].add(one)
        for pair in self._disjoint_pairs():
            self._exclude(*pair)

    def contradictions(self) -> dict[str, tuple[str, str]]:
        """Return them; a class with a contradictory value joins in the next round."""
        for each in list(self._is):
            self._above[each] = self._walk(each)
        found = {each: pair for each in self._above if (pair := self._clash(self._above[each])) is not None}
        while True:
            more = {each: found[value] for each in self._above if each not in found for value in self._values(each) if value in found}
            if not more:
                return {str(each): (str(pair[0]), str(pair[1])) for each, pair in found.items() if isinstance(each, self._uri)}
            found |= more

    def _values(self, kind: Node) -> Iterator[Node]:
        """Yield what must be satisfiable for this class to be: what it is, and the values that it has by that."""
        for each in self._above[kind]:
            yield each
            yield from self._has[each]

    def _clash(self, kinds: frozenset[Node]) -> tuple[Node, Node] | None:
        clashes = ((one, other) for one in sorted(kinds, key=str) for other in sorted(self._disjoint.get(one, ()), key=str) if other in kinds)
        return next(clashes, None)

    def _walk(self, start: Node) -> frozenset[Node]:
        seen, waiting = {start}, [start]
        while waiting:
            for each in self._is.get(waiting.pop(), ()):
                if each not in seen:
                    seen.add(each)
                    waiting.append(each)
        return frozenset(seen)

    def _read(self, kind: Node, description: Node, read: set[Node]) -> None:
        """Note what a description says of a class: a name, an intersection of descriptions, or a value that each of its things has."""
        if isinstance(description, self._uri):
            self._is[kind].add(description)
            return
        if description in read:
            return
        read.add(description)
        owl = self._owl
        for items in self._graph.objects(description, owl.intersectionOf):
            for part in self._graph.items(items):
                self._read(kind, part, read)
        for other in self._graph.objects(description, owl.complementOf):
            self._exclude(kind, other)
        for held in self._graph.objects(description, owl.onProperty):
            if self._demands_value(description):
                self._read_value(kind, held, description)

    def _demands_value(self, restriction: Node) -> bool:
        owl, graph = self._owl, self._graph
        if any((restriction, name, None) in graph for name in (owl.someValuesFrom, owl.hasValue)):
            return True
        numbers = (owl.minCardinality, owl.cardinality, owl.minQualifiedCardinality, owl.qualifiedCardinality)
        return any(str(each).isdecimal() and int(str(each)) > 0 for name in numbers for each in graph.objects(restriction, name))

    def _read_value(self, kind: Node, held: Node, restriction: Node) -> None:
        owl, rdfs, graph = self._owl, self._rdfs, self._graph
        for each in {held, *graph.transitive_objects(held, rdfs.subPropertyOf)}:
            for domain in graph.objects(each, rdfs.domain):
                self._read(kind, domain, set())
            for values in graph.objects(each, rdfs.range):
                self._read(restriction, values, set())
        for name in (owl.someValuesFrom, owl.onClass):
            for filler in graph.objects(restriction, name):
                self._read(restriction, filler, set())
        for each in (kind, restriction):
            self._is.setdefault(each, set())
        self._has[kind].add(restriction)

    def _exclude(self, one: Node, other: Node) -> None:
        self._disjoint[one].add(other)
        self._disjoint[other].add(one)

    def _disjoint_pairs(self) -> Iterator[tuple[Node, Node]]:
        owl, graph = self._owl, self._graph
        yield from graph.subject_objects(owl.disjointWith)
        lists: Iterable[Node] = [
            *(items for each in graph.subjects(None, owl.AllDisjointClasses) for items in graph.objects(each, owl.members)),
            *graph.objects(None, owl.disjointUnionOf),
        ]
        for items in lists:
            yield from combinations(list(graph.items(items))[:_MOST_DISJOINT], 2)
