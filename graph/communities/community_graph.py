"""What communities are found in: the entities of a library that sentences relate to each other, taken out of its graph at one moment."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.graph import EntityType
from core.ports.graph_store import StatementPlace
from graph.communities.graph_part import GraphPart
from graph.communities.weighted_graph import WeightedGraph, graph_of_pairs
from graph.graph_arrays import KINDS, TERM, GraphArrays
from graph.int_rows import view
from graph.relations import TIE
from graph.tenant_graph import TenantGraph, entity_id
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


class NodeRelation(NamedTuple):
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
        return graph_of_pairs(len(self.nodes), self.ends, self.weights)

    @cached_property
    def ends(self) -> npt.NDArray[np.int64]:
        """The two nodes of each relationship."""
        return np.array([each[:2] for each in self.relations], np.int64).reshape(-1, 2)

    @cached_property
    def weights(self) -> npt.NDArray[np.float64]:
        return np.array([each.weight for each in self.relations], np.float64)

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
    ids = {centre: entity_id(graph.tenant, KINDS[arrays.kinds[centre]], arrays.keys.text(centre)) for centre in np.unique(said.ends).tolist()}
    ordered = sorted(ids, key=ids.__getitem__)
    nodes = tuple(
        RelatedNode(ids[centre], part.name(centre), KINDS[arrays.kinds[centre]], part.count_documents(centre), _is_topic(part, centre))
        for centre in ordered
    )
    places = np.zeros(arrays.keys.size, np.int64)
    places[ordered] = np.arange(len(ordered))
    return CommunityGraph(version, graph.counts().entities, part.documents, nodes, tuple(_relate(arrays, said, places)))


class _Related(NamedTuple):
    """Statements by number, and the two nodes that each relates, a row for each, by number."""

    statements: npt.NDArray[np.int64]
    ends: npt.NDArray[np.int64]


def _find_related(part: GraphPart) -> _Related:
    """Return the statements that relate two nodes: those of a pair of names behind each other."""
    arrays = part.arrays
    statements = part.stated_pairs().astype(np.int64)
    told = statements[~arrays.find_side_by_side()[statements]]  # rows of tables that only set two names side by side relate nothing
    ends = np.stack((view(arrays.sources)[told], view(arrays.targets)[told]), axis=1).astype(np.int64)
    nodes, joins = np.zeros(arrays.keys.size, np.int64), np.zeros(arrays.keys.size, np.bool_)
    common = max(_COMMON, _COMMON_SHARE * part.documents)
    for surface in np.unique(ends).tolist():
        node = nodes[surface] = part.node_of(surface)
        joins[surface] = arrays.kinds[node] != TERM or part.count_holders(node) <= common
    is_related = joins[ends].all(axis=1) & (nodes[ends[:, 0]] != nodes[ends[:, 1]])
    return _Related(told[is_related], nodes[ends[is_related]])


def _is_topic(part: GraphPart, centre: int) -> bool:
    arrays = part.arrays
    kind = KINDS[arrays.kinds[centre]]
    if kind is EntityType.CONCEPT and (terms := part.graph.terms.numbers(arrays.keys.text(centre))):
        return part.count_holders(terms[0]) > 1  # the heading of a single document names its section, no theme
    return kind is EntityType.TERM


def _relate(arrays: GraphArrays, said: _Related, places: npt.NDArray[np.int64]) -> Iterator[NodeRelation]:
    """Yield the relationships by their places, each pair once."""
    ends = np.sort(places[said.ends], axis=1)
    order = np.lexsort((ends[:, 1], ends[:, 0]))  # stable: of a pair the statements stay as they were
    statements, ends = said.statements[order], ends[order]
    begins = np.flatnonzero(np.diff(ends[:, 0] << 32 | ends[:, 1], prepend=-1)).tolist()
    owners = view(arrays.statement_document)[statements]
    known = {number: (arrays.ids.text(number), arrays.sequences[number]) for number in np.unique(owners).tolist()}
    alone = {number: frozenset((document_id,)) for number, (document_id, _) in known.items()}
    ordinals = statements - view(arrays.first_statements)[owners]
    weights = np.frombuffer(arrays.weights)[statements]
    rows = arrays.find_in_rows()[statements]
    firsts = zip(*(each[begins].tolist() for each in (ends, owners, ordinals, weights, rows)), strict=True)
    for ((one, other), owner, ordinal, weight, in_rows), begin, end in zip(firsts, begins, [*begins, len(statements)][1:], strict=True):
        if end - begin == 1:
            quoted = ((weight, (*known[owner], ordinal)),) if weight > TIE else ()
            yield NodeRelation(one, other, min(0.99, weight), quoted, alone[owner], in_rows)
            continue
        numbers, documents, strengths = (each[begin:end].tolist() for each in (statements, owners, weights))
        placed = [
            (-each, (*known[document], number)) for each, document, number in zip(strengths, documents, ordinals[begin:end].tolist(), strict=True)
        ]
        told = tuple((-each, place) for each, place in sorted(placed)[:_STATEMENTS] if -each > TIE)
        stating = frozenset().union(*map(alone.__getitem__, documents))
        yield NodeRelation(one, other, statement_strength(arrays, numbers), told, stating, bool(rows[begin:end].all()))
