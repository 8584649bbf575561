"""What communities are found in: the entities of a library that sentences relate to each other, taken out of its graph at one moment."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from core.graph import EntityType
from core.ports.graph_store import StatementPlace
from graph.communities.graph_part import GraphPart
from graph.communities.weighted_graph import WeightedGraph, build_graph
from graph.graph_arrays import KINDS, TERM, GraphArrays
from graph.relations import TIE
from graph.tenant_graph import TenantGraph, surface_id
from graph.top_relations import statement_strength

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


def take_community_graph(graph: TenantGraph, version: tuple[int, int], among: Set[str] | None = None) -> CommunityGraph:
    """Return the related entities and terms of a tenant's graph, sorted by id; with `among` what these documents say and nothing else. No
    relationships are: mentions, a name's to another of its entity, what only rows of tables set side by side, and those of a term that many
    documents share.
    """
    part = GraphPart(graph, among)
    arrays, said = graph.arrays, _find_related(part)
    ids = {centre: surface_id(graph.tenant, graph.graph.surface(centre)) for pair in said for centre in pair}
    ordered = sorted(ids, key=ids.__getitem__)
    places = {centre: place for place, centre in enumerate(ordered)}
    owners = {arrays.statement_document[each] for numbers in said.values() for each in numbers}
    documents = {number: (arrays.ids.text(number), arrays.sequences[number]) for number in owners}
    relations = [_relation(arrays, documents, (places[one], places[other]), numbers) for (one, other), numbers in said.items()]
    nodes = tuple(
        RelatedNode(ids[centre], part.name(centre), KINDS[arrays.kinds[centre]], part.count_documents(centre), _is_topic(part, centre))
        for centre in ordered
    )
    found = tuple(sorted(relations, key=lambda each: (each.one, each.other)))
    return CommunityGraph(version, graph.counts().entities, part.documents, nodes, found)


def _find_related(part: GraphPart) -> dict[tuple[int, int], list[int]]:
    """Return the pairs of nodes that are related -> the statements that say so, all by number."""
    arrays, said = part.arrays, defaultdict[tuple[int, int], list[int]](list)
    statements, begins = part.stated_pairs()
    firsts = [statements[begin] for begin in begins]
    nodes = {surface: part.node_of(surface) for column in (arrays.sources, arrays.targets) for surface in {column[first] for first in firsts}}
    common = max(_COMMON, _COMMON_SHARE * part.documents)
    joining = {node for node in nodes.values() if arrays.kinds[node] != TERM or part.count_holders(node) <= common}
    for first, begin, end in zip(firsts, begins, [*begins, len(statements)][1:], strict=True):
        one, other = nodes[arrays.sources[first]], nodes[arrays.targets[first]]
        if one != other and {one, other} <= joining and (told := _leave_out_rows(arrays, statements[begin:end])):
            said[min(one, other), max(one, other)] += told
    return said


def _leave_out_rows(arrays: GraphArrays, statements: Sequence[int]) -> list[int]:
    """Return the statements without those of rows that only set two names side by side."""
    return [each for each in statements if not (arrays.is_in_rows(each) and arrays.type_of(each) == "RELATED_TO")]


def _is_topic(part: GraphPart, centre: int) -> bool:
    arrays = part.arrays
    kind = KINDS[arrays.kinds[centre]]
    if kind is EntityType.CONCEPT and (terms := part.graph.terms.numbers(arrays.keys.text(centre))):
        return part.count_holders(terms[0]) > 1  # the heading of a single document names its section, no theme
    return kind is EntityType.TERM


def _relation(arrays: GraphArrays, documents: Mapping[int, tuple[str, int]], ends: tuple[int, int], said: Sequence[int]) -> NodeRelation:
    """Return the relationship of two places that these statements state; `documents` have their ids and sequences by number."""
    owners, weights = arrays.statement_document, arrays.weights
    strongest = sorted(said, key=lambda each: (-weights[each], documents[owners[each]][0], arrays.ordinal(each)))[:_STATEMENTS]
    quoted = tuple((weights[each], (*documents[owners[each]], arrays.ordinal(each))) for each in strongest if weights[each] > TIE)
    stating = frozenset(documents[owners[each]][0] for each in said)
    return NodeRelation(min(ends), max(ends), statement_strength(arrays, said), quoted, stating, all(map(arrays.is_in_rows, said)))
