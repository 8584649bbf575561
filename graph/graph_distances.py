"""How many relationships lie between the entities of a question and those of passages: one walk outwards for all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from core.graph import GraphDistances, WalkLimits
from graph.entity_hits import SILENT, find_telling
from graph.mentions import SurfaceForm
from graph.tenant_graph import TenantGraph

_FEW = 10  # documents: an entity of no more is no hub in a small library either
_RELATED = 500  # relationships: an entity of more is a hub in a large one, too
_STEPS = 10_000  # relationships that are followed for one more step outwards; where there are more the walk ends


def measure_distances(graph: TenantGraph, entity_ids: Sequence[str], chunk_ids: Sequence[int], limits: WalkLimits) -> GraphDistances:
    """Return the distance of each chunk's nearest entity. Dates, amounts and addresses lead nowhere, and hubs no further."""
    starts = [surface for each in entity_ids if (surface := graph.find_entity(each)) is not None]
    sought = {chunk_id: find_telling(graph, chunk_id) for chunk_id in chunk_ids}
    walk = _Walk(graph, _hub_test(graph, limits.hub_share), starts)
    distances = walk.find(set().union(*sought.values()), limits.max_distance)
    near = {chunk_id: [distances[each] for each in entities if each in distances] for chunk_id, entities in sought.items()}
    return GraphDistances({chunk_id: min(found) for chunk_id, found in near.items() if found}, walk.is_cut)


class _Walk:
    """A walk outwards, step by step. `edge` are those that were reached last and lead on, `passed` the names of all that lead on."""

    def __init__(self, graph: TenantGraph, leads_on: Callable[[SurfaceForm], bool], starts: Sequence[SurfaceForm]) -> None:
        self._graph, self._leads_on, self.is_cut = graph, leads_on, False
        self._reached: dict[SurfaceForm, int] = {}
        self._passed: set[SurfaceForm] = set()
        self._settle(starts, 0)

    def find(self, sought: set[SurfaceForm], max_distance: int) -> dict[SurfaceForm, int]:
        """Return the distances of all that was reached. The last step is taken backwards, from what is sought: most of what lies that far out is
        not."""
        distance = 1
        while distance < max_distance and not self.is_cut and not sought <= self._reached.keys():
            self.is_cut = sum(_degree(self._graph, each) for each in self._edge) > _STEPS
            if not self.is_cut:
                self._settle([other for each in self._edge for other in _neighbours(self._graph, each)], distance)
                distance += 1
        last = [each for each in sought - self._reached.keys() if self._is_next_to_passed(each)]
        return self._reached | dict.fromkeys(last, distance)

    def _settle(self, found: Sequence[SurfaceForm], distance: int) -> None:
        fresh = dict.fromkeys(each for each in found if each not in self._reached)
        self._reached |= dict.fromkeys(fresh, distance)
        self._edge = [each for each in fresh if self._leads_on(each)]
        self._passed.update(member for each in self._edge for member in each.group)

    def _is_next_to_passed(self, entity: SurfaceForm) -> bool:
        related = self._graph.graph.adj
        return not all(self._passed.isdisjoint(related[member]) for member in entity.group if member in self._graph.graph)


def _neighbours(graph: TenantGraph, centre: SurfaceForm) -> Iterator[SurfaceForm]:
    """Yield the entities related to this one, some of them several times."""
    return (other.centre for member in centre.group if member in graph.graph for other in graph.graph.adj[member])


def _degree(graph: TenantGraph, centre: SurfaceForm) -> int:
    return sum(len(graph.graph.adj[member]) for member in centre.group if member in graph.graph)


def _hub_test(graph: TenantGraph, share: float) -> Callable[[SurfaceForm], bool]:
    """Return the function that says whether a walk goes on from an entity."""
    most = max(share * len(graph.records), _FEW)

    def leads_on(centre: SurfaceForm) -> bool:
        if centre.kind in SILENT or _degree(graph, centre) > _RELATED:
            return False
        places = sum(len(member.places) for member in centre.group)
        return places <= most or len({record.id for member in centre.group for record, _ in member.places}) <= most

    return leads_on
