"""The graph leg: chunks that mention given entities."""

from __future__ import annotations

import heapq
import math
from collections import defaultdict
from collections.abc import Callable, Sequence

from core.graph import Entity, EntityType
from core.search import GraphHit
from graph.entity_views import most_used_name, show_entity
from graph.mentions import DocumentRecord, SurfaceForm
from graph.tenant_graph import TenantGraph

_NAMED = 3  # entities that a reason names
_FEW = 10  # documents: an entity of no more is no hub in a small library either
_RELATED = 500  # relationships: an entity of more is a hub in a large one, too
SILENT = frozenset({EntityType.DATE, EntityType.AMOUNT, EntityType.EMAIL})


def find_hits(graph: TenantGraph, weights: dict[str, float], allowed: set[str] | None, limit: int) -> list[GraphHit]:
    """Return chunks by `1 - prod(1 - w(e) r(e))` over the entities e that they mention, with the weight w in 0..1 and the rarity `r(e) = ln(1 + N /
    df(e)) / ln(1 + N)` of an entity in df of N chunks. `allowed`: the documents that may answer, None for all.
    """
    wanted: dict[SurfaceForm, float] = {}
    for entity_id, weight in weights.items():
        surface = graph.find_entity(entity_id)
        if surface is not None:
            wanted[surface] = max(wanted.get(surface, 0.0), min(1.0, max(0.0, weight)))
    left: defaultdict[int, float] = defaultdict(lambda: 1.0)
    owners: dict[int, DocumentRecord] = {}
    naming: defaultdict[int, list[tuple[float, str]]] = defaultdict(list)
    for surface, weight in wanted.items():
        chunk_ids = _allowed_chunks(surface, allowed)
        rare = rarity(graph, len(chunk_ids))
        name = most_used_name(surface)
        for chunk_id, record in chunk_ids.items():
            left[chunk_id] *= 1.0 - weight * rare
            owners[chunk_id] = record
            naming[chunk_id].append((-weight * rare, name))
    best = heapq.nsmallest(limit, left, key=lambda chunk_id: (left[chunk_id], chunk_id))
    return [
        GraphHit(
            chunk_id=chunk_id,
            document_id=owners[chunk_id].id,
            score=round(1.0 - left[chunk_id], 4),
            reason="mentions " + ", ".join(name for _, name in sorted(naming[chunk_id])[:_NAMED]),
        )
        for chunk_id in best
    ]


def find_chunk_entities(graph: TenantGraph, chunk_ids: Sequence[int], most: int) -> dict[int, list[Entity]]:
    """Return the entities that each chunk mentions, at most so many, those of fewest chunks first; a date, an amount or an address says nothing."""
    found = {}
    for chunk_id in chunk_ids:
        told = sorted(find_telling(graph, chunk_id), key=lambda each: (each.frequency, each.key, each.kind))
        found[chunk_id] = [show_entity(graph, each) for each in told[:most]]
    return found


def find_telling(graph: TenantGraph, chunk_id: int) -> set[SurfaceForm]:
    """Return the entities that a chunk mentions and that say something: no dates, amounts or addresses."""
    record = graph.record_of(chunk_id)
    named = {surface.centre for surface in record.surfaces_in_chunk(chunk_id)} if record is not None else set()
    return {each for each in named if each.kind not in SILENT}


def degree(graph: TenantGraph, centre: SurfaceForm) -> int:
    """Return the number of an entity's relationships."""
    return sum(len(graph.graph.adj[member]) for member in centre.group if member in graph.graph)


def hub_test(graph: TenantGraph, share: float) -> Callable[[SurfaceForm], bool]:
    """Return the function that says whether an entity leads on: it is no date, amount or address, and no hub, which very many documents have."""
    most = max(share * len(graph.records), _FEW)

    def leads_on(centre: SurfaceForm) -> bool:
        if centre.kind in SILENT or degree(graph, centre) > _RELATED:
            return False
        places = sum(len(member.places) for member in centre.group)
        return places <= most or len({record.id for member in centre.group for record, _ in member.places}) <= most

    return leads_on


def rarity(graph: TenantGraph, frequency: int) -> float:
    """Return how rare an entity of so many chunks is, 0..1."""
    return min(1.0, math.log1p(graph.chunks / max(1, frequency)) / math.log1p(max(1, graph.chunks)))


def _allowed_chunks(surface: SurfaceForm, allowed: set[str] | None) -> dict[int, DocumentRecord]:
    return {
        chunk_id: record
        for member in surface.group
        for record, number in member.places
        if allowed is None or record.id in allowed
        for chunk_id in record.chunks_of(number)
    }
