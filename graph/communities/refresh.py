"""Finding the communities of a library anew: pure functions from its graph and the earlier communities to the new ones."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.communities import CommunityShare, SentencePlace, StoredCommunity
from core.graph import GraphEvidence
from core.ports.graph_store import StatementPlace
from graph.communities.community_graph import CommunityGraph
from graph.communities.description import CommunityDescription, CommunityOutline, describe_communities, outline_communities
from graph.communities.hierarchy import Detection, Group, HierarchyLimits, divide
from graph.communities.identity import assign_ids
from graph.communities.weighted_graph import components


@dataclass(frozen=True, slots=True)
class DividedGraph:
    """The communities of a graph: `groups` with the fingerprint of the part that each lies in. `divided` of `parts` parts had changed."""

    graph: CommunityGraph
    groups: tuple[Group, ...]
    marks: tuple[str, ...]
    parts: int
    divided: int
    smaller_groups: int
    smaller_group_entities: int

    @property
    def roots(self) -> int:
        return sum(group.parent is None for group in self.groups)


def divide_graph(graph: CommunityGraph, before: Sequence[StoredCommunity], detect: Detection, limits: HierarchyLimits) -> DividedGraph:
    """Divide the parts of the graph that changed since `before`; the others are as they were, for a part says nothing of another."""
    known: defaultdict[str, list[StoredCommunity]] = defaultdict(list)
    for each in before:
        known[each.part].append(each)
    groups: list[Group] = []
    marks: list[str] = []
    parts = [part for part in components(graph.weighted) if len(part) > 1]
    divided = smaller = smaller_entities = 0
    for part in parts:
        mark = graph.fingerprint(part)
        found = _restore(graph, known[mark]) if mark in known else None
        if found is None:
            divided += 1
            found = divide(graph.weighted, part, detect, limits)
        groups += [Group(each.nodes, None if each.parent is None else each.parent + len(groups), each.level) for each in found]
        marks += [mark] * len(found)
        left = len(part) - sum(len(each.nodes) for each in found if each.parent is None)
        smaller, smaller_entities = smaller + (1 if left else 0), smaller_entities + left
    return DividedGraph(graph, tuple(groups), tuple(marks), len(parts), divided, smaller, smaller_entities)


def _restore(graph: CommunityGraph, stored: Sequence[StoredCommunity]) -> list[Group] | None:
    """Return a part's communities as they were kept; None where something of them is missing."""
    ordered = sorted(stored, key=lambda each: (-each.level, each.id))  # a community stands before those that it is divided into
    numbers = {each.id: number for number, each in enumerate(ordered)}
    groups = []
    for each in ordered:
        places = [graph.places.get(entity_id) for entity_id in each.entity_ids]
        if None in places or (each.parent_id is not None and each.parent_id not in numbers):
            return None
        parent = None if each.parent_id is None else numbers[each.parent_id]
        groups.append(Group(tuple(sorted(place for place in places if place is not None)), parent, each.level))
    return groups


def outline(found: DividedGraph) -> list[CommunityOutline]:
    """Return what is known of each community before its sentences are read."""
    return outline_communities(found.graph, found.groups)


def wanted_places(outlines: Sequence[CommunityOutline]) -> list[StatementPlace]:
    """Return the sentences that are to be read, each once."""
    return sorted({each.place for outline in outlines for each in outline.candidates})


def build_communities(
    tenant: str,
    found: DividedGraph,
    outlines: Sequence[CommunityOutline],
    evidence: Mapping[StatementPlace, GraphEvidence],
    before: Sequence[StoredCommunity],
) -> list[StoredCommunity]:
    """Return the communities as they are kept, with the ids of those that they were before."""
    nodes = found.graph.nodes
    members = [[nodes[place].id for place in group.nodes] for group in found.groups]
    ids = assign_ids(tenant, members, {each.id: each.entity_ids for each in before})
    generations = {each.document_id: each.generation for each in evidence.values()}
    made = []
    for number, description in enumerate(describe_communities(outlines, evidence, found.roots)):
        group = found.groups[number]
        made.append(
            StoredCommunity(
                id=ids[number],
                level=group.level,
                parent_id=None if group.parent is None else ids[group.parent],
                part=found.marks[number],
                entity_ids=tuple(members[number]),
                central_ids=tuple(nodes[place].id for place in description.central),
                generated_by="rules",
                shares=_shares(found.graph, description, generations),
            )
        )
    return made


def _shares(graph: CommunityGraph, description: CommunityDescription, generations: Mapping[str, int]) -> tuple[CommunityShare, ...]:
    """Return what each document gives: the keywords that it holds, and its sentences."""
    keywords: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
    for place, (word, document_ids) in enumerate(description.keywords):
        for document_id in document_ids:
            keywords[document_id].append((place, word))
    sentences: defaultdict[str, list[SentencePlace]] = defaultdict(list)
    for order, quoted in enumerate(description.sentences):
        said, named = quoted.evidence, tuple(graph.nodes[place].id for place in quoted.members)
        sentences[said.document_id].append(SentencePlace(order, said.start, said.end, said.page, named))
    return tuple(CommunityShare(each, generations[each], tuple(keywords[each]), tuple(sentences[each])) for each in sorted({*keywords, *sentences}))
