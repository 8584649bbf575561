"""How well communities are found, beside networkx's own method, and how long it takes. `python -m benchmarks.communities [detection|speed|themes]`

The graphs with known groups are under `VANTAGE_DATA` (default ../shared/data). The share of a graph's nodes that is looked at while choosing
parameters is the even half of the seeds; the odd half judges.
"""

from __future__ import annotations

import asyncio
import json
import math
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import networkx as nx

from benchmarks.graph import make_page
from benchmarks.graph import rows as read_rows
from benchmarks.machine import data_folder, describe, print_table
from graph.communities.hierarchy import Detection, HierarchyLimits, count_trials, divide
from graph.communities.leiden import detect_leiden
from graph.communities.library_communities import CommunityOptions, LibraryCommunities
from graph.communities.louvain import detect_louvain
from graph.communities.weighted_graph import WeightedGraph, build_graph, components, modularity
from graph.graph_view import GraphView
from tests.support.communities import MemoryCommunities
from tests.support.graphs import MemoryGraphStore

GRAPHS = ("karate", "football", "email-Eu-core")
ALGORITHMS: dict[str, Detection] = {"louvain": detect_louvain, "leiden": detect_leiden}
_SEEDS = 10
_ENTITIES, _EDGES, _GROUP, _ACROSS = 10_000, 50_000, 50, 0.3


def read_graph(folder: Path, name: str) -> tuple[WeightedGraph, list[str]]:
    """Return a graph without directions and loops, and the known group of each node."""
    rows = [json.loads(line) for line in (folder / f"{name}.nodes.jsonl").read_text(encoding="utf-8").splitlines()]
    rows.sort(key=lambda row: row["id"])
    places = {row["id"]: place for place, row in enumerate(rows)}
    lines = (folder / f"{name}.edges.tsv").read_text(encoding="utf-8").splitlines()[1:]
    pairs = {(min(ends), max(ends)) for ends in ([places[each] for each in line.split("\t")] for line in lines)}
    return build_graph(len(rows), [(one, other, 1.0) for one, other in sorted(pairs)]), [row["community"] for row in rows]


def normalized_mutual_information(one: Sequence[object], other: Sequence[object]) -> float:
    """Return the mutual information over the mean of both entropies (Danon et al. 2005)."""
    total, pairs, left, right = len(one), Counter(zip(one, other, strict=True)), Counter(one), Counter(other)
    mutual = sum(count / total * math.log(count * total / (left[a] * right[b])) for (a, b), count in pairs.items())
    entropies = [-sum(count / total * math.log(count / total) for count in each.values()) for each in (left, right)]
    return 2 * mutual / sum(entropies) if sum(entropies) else 1.0


def adjusted_rand_index(one: Sequence[object], other: Sequence[object]) -> float:
    """Return Hubert and Arabie's (1985) index: 1 for equal partitions, 0 for chance."""
    together = sum(math.comb(count, 2) for count in Counter(zip(one, other, strict=True)).values())
    left, right = (sum(math.comb(count, 2) for count in Counter(each).values()) for each in (one, other))
    expected = left * right / math.comb(len(one), 2)
    most = (left + right) / 2
    return (together - expected) / (most - expected) if most != expected else 1.0


def planted_graph(seed: int = 1) -> WeightedGraph:
    """Return a graph of 10,000 entities and 50,000 edges, most of them within groups of 50."""
    order = random.Random(seed)
    pairs: dict[tuple[int, int], float] = {}
    while len(pairs) < _EDGES:
        one = order.randrange(_ENTITIES)
        other = order.randrange(_ENTITIES) if order.random() < _ACROSS else one // _GROUP * _GROUP + order.randrange(_GROUP)
        if one != other:
            pairs[min(one, other), max(one, other)] = order.random()
    return build_graph(_ENTITIES, [(one, other, weight) for (one, other), weight in pairs.items()])


