"""Leiden's method (Traag et al. 2019), by graspologic-native (MIT), the extra `leiden`: every community of it is connected."""

from __future__ import annotations

from core.errors import ConfigurationError
from graph.communities.weighted_graph import WeightedGraph

_ITERATIONS = 2
_SWEEPS = 100  # of local moves in one phase: sums of floats may move two nodes to and fro for ever


def require_leiden() -> None:
    """Check that the package is installed. Raises ConfigurationError."""
    try:
        import graspologic_native  # noqa: F401
    except ImportError as error:
        raise ConfigurationError(
            "community.algorithm is leiden and the package graspologic-native is not installed. "
            "Install it (pip install 'vantage[leiden]'), or set community.algorithm: louvain."
        ) from error


def detect_leiden(graph: WeightedGraph, *, seed: int = 0, trials: int = 1) -> list[int]:
    """Return a label for each node, 0..k-1 by first node: the best of several trials. Raises ConfigurationError where the package is missing."""
    require_leiden()
    import graspologic_native

    edges = [(str(one), str(other), float(weight)) for one, other, weight in graph.edges()]
    if not edges:
        return list(range(len(graph)))
    _, found = graspologic_native.leiden(
        edges,
        starting_communities=None,
        resolution=1.0,
        randomness=0.001,
        iterations=_ITERATIONS,
        use_modularity=True,
        seed=seed,
        trials=trials,
        max_local_moving_iterations=_SWEEPS,
    )
    numbers: dict[object, int] = {}
    return [numbers.setdefault(found.get(str(node), f"alone {node}"), len(numbers)) for node in range(len(graph))]
