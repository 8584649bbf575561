"""Communities are found, the same ones every time, and odd graphs end, too."""

from __future__ import annotations

import random
import sys

import networkx as nx
import numpy as np
import pytest

from benchmarks.communities import adjusted_rand_index, normalized_mutual_information, read_graph
from benchmarks.machine import data_folder
from core.errors import ConfigurationError
from graph.communities.hierarchy import Detection, HierarchyLimits, count_trials, divide
from graph.communities.leiden import detect_leiden
from graph.communities.louvain import detect_louvain
from graph.communities.weighted_graph import WeightedGraph, build_graph, components, graph_of_pairs, merge_nodes, modularity, subgraph

BOTH = pytest.mark.parametrize("detect", [detect_louvain, detect_leiden])
GRAPHS = data_folder() / "graphs"
with_graphs = pytest.mark.skipif(not GRAPHS.is_dir(), reason=f"{GRAPHS} is not there")


def clique(first: int, size: int, weight: float = 1.0) -> list[tuple[int, int, float]]:
    return [(one, other, weight) for one in range(first, first + size) for other in range(one + 1, first + size)]


def random_edges(count: int, edges: int, seed: int = 7) -> list[tuple[int, int, float]]:
    order = random.Random(seed)
    return [(order.randrange(count), order.randrange(count), order.random()) for _ in range(edges)]


def as_networkx(graph: WeightedGraph) -> nx.Graph:
    made = nx.Graph()
    made.add_nodes_from(range(len(graph)))
    made.add_weighted_edges_from(graph.edges())
    return made


def groups_of(labels: list[int]) -> list[list[int]]:
    found: dict[int, list[int]] = {}
    for node, label in enumerate(labels):
        found.setdefault(label, []).append(node)
    return list(found.values())


@BOTH
def test_two_cliques_with_one_bridge_are_two_groups(detect: Detection) -> None:
    graph = build_graph(9, [*clique(0, 5), *clique(5, 4), (4, 5, 0.2)])
    assert groups_of(detect(graph)) == [[0, 1, 2, 3, 4], [5, 6, 7, 8]]


@BOTH
def test_weights_decide(detect: Detection) -> None:
    """A square whose sides are heavy on one pair of opposite sides and light on the other."""
    graph = build_graph(4, [(0, 1, 1.0), (1, 2, 0.05), (2, 3, 1.0), (3, 0, 0.05)])
    assert groups_of(detect(graph)) == [[0, 1], [2, 3]]


@BOTH
def test_equal_input_equal_groups_whatever_the_order_of_edges(detect: Detection) -> None:
    edges = random_edges(80, 300)
    shuffled = [(other, one, weight) for one, other, weight in edges]
    random.Random(3).shuffle(shuffled)
    assert detect(build_graph(80, edges), trials=3) == detect(build_graph(80, shuffled), trials=3)


def test_modularity_is_that_of_networkx() -> None:
    graph = build_graph(60, random_edges(60, 200))
    labels = detect_louvain(graph)
    assert modularity(graph, labels) == pytest.approx(nx.community.modularity(as_networkx(graph), groups_of(labels)))


def test_louvain_reaches_what_networkx_reaches() -> None:
    for seed in range(5):
        graph = build_graph(120, random_edges(120, 500, seed))
        other = nx.community.louvain_communities(as_networkx(graph), seed=seed)
        assert modularity(graph, detect_louvain(graph, trials=count_trials(graph))) >= nx.community.modularity(as_networkx(graph), other) - 0.01


def test_groups_as_nodes_keep_the_modularity() -> None:
    graph = build_graph(60, random_edges(60, 200))
    labels = detect_louvain(graph)
    merged = merge_nodes(graph, labels, max(labels) + 1)
    inside = sum(strength - sum(weight for _, weight in near) for strength, near in zip(merged.strengths, merged.neighbours, strict=True))
    expected = inside / merged.total - sum((strength / merged.total) ** 2 for strength in merged.strengths)
    assert modularity(graph, labels) == pytest.approx(expected)


@BOTH
def test_an_empty_graph_has_no_communities(detect: Detection) -> None:
    assert detect(build_graph(0, [])) == []
    assert components(build_graph(0, [])) == []
    assert detect(build_graph(3, [])) == [0, 1, 2]
    assert modularity(build_graph(3, []), [0, 1, 2]) == 0.0
    assert divide(build_graph(3, []), [0], detect, HierarchyLimits()) == []


@BOTH
def test_a_star_is_one_community(detect: Detection) -> None:
    graph = build_graph(40, [(0, leaf, 0.5) for leaf in range(1, 40)])
    assert [group.level for group in divide(graph, list(range(40)), detect, HierarchyLimits())] == [0]


@BOTH
def test_loops_and_useless_weights_change_nothing(detect: Detection) -> None:
    plain = [*clique(0, 4), *clique(4, 4), (3, 4, 0.1)]
    odd = [*plain, (2, 2, 9.0), (7, 7, 1.0), (0, 7, 0.0), (1, 6, -3.0)]
    assert build_graph(8, odd) == build_graph(8, plain)
    assert detect(build_graph(8, odd)) == detect(build_graph(8, plain))


