"""What communities are found in: the entities of a library that sentences relate to each other, taken out of its graph at one moment."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from core.graph import EntityType
from core.ports.graph_store import StatementPlace
from graph.communities.weighted_graph import WeightedGraph, build_graph
from graph.entity_views import most_used_name
from graph.mentions import RelationStatement, SurfaceForm
from graph.relations import TIE
from graph.tenant_graph import TenantGraph, surface_id
from graph.top_relations import strength

_COMMON, _COMMON_SHARE = 40, 0.03  # documents, and share of all, that may hold a term: one of more is no topic among others
_STATEMENTS = 20  # sentences of a relationship that may be quoted, the strongest


@dataclass(frozen=True, slots=True)
class RelatedNode:
    """An entity or a term that is related to another; `documents` mention it. `is_topic`: it says what something is about, not who or where."""

    id: str
    name: str
    kind: EntityType
    documents: int
    is_topic: bool = False


@dataclass(frozen=True, slots=True)
class NodeRelation:
    """A relationship between two nodes by place, `one` < `other`: its strength, its sentences and all documents that state it; `in_rows`: all of
    them in rows of tables."""

    one: int
    other: int
    weight: float
    statements: tuple[tuple[float, StatementPlace], ...]
    documents: frozenset[str]
    in_rows: bool = False


@dataclass(frozen=True)
class CommunityGraph:
    """The nodes by id and the relationships between them, each pair once. The graph has `entities` in all and is made of `documents`."""

    version: tuple[int, int]
    entities: int
    documents: int
    nodes: tuple[RelatedNode, ...]
    relations: tuple[NodeRelation, ...]

    @cached_property
    def weighted(self) -> WeightedGraph:
        return build_graph(len(self.nodes), ((each.one, each.other, each.weight) for each in self.relations))

    @cached_property
    def places(self) -> dict[str, int]:
        """Entity id -> place of its node."""
        return {node.id: place for place, node in enumerate(self.nodes)}

    def fingerprint(self, part: Sequence[int]) -> str:
        """Return what stands for a connected part: equal for equal entities and weights."""
        mark = hashlib.blake2b(digest_size=12)
        for place in part:
            mark.update(self.nodes[place].id.encode())
            mark.update(repr([(self.nodes[other].id, weight) for other, weight in self.weighted.neighbours[place]]).encode())
        return mark.hexdigest()


def take_community_graph(graph: TenantGraph, version: tuple[int, int]) -> CommunityGraph:
    """Return the related entities and terms of a tenant's graph, sorted by id. No relationships are: mentions, a name's to another of its entity,
    what only rows of tables set side by side, and those of a term that many documents share.
    """
    arrays, said = graph.arrays, defaultdict[tuple[SurfaceForm, SurfaceForm], list[RelationStatement]](list)
    common = max(_COMMON, _COMMON_SHARE * graph.documents)
    for one, other, data in graph.graph.edges(terms=True):
        pair = (_node_of(graph, one), _node_of(graph, other))
        told = [each for each in data["said"] if not (each.in_rows and each.name == "RELATED_TO")]
        if told and _joins(graph, pair, common):
            said[pair if _order(pair[0]) < _order(pair[1]) else (pair[1], pair[0])] += told
    centres = {centre for pair in said for centre in pair}
    ids = {centre: surface_id(graph.tenant, centre) for centre in centres}
    ordered = sorted(centres, key=lambda centre: ids[centre])
    places = {centre: place for place, centre in enumerate(ordered)}
    relations = [_relation(places[one], places[other], statements) for (one, other), statements in said.items()]
    nodes = tuple(
        RelatedNode(ids[centre], most_used_name(arrays, centre.number), centre.kind, arrays.count_documents(centre.number), _is_topic(graph, centre))
        for centre in ordered
    )
    found = tuple(sorted(relations, key=lambda each: (each.one, each.other)))
    return CommunityGraph(version, graph.counts().entities, graph.documents, nodes, found)


def _joins(graph: TenantGraph, pair: tuple[SurfaceForm, SurfaceForm], common: float) -> bool:
    documents = graph.arrays.places.count
    return pair[0] is not pair[1] and not any(each.kind is EntityType.TERM and documents(each.number) > common for each in pair)


def _node_of(graph: TenantGraph, surface: SurfaceForm) -> SurfaceForm:
    """Return the entity that a surface belongs to; a term is the entity of its name where there is one."""
    named = graph.by_key.numbers(surface.key) if surface.kind is EntityType.TERM else ()
    return (graph.graph.surface(named[0]) if named else surface).centre


def _is_topic(graph: TenantGraph, centre: SurfaceForm) -> bool:
    if centre.kind is EntityType.CONCEPT and (terms := graph.terms.numbers(centre.key)):
        return graph.arrays.places.count(terms[0]) > 1  # the heading of a single document names its section, no theme
    return centre.kind is EntityType.TERM


def _order(centre: SurfaceForm) -> tuple[str, str]:
    return centre.key, centre.kind.value


def _relation(one: int, other: int, statements: Sequence[RelationStatement]) -> NodeRelation:
    strongest = sorted(statements, key=lambda each: (-each.weight, each.record.id, each.ordinal))[:_STATEMENTS]
    quoted = tuple((each.weight, each.place) for each in strongest if each.weight > TIE)
    return NodeRelation(min(one, other), max(one, other), strength(statements), quoted, frozenset(each.record.id for each in statements),
                        all(each.in_rows for each in statements))  # fmt: skip