def measure_detection(folder: Path) -> None:
    """Print modularity, NMI and ARI of each method, as it runs in the product (seed 0) and over other seeds."""
    rows = []
    for name in GRAPHS:
        graph, known = read_graph(folder, name)
        for algorithm, detect in ALGORITHMS.items():
            labels = detect(graph, seed=0, trials=count_trials(graph))
            runs = [modularity(graph, detect(graph, seed=seed, trials=count_trials(graph))) for seed in range(1, _SEEDS + 1)]
            rows.append(_row(name, algorithm, graph, labels, known, (min(runs[1::2]), min(runs[::2]))))
        labels = _by_networkx(graph)
        rows.append(_row(name, "networkx", graph, labels, known, None))
    print_table(("graph", "method", "groups", "modularity", "least, even seeds", "least, odd seeds", "NMI", "ARI"), rows)


def _row(name: str, method: str, graph: WeightedGraph, labels: list[int], known: list[str], least: tuple[float, float] | None) -> list[object]:
    figures = [f"{each:.4f}" for each in least] if least is not None else ["", ""]
    agreement = [f"{measure(known, labels):.3f}" for measure in (normalized_mutual_information, adjusted_rand_index)]
    return [name, method, len(set(labels)), f"{modularity(graph, labels):.4f}", *figures, *agreement]


def _by_networkx(graph: WeightedGraph) -> list[int]:
    """Return networkx's partition, for comparison."""
    other = nx.Graph()
    other.add_nodes_from(range(len(graph)))
    other.add_weighted_edges_from(graph.edges())
    groups = nx.community.louvain_communities(other, seed=0)
    places = {node: label for label, members in enumerate(groups) for node in members}
    return [places[node] for node in range(len(graph))]


def measure_speed() -> None:
    """Print what the hierarchy of a large graph takes: processor seconds, the least of five times."""
    graph, rows = planted_graph(), []
    for algorithm, detect in ALGORITHMS.items():
        taken, found = [], 0
        for _ in range(5):
            began = time.process_time()
            found = sum(len(divide(graph, part, detect, HierarchyLimits())) for part in components(graph))
            taken.append(time.process_time() - began)
        rows.append([algorithm, found, f"{min(taken):.2f}", f"{max(taken):.2f}"])
    began = time.process_time()
    groups = len(set(_by_networkx(graph)))
    rows.append(["networkx, one level", groups, f"{time.process_time() - began:.2f}", ""])
    print_table(("method", "communities", "processor seconds, least of 5", "most of 5"), rows)


async def measure_themes(step: int = 2) -> None:
    """Print the themes that "What are the main themes?" is answered with where three sets are one library, and how many documents of each set they
    rest on; of each set every `step`th document.
    """
    store, sets = MemoryGraphStore(), {"scifact": "corpus.jsonl", "cranfield": "corpus.jsonl", "xquad": "corpus.en.jsonl"}
    read = [(f"{name}-{row['id']}", row) for name, file in sets.items() for row in read_rows(data_folder() / name / file)][::step]
    for document_id, row in read:
        store.put_document(document_id, make_page(row["title"], row["text"]), row["title"])

    async def count(tenant: str) -> int:
        return len(read)

    library = LibraryCommunities(GraphView(store), store, MemoryCommunities(store), CommunityOptions(), count)
    began = time.process_time()
    await library.refresh("default")
    taken = time.process_time() - began
    page = await library.list_communities("default", themes=True, limit=8)
    print(
        f"{len(read):,} documents, {page.total} themes, {page.covered_documents:,} documents covered; a refresh takes {taken:.1f} processor seconds"
    )
    table = [(each.name, each.documents, Counter(said.document_id.split("-")[0] for said in each.citations)) for each in page.communities]
    print_table(
        ("theme", "documents", "its sentences come from"), [(name, n, ", ".join(f"{k} {v}" for k, v in said.items())) for name, n, said in table]
    )


def main(chosen: Sequence[str]) -> int:
    sys.stdout.write(f"{describe()}\n\n")
    folder = data_folder() / "graphs"
    if "themes" in chosen:
        asyncio.run(measure_themes())
        return 0
    if "speed" not in chosen and folder.is_dir():
        measure_detection(folder)
        sys.stdout.write("\n")
    elif "speed" not in chosen:
        sys.stdout.write(f"{folder} is not there: no graph with known groups was looked at.\n\n")
    if "detection" not in chosen:
        measure_speed()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
