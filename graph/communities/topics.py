"""What communities are about: the terms of their documents that are frequent in one and rare in the others."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from graph.communities.community_graph import CommunityGraph
from graph.communities.group_members import GroupMembers, spread
from graph.communities.hierarchy import Group

_NAMED = 2  # terms in a community's name
_MEMBER, _PER_WORD, _ALONE = 4.0, 0.3, 0.1  # weights: of a member, of each further word, of a term that one of several documents holds

_REPEATED = 1.5  # the exponent of tf: what many of the documents say stands before what two say
_SECOND = 0.5  # of what the first term says, that a second one has to say


class _Rated(NamedTuple):
    """A term that may name a community; the most telling has the least `order`."""

    order: float
    key: str
    community: int
    node: int


def choose_topics(graph: CommunityGraph, groups: Sequence[Group], members: GroupMembers) -> list[list[int]]:
    """Return for each community the terms that name it, the most telling first, no two of which share a word.

    The order is that of class-based tf-idf (Grootendorst 2022), tf^1.5 * ln(1 + A / f): tf is how many of the community's documents hold the term,
    each counted by the share of its relationships that lie in the community, f is that of all themes together and A their average.
    """
    documents, counts = _count_terms(graph, members)
    outside: defaultdict[int, float] = defaultdict(float)
    themes = [found for group, found in zip(groups, counts, strict=True) if group.parent is None]
    for found in themes:
        for node, count in found.items():
            outside[node] += count
    average = sum(outside.values()) / max(1, len(themes))
    rated = []
    for number, (group, found) in enumerate(zip(groups, counts, strict=True)):
        own = frozenset(group.nodes) if found else frozenset()
        for node, count in found.items():
            told = count**_REPEATED * math.log(1 + average / max(outside[node], count)) * _weigh(graph, node, documents[number])
            rated.append(_Rated(-round(told * (_MEMBER if node in own else 1.0), 9), graph.nodes[node].id, number, node))
    return _assign(graph, groups, sorted(rated))


def _count_terms(graph: CommunityGraph, members: GroupMembers) -> tuple[list[int], list[defaultdict[int, float]]]:
    """Return for each community how many documents relate its members, and its terms, each with how many of these hold it: a document counts by the
    share of its relationships that lie in the community.
    """
    names = sorted(set().union(*(each.documents for each in graph.relations)))
    numbers = {document_id: number for number, document_id in enumerate(names)}
    counts = np.array([len(each.documents) for each in graph.relations], np.int64)
    stating = np.array([numbers[document_id] for each in graph.relations for document_id in each.documents], np.int64)
    told, lines = spread((np.cumsum(counts) - counts)[members.relations], counts[members.relations])
    pairs, held = np.unique(members.holders[lines] * max(len(names), 1) + stating[told], return_counts=True)
    holders, documents = np.divmod(pairs, max(len(names), 1))
    shares = held / np.bincount(stating, minlength=len(names))[documents]
    terms = _terms_of_documents(graph, numbers)
    has_terms = np.zeros(len(names), np.bool_)
    has_terms[list(terms)] = True
    found: list[defaultdict[int, float]] = [defaultdict(float) for _ in range(members.count)]
    kept = has_terms[documents]
    for holder, document, share in zip(holders[kept].tolist(), documents[kept].tolist(), shares[kept].tolist(), strict=True):
        for node in terms[document]:
            found[holder][node] += share
    return np.bincount(holders, minlength=members.count).tolist(), found


def _terms_of_documents(graph: CommunityGraph, numbers: Mapping[str, int]) -> dict[int, set[int]]:
    """Return the documents by number -> the terms that they relate to something."""
    found: defaultdict[int, set[int]] = defaultdict(set)
    is_topic = np.array([each.is_topic for each in graph.nodes], np.bool_)
    for number in np.flatnonzero(is_topic[graph.ends].any(axis=1)).tolist():
        each = graph.relations[number]
        for node in (each.one, each.other):
            if is_topic[node]:
                for document in each.documents:
                    found[numbers[document]].add(node)
    return found


def _weigh(graph: CommunityGraph, node: int, documents: int) -> float:
    known = graph.nodes[node]
    return (1 + _PER_WORD * min(known.name.count(" "), 2)) * (_ALONE if known.documents == 1 and documents > 1 else 1.0)


def _assign(graph: CommunityGraph, groups: Sequence[Group], rated: Sequence[_Rated]) -> list[list[int]]:
    """Give each community the terms that say most of it. A term names one theme, and one community inside themes."""
    chosen: list[list[int]] = [[] for _ in groups]
    least = [0.0] * len(groups)
    taken: set[tuple[bool, str]] = set()
    for each in rated:
        named, place = chosen[each.community], (groups[each.community].parent is None, graph.nodes[each.node].name.lower())
        if len(named) == _NAMED or place in taken or each.order > least[each.community]:
            continue
        if not any(_words_of(graph, each.node) & _words_of(graph, other) for other in named):
            least[each.community] = _SECOND * each.order
            named.append(each.node)
            taken.add(place)
    return chosen


def _words_of(graph: CommunityGraph, node: int) -> set[str]:
    return {word.removesuffix("s") for word in graph.nodes[node].name.lower().split()}