@BOTH
def test_nodes_that_gain_nothing_by_swapping_end(detect: Detection) -> None:
    """Rings and grids of equal weights: every node could as well stand with its other neighbour."""
    third = 1 / 3
    for edges in (
        [(0, 1, third), (1, 0, 0.1 + 0.2)],
        [(node, (node + 1) % 24, third) for node in range(24)],
        [(node, (node + step) % 30, 0.1 + 0.2) for node in range(30) for step in (1, 15)],
    ):
        graph = build_graph(30, edges)
        assert len(detect(graph, trials=4)) == 30


def test_large_communities_are_divided_and_levels_count_from_the_finest() -> None:
    edges = [edge for part in range(6) for edge in clique(part * 8, 8)]
    edges += [(part * 8, (part + 1) * 8, 0.9) for part in (0, 1, 3, 4)] + [(16, 24, 0.1)]
    edges += [(part * 8 + step, (part + 1) * 8 + step, 0.9) for part in (0, 1, 3, 4) for step in range(1, 8)]
    graph = build_graph(48, edges)
    found = divide(graph, list(range(48)), detect_louvain, HierarchyLimits())
    roots = [group for group in found if group.parent is None]
    assert len(roots) >= 2
    assert all(group.level == 0 or any(found[place].parent == number for place in range(len(found))) for number, group in enumerate(found))
    for group in found:
        if group.parent is not None:
            assert set(group.nodes) < set(found[group.parent].nodes)
            assert group.level < found[group.parent].level
    assert max(group.level for group in divide(graph, list(range(48)), detect_louvain, HierarchyLimits(max_levels=1))) == 0


def test_groups_below_the_least_size_are_no_communities() -> None:
    graph = build_graph(8, [*clique(0, 4), (4, 5, 1.0)])
    found = [group.nodes for part in components(graph) for group in divide(graph, part, detect_louvain, HierarchyLimits(min_size=3))]
    assert found == [(0, 1, 2, 3)]


@BOTH
def test_a_small_part_that_falls_into_pairs_is_one_community(detect: Detection) -> None:
    ring = build_graph(4, [(0, 1, 0.9), (1, 2, 0.5), (2, 3, 0.9), (3, 0, 0.5)])
    assert [group.nodes for group in divide(ring, [0, 1, 2, 3], detect, HierarchyLimits())] == [(0, 1, 2, 3)]
    assert [group.nodes for group in divide(ring, [0, 1, 2, 3], detect, HierarchyLimits(min_size=2))] == [(0, 1), (2, 3)]


def test_one_part_of_the_graph_says_nothing_of_another() -> None:
    one = build_graph(30, random_edges(30, 120))
    both = build_graph(60, [*random_edges(30, 120), *((a + 30, b + 30, w) for a, b, w in random_edges(30, 90, seed=2))])
    part = components(both)[0]
    assert divide(both, part, detect_louvain, HierarchyLimits()) == divide(one, part, detect_louvain, HierarchyLimits())


def test_a_subgraph_has_its_own_strengths() -> None:
    part = subgraph(build_graph(4, [(0, 1, 1.0), (1, 2, 0.5), (2, 3, 0.25)]), [1, 2])
    assert part.neighbours == (((1, 500),), ((0, 500),))
    assert part.strengths == (500, 500)


def test_a_missing_package_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "graspologic_native", None)
    with pytest.raises(ConfigurationError, match="graspologic-native"):
        detect_leiden(build_graph(2, [(0, 1, 1.0)]))


def test_the_measures_of_agreement() -> None:
    assert normalized_mutual_information("aabb", "xxyy") == pytest.approx(1.0)
    assert normalized_mutual_information("aabb", "xyxy") == pytest.approx(0.0)
    assert adjusted_rand_index("aabb", "xxyy") == pytest.approx(1.0)
    assert adjusted_rand_index("aabb", "xyxy") == pytest.approx(-0.5)


@with_graphs
@BOTH
def test_known_groups_are_found(detect: Detection) -> None:
    football, known = read_graph(GRAPHS, "football")
    assert normalized_mutual_information(known, detect(football, trials=count_trials(football))) >= 0.88
    mail, _ = read_graph(GRAPHS, "email-Eu-core")
    assert modularity(mail, detect(mail, trials=count_trials(mail))) >= 0.415


def test_a_graph_made_of_arrays_is_the_one_made_of_edges() -> None:
    order = random.Random(3)
    pairs = sorted({(min(ends), max(ends)) for ends in ((order.randrange(40), order.randrange(40)) for _ in range(200))})
    weights = [order.choice([0.0, 0.0001, 0.0005, 0.5, order.random()]) for _ in pairs]
    assert any(one == other for one, other in pairs)
    edges = [(one, other, weight) for (one, other), weight in zip(pairs, weights, strict=True)]
    assert graph_of_pairs(41, np.array(pairs), np.array(weights)) == build_graph(41, edges)
    assert graph_of_pairs(2, np.zeros((0, 2), np.int64), np.zeros(0)) == build_graph(2, [])
