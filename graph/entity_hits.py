"""The graph leg: chunks that mention given entities."""

from __future__ import annotations

import heapq
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from core.graph import Entity, EntityType
from core.search import GraphHit
from graph.entity_views import most_used_name, show_entity
from graph.graph_arrays import KINDS, GraphArrays
from graph.tenant_graph import TenantGraph
from graph.top_relations import name_order

_NAMED = 3  # entities that a reason names
_FEW = 10  # documents: an entity of no more is no hub in a small library either
_RELATED = 500  # relationships: an entity of more is a hub in a large one, too
SILENT = frozenset({EntityType.DATE, EntityType.AMOUNT, EntityType.EMAIL})
_SPEAKS = [kind not in SILENT for kind in KINDS]  # by number: quicker than a type's hash


def find_hits(graph: TenantGraph, weights: dict[str, float], allowed: set[str] | None, limit: int) -> list[GraphHit]:
    """Return chunks by `1 - prod(1 - w(e) r(e))` over the entities e that they mention, with the weight w in 0..1 and the rarity `r(e) = ln(1 + N /
    df(e)) / ln(1 + N)` of an entity in df of N chunks. `allowed`: the documents that may answer, None for all.
    """
    wanted: dict[int, float] = {}
    for entity_id, weight in weights.items():
        named = graph.find_entity(entity_id)
        if named is not None:
            wanted[named.number] = max(wanted.get(named.number, 0.0), min(1.0, max(0.0, weight)))
    left: defaultdict[int, float] = defaultdict(lambda: 1.0)
    owners: dict[int, int] = {}
    naming: defaultdict[int, list[tuple[float, str]]] = defaultdict(list)
    for surface, weight in wanted.items():
        chunk_ids = _allowed_chunks(graph, surface, allowed)
        rare = rarity(graph, len(chunk_ids))
        name = most_used_name(graph.arrays, surface)
        for chunk_id, document in chunk_ids.items():
            left[chunk_id] *= 1.0 - weight * rare
            owners[chunk_id] = document
            naming[chunk_id].append((-weight * rare, name))
    best = heapq.nsmallest(limit, left, key=lambda chunk_id: (left[chunk_id], chunk_id))
    return [
        GraphHit(
            chunk_id=chunk_id,
            document_id=graph.arrays.ids.text(owners[chunk_id]),
            score=round(1.0 - left[chunk_id], 4),
            reason="mentions " + ", ".join(name for _, name in sorted(naming[chunk_id])[:_NAMED]),
        )
        for chunk_id in best
    ]


def find_chunk_entities(graph: TenantGraph, chunk_ids: Sequence[int], most: int) -> dict[int, list[Entity]]:
    """Return the entities that each chunk mentions, at most so many, those of fewest chunks first; a date, an amount or an address says nothing."""
    found = {}
    for chunk_id in chunk_ids:
        told = sorted(find_telling(graph, chunk_id), key=lambda each: (graph.arrays.frequency(each), *name_order(graph.arrays, each)))
        found[chunk_id] = [show_entity(graph, graph.graph.surface(each)) for each in told[:most]]
    return found


def find_telling(graph: TenantGraph, chunk_id: int) -> set[int]:
    """Return the entities that a chunk mentions and that say something: no dates, amounts or addresses."""
    centres = map(graph.arrays.centres.__getitem__, graph.names_in_chunk(chunk_id))
    kinds = graph.arrays.kinds
    return {each for each in centres if _SPEAKS[kinds[each]]}


def has_more_relations(arrays: GraphArrays, centres: Sequence[int], most: int) -> bool:
    """Return whether entities have more relationships than `most`. Only where they have more sentences are these looked at."""
    if sum(map(arrays.count_statements, centres)) <= most:
        return False
    return sum(arrays.count_neighbours(member) for centre in centres for member in arrays.members(centre)) > most


def hub_test(graph: TenantGraph, share: float) -> Callable[[int], bool]:
    """Return the function that says whether an entity leads on: it is no date, amount or address, and no hub, which very many documents have."""
    arrays, most = graph.arrays, _most_documents(graph, share)

    def leads_on(centre: int) -> bool:
        if not _SPEAKS[arrays.kinds[centre]] or has_more_relations(arrays, [centre], _RELATED):
            return False
        return arrays.count_places(centre) <= most or arrays.count_documents(centre) <= most

    return leads_on


def find_leading_on(graph: TenantGraph, share: float, centres: Iterable[int]) -> set[int]:
    """Return those of the entities that `hub_test` lets pass. Only those that many documents or statements name are looked at one by one."""
    arrays, numbers = graph.arrays, np.fromiter(centres, np.int32)
    few = (arrays.count_all(arrays.places, numbers) <= _most_documents(graph, share)) & (arrays.count_all(arrays.said, numbers) <= _RELATED)
    speaks = np.array(_SPEAKS)[np.frombuffer(arrays.kinds, np.int8)[numbers]]
    return set(numbers[few & speaks].tolist()).union(filter(hub_test(graph, share), numbers[~few & speaks].tolist()))


def _most_documents(graph: TenantGraph, share: float) -> float:
    """Return how many documents may have an entity that is no hub."""
    return max(share * graph.documents, _FEW)


def rarity(graph: TenantGraph, frequency: int) -> float:
    """Return how rare an entity of so many chunks is, 0..1."""
    return min(1.0, math.log1p(graph.chunks / max(1, frequency)) / math.log1p(max(1, graph.chunks)))


def _allowed_chunks(graph: TenantGraph, surface: int, allowed: set[str] | None) -> dict[int, int]:
    """Return the chunks that mention an entity -> the numbers of their documents."""
    places = (place for member in graph.arrays.members(surface) for place in graph.arrays.places.row(member))
    found = dict(each for place in places for each in graph.arrays.chunks_at(place))
    if allowed is None:
        return found
    documents = {document for document in set(found.values()) if graph.arrays.ids.text(document) in allowed}
    return {chunk_id: document for chunk_id, document in found.items() if document in documents}
