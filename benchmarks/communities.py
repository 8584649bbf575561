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
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple, cast

import networkx as nx

from agents.overview.agent import describe_themes
from benchmarks.graph import make_page
from benchmarks.graph import rows as read_rows
from benchmarks.graph_library import assign_documents, place_by_set
from benchmarks.machine import data_folder, describe, print_table
from core.documents import ExtractedDocument
from core.graph import EntityType
from core.ports import Communities
from core.ports.graph_store import StoredEntity, StoredGraph, StoredRelationship
from graph.communities.hierarchy import Detection, HierarchyLimits, count_trials, divide
from graph.communities.leiden import detect_leiden
from graph.communities.library_communities import CommunityOptions, LibraryCommunities
from graph.communities.louvain import detect_louvain
from graph.communities.weighted_graph import WeightedGraph, build_graph, components, modularity
from graph.graph_view import GraphView
from ingestion.readers.base.document_builder import DocumentBuilder
from tests.support.communities import MemoryCommunities
from tests.support.graphs import MemoryGraphStore

GRAPHS = ("karate", "football", "email-Eu-core")
ALGORITHMS: dict[str, Detection] = {"louvain": detect_louvain, "leiden": detect_leiden}
_SEEDS = 10
ENTITIES, _EDGES, _GROUP, _ACROSS = 10_000, 5, 50, 0.3


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


def plant_pairs(entities: int = ENTITIES, seed: int = 1) -> dict[tuple[int, int], float]:
    """Return five times as many weighted edges as entities, most of them within groups of 50."""
    order = random.Random(seed)
    pairs: dict[tuple[int, int], float] = {}
    while len(pairs) < _EDGES * entities:
        one = order.randrange(entities)
        other = order.randrange(entities) if order.random() < _ACROSS else one // _GROUP * _GROUP + order.randrange(_GROUP)
        if one != other:
            pairs[min(one, other), max(one, other)] = order.random()
    return pairs


def planted_graph(entities: int = ENTITIES, seed: int = 1) -> WeightedGraph:
    return build_graph(entities, [(one, other, weight) for (one, other), weight in plant_pairs(entities, seed).items()])


def make_related_library(entities: int, in_document: int = 10) -> MemoryGraphStore:
    """Return a library whose documents state such edges in a sentence each, `in_document` of them."""
    store, pairs, made = MemoryGraphStore(), list(plant_pairs(entities).items()), datetime(2026, 1, 1, tzinfo=UTC)
    for number, begin in enumerate(range(0, len(pairs), in_document)):
        builder, said, names = DocumentBuilder("benchmark"), list[_Stated](), dict[int, int]()
        for (one, other), weight in pairs[begin : begin + in_document]:
            start = sum(len(each.text) + 2 for each in said)
            text = f"The part K{one} was delivered together with the part K{other} by order {begin} of that year."
            said.append(_Stated(text, start, names.setdefault(one, len(names)), names.setdefault(other, len(names)), weight))
            builder.paragraph(text)
        _put_stated(store, f"d{number}", builder.build(), said, [f"K{each}" for each in names], made)
    return store


class _Stated(NamedTuple):
    text: str
    start: int
    source: int
    target: int
    weight: float


def _put_stated(
    store: MemoryGraphStore, name: str, document: ExtractedDocument, said: Sequence[_Stated], names: Sequence[str], made: datetime
) -> None:
    entities = tuple(StoredEntity(each.casefold(), each, EntityType.IDENTIFIER, (), {}, ((0, 0, 1),), made) for each in names)
    relations = tuple(
        StoredRelationship(each.source, each.target, "RELATED_TO", each.weight, 0, each.start, each.start + len(each.text), {}, made) for each in said
    )
    number = len(store.stored) + 1
    store.stored["default", name] = StoredGraph(name, 1, number, number, 1, f"{name}.txt", "", "rules", entities, relations)
    store.texts_of[name] = document


async def time_refresh(store: MemoryGraphStore) -> tuple[int, float]:
    """Return the communities of a library with their summaries, and the processor seconds they take."""

    async def count(tenant: str) -> int:
        return len(store.stored)

    view = GraphView(store)
    await view.counts("default")
    began = time.process_time()
    found = await LibraryCommunities(view, store, MemoryCommunities(store), CommunityOptions(), count).refresh("default")
    return found.communities, time.process_time() - began


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


def time_hierarchy(graph: WeightedGraph, detect: Detection, times: int = 5) -> tuple[int, list[float]]:
    """Return the communities of all levels, and the processor seconds of each time."""
    taken, found = [], 0
    for _ in range(times):
        began = time.process_time()
        found = sum(len(divide(graph, part, detect, HierarchyLimits())) for part in components(graph))
        taken.append(time.process_time() - began)
    return found, taken


def measure_speed() -> None:
    """Print what the hierarchy of a large graph takes: processor seconds, the least of five times."""
    graph, rows = planted_graph(), []
    for algorithm, detect in ALGORITHMS.items():
        found, taken = time_hierarchy(graph, detect)
        rows.append([algorithm, found, f"{min(taken):.2f}", f"{max(taken):.2f}"])
    began = time.process_time()
    groups = len(set(_by_networkx(graph)))
    rows.append(["networkx, one level", groups, f"{time.process_time() - began:.2f}", ""])
    print_table(("method", "communities", "processor seconds, least of 5", "most of 5"), rows)


async def measure_themes(step: int = 2) -> None:
    """Print the themes of three sets in one library, with the sets that their sentences come from, and what "What are the main themes?" is answered
    with: where all lie in one folder, and with a folder for each set. Of each set every `step`th document is taken.
    """
    store, sets = MemoryGraphStore(), {"scifact": "corpus.jsonl", "cranfield": "corpus.jsonl", "xquad": "corpus.en.jsonl"}
    read = [(f"{name}-{row['id']}", row) for name, file in sets.items() for row in read_rows(data_folder() / name / file)][::step]
    for document_id, row in read:
        store.put_document(document_id, make_page(row["title"], row["text"]), row["title"])

    async def count(tenant: str) -> int:
        return len(read)

    view, kept = GraphView(store), MemoryCommunities(store)
    library = LibraryCommunities(view, store, kept, CommunityOptions(), count)
    began = time.process_time()
    await library.refresh("default")
    taken = time.process_time() - began
    page = await library.list_communities("default", themes=True, limit=8)
    print(
        f"{len(read):,} documents, {page.total} themes, {page.covered_documents:,} documents covered; a refresh takes {taken:.1f} processor seconds"
    )
    assigned = assign_documents(await view.community_graph("default"), [each for each in await kept.load("default") if each.parent_id is None])
    known, labels = [each.split("-")[0] for each in assigned], list(assigned.values())
    agreement = normalized_mutual_information(known, labels), adjusted_rand_index(known, labels)
    print(f"{len(assigned):,} documents by theme against the set they are of: NMI {agreement[0]:.3f}, ARI {agreement[1]:.3f}")
    table = [(each.name, each.documents, Counter(said.document_id.split("-")[0] for said in each.citations)) for each in page.communities]
    print_table(
        ("theme", "documents", "its sentences come from"), [(name, n, ", ".join(f"{k} {v}" for k, v in said.items())) for name, n, said in table]
    )
    for how, kept.places in (("in one folder", []), ("a folder for each set", place_by_set([document_id for document_id, _ in read]))):
        answer = await describe_themes("default", cast(Communities, library))
        assert answer is not None
        sets_told = Counter(each.document_id.split("-")[0] for each in answer.citations)
        print(f"\n{how}: told are {', '.join(f'{count} of {name}' for name, count in sets_told.items())}\n\n{answer.text}")


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
