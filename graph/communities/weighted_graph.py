"""A weighted graph over 0..n-1 with whole weights: sums and comparisons of them are exact, whatever order they come in."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

_UNITS = 1_000  # a weight of 1.0


@dataclass(frozen=True, slots=True)
class WeightedGraph:
    """`neighbours[node]` are its (neighbour, weight), ascending and without the node itself; `strengths[node]` is the sum of its weights, a loop
    counting twice; `total` is the sum of all strengths, twice the weight of all edges.
    """

    neighbours: tuple[tuple[tuple[int, int], ...], ...]
    strengths: tuple[int, ...]
    total: int

    def __len__(self) -> int:
        return len(self.neighbours)

    def edges(self) -> Iterable[tuple[int, int, int]]:
        """Yield each edge once, without loops."""
        return ((node, other, weight) for node, near in enumerate(self.neighbours) for other, weight in near if node < other)


def build_graph(count: int, edges: Iterable[tuple[int, int, float]]) -> WeightedGraph:
    """Build a graph of `count` nodes. Edges are undirected, several of one pair add up, and loops are left out: what is related to itself says
    nothing of a group. A weight that is not above 0 is no edge.
    """
    weights: defaultdict[tuple[int, int], int] = defaultdict(int)
    for one, other, weight in edges:
        if one != other and weight > 0:
            weights[min(one, other), max(one, other)] += max(1, round(weight * _UNITS))
    strengths = [0] * count
    for (one, other), whole in weights.items():
        strengths[one] += whole
        strengths[other] += whole
    return _with_strengths(count, weights, strengths)


def graph_of_pairs(count: int, ends: npt.NDArray[np.int64], weights: npt.NDArray[np.float64]) -> WeightedGraph:
    """Build the same from arrays of edges, of each pair at most one."""
    kept = (ends[:, 0] != ends[:, 1]) & (weights > 0)
    one, other = ends[kept].T
    whole = np.maximum(1, np.rint(weights[kept] * _UNITS)).astype(np.int64)
    sources, targets, both = np.append(one, other), np.append(other, one), np.append(whole, whole)
    order = np.lexsort((targets, sources))
    begins = np.searchsorted(sources[order], np.arange(count + 1)).tolist()
    near = list(zip(targets[order].tolist(), both[order].tolist(), strict=True))
    strengths = [sum([weight for _, weight in near[begin:end]]) for begin, end in pairwise(begins)]
    return WeightedGraph(tuple(tuple(near[begin:end]) for begin, end in pairwise(begins)), tuple(strengths), sum(strengths))


def merge_nodes(graph: WeightedGraph, labels: Sequence[int], count: int) -> WeightedGraph:
    """Return the graph of the groups: node i is the group with label i, the weight inside a group its loop."""
    between: defaultdict[tuple[int, int], int] = defaultdict(int)
    strengths = [0] * count
    for node, near in enumerate(graph.neighbours):
        own = labels[node]
        strengths[own] += graph.strengths[node]
        for other, weight in near:
            there = labels[other]
            if own < there:  # each edge is seen from both its ends
                between[own, there] += weight
    return _with_strengths(count, between, strengths)


def subgraph(graph: WeightedGraph, nodes: Sequence[int]) -> WeightedGraph:
    """Return the graph of some nodes alone, numbered in the order given."""
    places = {node: place for place, node in enumerate(nodes)}
    near = tuple(tuple((places[other], weight) for other, weight in graph.neighbours[node] if other in places) for node in nodes)
    strengths = tuple(sum(weight for _, weight in each) for each in near)
    return WeightedGraph(near, strengths, sum(strengths))


def components(graph: WeightedGraph) -> list[list[int]]:
    """Return the connected parts, each ascending, in the order of their first nodes."""
    found: list[list[int]] = []
    seen = [False] * len(graph)
    for first in range(len(graph)):
        if seen[first]:
            continue
        seen[first], waiting, part = True, [first], []
        while waiting:
            node = waiting.pop()
            part.append(node)
            for other, _ in graph.neighbours[node]:
                if not seen[other]:
                    seen[other] = True
                    waiting.append(other)
        found.append(sorted(part))
    return found


def modularity(graph: WeightedGraph, labels: Sequence[int]) -> float:
    """Return Newman's modularity of a partition, sum over groups of (inside / total) - (strength / total)^2; 0.0 for a graph without edges."""
    if not graph.total:
        return 0.0
    inside: defaultdict[int, int] = defaultdict(int)
    strengths: defaultdict[int, int] = defaultdict(int)
    for node, label in enumerate(labels):
        strengths[label] += graph.strengths[node]
    for one, other, weight in graph.edges():
        if labels[one] == labels[other]:
            inside[labels[one]] += 2 * weight
    return sum(inside[label] / graph.total - (strength / graph.total) ** 2 for label, strength in strengths.items())


def _with_strengths(count: int, weights: dict[tuple[int, int], int], strengths: Sequence[int]) -> WeightedGraph:
    near: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    for (one, other), weight in weights.items():
        near[one].append((other, weight))
        near[other].append((one, weight))
    return WeightedGraph(tuple(tuple(sorted(each)) for each in near), tuple(strengths), sum(strengths))
