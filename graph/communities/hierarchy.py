"""The hierarchy of communities: each connected part of the graph is divided, and what is large is divided again.

A community is divided as a graph of its own, so one part of the graph says nothing of another: where a part did not change, its communities did not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from graph.communities.weighted_graph import WeightedGraph, subgraph

_DIVIDED = 20  # members: a community of no more is not divided again
_EDGES = 60_000  # edges of all trials together: a small graph is tried from several orders, the best counts
_MOST_TRIALS = 10


class Detection(Protocol):
    """An algorithm that divides a connected graph: a label for each node, 0..k-1 by first node. Equal input, equal labels."""

    def __call__(self, graph: WeightedGraph, *, seed: int = 0, trials: int = 1) -> list[int]: ...


@dataclass(frozen=True, slots=True)
class Group:
    """A community: ascending nodes, and the place of the one that it is a part of in the list that it stands in. `level` 0 is the finest."""

    nodes: tuple[int, ...]
    parent: int | None
    level: int


@dataclass(frozen=True, slots=True)
class HierarchyLimits:
    """Groups of fewer than `min_size` are no communities; one is divided at most into `max_levels` levels."""

    min_size: int = 3
    max_levels: int = 3


def count_trials(graph: WeightedGraph) -> int:
    """Return from how many orders a graph is tried: ten times where it is small, once where it is large."""
    edges = sum(len(near) for near in graph.neighbours) // 2
    return max(1, min(_MOST_TRIALS, _EDGES // max(edges, 1)))


def divide(graph: WeightedGraph, nodes: Sequence[int], detect: Detection, limits: HierarchyLimits) -> list[Group]:
    """Return the communities of a connected part of the graph, each before those that it is divided into; [] where none has `min_size`."""
    trials = count_trials(graph)
    found: list[tuple[tuple[int, ...], int | None]] = []

    def visit(part: Sequence[int], parent: int | None, depth: int) -> None:
        groups = _groups_of(graph, part, lambda each: detect(each, trials=trials), limits)
        if parent is not None and len(groups) < 2:
            return
        if parent is None and len(groups) < 2 and limits.min_size <= len(part) <= _DIVIDED:
            groups = [tuple(part)]  # small and connected: a ring of four falls into two pairs as well as not at all
        for members in groups:
            found.append((members, parent))
            if len(members) > _DIVIDED and depth + 1 < limits.max_levels:
                visit(members, len(found) - 1, depth + 1)

    visit(nodes, None, 0)
    return _with_levels(found)


def _groups_of(
    graph: WeightedGraph, part: Sequence[int], detect: Callable[[WeightedGraph], list[int]], limits: HierarchyLimits
) -> list[tuple[int, ...]]:
    """Return the groups of `min_size` and more that a part of the graph falls into."""
    if len(part) < limits.min_size:
        return []
    groups: dict[int, list[int]] = {}
    inside = graph if len(part) == len(graph) else subgraph(graph, part)
    for node, label in zip(part, detect(inside), strict=True):
        groups.setdefault(label, []).append(node)
    return [tuple(members) for members in groups.values() if len(members) >= limits.min_size]


def _with_levels(found: Sequence[tuple[tuple[int, ...], int | None]]) -> list[Group]:
    """Give each community its level: 0 where it is not divided, else one above the highest of its parts, which stand behind it."""
    levels = [0] * len(found)
    for place in range(len(found) - 1, -1, -1):
        parent = found[place][1]
        if parent is not None:
            levels[parent] = max(levels[parent], levels[place] + 1)
    return [Group(nodes, parent, level) for (nodes, parent), level in zip(found, levels, strict=True)]
