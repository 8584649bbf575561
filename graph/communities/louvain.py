"""Louvain's method (Blondel et al. 2008): nodes move to the neighbouring group that raises the modularity most, groups become nodes, and again.

Written here because networkx's takes several seconds for 50,000 edges and may move two nodes to and fro for ever where floating sums differ
by their order (docs/graph.md has the figures). Weights are whole numbers here: a node moves only where the modularity rises by an exact
amount, so that no partition comes twice and every run ends. Only nodes whose neighbours moved are looked at again (Ozaki et al. 2016), and the
result is refined from the original nodes until nothing rises (Rotta and Noack 2011).
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Sequence

from graph.communities.weighted_graph import WeightedGraph, merge_nodes, modularity

_REFINEMENTS = 1  # returns to the original nodes in one trial; more of them move next to nothing


def detect_louvain(graph: WeightedGraph, *, seed: int = 0, trials: int = 1) -> list[int]:
    """Return a label for each node, 0..k-1 by first node: of several trials the one with the greatest modularity, of equal ones the first."""
    best, reached = list(range(len(graph))), -1.0
    for trial in range(trials):
        labels = _run_trial(graph, random.Random(f"{seed} {trial}"))  # noqa: S311  (an order, no secret)
        found = modularity(graph, labels)
        if found > reached + 1e-12:
            best, reached = labels, found
    return best


def _run_trial(graph: WeightedGraph, order: random.Random) -> list[int]:
    labels = list(range(len(graph)))
    for _ in range(1 + _REFINEMENTS):
        if not _move_nodes(graph, labels, order):
            break
        labels = _join_groups(graph, _renumber(labels), order)
    return labels


def _join_groups(graph: WeightedGraph, labels: list[int], order: random.Random) -> list[int]:
    """Take groups as nodes and move them, until none moves."""
    while True:
        groups = merge_nodes(graph, labels, max(labels, default=-1) + 1)
        joined = list(range(len(groups)))
        if not _move_nodes(groups, joined, order):
            return labels
        joined = _renumber(joined)
        labels = _renumber([joined[label] for label in labels])


def _move_nodes(graph: WeightedGraph, labels: list[int], order: random.Random) -> bool:
    """Move nodes, changing `labels`, until none gains; return whether any moved. Gains are compared as whole numbers: weight to the group times the
    graph's total, less the node's strength times the group's.
    """
    strengths, total, neighbours = graph.strengths, graph.total, graph.neighbours
    groups = [0] * len(graph)
    for node, label in enumerate(labels):
        groups[label] += strengths[node]
    nodes = list(range(len(graph)))
    order.shuffle(nodes)
    waiting, queued, moved = deque(nodes), [True] * len(graph), False
    while waiting:
        node = waiting.popleft()
        queued[node] = False
        own, strength = labels[node], strengths[node]
        weights = {own: 0}
        for other, weight in neighbours[node]:
            label = labels[other]
            weights[label] = weights.get(label, 0) + weight
        groups[own] -= strength
        best, most = own, weights[own] * total - strength * groups[own]
        for label, weight in weights.items():
            gain = weight * total - strength * groups[label]
            if gain > most:
                best, most = label, gain
        groups[best] += strength
        if best != own:
            moved, labels[node] = True, best
            for other, _ in neighbours[node]:
                if not queued[other] and labels[other] != best:
                    queued[other] = True
                    waiting.append(other)
    return moved


def _renumber(labels: Sequence[int]) -> list[int]:
    """Return the same groups with labels 0..k-1 in the order of their first nodes."""
    numbers: dict[int, int] = {}
    return [numbers.setdefault(label, len(numbers)) for label in labels]
