"""What communities are about: the terms of their documents that are frequent in one and rare in the others."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from graph.communities.community_graph import CommunityGraph
from graph.communities.hierarchy import Group

_NAMED = 2  # terms in a community's name
_MEMBER, _PER_WORD, _ALONE = 4.0, 0.3, 0.1  # weights: of a member, of each further word, of a term that one of several documents holds

_REPEATED = 1.5  # the exponent of tf: what many of the documents say stands before what two say
_SECOND = 0.5  # of what the first term says, that a second one has to say

Shares = dict[str, float]  # document id -> the share of its relationships that lie in a community


class _Rated(NamedTuple):
    """A term that may name a community; the most telling has the least `order`."""

    order: float
    key: str
    community: int
    node: int


def choose_topics(graph: CommunityGraph, groups: Sequence[Group], inside: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return for each community the terms that name it, the most telling first, no two of which share a word. `inside` are the numbers of the
    relationships between its members.

    The order is that of class-based tf-idf (Grootendorst 2022), tf^1.5 * ln(1 + A / f): tf is how many of the community's documents hold the term,
    each counted by the share of its relationships that lie in the community, f is that of all themes together and A their average.
    """
    shares = _document_shares(graph, inside)
    terms = _terms_of_documents(graph)
    counts = [_count_terms(each, terms) for each in shares]
    outside: defaultdict[int, float] = defaultdict(float)
    themes = [found for group, found in zip(groups, counts, strict=True) if group.parent is None]
    for found in themes:
        for node, count in found.items():
            outside[node] += count
    average = sum(outside.values()) / max(1, len(themes))
    rated = []
    for number, (group, found, documents) in enumerate(zip(groups, counts, shares, strict=True)):
        members = frozenset(group.nodes)
        for node, count in found.items():
            told = count**_REPEATED * math.log(1 + average / max(outside[node], count)) * _weigh(graph, node, len(documents))
            rated.append(_Rated(-round(told * (_MEMBER if node in members else 1.0), 9), graph.nodes[node].id, number, node))
    return _assign(graph, groups, sorted(rated))


def _document_shares(graph: CommunityGraph, inside: Sequence[Sequence[int]]) -> list[Shares]:
    total = Counter(document for each in graph.relations for document in each.documents)
    shares = []
    for numbers in inside:
        held = Counter(document for number in numbers for document in graph.relations[number].documents)
        shares.append({document: held[document] / total[document] for document in sorted(held)})
    return shares


def _terms_of_documents(graph: CommunityGraph) -> dict[str, set[int]]:
    found: defaultdict[str, set[int]] = defaultdict(set)
    for each in graph.relations:
        for node in (each.one, each.other):
            if graph.nodes[node].is_topic:
                for document in each.documents:
                    found[document].add(node)
    return found


def _count_terms(shares: Shares, terms: dict[str, set[int]]) -> dict[int, float]:
    found: defaultdict[int, float] = defaultdict(float)
    for document, share in shares.items():
        for node in terms.get(document, ()):
            found[node] += share
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
